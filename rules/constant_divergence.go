package rules

import (
	"advisor/ncu"
	"advisor/ncu/sass"
)

var constantDivergence = &Rule{
	ID:   "constant-divergence",
	Step: Placement,
	Doc: Doc{
		Title: "Threads of a warp read different constant-memory addresses",
		Why: "The constant cache answers one address a cycle to the whole warp. A warp that asks for several is served one address after " +
			"another, so a table indexed by thread turns the cheapest memory into the most expensive one.",
		Judged: "k = idc__requests.sum / LDC instructions, at least 2, while the constant path is more than 10 % busy. Uniform indexing gives " +
			"1, a different address in each lane 32. The price moves the table to global memory: one L1 tag look-up for each address.",
		Change: "move the table to global memory (const __restrict__) or shared memory, or make the index the same for the whole warp",
		Before: "__constant__ float t[N];  s += t[threadIdx.x];",
		After:  "const float *__restrict__ t;  s += t[threadIdx.x];",
		Caveats: []string{
			"the price is for moving the table; a uniform index would save more",
			"constant-cache misses cost time, too, and are not told apart by these counters: a table above 2 KB may miss even with a uniform index",
		},
		Sources: []string{"one address a cycle: CUDA C++ Programming Guide, constant memory; 1.0 and 31.7 requests measured on a uniform and a divergent table (sm_90)"},
	},
	Needs: []Need{
		{AnyOf: []string{"idc__requests.sum"}},
		{AnyOf: []string{"smsp__inst_executed_op_ldc.sum"}, Code: true},
	},
	Check: checkConstantDivergence,
}

func checkConstantDivergence(p *Pass) {
	requests := p.value("idc__requests.sum")
	ldc, ok := p.Metrics.Value("smsp__inst_executed_op_ldc.sum")
	if !ok {
		ldc = total(p.Code, isConstantLoad, executed)
	}
	if ldc == 0 || requests/ldc < 2 || max(p.Of(IDC), p.Of(ADU)) <= 0.1 {
		return
	}
	k := requests / ldc
	divergent := min(ldc, (requests-ldc)/31) // fully divergent ones ask 32 times
	if p.Code != nil {
		divergent = total(p.Code, mayDiverge, executed)
	}
	f := p.Report("each constant load asks for %.1f addresses, one after another; 1 when the index is the same for the whole warp", k)
	f.Shows("idc__requests.sum / smsp__inst_executed_op_ldc.sum", k, "request/inst", 1)
	f.Costs(1, func(s *State, b bound) {
		keep := max(0.002, (ldc-divergent)/requests)
		if b == low {
			keep = 1 / k
		}
		s.Scale(keep, IDC, ADU)
		s.Set(L1Tag, s.Of(L1Tag)+(requests-ldc+divergent)/tagsPerCycle[b]/p.smCycles())
	})
	p.Locates(f, func(_ int, in *ncu.Instruction) float64 {
		if mayDiverge(in) {
			return in.Executed
		}
		return 0
	}, func(in *ncu.Instruction) string {
		if in.PerLane == sass.Yes {
			return "the index depends on the lane"
		}
		return "the index is in a per-thread register"
	})
}

func isConstantLoad(in *ncu.Instruction) bool { return in.Root == "LDC" }

// mayDiverge reports a constant load whose index is in a per-thread register and not proven uniform.
func mayDiverge(in *ncu.Instruction) bool {
	return isConstantLoad(in) && in.Addr.HasBase && !in.Addr.Base.Uniform && in.PerLane != sass.No
}
