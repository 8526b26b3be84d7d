package rules

import "advisor/ncu/sass"

var localArray = &Rule{
	ID:   "local-array",
	Step: Placement,
	Doc: Doc{
		Title: "A per-thread array indexed at run time is in local memory",
		Why: "Registers have no addresses. An array whose index is not known at compile time is put into local memory, which is DRAM " +
			"behind the caches, even when registers are plenty.",
		Judged: "Local accesses of which less than half are spills, or more than 30 % have an address that is not a fixed stack offset. " +
			"The price moves each access to shared memory: one wavefront there, no traffic below the L1.",
		Change: "make the index known at compile time (unroll the loop fully); else put the array into shared memory as a[index][thread], " +
			"so that each thread has a bank of its own; else compute the value again or select it from a few registers",
		Before: "float a[32];\nfor (...) s += a[idx[i] & 31];",
		After:  "__shared__ float a[32][128];\nfor (...) s += a[idx[i] & 31][threadIdx.x];",
		Caveats: []string{
			"shared memory per block can become what limits occupancy",
			"limiting registers does not help: nothing spills",
			"a debug build (-G) keeps all variables in local memory: profile an optimized build with -lineinfo",
		},
		Sources: []string{"local memory is interleaved so that equal indices of a warp coalesce (CUDA C++ Programming Guide, local memory)"},
	},
	Needs: []Need{{AnyOf: []string{"smsp__sass_inst_executed_op_local_ld.sum", "sass__inst_executed_local_loads"}, Code: true, Sure: true}},
	Reads: []string{"sass__inst_executed_register_spilling"},
	Check: checkLocalArray,
}

func checkLocalArray(p *Pass) {
	n, _ := p.localAccesses()
	if n == 0 {
		return
	}
	use := p.localUse(n)
	if use == localUnsure && p.Code == nil {
		p.Missing(instructions) // ncu counts spills only where there are some, so the counter cannot be asked for
		return
	}
	if use != localArrays {
		return
	}
	f := p.Report("%s loads and stores of a local array with run-time indices%s; 0 in registers or shared memory", count(n), p.ofAll(n))
	f.Costs(1, func(s *State, _ bound) {
		p.dropLocal(s)
		s.SharedTrips += p.LocalTrips
		// What stays: one wavefront for each access, now in shared memory, and those of the global accesses.
		rest := 0.0
		if p.Code != nil {
			rest = p.otherWavefronts()
		}
		if _, ok := s.Get(L1Data); ok {
			s.Set(L1Data, min(s.Of(L1Data), (n+rest)/p.smCycles()))
		}
	})
	localEvidence(p, f, n, sass.LocalIndexed)
}
