package sass

// constant decodes loads from constant banks: LDC with a register index, ULDC and LDCU into uniform registers.
func (d *decoder) constant(in *Inst, w word, low12 uint16) {
	in.Space, in.Operation = Constant, Load
	a := &in.Addr
	a.Scale = 1
	width, size := size73(w, d.arch)
	mode := w.bits(78, 2)
	bindless := low12 == 0x582 || low12 == 0xbac || low12 == 0xab9 && w.bit(91)
	uni := low12 != 0xb82 && low12 != 0x582
	index, indexed := uint8(zeroReg), false
	switch low12 {
	case 0xb82:
		index, indexed = w.reg(24), true
		a.Offset = w.signed(38, 16)
	case 0x582:
		index, indexed = w.reg(64), true
		a.Offset = w.signed(38, 16)
	case 0xabb:
		index, indexed = w.ureg(24, d.arch), true
		a.Offset = w.signed(38, 16)
	case 0xab9:
		a.Offset = int64(w.bits(38, 16))
	case 0x7ac:
		index, indexed = w.ureg(24, d.arch), true
		a.Offset = w.signed(37, 17)
	case 0xbac:
		a.Offset = w.signed(37, 17)
	}
	if !bindless {
		a.Bank = int(w.bits(54, 5))
	}
	if a.HasBase = indexed && index != zeroReg; a.HasBase {
		a.Base = Reg{uni, index}
	}
	from := d.list()
	d.add(d.register(w, 16, uni), uni, registers(width))
	in.Dst = d.end(from)
	from = d.list()
	if bindless {
		d.add(w.ureg(24, d.arch), true, 1)
	}
	d.addressRegs(a)
	in.Src = d.end(from)
	if width == 0 {
		in.Opcode, in.Text = in.Root, in.Root
		return
	}
	in.Width = width
	t := d.start(in)
	t.word(in.Root)
	if low12 == 0xb82 {
		t.dot([...]string{"", "IL", "IS", "ISL"}[mode])
	}
	t.dot(size)
	t.endOpcode()
	if uni {
		t.ureg(d.register(w, 16, true))
	} else {
		t.reg(w.reg(16))
	}
	t.comma()
	t.bank(in, w, bindless, index, indexed, uni)
	t.finish(in)
}

// bank prints a constant operand.
func (t *printer) bank(in *Inst, w word, bindless bool, index uint8, indexed, uni bool) {
	if bindless {
		t.word("cx[")
		t.ureg(w.ureg(24, t.arch))
	} else {
		t.word("c[")
		t.hex(int64(in.Addr.Bank))
	}
	t.word("][")
	off := in.Addr.Offset
	if !indexed || index == zeroReg && off != 0 {
		t.hex(off)
	} else {
		if uni {
			t.ureg(index)
		} else {
			t.reg(index)
		}
		t.plus(off)
	}
	t.word("]")
}

// wideGlobal decodes the 256-bit LDG and STG of sm_100: two groups of four registers.
func (d *decoder) wideGlobal(in *Inst, w word, load bool) {
	in.Space, in.Operation = Global, Store
	if load {
		in.Operation = Load
	}
	policy := w.bits(81, 2)
	in.Evict = evictNames[w.bits(84, 3)]
	var printed string
	in.Order, printed = d.order(w, !load)
	a := &in.Addr
	a.Scale, a.Offset = 1, w.signed(40, 17)*32
	base := w.reg(24)
	if a.HasBase = base != zeroReg; a.HasBase {
		a.Base, a.Wide = Reg{N: base}, true
	}
	from := d.list()
	if load {
		d.add(w.reg(64), false, 4)
		d.add(w.reg(16), false, 4)
	}
	in.Dst = d.end(from)
	from = d.list()
	d.addressRegs(a)
	if !load {
		d.add(w.reg(32), false, 4)
		d.add(w.reg(16), false, 4)
	}
	in.Src = d.end(from)
	if policy == 3 || w.bits(84, 3) > 5 || d.arch < 100 {
		in.Opcode, in.Text = in.Root, in.Root
		return
	}
	in.Width = 32
	t := d.start(in)
	t.word(in.Root)
	t.dot("E")
	t.dot(in.Evict)
	t.dot([...]string{"EFL2", "ENL2", "ELL2"}[policy])
	t.dot("256")
	t.dot(printed)
	t.endOpcode()
	at := operandText{desc: true, ur: w.ureg(64, d.arch), suffix: ".64", uniform: true}
	if load {
		at.ur = w.ureg(32, d.arch)
		t.reg(w.reg(64))
		t.comma()
		t.reg(w.reg(16))
		t.comma()
		t.address(in, base, at)
	} else {
		t.address(in, base, at)
		t.comma()
		t.reg(w.reg(32))
		t.comma()
		t.reg(w.reg(16))
	}
	t.finish(in)
}

