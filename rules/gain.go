package rules

import "math"

// Constants of the gain model. Each has an expected value, one that makes the gain low and one that makes it high.
var (
	// Load-to-use latency of DRAM in ns: a dependent read by an otherwise idle H200 takes 458 ns; GDDR and HBM parts lie
	// between 350 and 650.
	dramLatencyNS = span{450, 650, 350}
	// The same for L2 in ns, and in cycles for the L1 and shared memory: usual values of microbenchmarks on sm_70 to sm_90.
	l2LatencyNS  = span{150, 220, 120}
	l1Latency    = span{35, 45, 30}
	sharedTurn   = span{30, 40, 25}
	dependentOp  = span{5, 7, 4}       // cycles from one instruction of a warp to its next, dependent one
	blockLaunch  = span{1.2, 1.6, 1.0} // cycles between two block launches, whole GPU; 0.83 blocks a cycle is the most seen
	fixedNS      = span{2000, 3000, 1000}
	knee         = span{3, 2, 8} // smoothness between bandwidth, latency and launch rate
	tagsPerCycle = span{4, 2, 4} // L1 tag look-ups a cycle and SM
)

// mostFixed bounds the share of a launch that its fixed cost can be: something is left for the work.
const mostFixed = 0.95

// A State is what the model needs to time a launch: the launch as measured, or as it would be after a fix.
type State struct {
	Load
	Trips       float64 // round trips to global memory that one warp makes one after another
	LocalTrips  float64
	SharedTrips float64
	PerWarp     float64 // instructions a warp executes
	Resident    float64 // warps that fit on an SM
	Blocks      float64
	Shrink      float64 // factor on the time of all work: 0.5 halves it
	Spread      float64 // factor on parallelism: 2 spreads the same work over twice the warps
}

// latency returns the time of the warps' dependent chains as a share of the duration: every warp makes its trips one
// after another, and as many warps at once as fit.
func (d *Demand) latency(s *State, b bound) float64 {
	one := d.waited*d.tripTime(s, b) + s.SharedTrips*sharedTurn[b] + s.PerWarp*dependentOp[b]
	return d.waves(s) * one / s.Spread / d.Cycles
}

// waves is how many times over the warps that fit at once must run.
func (d *Demand) waves(s *State) float64 { return max(1, d.Warps/(d.SMs*s.Resident)) }

// tripTime is what one warp's round trips to global and local memory take, in cycles.
func (d *Demand) tripTime(s *State, b bound) float64 {
	return s.Trips*d.tripCycles(b) + s.LocalTrips*l2LatencyNS[b]*d.GHz
}

// overlapped returns the part of the round trips that warps really wait for. Code between a load and its use hides some of
// each trip; the samples show how much: a warp cannot wait longer for memory than it was seen to.
func (d *Demand) overlapped() float64 {
	seen, ok := d.Stalls["long_scoreboard"]
	trips := d.waves(&d.State) * d.tripTime(&d.State, expected) / d.Cycles
	if !ok || trips == 0 {
		return 1
	}
	return min(1, seen/trips)
}

// tripCycles is the mean latency of a global load in cycles, by where it is served.
func (d *Demand) tripCycles(b bound) float64 {
	below := d.DRAMShare*dramLatencyNS[b]*d.GHz + (1-d.DRAMShare)*l2LatencyNS[b]*d.GHz
	return d.L1Hit*l1Latency[b] + (1-d.L1Hit)*below
}

// launching returns the time to hand out the blocks as a share of the duration.
func (d *Demand) launching(s *State, b bound) float64 { return s.Blocks * blockLaunch[b] / d.Cycles }

// time returns the model's time of a state as a share of today's duration. Bandwidth units are pipelined one behind
// another, so the busiest counts; latency and block launch are queues in front of them, and a half-filled queue costs
// something already, so they join with a knee.
func (d *Demand) time(s *State, b bound) float64 {
	_, bw := s.Top(b)
	p := knee[b]
	t := math.Pow(math.Pow(bw, p)+math.Pow(d.latency(s, b), p)+math.Pow(d.launching(s, b), p), 1/p)
	return t*s.Shrink + d.fixed(b)
}

// fixed returns the cost of any launch, however small, as a share of the duration. Of a launch that takes less than twice
// that, the clock does not tell work from fixed cost: nothing is promised.
func (d *Demand) fixed(b bound) float64 {
	share := fixedNS[b] / d.DurationNS
	if share > 0.5 {
		share = mostFixed
	}
	return min(share, mostFixed)
}

// A fix turns the launch as measured into the launch as it would be. It is asked three times, for the gain expected
// and for the pessimistic and optimistic ends.
type fix func(s *State, b bound)

// price predicts the speedup of a fix. claim is the share of the time that the model does not explain which may be put
// down to this cause. Nil when the launch lacks what the model needs, or has counters that no launch can have.
func (d *Demand) price(claim float64, f fix) *Gain {
	if !d.Priced {
		return nil
	}
	g := [3]float64{}
	for b := expected; b <= high; b++ {
		s := d.State
		f(&s, b)
		before, after := d.time(&d.State, b), d.time(&s, b)
		if before > 1 {
			// A model that explains too much is scaled back, but never below what is sure: the work of the busiest
			// unit, and the cost of any launch.
			_, work := s.Top(b)
			after = max(after/before, work, d.fixed(b))
		}
		granted := claim
		switch b {
		case low:
			granted = 0.6 * claim
		case high:
			granted = min(1, 2*claim)
		}
		g[b] = 1 / max(after+max(0, 1-before)*(1-granted), 1e-4)
		if !isFinite(g[b]) {
			return nil
		}
	}
	e := max(1, g[expected])
	return &Gain{
		Expected: e,
		Low:      max(1, min(g[low], 1+0.8*(e-1))),
		High:     max(g[high], 1+1.2*(e-1)),
	}
}

// isFinite reports whether a sum came to something: damaged files hold counters of any size.
func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
