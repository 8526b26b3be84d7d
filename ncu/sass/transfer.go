package sass

// step applies one instruction to the state.
func (d *dataflow) step(n int, in *Inst) {
	if in.IsMemory() && in.Space != Texture && in.Space != Surface && in.Operation != BulkCopy {
		d.addr[n] = d.address(n, in)
		if in.Space == Local {
			d.stack[n] = d.cur[stackPointer]
		}
	}
	t := d.sourceTaint(in)
	switch {
	case in.Operation == Load && in.Space == Constant:
		d.constantLoad(n, in)
	case in.IsMemory():
		d.results(n, in, d.loaded(n, in))
	case in.arith != nil && len(in.Dst) > 0:
		d.compute(n, in, t)
	case len(in.Dst) > 0:
		d.results(n, in, resultTaint(in, t))
	}
	d.definePreds(in, t)
}

// sourceTaint is what the sources and the predicates read depend on, the guard not counted: it is part of the write.
func (d *dataflow) sourceTaint(in *Inst) taint {
	var t taint
	for _, r := range in.Src {
		t |= d.forms.taintOf(d.read(in, r))
	}
	set := in.predSrc
	if p := in.guardPred(); p >= 0 {
		set &^= 1 << p
	}
	for p := 0; set != 0; p, set = p+1, set>>1 {
		if set&1 != 0 {
			t |= d.preds[p] & perLane
		}
	}
	return t
}

// resultTaint is the taint of a result that no form follows.
func resultTaint(in *Inst, t taint) taint {
	switch in.Root {
	case "SHFL":
		if t&laneTaints != 0 {
			t = t&^taintLane | taintLaneMaybe // the lane it comes from may be one and the same
		}
	case "VOTE":
		t &^= perLane
	case "MATCH":
		t |= taintLane
	case "CS2R", "B2R", "BMOV", "P2R":
		t |= taintLaneMaybe
	}
	if in.Opcode == in.Root && len(in.Root) > 3 && in.Root[:3] == "OP_" {
		t |= taintLaneMaybe | taintLoadMaybe
	}
	return t
}

// results gives every destination a symbol of its own.
func (d *dataflow) results(n int, in *Inst, t taint) {
	for k, r := range in.Dst {
		d.result(n, in, k, r, t)
	}
}

func (d *dataflow) result(n int, in *Inst, k int, r Reg, t taint) {
	if r.Uniform {
		t &^= perLane
	}
	d.write(n, in, r, d.resultSymbol(n, k, t))
}

// resultSymbol returns the symbol of an instruction's k-th result, the same in every pass; its taint grows.
func (d *dataflow) resultSymbol(n, k int, t taint) formID {
	if k >= len(d.resultIDs[n]) {
		return d.forms.of(d.forms.symbol(symbolKey{symResult, int32(n), int32(k)}, t))
	}
	id := d.resultIDs[n][k]
	if id == 0 {
		id = d.forms.of(d.forms.fresh(symResult, n, k))
		d.resultIDs[n][k] = id
	}
	d.forms.symbols[d.forms.all[id].terms[0].sym].taint |= t
	return id
}

// compute evaluates arithmetic that forms follow. The high word of a wide result is opaque.
func (d *dataflow) compute(n int, in *Inst, t taint) {
	id, ok := d.evaluate(in)
	high := t
	if in.arith.op == arSpecial {
		high = taintLaneMaybe
	}
	for k, r := range in.Dst {
		switch {
		case k > 0 || !ok:
			d.result(n, in, k, r, high)
		case r.Uniform && d.forms.taintOf(id)&perLane != 0: // one lane's value for all
			d.result(n, in, k, r, t)
		default:
			d.write(n, in, r, id)
		}
	}
}

func (d *dataflow) evaluate(in *Inst) (formID, bool) {
	a := in.arith
	if a.op == arSpecial {
		return d.special(a.a.imm)
	}
	x, ok := d.operand(in, a.a)
	if !ok || a.op == arMove {
		return x, ok
	}
	y, ok := d.operand(in, a.b)
	if !ok {
		return 0, false
	}
	switch a.op {
	case arShift:
		return d.forms.sum(y, x, 1<<a.n)
	case arMulAdd:
		p, ok := d.forms.product(x, y)
		if !ok {
			return 0, false
		}
		z, ok := d.operand(in, a.c)
		if !ok {
			return 0, false
		}
		return d.forms.sum(p, z, 1)
	}
	z, ok := d.operand(in, a.c)
	if !ok {
		return 0, false
	}
	s, ok := d.forms.sum(x, y, 1)
	if !ok {
		return 0, false
	}
	return d.forms.sum(s, z, 1)
}

