package rules

import (
	"math"

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
		Judged: "k = requests to the constant cache for each load whose index is in a per-thread register (idc__requests.sum less the uniform " +
			"LDC instructions), at least 1.5, while the constant path is more than 10 % busy. A uniform index gives 1, a different address " +
			"in each lane 32. The price moves the table to global memory: one L1 tag look-up for each address, and between 1 and k " +
			"wavefronts.",
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
	Reads: []string{"idc__requests.sum"},
	Check: checkConstantDivergence,
}

func checkConstantDivergence(p *Pass) {
	requests := p.value("idc__requests.sum")
	ldc, ok := p.Metrics.Value("smsp__inst_executed_op_ldc.sum")
	if !ok {
		ldc = total(p.Code, isConstantLoad, executed)
	}
	divergent := min(ldc, (requests-ldc)/31) // fully divergent ones ask 32 times
	if p.Code != nil {
		divergent = total(p.Code, mayDiverge, executed)
	}
	if divergent == 0 {
		return
	}
	k := (requests - (ldc - divergent)) / divergent
	if k < divergesFrom || max(p.Of(IDC), p.Of(ADU)) <= 0.1 {
		return
	}
	f := p.Report("constant loads with a per-thread index ask for %.1f addresses each, one after another; 1 when the index is the same for the whole warp", k)
	f.Shows("idc__requests.sum", requests, "request", ldc)
	f.Costs(1, func(s *State, b bound) {
		keep := max(0.002, (ldc-divergent)/requests)
		if b == low {
			keep = max(keep, 1/k)
		}
		s.Scale(keep, IDC, ADU)
		s.Set(L1Tag, s.Of(L1Tag)+k*divergent/tagsPerCycle[b]/p.smCycles())
		// The addresses fall into between one bank row and k of them: the middle is expected.
		s.Set(L1Data, s.Of(L1Data)+divergent*span{math.Sqrt(k), k, 1}[b]/p.smCycles())
		s.Set(LSU, s.Of(LSU)+divergent/p.smCycles())
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

// divergesFrom is the number of addresses a load from which divergence is reported: between the 1 of a uniform index and the
// 2 of the mildest divergence.
const divergesFrom = 1.5

func isConstantLoad(in *ncu.Instruction) bool { return in.Root == "LDC" }

// mayDiverge reports a constant load whose index is in a per-thread register and not proven uniform.
func mayDiverge(in *ncu.Instruction) bool {
	return isConstantLoad(in) && in.Addr.HasBase && !in.Addr.Base.Uniform && in.PerLane != sass.No
}
