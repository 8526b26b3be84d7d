package rules

import (
	"fmt"
	"math"
	"strings"
)

var lowOccupancy = &Rule{
	ID:   "low-occupancy",
	Step: Beyond,
	Doc: Doc{
		Title: "Too few warps fit on an SM to hide latency",
		Why: "While one warp waits for memory others must run. Registers, shared memory or the block size can keep so few warps on an SM that all of " +
			"them wait at once.",
		Judged: "Theoretical occupancy at most 50 %, no unit above 60 % busy, waiting longer than the busiest unit works, and the next limit would let " +
			"at least 1.3 times the warps on; for blocks too small to fill an SM, handing them out counts as waiting. The middle condition keeps it off kernels that run well with few warps because each has " +
			"many independent instructions.",
		Change: "cut what limits: shared memory a block, registers a thread, or the block size; or give each thread more independent loads",
		Before: "k<<<grid, 64, 160 * 1024>>>(...);  // one block of two warps an SM",
		After:  "k<<<grid, 64, 256>>>(...);",
		Caveats: []string{
			"occupancy is a means: a kernel whose units are busy gains nothing from more warps",
		},
		Sources: []string{"bytes in flight = bandwidth x latency (Little's law); 7.2x measured from 3 % to 50 % occupancy (sm_90)"},
	},
	Needs: []Need{
		{AnyOf: []string{"sm__maximum_warps_per_active_cycle_pct"}},
		{AnyOf: []string{"launch__occupancy_limit_warps"}},
		{AnyOf: []string{"smsp__issue_active" + elapsed, "smsp__issue_active" + active, "sm__throughput" + elapsed}},
	},
	Check: checkLowOccupancy,
}

// usualBlock is a block size, in threads, at which neither block launch nor the limit of blocks on an SM holds a kernel
// back on any architecture.
const usualBlock = 256

func checkLowOccupancy(p *Pass) {
	limit, next := p.occupancyLimit()
	_, top := p.Load.peak()
	if p.Occupancy > 0.5 || top >= saturated || p.Warps == 0 || smallGridNow(p.Demand) {
		return
	}
	resident := min(p.MaxWarps, next*p.BlockWarps)
	_, bw := p.Top(expected)
	if resident <= 1.3*p.Resident {
		return
	}
	if !p.Priced {
		p.Missing(p.unpriced()...)
		return
	}
	// Blocks too small to fill an SM are also too many to hand out fast: larger ones mend both.
	grow := 1.0
	if limit == "blocks" {
		grow = max(1, usualBlock/p.BlockSize)
	}
	slow := p.latency(&p.State, expected)
	if grow > 1 {
		slow = max(slow, p.launching(&p.State, expected))
	}
	if slow <= 0.8*bw {
		return
	}
	f := p.Report("%s allows %.0f of %.0f warps on an SM, too few to hide memory latency; the next limit allows %.0f", limitTitle[limit], p.Resident, p.MaxWarps, resident)
	f.Shows("sm__maximum_warps_per_active_cycle_pct", 100*p.Occupancy, "%", 100*resident/p.MaxWarps)
	f.Costs(1, func(s *State, _ bound) {
		s.Resident = resident
		s.Blocks /= grow
	})
}

// occupancyLimit names what limits the blocks on an SM, and how many blocks the next limit allows. Some limits count
// blocks, whatever their size (the shared memory that the system keeps for each block is one): larger blocks pass them all.
func (d *Demand) occupancyLimit() (what string, next float64) {
	lowest := math.Inf(1)
	limits := map[string]float64{}
	for _, name := range []string{"registers", "shared_mem", "warps", "blocks", "barriers"} {
		v, ok := d.Metrics.Value("launch__occupancy_limit_" + name)
		if !ok || v == 0 {
			continue
		}
		limits[name] = v
		if v < lowest || v == lowest && name == "blocks" {
			what, lowest = name, v
		}
	}
	uses, _ := d.sum("launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic")
	perBlock := map[string]bool{"barriers": true, "shared_mem": uses == 0}
	next = math.Inf(1)
	for name, v := range limits {
		if name != what && !(what == "blocks" && perBlock[name]) {
			next = min(next, v)
		}
	}
	if math.IsInf(next, 1) {
		next = lowest
	}
	return what, next
}

// limitTitle is how an occupancy limit is called in a sentence.
var limitTitle = map[string]string{
	"registers": "register use", "shared_mem": "shared memory a block", "warps": "the block size", "blocks": "the limit of blocks on an SM", "barriers": "barrier use",
}

// peak returns the busiest unit against its nominal peak.
func (l *Load) peak() (Unit, float64) {
	best, share := Unit(0), 0.0
	for u := Unit(0); u < unitCount; u++ {
		if l.known[u] && l.busy[u] > share {
			best, share = u, l.busy[u]
		}
	}
	return best, share
}

// launchedAs writes a launch's shape: "16 blocks of 128 threads".
func (d *Demand) launchedAs() string {
	return strings.TrimSpace(fmt.Sprintf("%.0f blocks of %.0f threads", d.GridBlocks, d.BlockSize))
}
