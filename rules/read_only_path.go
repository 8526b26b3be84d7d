package rules

import (
	"advisor/ncu"
	"advisor/ncu/sass"
)

var readOnlyPath = &Rule{
	ID:   "read-only-path",
	Step: ReadOnly,
	Doc: Doc{
		Title: "Values are loaded again in case a store changed them",
		Why: "When the compiler cannot rule out that the output overlaps the input, it must load each input again after each store, and may not " +
			"send loads out together. The loads then wait for one another.",
		Judged: "From the instructions: loads of an address that was loaded before with a store in between, or in a loop that also stores while " +
			"the address does not change; and stores of a sum that goes through memory in each step; more than 2 % of all instructions. Volatile and ordered accesses do not count. The price takes " +
			"the repeats away and lets the loads that remain go out in batches of eight (two to sixteen).",
		Change: "declare inputs const T *__restrict__ and outputs T *__restrict__, or add up in a local variable and store once",
		Before: "void k(float *y, float *x, float *a) { for (k...) y[i] += a[k] * x[i]; }",
		After:  "void k(float *__restrict__ y, const float *__restrict__ x, const float *__restrict__ a)",
		Caveats: []string{
			"__restrict__ is a promise: if the buffers do overlap, results are wrong",
			"__ldg is not needed: const and __restrict__ have done since compute capability 3.5; the read-only path shares the L1, so it buys freedom to reorder, not bandwidth",
		},
		Sources: []string{"15 reloads of one address in a 16-step loop, none with __restrict__: sm_75 to sm_120; 3.5x measured (sm_90)"},
	},
	Needs: []Need{{Code: true}},
	Check: checkReadOnlyPath,
}

// repeatFloor is the share of instructions below which repeated accesses cannot cost 1.1x.
const repeatFloor = 0.02

func checkReadOnlyPath(p *Pass) {
	fl := p.Flow
	n := fl.RepeatLoads + fl.RepeatStores
	if n <= repeatFloor*p.Inst || fl.RepeatLoads == 0 && !p.loadsHeldBack() {
		return
	}
	f := p.Report("%s loads and %s stores go to an address again because a store in between might have changed it; 0 would with __restrict__ or a local sum",
		count(fl.RepeatLoads), count(fl.RepeatStores))
	f.Shows("repeated loads", fl.RepeatLoads, "inst", 0).Shows("repeated stores", fl.RepeatStores, "inst", 0)
	keepL2 := p.trafficWithoutRepeats()
	f.Costs(p.memoryStalls(), func(s *State, b bound) {
		s.Scale(keepL2, L2, L2In, L1Out)
		s.Less(LSU, n/p.smCycles(), 0.05)
		s.Less(L1Data, n/p.smCycles(), 0.05)
		s.Scale(max(0.1, 1-n/p.Inst), Issue)
		s.Trips = min(s.Trips, max(1, s.Trips/span{8, 2, 16}[b]))
		s.PerWarp = max(0, s.PerWarp-n/p.Warps)
	})
	p.Locates(f, func(i int, in *ncu.Instruction) float64 {
		if fl.repeated[i] {
			return in.Executed
		}
		return 0
	}, func(in *ncu.Instruction) string {
		if in.Operation == sass.Load {
			return "loads the same address again"
		}
		return "stores to the same address again"
	})
}

// loadsHeldBack reports whether plain loads execute as often as the repeated stores: a sum that goes through memory holds
// each load back until the store before it, unless the load is known to be read-only.
func (p *Pass) loadsHeldBack() bool {
	plain := total(p.Code, func(in *ncu.Instruction) bool { return isGlobalLoad(in) && in.Order == "" }, executed)
	return plain >= p.Flow.RepeatStores
}

// trafficWithoutRepeats is the share of L2 sectors that remains: the repeated stores go, and of the repeated loads those
// that L1 did not serve. Half of the stores' own traffic bounds it, since the last store of each address stays.
func (p *Pass) trafficWithoutRepeats() float64 {
	l2 := p.value(l2Sectors)
	stores := total(p.Code, isGlobalStore, sectors)
	if l2 == 0 {
		return 1
	}
	keepStores := 1.0
	if stores > 0 {
		keepStores = 1 - p.Flow.RepeatStoreSectors/stores
	}
	gone := p.Flow.RepeatStoreSectors + p.Flow.RepeatLoadSectors*(1-p.L1Hit)
	return min(1, max(0.05, 1-gone/l2, keepStores/2))
}
