package sass

// A class says how one memory operation, in one form, lays out its fields. Bit positions of 0 mean the field is absent.
// The fields are those of public documentation and of comparing encodings that differ in one modifier.
type class struct {
	root  string
	space Space
	op    Operation
	dst   uint8 // destination register
	data  uint8 // register stored, or added
	data2 uint8 // new value of a compare-and-swap
	off   uint8 // offset: first bit,
	offN  uint8 // and number of bits, signed
	ur    uint8 // uniform register, present when bit 91 is set
	size  sizer
	has   classFlag
}

// classFlag marks fields that stand at the same place in every class that has them.
type classFlag uint16

const (
	hasE     classFlag = 1 << iota // bit 72: 64-bit address
	hasEvict                       // 84 to 86
	hasOrder                       // 77 to 80
	hasL2                          // 68 and 69
	hasScale                       // 78 and 79
	hasPred                        // 81 to 83, predicate written
	isStore                        // order code 4 reads STRONG.SM.PRIVATE
	isAtomic                       // operation at 87, printed before the size
	isFloat                        // atomic on floats: fewer operations
	isCAS                          // compare and swap
)

// A sizer decodes a width field: the bytes of one lane, and how the disassembler prints it. Zero bytes: unknown.
type sizer func(w word, arch int) (int, string)

var (
	sizeNames = [8]string{"U8", "S8", "U16", "S16", "", "64", "128", ""}
	sizeBytes = [8]int{1, 1, 2, 2, 4, 8, 16, 0}
)

func size73(w word, arch int) (int, string) {
	n := w.bits(73, 3)
	return sizeBytes[n], sizeNames[n]
}

// sizeGlobal knows the second 128-bit code that LDG has before sm_80.
func sizeGlobal(w word, arch int) (int, string) {
	if n := w.bits(73, 3); n == 7 && arch < 80 {
		return 16, "U.128"
	}
	return size73(w, arch)
}

// sizeMatrix is the number of 8x8 matrices that LDSM and STSM move, four bytes a lane each, with their shape.
func sizeMatrix(w word, arch int) (int, string) {
	n := w.bits(72, 2)
	shape := ""
	switch w.bits(74, 7) {
	case 0x00:
		shape = "16.M88"
	case 0x10:
		shape = "16.MT88"
	case 0x22:
		shape = "8.MT168"
	case 0x4e:
		shape = "8.MT1616"
	}
	if shape == "" || n == 3 {
		return 0, ""
	}
	return 4 << n, shape + [...]string{"", ".2", ".4"}[n]
}

