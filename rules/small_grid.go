package rules

import "math"

var smallGrid = &Rule{
	ID:   "small-grid",
	Step: Beyond,
	Doc: Doc{
		Title: "The grid leaves SMs idle, or its last wave half empty",
		Why: "Blocks are handed to SMs as long as they fit. With fewer blocks than SMs some do nothing; with a few more than one full wave the " +
			"last wave runs almost empty, and takes as long as a full one.",
		Judged: "Fewer blocks than SMs, or less than half a wave, with no unit above 60 % busy; or a last wave that wastes at least 20 % of the slots " +
			"within the first five waves. The price spreads the same work over all the warps that fit.",
		Change: "launch more blocks: split loops over the grid (split-K for matrices), use smaller blocks, or run several such kernels at once",
		Before: "k<<<16, 128>>>(in, n);    // each thread loops over n / 2048 elements",
		After:  "k<<<132 * 16, 128>>>(in, n);",
		Caveats: []string{
			"the problem may have no more parallelism; a reduction in two stages adds a pass",
			"a launch of a few microseconds is mostly fixed cost: fusing it with its neighbours saves more",
		},
		Sources: []string{"45x measured from 16 to 2,112 blocks (sm_90); waves: launch__waves_per_multiprocessor"},
	},
	Needs: []Need{
		{AnyOf: []string{"launch__waves_per_multiprocessor", "launch__grid_size"}},
		{AnyOf: []string{"launch__sm_count", "device__attribute_multiprocessor_count"}},
	},
	Check: checkSmallGrid,
}

// smallGridNow reports a grid that cannot fill the GPU.
func smallGridNow(d *Demand) bool {
	return d.GridBlocks < d.SMs || d.Waves > 0 && d.Waves < 0.5
}

func checkSmallGrid(p *Pass) {
	if p.Warps == 0 {
		return
	}
	if smallGridNow(p.Demand) {
		if _, top := p.Load.peak(); top < saturated {
			p.reportUnfilled()
		}
		return
	}
	waves := p.Waves
	lost := 1 - waves/math.Ceil(waves)
	if waves <= 1 || waves > 5 || lost < 0.2 {
		return
	}
	f := p.Report("%s make %.2f waves: %s of the slots stay empty in the last one", p.launchedAs(), waves, percent(lost))
	f.Shows("launch__waves_per_multiprocessor", waves, "", math.Ceil(waves))
	// Waves overlap where blocks differ in length, so only part of the loss is certain.
	f.Costs(lost/2, func(s *State, b bound) { s.Shrink = 1 - span{0.5, 0, 1}[b]*lost })
}

// reportUnfilled reports a grid that leaves SMs or warp slots empty.
func (p *Pass) reportUnfilled() {
	fits := p.SMs * p.Resident
	f := p.Report("%s on %.0f SMs fill %s of the warp slots", p.launchedAs(), p.SMs, percent(min(1, p.Warps/fits)))
	f.Shows("launch__grid_size", p.GridBlocks, "block", p.SMs)
	f.leads = p.GridBlocks < p.SMs/2 // then every share of a unit's peak is that of a mostly empty GPU
	f.Costs(1, func(s *State, _ bound) { s.Spread *= max(1, fits/p.Warps) })
	if p.DurationNS > 0 && p.DurationNS < 2*fixedNS[expected] {
		f.Warns("the launch is so short that its fixed cost dominates, and every other counter of it is of low confidence")
	}
}
