package rules

import "advisor/ncu"

var warpDivergence = &Rule{
	ID:   "warp-divergence",
	Step: Beyond,
	Doc: Doc{
		Title: "Lanes of a warp take different paths",
		Why: "A warp executes both sides of a branch on which its lanes disagree, one after the other, with part of the lanes off. Loops run as " +
			"long as the longest lane's.",
		Judged: "Threads that are on in the mean instruction, of those that the block's warps hold, below 80 %: lanes wait for the other side of a branch, " +
			"or have left early. Predicated instructions are not divergence. The price scales the work of issue, arithmetic and load-store " +
			"units to full warps; DRAM and L2 stay.",
		Change: "make the condition the same for a warp (index by threadIdx.x / 32), sort or bin the work by path or length, and move what both sides do out of the branch",
		Before: "if (threadIdx.x & 1) f(v); else g(v);",
		After:  "if ((threadIdx.x / 32) & 1) f(v); else g(v);",
		Caveats: []string{
			"sorting costs time, too: it pays when the order is used more than once",
		},
		Sources: []string{"80 %: below, full warps save at least 1.25x where instructions are the limit; 1.98x measured with half of the lanes on (sm_90)"},
	},
	Needs: []Need{{AnyOf: []string{"smsp__thread_inst_executed_per_inst_executed.ratio", "thread_inst_executed"}, Code: true}},
	Reads: []string{"smsp__thread_inst_executed_per_inst_executed.ratio", "smsp__branch_targets_threads_divergent"},
	Check: checkWarpDivergence,
}

// divergedBelow is the share of lanes below which divergence is reported.
const divergedBelow = 0.8

func checkWarpDivergence(p *Pass) {
	on, ok := p.threadsOn()
	if !ok || p.BlockSize == 0 {
		p.Missing("smsp__thread_inst_executed_per_inst_executed.ratio")
		return
	}
	full := p.BlockSize / p.BlockWarps // a block that is no multiple of 32 has idle lanes by itself
	if on >= divergedBelow*full {
		return
	}
	f := p.Report("%.1f of %.0f threads are on in the mean instruction; the others wait for their side of a branch, or have left", on, full)
	f.Shows("smsp__thread_inst_executed_per_inst_executed.ratio", on, "thread", full)
	claim := 0.5
	if p.unexplained() < 0.3 {
		claim = 1
	}
	keep := on / full
	conflicts := p.conflictShare()
	f.Costs(claim, func(s *State, b bound) {
		s.Scale(keep, Issue, ALU, FMA, FP64, XU, LSU)
		// Bank conflicts go by lanes, not by instructions: unless the lanes fall into other banks they stay.
		s.Scale(keep+(1-keep)*conflicts*span{1, 1, 0}[b], L1Data)
		s.Trips *= keep
		s.PerWarp *= keep
	})
	p.Locates(f, func(_ int, in *ncu.Instruction) float64 { return in.DivergentBranch }, func(*ncu.Instruction) string {
		return "lanes disagree on this branch"
	})
}

// conflictShare is the part of the data stage's wavefronts that bank conflicts cause.
func (d *Demand) conflictShare() float64 {
	took, need, ok := d.conflicts()
	if !ok || took <= need {
		return 0
	}
	return (took - need) / max(took, d.Of(L1Data)*d.smCycles())
}

// threadsOn returns the mean number of threads in an executed instruction.
func (d *Demand) threadsOn() (float64, bool) {
	if v, ok := d.Metrics.Value("smsp__thread_inst_executed_per_inst_executed.ratio"); ok {
		return v, true
	}
	if v, ok := d.Metrics.Value("thread_inst_executed"); ok && d.Inst > 0 {
		return v / d.Inst, true
	}
	if d.Code == nil {
		return 0, false
	}
	all := func(*ncu.Instruction) bool { return true }
	threads := total(d.Code, all, func(in *ncu.Instruction) float64 { return in.ThreadExecuted })
	warps := total(d.Code, all, executed)
	return threads / max(warps, 1), threads > 0
}
