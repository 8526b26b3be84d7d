package rules

import (
	"math"

	"advisor/ncu"
	"advisor/ncu/sass"
)

var registerSpill = &Rule{
	ID:   "register-spill",
	Step: Placement,
	Doc: Doc{
		Title: "Values that should live in registers go through local memory",
		Why: "A kernel that needs more registers than it may have keeps values in local memory. That is DRAM behind the caches: every " +
			"spill is a store and a load of 128 bytes per warp on the same path as global memory.",
		Judged: "Any local access that is a spill: by ncu's count of spill instructions, else by spill marks in the machine code. The " +
			"price takes the local sectors out of L1, L2 and DRAM, and the instructions out of issue; a register for every spilled value, " +
			"which means fewer resident warps, is part of the price.",
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
	Reads: []string{"sass__inst_executed_register_spilling"},
	Check: checkRegisterSpill,
}

func checkRegisterSpill(p *Pass) {
	n, _ := p.localAccesses()
	if shared := p.value("sass__inst_executed_register_spilling_mem_shared"); shared > 0 && n == 0 {
		p.Report("%s spill loads and stores go to shared memory; 0 with enough registers", count(shared)).
			Shows("sass__inst_executed_register_spilling_mem_shared", shared, "inst", 0)
		return
	}
	use := p.localUse(n)
	if n == 0 || use == localArrays {
		return
	}
	f := p.Report("%s spill loads and stores%s; 0 with enough registers", count(n), p.ofAll(n))
	switch use {
	case localUnsure:
		f.Message = count(n) + " loads and stores of local memory: spills, or an array that is indexed at run time; the profile does not tell which"
		f.Advises("compile with -Xptxas -v: spill stores above 0 mean spills; 0 with a stack frame means an array with run-time indices")
	case localCalls:
		f.Message = count(n) + " loads and stores save registers around calls; 0 when the called functions are inlined"
		f.Advises("let the called functions be inlined: no __noinline__, no function pointer, definitions in the same file or -dlto")
	}
	keep := max(0.02, 1-n/max(p.Inst, 1))
	f.Costs(1, func(s *State, b bound) {
		p.dropLocal(s)
		s.Scale(keep, Issue)
		s.PerWarp *= keep
		s.Less(LSU, n/p.smCycles(), 0.02)
		p.dropLocalWavefronts(s, n)
		s.Resident = p.residentWithout(b)
	})
	localEvidence(p, f, n, sass.LocalSpill)
}

// dropLocalWavefronts leaves the data stage the work of all other accesses. Without instructions it takes away one
// wavefront for four local sectors, or for an access.
func (d *Demand) dropLocalWavefronts(s *State, accesses float64) {
	now, ok := s.Get(L1Data)
	if !ok {
		return
	}
	if d.Code != nil {
		s.Set(L1Data, min(now, d.otherWavefronts()/d.smCycles()))
		return
	}
	if sec, ok := d.localSectors(); ok {
		accesses = sec / lineSectors
	}
	s.Less(L1Data, accesses/d.smCycles(), 0.02)
}

// otherWavefronts counts the data-stage work of accesses that are not local: an access takes a wavefront at least, and
// one for each line that it touches.
func (d *Demand) otherWavefronts() float64 {
	other := func(in *ncu.Instruction) bool { return in.IsMemory() && !isLocal(in) }
	return total(d.Code, other, func(in *ncu.Instruction) float64 {
		if isGlobal(in) {
			return max(in.Executed, in.TagRequests, in.Sectors/lineSectors)
		}
		return in.Wavefronts
	})
}

// residentWithout is how many warps fit on an SM when each thread has a register for every spilled value. The spill
// slots are counted in the machine code; the pessimistic end doubles the need.
func (d *Demand) residentWithout(b bound) float64 {
	regs := d.value("launch__registers_per_thread")
	if regs == 0 || d.Code == nil || b == high {
		return d.State.Resident
	}
	need := regs + span{1, 2, 0}[b]*d.spillSlots()
	need = min(255, math.Ceil(need/8)*8) // registers are given out in units of 8, at most 255 a thread
	blocks := math.Floor(d.registerFile() / (need * 32 * d.BlockWarps))
	return min(d.State.Resident, max(1, blocks)*d.BlockWarps)
}

// spillSlots counts the 32-bit values that spill code stores to fixed stack offsets.
func (d *Demand) spillSlots() float64 {
	slots := map[int64]bool{}
	for i := range d.Code.Instructions {
		in := &d.Code.Instructions[i]
		if !isLocal(in) || in.Operation != sass.Store || in.Executed <= 0 || in.Local == sass.LocalIndexed {
			continue
		}
		for w := 0; w < in.Width; w += 4 {
			slots[in.Addr.Offset+int64(w)] = true
		}
	}
	return float64(len(slots))
}
