package sass

// A bulkForm says which operands an operation of the tensor memory accelerator has, and what follows its name.
type bulkForm struct {
	op    Operation
	mods  []string // {dim}, {op} and {way} stand for what the bits say
	third bool     // a third operand: size, or multicast mask
	bare  bool     // without the first operand
	desc  bool     // a descriptor may follow
}

var bulkForms = map[uint16]bulkForm{
	0x5b4: {op: BulkCopy, mods: []string{"{dim}"}},
	0x3b4: {op: BulkCopy, mods: []string{"{dim}", "MULTICAST"}, third: true},
	0x3b5: {op: BulkCopy, mods: []string{"{dim}"}},
	0x3b6: {op: Reduce, mods: []string{"{dim}", "{op}"}},
	0x5b8: {op: Prefetch, mods: []string{"L2", "{dim}"}},
	0x3ba: {op: BulkCopy, mods: []string{"{way}"}, third: true, desc: true},
	0x3bb: {op: Reduce, mods: []string{"G.S", "{op}", "{type}"}, third: true},
	0x3bc: {op: Prefetch, mods: []string{"L2"}, third: true, bare: true},
}

// bulkMod returns what a modifier prints as, "" for a reserved value.
func bulkMod(mod string, w word) string {
	switch mod {
	case "{dim}":
		return [...]string{"1D", "2D", "3D", "4D", "5D", "", "", ""}[w.bits(79, 3)]
	case "{op}":
		return atomicNames[w.bits(87, 3)]
	case "{way}":
		return [...]string{"", "S.G", "G.S", "S.S"}[w.bits(73, 2)]
	case "{type}":
		if w.bits(81, 4) == bulkFloat {
			return "F32.RN"
		}
		return ""
	}
	return mod
}

// bulkFloat is the only type of UBLKRED that was seen.
const bulkFloat = 5

// bulk decodes the operations of the tensor memory accelerator. Their width stands in a tensor map or in a register, so
// it is unknown; addresses are in uniform registers, listed in Src.
func (d *decoder) bulk(in *Inst, w word, f bulkForm) {
	in.Space, in.Operation = Global, f.op
	first, second, third := w.ureg(32, d.arch), w.ureg(24, d.arch), w.ureg(64, d.arch)
	from := d.list()
	if !f.bare {
		d.add(first, true, 1)
	}
	d.add(second, true, 1)
	if f.third {
		d.add(third, true, 1)
	}
	in.Src = d.end(from)
	t := d.start(in)
	t.word(in.Root)
	for _, m := range f.mods {
		s := bulkMod(m, w)
		if s == "" {
			in.Space = UnknownSpace
			in.Opcode, in.Text = in.Root, in.Root
			return
		}
		if s == "S.S" {
			in.Space = Shared
		}
		t.dot(s)
	}
	t.endOpcode()
	if !f.bare {
		t.word("[")
		t.ureg(first)
		t.word("], ")
	}
	t.word("[")
	t.ureg(second)
	t.word("]")
	if f.third {
		t.comma()
		t.ureg(third)
	}
	if f.desc && w.bit(76) {
		t.word(", desc[")
		t.ureg(w.ureg(40, d.arch))
		t.word("]")
	}
	t.finish(in)
}
