package sass

// A dataflow follows linear forms and taints through a function: forward, block by block in address order, until the
// values at the heads of loops no longer change.
type dataflow struct {
	f     *Function
	flow  *flow
	forms *forms

	regs, uregs int           // registers in use: the state has regs + uregs values
	start       []formID      // what registers hold at the start
	unknown     []formID      // and where nothing is known
	resultIDs   [][2]formID   // by instruction: symbols of its first results
	in          []state       // on arrival by jumps from above, in this pass
	loop        []state       // on arrival at the head of a loop by any way, in all passes
	slot        []int32       // by instruction: index in in and loop, -1 where no jump arrives
	cur         []formID      // what the registers hold
	preds       [16]taint     // what P0 to P6 depend on, and UP0 to UP6 from 8 on
	versions    [16]int32     // of the predicates: rises with each definition
	under       []guardedForm // by register: what it holds for those lanes that ran the last guarded definition
	block       int32         // number of the current block run; guarded forms hold within one

	advances map[int]*loopAdvance // by head of a loop
	passes   int

	divergent bool // some branch goes different ways for different lanes
	changed   bool
	addr      []formID // by instruction: its address
	stack     []formID // by instruction: the stack pointer at a local access
	clobbers  map[int][]Reg
	kernel    bool // registers hold nothing at the start
}

// A state is what registers hold and predicates depend on at one place; filled unless nothing arrived there yet.
type state struct {
	regs   []formID
	syms   []int32 // by register: symbol of unequal values plus one, the same in every pass; nil before any
	preds  [16]taint
	filled bool
}

// A guardedForm is what a register holds where a guard is true.
type guardedForm struct {
	block   int32
	guard   int16
	version int32
	id      formID
}

// maxPasses bounds the iteration; nested loops need a few passes.
const maxPasses = 40

// maxState bounds the memory of saved states, in values.
const maxState = 1 << 25

// newDataflow sizes the state. It returns nil for a function that is too large to follow.
func newDataflow(f *Function, fl *flow) *dataflow {
	d := &dataflow{f: f, flow: fl, forms: newForms(len(f.Insts)), addr: make([]formID, len(f.Insts)), stack: make([]formID, len(f.Insts)),
		clobbers: map[int][]Reg{}, advances: map[int]*loopAdvance{}}
	for i := range f.Insts {
		d.kernel = d.kernel || f.Insts[i].Root == "EXIT"
		for _, list := range [2][]Reg{f.Insts[i].Dst, f.Insts[i].Src} {
			for _, r := range list {
				if r.Uniform {
					d.uregs = max(d.uregs, int(r.N)+1)
				} else {
					d.regs = max(d.regs, int(r.N)+1)
				}
			}
		}
	}
	d.regs = max(d.regs, 2) // the stack pointer
	d.slot = make([]int32, len(f.Insts)+1)
	n := int32(0)
	for i := range d.slot {
		d.slot[i] = -1
		if fl.joined[i] {
			d.slot[i] = n
			n++
		}
	}
	size := d.regs + d.uregs
	if int(n)*size > maxState/2 {
		return nil
	}
	d.in, d.loop = make([]state, n), make([]state, n)
	d.start, d.unknown = d.unknowns(symStart), d.unknowns(symUnknown)
	d.resultIDs = make([][2]formID, len(f.Insts))
	d.cur, d.under = make([]formID, size), make([]guardedForm, size)
	return d
}

// run iterates to the end; false when it does not come to one.
func (d *dataflow) run() bool {
	for range maxPasses {
		d.changed = false
		d.passes++
		d.pass()
		if !d.changed {
			return true
		}
		for n := range d.in {
			d.in[n].filled = false
		}
	}
	return false
}

// pass walks the function once.
func (d *dataflow) pass() {
	d.forget(d.start)
	reachable := true
	for i := range d.f.Insts {
		if d.flow.leader[i] {
			d.enter(i, reachable && i > 0)
			reachable = true
		}
		in := &d.f.Insts[i]
		d.step(i, in)
		reachable = d.exit(i, in)
	}
}

