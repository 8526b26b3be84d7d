package sass

// Atomic operations by the code at bit 87. Shared atomics and integer ones in other spaces have the same codes; floats
// have the first three.
var atomicNames = [16]string{"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", "", "", "", "", "", "", ""}

// An atomicType is a type that an atomic works on.
type atomicType struct {
	name  string
	bytes int
}

var (
	// atomicTypes are those of all atomics up to sm_89.
	atomicTypes = [8]atomicType{{"", 4}, {"S32", 4}, {"64", 8}, {"F32.FTZ.RN", 4}, {"F16x2.RN", 4}, {"S64", 8}, {"F64.RN", 8}, {}}
	// integerTypes and floatTypes are those from sm_90.
	integerTypes = [8]atomicType{{"", 4}, {"S32", 4}, {"64", 8}, {"S64", 8}, {"128", 16}, {}, {}, {}}
	floatTypes   = [16]atomicType{{"F16x2.RN", 4}, {"F16x4.RN", 8}, {"F16x8.RN", 16}, {"BF16x2.RN", 4}, {"BF16x4.RN", 8},
		{"BF16x8.RN", 16}, {}, {}, {}, {"F32.FTZ.RN", 4}, {"F32x2.FTZ.RN", 8}, {"F32x4.FTZ.RN", 16}, {"F32.RN", 4},
		{"F32x2.RN", 8}, {"F32x4.RN", 16}, {"F64.RN", 8}}
)

// firstFloatAtomic is the first architecture with operations of their own for atomics on floats.
const firstFloatAtomic = 90

func sizeAtomic(w word, arch int) (int, string) {
	t := atomicTypes[w.bits(73, 3)]
	if arch >= firstFloatAtomic {
		t = integerTypes[w.bits(73, 3)]
	}
	return t.bytes, t.name
}

func sizeFloat(w word, arch int) (int, string) {
	if arch < firstFloatAtomic {
		return 0, ""
	}
	t := floatTypes[w.bits(73, 4)]
	return t.bytes, t.name
}

func sizeShared(w word, arch int) (int, string) {
	t := [4]atomicType{{"", 4}, {"S32", 4}, {"64", 8}, {}}[w.bits(73, 2)]
	return t.bytes, t.name
}

// sizeArrive is the size of the two counting operations, printed with their names.
func sizeArrive(w word, arch int) (int, string) {
	switch n := w.bits(87, 4); {
	case n == 9:
		return 8, "ARRIVE.64"
	case n == 10 && (w.op() == 0x18a || arch < 90), n == 11 && w.op() == 0x18c && arch >= 90:
		return 4, "POPC.INC.32"
	}
	return 0, ""
}

// atomicName returns the operation, "" for a reserved code.
func atomicName(w word, c class) string {
	bits := uint(4)
	if c.op == Reduce {
		bits = 3
	}
	n := w.bits(87, bits)
	if c.has&isFloat != 0 {
		if n = w.bits(87, 3); n > 2 {
			return ""
		}
	}
	return atomicNames[n]
}

// operands prints the operands of a class.
func (d *decoder) operands(w word, c class, t *printer, a operandText) {
	in := t.in
	if c.has&hasPred != 0 {
		if n := uint8(w.bits(81, 3)); c.root != "LDG" || n != 7 {
			t.pred(n, "P")
			t.comma()
			in.predDst.add(n, false)
		}
	}
	if c.dst != 0 {
		t.reg(w.reg(uint(c.dst)))
		t.comma()
	}
	t.address(in, w.reg(24), a)
	for _, p := range []uint8{c.data, c.data2} {
		if p != 0 {
			t.comma()
			t.reg(w.reg(uint(p)))
		}
	}
	if n := w.bits(64, 4); c.root == "LDG" && n != 0 { // a predicate read, stored as 7 less its number
		t.comma()
		t.sourcePred(7-uint8(n&7), n&8 != 0)
	}
}

// registers returns the number of 32-bit registers that hold n bytes.
func registers(n int) uint8 { return uint8(max(1, n/4)) }

// accessRegs lists the registers of a class: those of a wide access are consecutive.
func (d *decoder) accessRegs(in *Inst, w word, c class) {
	n := registers(in.Width)
	from := d.list()
	if c.dst != 0 {
		d.add(w.reg(uint(c.dst)), false, n)
	}
	in.Dst = d.end(from)
	from = d.list()
	d.addressRegs(&in.Addr)
	for _, p := range []uint8{c.data, c.data2} {
		if p != 0 {
			d.add(w.reg(uint(p)), false, n)
		}
	}
	in.Src = d.end(from)
}

// addressRegs adds the registers of an address.
func (d *decoder) addressRegs(a *Address) {
	if a.HasBase {
		d.add(a.Base.N, a.Base.Uniform, 1+flag(a.Wide))
	}
	if a.HasUniform {
		d.add(a.Uniform.N, true, 1+flag(a.UniformWide))
	}
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
