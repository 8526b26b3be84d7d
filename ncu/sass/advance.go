package sass

// An advance is how much a register grows from one round of a loop to the next, when that is a constant.
type advance struct {
	by    int64
	known bool
}

// grows records what a jump back to the head of a loop says about each register's growth. Several jumps to one head must
// agree.
func (d *dataflow) grows(head int) {
	n := d.slot[head]
	if n < 0 || !d.loop[n].filled {
		return
	}
	seen := d.advances[head]
	if seen == nil || seen.pass != d.passes {
		seen = &loopAdvance{pass: d.passes, regs: make([]advance, len(d.cur)), first: true}
		d.advances[head] = seen
	}
	for r, id := range d.cur {
		a := advance{}
		if diff, ok := d.forms.sum(id, d.loop[n].regs[r], -1); ok && len(d.forms.all[diff].terms) == 0 {
			a = advance{d.forms.all[diff].c, true}
		}
		if seen.first || seen.regs[r] == a {
			seen.regs[r] = a
		} else {
			seen.regs[r] = advance{}
		}
	}
	seen.first = false
}

// A loopAdvance holds the growth of all registers in one loop, as of one pass.
type loopAdvance struct {
	pass  int
	regs  []advance
	first bool
}

// advanceOf returns how much an address grows from round to round of the loop from head to branch.
func (d *dataflow) advanceOf(id formID, head, branch int) (by int64, known bool) {
	for _, t := range d.forms.all[id].terms {
		a := d.symbolAdvance(t.sym, head, branch)
		if !a.known {
			return 0, false
		}
		by += t.coef * a.by
	}
	return by, true
}

// symbolAdvance returns how much a symbol grows from round to round.
func (d *dataflow) symbolAdvance(sym int32, head, branch int) advance {
	v := &d.forms.symbols[sym]
	outside := v.at >= 0 && (int(v.at) < head || int(v.at) > branch)
	switch v.key.kind {
	case symLoop:
		if a := d.advances[head]; int(v.at) == head && a != nil {
			return a.regs[v.reg]
		}
		return advance{known: outside}
	case symResult, symMerge:
		return advance{known: outside}
	case symUnknown:
		return advance{}
	case symProduct:
		a, b := d.symbolAdvance(v.key.a, head, branch), d.symbolAdvance(v.key.b, head, branch)
		return advance{known: a.known && a.by == 0 && b.known && b.by == 0}
	}
	return advance{known: true}
}