// enter sets the state at the start of a block; falls reports whether control comes from above as well.
func (d *dataflow) enter(i int, falls bool) {
	d.block++
	if d.flow.indirect || d.flow.called[i] {
		d.forget(d.unknown)
		return
	}
	n := d.slot[i]
	if n < 0 {
		if !falls && i > 0 {
			d.forget(d.unknown)
		}
		return
	}
	if falls || i == 0 {
		d.push(&d.in[n], i, symMerge)
	}
	if d.in[n].filled {
		copy(d.cur, d.in[n].regs)
		d.preds = d.in[n].preds
	} else { // reached from below only, or not at all
		d.forget(d.unknown)
	}
	if d.flow.head[i] {
		d.push(&d.loop[n], i, symLoop)
		copy(d.cur, d.loop[n].regs)
		d.preds = d.loop[n].preds
	}
}

// unknowns returns a symbol for each register, of which nothing is known.
func (d *dataflow) unknowns(kind symbolKind) []formID {
	out := make([]formID, d.regs+d.uregs)
	for r := range out {
		out[r] = d.unknownValue(kind, r < d.regs)
	}
	return out
}

func (d *dataflow) unknownValue(kind symbolKind, lanes bool) formID {
	n := d.forms.fresh(kind, -1, 0)
	d.forms.symbols[n].taint = taintLoadMaybe
	if lanes {
		d.forms.symbols[n].taint |= taintLaneMaybe
	}
	return d.forms.of(n)
}

// forget sets the state to: nothing is known. One symbol a register is enough for all places: two registers that hold
// the same one are equal, for no other register keeps an older value.
func (d *dataflow) forget(to []formID) {
	copy(d.cur, to)
	for p := range d.preds {
		d.preds[p] = taintLaneMaybe
		if p >= 8 {
			d.preds[p] = 0
		}
	}
}

// push merges what registers hold now into a state at an instruction. Where ways meet after a branch that lanes may take
// differently, what is unequal may differ between lanes; what a loop changes from round to round is still the same for
// all lanes that are in it.
func (d *dataflow) push(s *state, at int, kind symbolKind) {
	if !s.filled {
		s.regs, s.preds, s.filled = append(s.regs[:0], d.cur...), d.preds, true
		return
	}
	for r, id := range d.cur {
		was := s.regs[r]
		if was == id {
			continue
		}
		var extra taint
		if d.divergent && kind == symMerge && r < d.regs {
			extra = taintPath
		}
		if s.syms == nil {
			s.syms = make([]int32, len(d.cur))
		}
		if s.syms[r] == 0 {
			s.syms[r] = d.forms.fresh(kind, at, r) + 1
		}
		sym := s.syms[r] - 1
		before := d.forms.symbols[sym].taint
		s.regs[r] = d.forms.merge(sym, was, id, extra)
		if kind == symLoop && (s.regs[r] != was || d.forms.symbols[sym].taint != before) {
			d.changed = true
		}
	}
	for p, t := range d.preds {
		if t |= s.preds[p]; t != s.preds[p] {
			s.preds[p] = t
			d.changed = d.changed || kind == symLoop
		}
	}
}

// arrive passes the state to the target of a jump.
func (d *dataflow) arrive(from, to int) {
	if n := d.slot[to]; to > from {
		d.push(&d.in[n], to, symMerge)
	} else if d.loop[n].filled {
		d.push(&d.loop[n], to, symLoop)
	}
}

// exit passes the state on; it reports whether control can reach the next instruction.
func (d *dataflow) exit(i int, in *Inst) bool {
	switch exitOf(in) {
	case jumps:
		if in.conditional() && d.predTaint(in) != 0 && !d.divergent {
			d.divergent, d.changed = true, true
		}
		if to := d.f.targetOf(in); to >= 0 {
			if to <= i {
				d.grows(to)
			}
			d.arrive(i, to)
		}
		return in.conditional()
	case ends, leaves:
		return in.conditional()
	case calls:
		d.call(i, in)
	case resumes:
		if !d.flow.joined[i+1] { // out of line
			for _, to := range d.flow.after {
				d.arrive(i, int(to))
			}
		}
	}
	return true
}

