package sass

// wideGlobal decodes the 256-bit LDG and STG of sm_100: two groups of four registers, and a policy for L2.
func (d *decoder) wideGlobal(in *Inst, w word, load bool) {
	in.Space, in.Operation = Global, Store
	descriptor := uint(64)
	if load {
		in.Operation, descriptor = Load, 32
	}
	in.Evict = evictNames[w.bits(84, 3)]
	var order string
	in.Order, order = d.order(w, !load)
	a := &in.Addr
	a.Scale, a.Offset = 1, w.signed(40, 17)*32
	base := w.reg(24)
	if a.HasBase = base != zeroReg; a.HasBase {
		a.Base, a.Wide = Reg{N: base}, true
	}
	groups := [2]uint8{w.reg(32), w.reg(16)}
	if load {
		groups[0] = w.reg(64)
	}
	d.wideRegs(in, groups, load)
	policy := w.bits(81, 2)
	if policy == 3 || w.bits(84, 3) > 5 || d.arch < 100 {
		in.Opcode, in.Text = in.Root, in.Root
		return
	}
	in.Width = 32
	t := d.start(in)
	t.word(in.Root)
	for _, m := range []string{"E", in.Evict, [...]string{"EFL2", "ENL2", "ELL2"}[policy], "256", order} {
		t.dot(m)
	}
	t.endOpcode()
	at := operandText{desc: true, ur: w.ureg(descriptor, d.arch), suffix: ".64", uniform: true}
	if !load {
		t.address(in, base, at)
		t.comma()
	}
	t.reg(groups[0])
	t.comma()
	t.reg(groups[1])
	if load {
		t.comma()
		t.address(in, base, at)
	}
	t.finish(in)
}

func (d *decoder) wideRegs(in *Inst, groups [2]uint8, load bool) {
	from := d.list()
	if load {
		d.add(groups[0], false, 4)
		d.add(groups[1], false, 4)
	}
	in.Dst = d.end(from)
	from = d.list()
	d.addressRegs(&in.Addr)
	if !load {
		d.add(groups[0], false, 4)
		d.add(groups[1], false, 4)
	}
	in.Src = d.end(from)
}
