package sass

// A constantForm says where a load from a constant bank keeps its index and offset.
type constantForm struct {
	index    uint8 // bit of the index register; 0 for none
	off      uint8 // first bit of the offset, in bytes
	offN     uint8
	signed   bool
	bindless bool // the bank stands in a uniform register
	uniform  bool // destination and index are uniform registers
}

// constantForms are LDC, ULDC and LDCU. The bindless ones but that of ULDC are public knowledge and were not seen.
var constantForms = map[uint16]constantForm{
	0xb82: {index: 24, off: 38, offN: 16, signed: true},
	0x582: {index: 64, off: 38, offN: 16, signed: true, bindless: true},
	0xab9: {off: 38, offN: 16, uniform: true},
	0xabb: {index: 24, off: 38, offN: 16, signed: true, uniform: true},
	0x7ac: {index: 24, off: 37, offN: 17, signed: true, uniform: true},
	0xbac: {off: 37, offN: 17, signed: true, bindless: true, uniform: true},
}

// constant decodes loads from constant banks.
func (d *decoder) constant(in *Inst, w word, c constantForm) {
	in.Space, in.Operation = Constant, Load
	c.bindless = c.bindless || in.Root == "ULDC" && c.index == 0 && w.bit(91)
	width, size := size73(w, d.arch)
	a := &in.Addr
	a.Scale, a.Offset = 1, int64(w.bits(uint(c.off), uint(c.offN)))
	if c.signed {
		a.Offset = w.signed(uint(c.off), uint(c.offN))
	}
	if !c.bindless {
		a.Bank = int(w.bits(54, 5))
	}
	index := uint8(zeroReg)
	if c.index != 0 {
		index = d.register(w, uint(c.index), c.uniform)
	}
	if a.HasBase = index != zeroReg; a.HasBase {
		a.Base = Reg{c.uniform, index}
	}
	d.constantRegs(in, w, c, width)
	if width == 0 {
		in.Opcode, in.Text = in.Root, in.Root
		return
	}
	in.Width = width
	t := d.start(in)
	t.word(in.Root)
	if in.Root == "LDC" && !c.bindless {
		t.dot([...]string{"", "IL", "IS", "ISL"}[w.bits(78, 2)])
	}
	t.dot(size)
	t.endOpcode()
	t.register(d.register(w, 16, c.uniform), c.uniform)
	t.comma()
	t.bank(in, w, c, index)
	t.finish(in)
}

func (d *decoder) constantRegs(in *Inst, w word, c constantForm, width int) {
	from := d.list()
	d.add(d.register(w, 16, c.uniform), c.uniform, registers(width))
	in.Dst = d.end(from)
	from = d.list()
	if c.bindless {
		d.add(w.ureg(24, d.arch), true, 1)
	}
	d.addressRegs(&in.Addr)
	in.Src = d.end(from)
}

// bank prints a constant operand: c[0x3][R4+0x10], cx[UR4][0x8].
func (t *printer) bank(in *Inst, w word, c constantForm, index uint8) {
	if c.bindless {
		t.word("cx[")
		t.ureg(w.ureg(24, t.arch))
	} else {
		t.word("c[")
		t.hex(int64(in.Addr.Bank))
	}
	t.word("][")
	if off := in.Addr.Offset; c.index == 0 || index == zeroReg && off != 0 {
		t.hex(off)
	} else {
		t.register(index, c.uniform)
		t.plus(off)
	}
	t.word("]")
}