// predTaint returns what the predicates that an instruction reads depend on.
func (d *dataflow) predTaint(in *Inst) (t taint) {
	for p, set := 0, in.predSrc; set != 0; p, set = p+1, set>>1 {
		if set&1 != 0 {
			t |= d.preds[p]
		}
	}
	return t & perLane
}

// index returns the place of a register in the state.
func (d *dataflow) index(r Reg) int {
	if r.Uniform {
		return d.regs + int(r.N)
	}
	return int(r.N)
}

// guardPred returns the number of the guard among the predicates, -1 for none. Uniform instructions have uniform guards.
func (in *Inst) guardPred() int {
	switch {
	case in.Guard < 0:
		return -1
	case in.Root[0] == 'U' || in.Root == "LDCU":
		return int(in.Guard) + 8
	}
	return int(in.Guard)
}

// guardOf returns a number for the guard and its sign, -1 for none.
func guardOf(in *Inst) int16 {
	p := in.guardPred()
	if p < 0 {
		return -1
	}
	return int16(p)<<1 | int16(flag(in.GuardNot))
}

// read returns what a register holds for the lanes that run the instruction.
func (d *dataflow) read(in *Inst, r Reg) formID {
	i := d.index(r)
	p := in.guardPred()
	if u := &d.under[i]; u.block == d.block && p >= 0 && u.guard == guardOf(in) && u.version == d.versions[p] {
		return u.id
	}
	return d.cur[i]
}

// write sets a register. Under a guard the lanes that skip it keep the old value.
func (d *dataflow) write(n int, in *Inst, r Reg, id formID) {
	i := d.index(r)
	p := in.guardPred()
	if p < 0 || d.isUndefined(d.cur[i]) {
		d.cur[i] = id
		d.under[i].block = 0
		return
	}
	var extra taint
	if d.preds[p]&perLane != 0 && !r.Uniform {
		extra = taintPath
	}
	d.cur[i] = d.forms.merge(d.forms.symbol(symbolKey{symMerge, int32(n), int32(i)}, 0), d.cur[i], id, extra)
	d.under[i] = guardedForm{d.block, guardOf(in), d.versions[p], id}
}

// isUndefined reports whether a register holds nothing yet, so that no lane can see an old value of it.
func (d *dataflow) isUndefined(id formID) bool {
	f := &d.forms.all[id]
	if !d.kernel || f.c != 0 || len(f.terms) != 1 || f.terms[0].coef != 1 {
		return false
	}
	return d.forms.symbols[f.terms[0].sym].key.kind == symStart
}

// call forgets what the called subroutine may overwrite: what is written on the way from its start to its return when it
// is part of the function, else everything.
func (d *dataflow) call(i int, in *Inst) {
	to := d.f.targetOf(in)
	if to < 0 {
		d.forget(d.unknown)
		return
	}
	list, ok := d.clobbers[to]
	if !ok {
		list = clobbered(d.f, to)
		d.clobbers[to] = list
	}
	if list == nil {
		d.forget(d.unknown)
		return
	}
	for k, r := range list { // a symbol of their own: copies of the old values may live on
		t := taintLaneMaybe | taintLoadMaybe
		if r.Uniform {
			t = taintLoadMaybe
		}
		d.cur[d.index(r)] = d.forms.of(d.forms.symbol(symbolKey{symResult, int32(i), int32(k)}, t))
	}
	for p := range 8 {
		d.preds[p] |= taintLaneMaybe
		d.versions[p]++
	}
}

// clobbered returns the registers that a subroutine writes, nil when it cannot be followed.
func clobbered(f *Function, start int) []Reg {
	list := []Reg{}
	seen := map[int]bool{}
	has := map[Reg]bool{}
	work := []int{start}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for ; i < len(f.Insts) && !seen[i]; i++ {
			seen[i] = true
			in := &f.Insts[i]
			for _, r := range in.Dst {
				if !has[r] {
					has[r] = true
					list = append(list, r)
				}
			}
			e := exitOf(in)
			if e == calls || e == leaves {
				return nil
			}
			if e == jumps {
				to := f.targetOf(in)
				if to < 0 {
					return nil
				}
				work = append(work, to)
			}
			if (e == jumps || e == ends) && !in.conditional() {
				break
			}
		}
		if i == len(f.Insts) {
			return nil
		}
	}
	return list
}