// asyncCopy decodes LDGSTS, which copies from global to shared memory. Inst.Addr is the global address; the registers of
// the shared one are among Src.
func (d *decoder) asyncCopy(in *Inst, w word, uniformShared bool) {
	in.Space, in.Operation = Global, AsyncCopy
	width, size := size73(w, d.arch)
	l2 := l2Names[w.bits(71, 2)]
	if d.arch >= 100 {
		n := w.bits(74, 2)
		width, size = [...]int{4, 8, 16, 0}[n], [...]string{"", "64", "128", ""}[n]
		l2 = l2Names[w.bits(72, 2)]
	}
	evict := w.bits(84, 3)
	in.Evict = evictNames[evict]
	var printed string
	in.Order, printed = d.order(w, false)
	a := &in.Addr
	a.Scale, a.Offset = 1, w.signed(32, 12)
	base, shared, ur := w.reg(24), w.reg(16), w.ureg(64, d.arch)
	wide := d.arch >= 100 || w.bit(70)
	if a.HasBase = base != zeroReg; a.HasBase {
		a.Base, a.Wide = Reg{N: base}, wide
	}
	at := operandText{suffix: ".U32"}
	if wide {
		at.suffix = ".64"
	}
	desc := w.bit(76)
	switch {
	case desc && uniformShared: // the descriptor follows the register on the shared side
		at.ur, at.uniform = uint8(w.bits(64, 6)+1), true
		at.hidden = d.arch < 90 && !w.bit(101)
		at.desc = !at.hidden
	case desc:
		at.ur, at.uniform = ur, true
		at.hidden = d.arch < 90 && !w.bit(101)
		at.desc = !at.hidden
	case !uniformShared && ur != zeroReg:
		at.ur, at.uniform = ur, true
		a.HasUniform, a.Uniform, a.UniformWide = true, Reg{true, ur}, true
	}
	from := d.list()
	d.addressRegs(a)
	d.add(shared, false, 1)
	if uniformShared {
		d.add(ur, true, 1)
	}
	in.Src = d.end(from)
	if width == 0 || evict > 5 {
		in.Opcode, in.Text = in.Root, in.Root
		return
	}
	in.Width = width
	t := d.start(in)
	t.word(in.Root)
	t.dot("E")
	if !w.bit(81) {
		t.dot("BYPASS")
	}
	for _, s := range []string{in.Evict, l2, size, printed} {
		t.dot(s)
	}
	if w.bit(82) {
		t.dot("ZFILL")
	}
	t.endOpcode()
	t.word("[")
	switch {
	case uniformShared && shared != zeroReg:
		t.reg(shared)
		t.word("+")
		t.ureg(ur)
	case uniformShared:
		t.ureg(ur)
	default:
		t.reg(shared)
	}
	t.plus(w.signed(44, 20))
	t.word("], ")
	t.address(in, base, at)
	if n := w.bits(87, 4); n != 7 {
		t.comma()
		if n&8 != 0 {
			t.word("!")
		}
		t.pred(uint8(n&7), "P")
		in.predSrc.add(uint8(n&7), false)
	}
	t.finish(in)
}

// bulk decodes the operations of the tensor memory accelerator. Their width stands in a tensor map or in a register, so
// it is unknown; addresses are in uniform registers, listed in Src.
func (d *decoder) bulk(in *Inst, w word) {
	in.Space, in.Operation = Global, BulkCopy
	u1, u2, u3 := w.ureg(32, d.arch), w.ureg(24, d.arch), w.ureg(64, d.arch)
	dim := [...]string{"1D", "2D", "3D", "4D", "5D", "", "", ""}[w.bits(79, 3)]
	reduce := atomicNames[w.bits(87, 3)]
	var mods []string
	var third, desc, secondOnly bool
	ok := true
	switch low12 := w.lo & 0xfff; low12 {
	case 0x5b4, 0x3b5:
		mods = []string{dim}
	case 0x3b4:
		mods, third = []string{dim, "MULTICAST"}, true
	case 0x3b6:
		mods, in.Operation = []string{dim, reduce}, Reduce
	case 0x5b8:
		mods, in.Operation = []string{"L2", dim}, Prefetch
	case 0x3ba:
		kind := [...]string{"", "S.G", "G.S", "S.S"}[w.bits(73, 2)]
		if kind == "S.S" {
			in.Space = Shared
		}
		mods, third, desc = []string{kind}, true, w.bit(76)
		dim = kind
	case 0x3bb:
		mods, third, in.Operation, dim = []string{"G.S", reduce, "F32.RN"}, true, Reduce, "1D"
		ok = w.bits(81, 4) == bulkFloat
	case 0x3bc:
		mods, third, secondOnly, in.Operation, dim = []string{"L2"}, true, true, Prefetch, "1D"
	default:
		ok = false
	}
	from := d.list()
	if !secondOnly {
		d.add(u1, true, 1)
	}
	d.add(u2, true, 1)
	if third {
		d.add(u3, true, 1)
	}
	in.Src = d.end(from)
	if !ok || dim == "" {
		in.Space = UnknownSpace
		in.Opcode, in.Text = in.Root, in.Root
		return
	}
	t := d.start(in)
	t.word(in.Root)
	for _, m := range mods {
		t.dot(m)
	}
	t.endOpcode()
	if !secondOnly {
		t.word("[")
		t.ureg(u1)
		t.word("], ")
	}
	t.word("[")
	t.ureg(u2)
	t.word("]")
	if third {
		t.comma()
		t.ureg(u3)
	}
	if desc {
		t.word(", desc[")
		t.ureg(w.ureg(40, d.arch))
		t.word("]")
	}
	t.finish(in)
}

// bulkFloat is the only type of UBLKRED that was seen.
const bulkFloat = 5