// classes are the memory classes by operation and form.
var classes = map[uint16]class{
	0x381: {"LDG", Global, Load, 16, 0, 0, 40, 24, 0, sizeGlobal, hasE | hasEvict | hasOrder | hasL2 | hasPred},
	0x981: {"LDG", Global, Load, 16, 0, 0, 40, 24, 32, sizeGlobal, hasE | hasEvict | hasOrder | hasL2 | hasPred},
	0x386: {"STG", Global, Store, 0, 32, 0, 40, 24, 0, size73, hasE | hasEvict | hasOrder | isStore},
	0x986: {"STG", Global, Store, 0, 32, 0, 40, 24, 64, size73, hasE | hasEvict | hasOrder | isStore},
	0x980: {"LD", Generic, Load, 16, 0, 0, 40, 24, 32, size73, hasE | hasEvict | hasOrder | hasL2},
	0x385: {"ST", Generic, Store, 0, 64, 0, 32, 32, 0, size73, hasE | hasEvict | hasOrder | isStore},
	0x985: {"ST", Generic, Store, 0, 32, 0, 40, 24, 64, size73, hasE | hasEvict | hasOrder | isStore},
	0x984: {"LDS", Shared, Load, 16, 0, 0, 40, 24, 32, size73, hasScale},
	0x388: {"STS", Shared, Store, 0, 32, 0, 40, 24, 0, size73, hasScale},
	0x988: {"STS", Shared, Store, 0, 32, 0, 40, 24, 64, size73, hasScale},
	0x983: {"LDL", Local, Load, 16, 0, 0, 40, 24, 32, size73, hasEvict},
	0x387: {"STL", Local, Store, 0, 32, 0, 40, 24, 0, size73, hasEvict},
	0x987: {"STL", Local, Store, 0, 32, 0, 40, 24, 64, size73, hasEvict},
	0x3a8: {"ATOMG", Global, Atomic, 16, 32, 0, 40, 24, 64, sizeAtomic, hasE | hasEvict | hasOrder | hasPred | isStore | isAtomic},
	0x9a8: {"ATOMG", Global, Atomic, 16, 32, 0, 40, 24, 64, sizeAtomic, hasE | hasEvict | hasOrder | hasPred | isStore | isAtomic},
	0x3a3: {"ATOMG", Global, Atomic, 16, 32, 0, 40, 24, 64, sizeFloat, hasE | hasEvict | hasOrder | hasPred | isStore | isAtomic | isFloat},
	0x9a3: {"ATOMG", Global, Atomic, 16, 32, 0, 40, 24, 64, sizeFloat, hasE | hasEvict | hasOrder | hasPred | isStore | isAtomic | isFloat},
	0x38a: {"ATOM", Generic, Atomic, 16, 32, 0, 40, 24, 64, sizeAtomic, hasE | hasEvict | hasOrder | hasPred | isStore | isAtomic},
	0x98a: {"ATOM", Generic, Atomic, 16, 32, 0, 40, 24, 64, sizeAtomic, hasE | hasEvict | hasOrder | hasPred | isStore | isAtomic},
	0x3a2: {"ATOM", Generic, Atomic, 16, 32, 0, 40, 24, 64, sizeFloat, hasE | hasEvict | hasOrder | hasPred | isStore | isAtomic | isFloat},
	0x9a2: {"ATOM", Generic, Atomic, 16, 32, 0, 40, 24, 64, sizeFloat, hasE | hasEvict | hasOrder | hasPred | isStore | isAtomic | isFloat},
	0xf8a: {"ATOM", Generic, Atomic, 16, 0, 0, 40, 24, 64, sizeArrive, hasE | hasOrder | hasPred | isStore},
	0x38e: {"RED", Global, Reduce, 0, 32, 0, 40, 24, 64, sizeAtomic, hasE | hasEvict | hasOrder | isStore | isAtomic},
	0x98e: {"RED", Global, Reduce, 0, 32, 0, 40, 24, 64, sizeAtomic, hasE | hasEvict | hasOrder | isStore | isAtomic},
	0x3a6: {"RED", Global, Reduce, 0, 32, 0, 40, 24, 64, sizeFloat, hasE | hasEvict | hasOrder | isStore | isAtomic | isFloat},
	0x9a6: {"RED", Global, Reduce, 0, 32, 0, 40, 24, 64, sizeFloat, hasE | hasEvict | hasOrder | isStore | isAtomic | isFloat},
	0x3a9: {"ATOMG", Global, Atomic, 16, 32, 64, 40, 24, 0, sizeAtomic, hasE | hasEvict | hasOrder | hasPred | isCAS},
	0x38b: {"ATOM", Generic, Atomic, 16, 32, 64, 40, 24, 0, sizeAtomic, hasE | hasEvict | hasOrder | hasPred | isCAS},
	0x38d: {"ATOMS", Shared, Atomic, 16, 32, 64, 40, 24, 0, sizeShared, hasScale | isCAS},
	0x58d: {"ATOMS", Shared, Atomic, 0, 32, 64, 40, 24, 0, sizeShared, hasScale | hasPred | isCAS},
	0x38c: {"ATOMS", Shared, Atomic, 16, 32, 0, 40, 24, 64, sizeShared, hasScale | isAtomic},
	0x98c: {"ATOMS", Shared, Atomic, 16, 32, 0, 40, 24, 64, sizeShared, hasScale | isAtomic},
	0xf8c: {"ATOMS", Shared, Atomic, 16, 0, 0, 40, 24, 64, sizeArrive, hasScale},
	0x83b: {"LDSM", Shared, Load, 16, 0, 0, 40, 24, 32, sizeMatrix, 0},
	0x844: {"STSM", Shared, Store, 0, 32, 0, 40, 24, 64, sizeMatrix, 0},
	0x9a5: {"LDGMC", Global, Load, 16, 0, 0, 40, 24, 64, sizeUnknown, hasE},
	0xdbd: {"STAS", Shared, Store, 0, 32, 0, 40, 24, 0, sizeUnknown, 0},
	0xdbe: {"REDAS", Shared, Reduce, 0, 32, 0, 40, 24, 0, sizeUnknown, 0},
}

func sizeUnknown(word, int) (int, string) { return 0, "" }

