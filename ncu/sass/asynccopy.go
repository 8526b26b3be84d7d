package sass

// asyncCopy decodes LDGSTS, which copies from global to shared memory. Inst.Addr is the global address; the registers of
// the shared one are among Src. In one form a uniform register is added to the shared side.
func (d *decoder) asyncCopy(in *Inst, w word, uniformShared bool) {
	in.Space, in.Operation = Global, AsyncCopy
	width, size, l2 := d.copySize(w)
	evict := w.bits(84, 3)
	in.Evict = evictNames[evict]
	var order string
	in.Order, order = d.order(w, false)
	at := d.copySource(in, w, uniformShared)
	shared, ur := w.reg(16), w.ureg(64, d.arch)
	from := d.list()
	d.addressRegs(&in.Addr)
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
		t.dot("BYPASS") // of the L1
	}
	for _, m := range []string{in.Evict, l2, size, order} {
		t.dot(m)
	}
	if w.bit(82) {
		t.dot("ZFILL")
	}
	t.endOpcode()
	t.copyTarget(shared, ur, uniformShared, w.signed(44, 20))
	t.comma()
	t.address(in, w.reg(24), at)
	if n := w.bits(87, 4); n != 7 {
		t.comma()
		t.sourcePred(uint8(n&7), n&8 != 0)
	}
	t.finish(in)
}

// copySize returns the bytes of a lane, and what is printed for them and for the L2 prefetch.
func (d *decoder) copySize(w word) (width int, size, l2 string) {
	if d.arch >= 100 {
		n := w.bits(74, 2)
		return [...]int{4, 8, 16, 0}[n], [...]string{"", "64", "128", ""}[n], l2Names[w.bits(72, 2)]
	}
	width, size = size73(w, d.arch)
	return width, size, l2Names[w.bits(71, 2)]
}

// copySource decodes the global address.
func (d *decoder) copySource(in *Inst, w word, uniformShared bool) operandText {
	a := &in.Addr
	a.Scale, a.Offset = 1, w.signed(32, 12)
	wide := d.arch >= 100 || w.bit(70)
	if base := w.reg(24); base != zeroReg {
		a.HasBase, a.Base, a.Wide = true, Reg{N: base}, wide
	}
	at := operandText{suffix: ".U32"}
	if wide {
		at.suffix = ".64"
	}
	ur := w.ureg(64, d.arch)
	switch {
	case w.bit(76): // a descriptor; it follows the register of the shared side where there is one
		at.ur, at.uniform = ur, true
		if uniformShared {
			at.ur = uint8(w.bits(64, 6) + 1)
		}
		at.hidden = d.arch < 90 && !w.bit(101)
		at.desc = !at.hidden
	case !uniformShared && ur != zeroReg:
		at.ur, at.uniform = ur, true
		a.HasUniform, a.Uniform, a.UniformWide = true, Reg{true, ur}, true
	}
	return at
}

// copyTarget prints the shared address.
func (t *printer) copyTarget(shared, ur uint8, uniformShared bool, off int64) {
	t.word("[")
	if !uniformShared || shared != zeroReg {
		t.reg(shared)
	}
	if uniformShared {
		if shared != zeroReg {
			t.word("+")
		}
		t.ureg(ur)
	}
	t.plus(off)
	t.word("]")
}
