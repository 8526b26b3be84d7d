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

// A localCause says why a launch uses local memory.
type localCause uint8

const (
	localUnsure localCause = iota
	localSpills
	localArrays
)

// localUse tells spills from arrays that are indexed at run time. The compiler's own mark on spill code decides; without
// it, an address that is not a fixed stack offset is never a spill.
func (d *Demand) localUse(accesses float64) localCause {
	spills, ok := d.Metrics.Value("sass__inst_executed_register_spilling_mem_local", "sass__inst_executed_register_spilling")
	if ok {
		if spills >= accesses/2 {
			return localSpills
		}
		return localArrays
	}
	if d.Code == nil {
		return localUnsure
	}
	indexed := total(d.Code, func(in *ncu.Instruction) bool { return isLocal(in) && in.Local == sass.LocalIndexed }, executed)
	marked := total(d.Code, func(in *ncu.Instruction) bool { return isLocal(in) && in.Local == sass.LocalSpill }, executed)
	switch {
	case indexed > 0.3*accesses: // the rest initializes the array through fixed offsets
		return localArrays
	case marked > accesses/2, d.value("launch__registers_per_thread") >= 255:
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
	if s, ok := p.sum("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"); ok {
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