// roots are the memory operations whatever the form, so that an unknown form is not taken for something else.
var roots = [512]string{
	0x181: "LDG", 0x17e: "LDG", 0x186: "STG", 0x17f: "STG", 0x180: "LD", 0x185: "ST", 0x184: "LDS", 0x188: "STS",
	0x183: "LDL", 0x187: "STL", 0x182: "LDC", 0x0b9: "ULDC", 0x0bb: "ULDC", 0x1ac: "LDCU",
	0x18a: "ATOM", 0x1a2: "ATOM", 0x18b: "ATOM", 0x1a8: "ATOMG", 0x1a3: "ATOMG", 0x1a9: "ATOMG",
	0x18c: "ATOMS", 0x18d: "ATOMS", 0x18e: "RED", 0x1a6: "RED", 0x1ae: "LDGSTS", 0x03b: "LDSM", 0x044: "STSM",
	0x1b4: "UTMALDG", 0x1b5: "UTMASTG", 0x1b6: "UTMAREDG", 0x1b8: "UTMAPF", 0x1ba: "UBLKCP", 0x1bb: "UBLKRED",
	0x1bc: "UBLKPF", 0x1a5: "LDGMC", 0x1bd: "STAS", 0x1be: "REDAS",
}

// firstREDG is the first architecture on which RED is called REDG.
const firstREDG = 90

// memory decodes a memory operation; it reports whether it was one.
func (d *decoder) memory(in *Inst, w word) bool {
	root := roots[w.op()]
	if root == "" {
		return false
	}
	if root == "RED" && d.arch >= firstREDG {
		root = "REDG"
	}
	in.Root = root
	in.guarded(root[0] == 'U' || root == "LDCU")
	low12 := uint16(w.lo & 0xfff)
	if c, ok := classes[low12]; ok {
		d.access(in, w, c)
	} else if c, ok := constantForms[low12]; ok {
		d.constant(in, w, c)
	} else if c, ok := bulkForms[low12]; ok {
		d.bulk(in, w, c)
	} else if low12 == 0x97e || low12 == 0x97f {
		d.wideGlobal(in, w, low12 == 0x97e)
	} else if (low12 == 0xfae || low12 == 0xdae) && d.arch >= 80 {
		d.asyncCopy(in, w, low12 == 0xdae)
	} else {
		in.Space = UnknownSpace
		in.Opcode, in.Text = root, root
	}
	return true
}

// access decodes an operation of the class table.
func (d *decoder) access(in *Inst, w word, c class) {
	in.Space, in.Operation = c.space, c.op
	width, size := c.size(w, d.arch)
	t := d.start(in)
	t.word(in.Root)
	ok := width > 0
	ok = d.modifiers(in, w, c, t, size) && ok
	in.Width = width
	a := d.address(in, w, c)
	if !ok { // a reserved value somewhere: say no more than the operation
		in.Width = 0
		in.Opcode, in.Text = in.Root, in.Root
		d.accessRegs(in, w, c)
		return
	}
	t.endOpcode()
	d.operands(w, c, t, a)
	d.accessRegs(in, w, c)
	t.finish(in)
}

// modifiers prints and notes everything between the root and the operands. It reports false on a reserved value.
func (d *decoder) modifiers(in *Inst, w word, c class, t *printer, size string) bool {
	ok := true
	if c.has&hasE != 0 && w.bit(72) {
		t.dot("E")
	}
	if in.Root == "LDS" && d.arch < 80 && w.bit(76) {
		t.dot("U")
	}
	cas := c.has&isCAS != 0 && w.bits(87, 2) == 3 // a loop of the hardware's own
	if c.has&hasEvict != 0 {
		n := w.bits(84, 3)
		in.Evict = evictNames[n]
		ok = n < 6
		if !cas {
			t.dot(in.Evict)
		}
	}
	if c.has&hasL2 != 0 {
		n := w.bits(68, 2)
		ok = ok && (n < 3 || d.arch >= 80)
		t.dot(l2Names[n])
	}
	if c.has&isAtomic != 0 {
		name := atomicName(w, c)
		ok = ok && name != ""
		t.dot(name)
	}
	if c.has&isCAS != 0 {
		if cas {
			t.dot("CAST")
			t.dot("SPIN")
		} else {
			t.dot("CAS")
		}
	}
	t.dot(size)
	if c.has&hasOrder != 0 && !cas {
		printed := ""
		in.Order, printed = d.order(w, c.has&isStore != 0)
		t.dot(printed)
		if c.root == "LDG" && d.arch < 80 && w.bit(87) {
			t.dot("ZD")
		}
	}
	return ok
}

