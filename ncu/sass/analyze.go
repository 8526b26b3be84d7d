package sass

// Analyze fills f.Facts from the instructions alone. It follows linear forms over the thread index, the block index and
// the words of constant banks through the address arithmetic, and what else a value depends on. What it cannot follow is
// unknown. Limits: the launch's block shape is not known, so strides are those between neighbours in threadIdx.x; lanes
// that left a loop early are not told from those that stayed; 32-bit sums are taken not to wrap.
func Analyze(f *Function) {
	f.Facts = make([]Fact, len(f.Insts))
	if len(f.Insts) == 0 {
		return
	}
	fl := flowOf(f)
	branch := loops(f)
	defs := definitions(f)
	d := newDataflow(f, fl)
	known := d != nil && d.run()
	for i := range f.Insts {
		in, fact := &f.Insts[i], &f.Facts[i]
		fact.Loop = int(branch[i])
		if !in.IsMemory() {
			continue
		}
		if fact.Loop > 0 {
			fact.LoopInvariant = defs.invariant(f, in, fact.Loop-1)
		}
		if known && d.addr[i] != 0 {
			d.describe(i, in, fact)
			if fact.Loop > 0 {
				branch := fact.Loop - 1
				fact.Advance, fact.AdvanceKnown = d.advanceOf(d.addr[i], f.targetOf(&f.Insts[branch]), branch)
			}
		}
	}
	if known {
		repeats(f, fl, d)
	}
	locals(f, d, known)
}

// describe fills what follows from the address form alone.
func (d *dataflow) describe(i int, in *Inst, fact *Fact) {
	id := d.addr[i]
	fact.Stride, fact.StrideKnown = d.forms.stride(id)
	t := d.forms.taintOf(id)
	fact.PerLane = tri(t, taintLane, taintLaneMaybe|taintPath)
	fact.Indirect = tri(t, taintLoad, taintLoadMaybe)
}

func tri(t, yes, maybe taint) Tri {
	switch {
	case t&yes != 0:
		return Yes
	case t&maybe != 0:
		return Unknown
	}
	return No
}

// defSites lists for each register the instructions that write it, in order, and the calls.
type defSites struct {
	at    [2][256][]int32 // of R and of UR
	calls []int32
}

// definitions collects the sites of those registers that addresses use.
func definitions(f *Function) *defSites {
	d := &defSites{}
	var used [2][256]bool
	for i := range f.Insts {
		if in := &f.Insts[i]; in.IsMemory() {
			for _, r := range addressList(&in.Addr) {
				used[flag(r.Uniform)][r.N] = true
			}
		}
	}
	for i := range f.Insts {
		in := &f.Insts[i]
		for _, r := range in.Dst {
			if u := flag(r.Uniform); used[u][r.N] {
				d.at[u][r.N] = append(d.at[u][r.N], int32(i))
			}
		}
		if exitOf(in) == calls {
			d.calls = append(d.calls, int32(i))
		}
	}
	return d
}

// invariant reports whether the address registers of an instruction keep their values in the loop that branch closes.
func (d *defSites) invariant(f *Function, in *Inst, branch int) Tri {
	if in.Space == Texture || in.Space == Surface || in.Operation == BulkCopy {
		return Unknown
	}
	head := f.targetOf(&f.Insts[branch])
	if within(d.calls, head, branch) {
		return Unknown
	}
	for _, r := range addressList(&in.Addr) {
		if within(d.at[flag(r.Uniform)][r.N], head, branch) {
			return No
		}
	}
	return Yes
}

// within reports whether a sorted list has a number from lo to hi.
func within(list []int32, lo, hi int) bool {
	i := searchInt32(list, int32(lo))
	return i < len(list) && int(list[i]) <= hi
}
