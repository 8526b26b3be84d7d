package rules

import "advisor/ncu/sass"

var registerSpill = &Rule{
	ID:   "register-spill",
	Step: Placement,
	Doc: Doc{
		Title: "Values that should live in registers go through local memory",
		Why: "A kernel that needs more registers than it may have keeps values in local memory. That is DRAM behind the caches: every " +
			"spill is a store and a load of 128 bytes per warp on the same path as global memory.",
		Judged: "Any local access that is a spill: by ncu's count of spill instructions, else by spill marks in the machine code. The " +
			"price takes the local sectors out of L1, L2 and DRAM, and the instructions out of issue; its pessimistic end halves the " +
			"resident warps, since more registers a thread means fewer threads.",
		Change: "give the kernel more registers: raise or drop __launch_bounds__ or -maxrregcount, use smaller blocks; or need fewer: " +
			"shorten live ranges, unroll less, split the kernel; confirm with -Xptxas -v",
		Before: "__global__ void __launch_bounds__(1024, 2) k(...)  // 32 registers a thread",
		After:  "__global__ void __launch_bounds__(256) k(...)      // up to 255",
		Caveats: []string{
			"more registers lower occupancy: compare both; a few spills outside loops cost less than lost warps",
			"spills come back when loads are vectorized in a kernel that is short of registers",
		},
		Sources: []string{"spill marks (last-use loads) are described with the instruction encodings; the register file holds 65,536 registers per SM (CUDA C++ Programming Guide)"},
	},
	Needs: []Need{{AnyOf: []string{"smsp__sass_inst_executed_op_local_ld.sum", "sass__inst_executed_local_loads"}, Code: true}},
	Check: checkRegisterSpill,
}

func checkRegisterSpill(p *Pass) {
	n, _ := p.localAccesses()
	use := p.localUse(n)
	if n == 0 || use == localArrays {
		return
	}
	f := p.Report("%s spill loads and stores (%s of all instructions); 0 with enough registers", count(n), percent(n/max(p.Inst, 1)))
	if use == localUnsure {
		f.Message = count(n) + " loads and stores of local memory: spills, or an array that is indexed at run time; the profile does not tell which"
		f.Advises("compile with -Xptxas -v: spill stores above 0 mean spills; 0 with a stack frame means an array with run-time indices")
	}
	keep := max(0.02, 1-n/max(p.Inst, 1))
	f.Costs(1, func(s *State, b bound) {
		p.dropLocal(s)
		s.Scale(keep, Issue)
		s.PerWarp *= keep
		s.Less(LSU, n/p.smCycles(), 0.02)
		s.Less(L1Data, p.localWavefronts(n)/p.smCycles(), 0.02)
		if b == low {
			s.Resident /= 2
		}
	})
	localEvidence(p, f, n, sass.LocalSpill)
}

// localWavefronts is the data-stage work of local accesses: four sectors a wavefront, or one an access.
func (d *Demand) localWavefronts(accesses float64) float64 {
	if s, ok := d.sum("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"); ok {
		return s / 4
	}
	return accesses
}