// operand returns the form of a source; ok is false for one that was not decoded.
func (d *dataflow) operand(in *Inst, o operand) (id formID, ok bool) {
	switch o.kind {
	case immOperand:
		return d.forms.constant(o.imm), true
	case bankOperand:
		id = d.bank(int32(o.imm>>32), int32(o.imm))
	case regOperand:
		if d.index(o.reg) >= len(d.cur) {
			return 0, false
		}
		id = d.read(in, o.reg)
	default:
		return 0, false
	}
	if o.neg {
		return d.forms.sum(d.forms.constant(0), id, -1)
	}
	return id, true
}

// bank returns the symbol of a word of a constant bank.
func (d *dataflow) bank(bank, offset int32) formID {
	return d.forms.of(d.forms.symbol(symbolKey{symBank, bank, offset}, 0))
}

// special returns the form of a special register; ok is false for those that do not matter here.
func (d *dataflow) special(number int64) (formID, bool) {
	switch number {
	case srTidX:
		return d.forms.of(d.forms.symbol(symbolKey{kind: symTidX}, taintLane)), true
	case srTidY:
		return d.forms.of(d.forms.symbol(symbolKey{kind: symTidY}, taintLaneMaybe)), true
	case srTidZ:
		return d.forms.of(d.forms.symbol(symbolKey{kind: symTidZ}, taintLaneMaybe)), true
	case srLane:
		return d.forms.of(d.forms.symbol(symbolKey{kind: symLane}, taintLane)), true
	case srCtaX, srCtaY, srCtaZ, srSwin, srRank:
		return d.forms.of(d.forms.symbol(symbolKey{symWarp, int32(number), 0}, 0)), true
	}
	return 0, false
}

// address returns the form of a memory instruction's address: base times scale, plus the uniform register, plus the
// offset. A base that is not there is the number zero.
func (d *dataflow) address(n int, in *Inst) formID {
	a := &in.Addr
	id := d.forms.constant(a.Offset)
	ok := true
	if a.HasBase {
		id, ok = d.forms.sum(id, d.read(in, a.Base), int64(max(a.Scale, 1)))
	}
	if ok && a.HasUniform {
		id, ok = d.forms.sum(id, d.read(in, a.Uniform), 1)
	}
	if ok {
		return id
	}
	return d.forms.of(d.forms.symbol(symbolKey{symResult, int32(n), -1}, d.addressTaint(in)))
}

// addressTaint is what the registers of an address depend on.
func (d *dataflow) addressTaint(in *Inst) (t taint) {
	if a := &in.Addr; a.HasBase {
		t = d.forms.taintOf(d.read(in, a.Base))
		if a.Wide && int(a.Base.N)+1 < d.regs && !a.Base.Uniform {
			t |= d.forms.taintOf(d.read(in, Reg{N: a.Base.N + 1})) & loadTaints
		}
	}
	if a := &in.Addr; a.HasUniform {
		t |= d.forms.taintOf(d.read(in, a.Uniform))
	}
	return t
}

// constantLoad follows LDC and kin: a word at a fixed place is a symbol, the same at each load of it.
func (d *dataflow) constantLoad(n int, in *Inst) {
	if a := &in.Addr; a.Bank >= 0 && !a.HasBase {
		for k, r := range in.Dst {
			if in.Width < 4 {
				d.result(n, in, k, r, 0)
				continue
			}
			d.write(n, in, r, d.bank(int32(a.Bank), int32(a.Offset)+4*int32(k)))
		}
		return
	}
	t := d.forms.taintOf(d.addr[n])
	if t&taintLane != 0 {
		t |= taintLoad
	}
	if t&(taintLaneMaybe|taintPath) != 0 {
		t |= taintLoadMaybe
	}
	d.results(n, in, t)
}

// loaded is the taint of what a memory operation brings: the same for all lanes when the address is.
func (d *dataflow) loaded(n int, in *Inst) taint {
	switch {
	case in.Space == Local: // every lane has its own
		return taintLaneMaybe | taintLoadMaybe
	case in.Operation == Load && d.addr[n] != 0 && in.Root != "LDSM":
		return taintLoad | d.forms.taintOf(d.addr[n])&perLane
	}
	return taintLoad | taintLane
}

// definePreds gives the predicates written what they are made from.
func (d *dataflow) definePreds(in *Inst, t taint) {
	for p, set := 0, in.predDst; set != 0; p, set = p+1, set>>1 {
		if set&1 == 0 {
			continue
		}
		n := t & perLane
		switch {
		case p >= 8 || in.Root == "VOTE":
			n = 0
		case in.Root == "ELECT" || in.IsMemory():
			n = taintLane
		}
		if g := in.guardPred(); g >= 0 {
			n |= d.preds[p] | d.preds[g]&perLane
		}
		if p >= 8 {
			n = 0
		}
		d.preds[p] = n
		d.versions[p]++
	}
}