var (
	evictNames = [8]string{"EF", "", "EL", "LU", "EU", "NA", "", ""}
	l2Names    = [4]string{"", "LTC64B", "LTC128B", "LTC256B"}
	orders     = [16]string{"", "CONSTANT.PRIVATE", "CONSTANT.CTA", "CONSTANT.CTA.PRIVATE", "CONSTANT", "STRONG.SM",
		"STRONG.GPU.PRIVATE", "STRONG.GPU", "MMIO.GPU", "CONSTANT.SM", "STRONG.SYS", "CONSTANT.SM.PRIVATE", "MMIO.SYS",
		"CONSTANT.VC", "CONSTANT.VC.PRIVATE", "CONSTANT.GPU"}
	oldScopes = [4]string{"CTA", "SM", "GPU", "SYS"}
	oldKinds  = [4]string{"CONSTANT", "", "STRONG", "MMIO"}
)

// order returns the memory order, once as Inst.Order has it and once as printed. Before sm_80 the scope is a field of
// its own and always printed.
func (d *decoder) order(w word, store bool) (string, string) {
	if d.arch >= 80 {
		n := w.bits(77, 4)
		if store && n == 4 {
			return "STRONG.SM.PRIVATE", "STRONG.SM.PRIVATE"
		}
		return orderClass(orders[n]), orders[n]
	}
	kind, scope := oldKinds[w.bits(79, 2)], oldScopes[w.bits(77, 2)]
	printed := scope
	if kind != "" {
		printed = kind + "." + scope
	}
	if w.bit(76) && w.op() != 0x1a8 && w.op() != 0x18a && w.op() != 0x18e {
		printed += ".PRIVATE"
	}
	return orderClass(printed), printed
}

// orderClass drops the scope of weak and read-only accesses, where it says nothing.
func orderClass(printed string) string {
	switch {
	case len(printed) >= 8 && printed[:8] == "CONSTANT":
		return "CONSTANT"
	case len(printed) >= 4 && (printed[:4] == "STRO" || printed[:4] == "MMIO"):
		return printed
	}
	return ""
}

// An operandText is what the address prints as, beside what Inst.Addr says.
type operandText struct {
	desc    bool // the uniform register is a descriptor, and shown
	hidden  bool // it is a descriptor, and not shown
	ur      uint8
	suffix  string // of the base: ".64", ".U32"
	uniform bool
}

// address decodes base, uniform register and offset. Where bit 91 is set, a flag that depends on the operation and the
// architecture tells a register that is added from a memory descriptor, which does not change the address.
func (d *decoder) address(in *Inst, w word, c class) operandText {
	a := &in.Addr
	base := w.reg(24)
	a.Scale = 1
	a.Wide = c.has&hasE != 0 && w.bit(72)
	a.Offset = w.signed(uint(c.off), uint(c.offN))
	if c.root == "LD" && !w.bit(91) {
		a.Offset = w.signed(32, 32)
	}
	if c.has&hasScale != 0 {
		a.Scale = [...]uint8{1, 4, 8, 16}[w.bits(78, 2)]
	}
	var t operandText
	if c.ur != 0 && w.bit(91) {
		t = d.uniformPart(in, w, c)
	}
	if in.Root == "STAS" || in.Root == "REDAS" {
		a.Wide, t.suffix = true, ".64"
	}
	if a.HasBase = base != zeroReg; a.HasBase {
		a.Base = Reg{N: base}
	} else {
		a.Wide = false
	}
	return t
}

// uniformPart decodes the role of the uniform register.
func (d *decoder) uniformPart(in *Inst, w word, c class) operandText {
	a := &in.Addr
	t := operandText{ur: w.ureg(uint(c.ur), d.arch), uniform: true}
	wide, desc := false, false
	switch {
	case c.has&(hasE) == 0: // shared and local: always added
		a.HasUniform, a.Uniform = t.ur != zeroReg, Reg{true, t.ur}
		if !a.HasUniform {
			a.Uniform = Reg{}
		}
		return t
	case c.root == "LDGMC":
		wide = w.bit(72)
	case c.op == Atomic && d.arch >= 100:
		desc, wide = w.bit(63), true
		a.Offset = w.signed(40, 23)
	case c.op == Atomic:
		desc, wide = d.arch >= 80 && w.bit(71), w.bit(70)
	case c.op == Reduce && d.arch >= 100:
		desc, wide = w.bit(81), w.bit(90)
	case c.op == Reduce:
		desc, wide = d.arch >= 80 && w.bit(71), w.bit(90)
	default:
		desc, wide = d.arch >= 80 && w.bit(76), w.bit(90)
	}
	if a.Wide = wide; wide {
		t.suffix = ".64"
	} else {
		t.suffix = ".U32"
	}
	if desc {
		t.hidden = d.arch < 90 && !w.bit(101)
		t.desc = !t.hidden
		return t
	}
	if t.ur != zeroReg {
		a.HasUniform, a.Uniform, a.UniformWide = true, Reg{true, t.ur}, w.bit(72)
	}
	return t
}
