package rules

import (
	"advisor/ncu"
	"advisor/ncu/sass"
)

// localAccesses counts warp-level loads and stores of local memory.
func (d *Demand) localAccesses() (float64, bool) {
	if d.Code != nil {
		return total(d.Code, isLocal, executed), true
	}
	if n, ok := d.sum("smsp__sass_inst_executed_op_local_ld.sum", "smsp__sass_inst_executed_op_local_st.sum"); ok {
		return n, true
	}
	return d.sum("sass__inst_executed_local_loads", "sass__inst_executed_local_stores")
}

// localSectors counts the sectors that local accesses ask the L1 for.
func (d *Demand) localSectors() (float64, bool) {
	return d.sum("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum")
}

// A localCause says why a launch uses local memory.
type localCause uint8

const (
	localUnsure localCause = iota
	localSpills
	localArrays
	localCalls // registers that a called function saves and restores
)

// localUse tells spills from arrays that are indexed at run time. ncu's count of spill instructions decides, where there is
// one; else the compiler's mark on spill code. An address that is not a fixed stack offset is never a spill.
func (d *Demand) localUse(accesses float64) localCause {
	spills, counted := d.Metrics.Value("sass__inst_executed_register_spilling_mem_local", "sass__inst_executed_register_spilling")
	if counted && spills >= accesses/2 {
		return localSpills
	}
	if d.Code == nil {
		if counted {
			return localArrays
		}
		return localUnsure
	}
	of := func(pick func(*ncu.Instruction) bool) float64 {
		return total(d.Code, func(in *ncu.Instruction) bool { return isLocal(in) && pick(in) }, executed)
	}
	kernel := d.Code.Instructions[0].Function
	switch {
	case of(func(in *ncu.Instruction) bool { return in.Local == sass.LocalStack && in.Function != kernel }) > accesses/2:
		return localCalls
	case counted,
		of(func(in *ncu.Instruction) bool { return in.Local == sass.LocalIndexed }) > 0.3*accesses: // the rest initializes it
		return localArrays
	case of(func(in *ncu.Instruction) bool { return in.Local == sass.LocalSpill }) > accesses/2, d.value("launch__registers_per_thread") >= 255:
		return localSpills
	}
	return localUnsure
}

// dropLocal takes the traffic of local accesses out of the memory below the L1.
func (d *Demand) dropLocal(s *State) {
	shape, ok := d.shape()
	if !ok {
		return
	}
	global, l2 := shape.atL2, d.value(l2Sectors)
	s.Scale(min(1, global/max(l2, 1)), L2, L2In, L1Out)
	if d.DRAMBytes > 0 {
		s.Scale(min(1, global*sectorBytes/d.DRAMBytes), DRAM)
	}
	s.LocalTrips = 0
}

// localEvidence reports the accesses and where they are.
func localEvidence(p *Pass, f *draft, accesses float64, want sass.LocalUse) {
	f.Shows("local loads and stores", accesses, "inst", 0)
	if s, ok := p.localSectors(); ok {
		f.Shows("l1tex__t_sectors_pipe_lsu_mem_local", s, "sector", 0)
	}
	if r, ok := p.Metrics.Value("launch__registers_per_thread"); ok {
		f.Counts("launch__registers_per_thread", r, "register/thread")
	}
	notes := map[sass.LocalUse]string{
		sass.LocalSpill:   "spill code",
		sass.LocalIndexed: "index known at run time only",
		sass.LocalStack:   "fixed stack offset",
	}
	p.Locates(f, func(_ int, in *ncu.Instruction) float64 {
		if !isLocal(in) || want == sass.LocalIndexed && in.Local == sass.LocalStack && in.Operation == sass.Store {
			return 0 // the array's initialization
		}
		return in.Executed
	}, func(in *ncu.Instruction) string { return notes[in.Local] })
}
