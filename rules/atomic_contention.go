package rules

import (
	"math"

	"advisor/ncu"
)

var atomicContention = &Rule{
	ID:   "atomic-contention",
	Step: Beyond,
	Doc: Doc{
		Title: "Many threads update few addresses",
		Why: "An atomic is worked off in the L2 slice that holds its address, one after another for each address. With few addresses one slice " +
			"works and all others idle, so every mean looks healthy.",
		Judged: "The busiest L2 slice is above 50 % busy and more than 1.5 times the mean, while the launch has global atomics. Without a maximum over " +
			"slices: more than 40 % of the time unexplained and no unit above 50 %. The price merges updates in each block first: one request " +
			"for each block and address instead of one a warp, with between today's grid and one wave of blocks.",
		Change: "combine updates first: in the warp (__reduce_add_sync, or match_any), then in shared memory for the block, then one atomic a block and address",
		Before: "atomicAdd(&hist[bin], 1);",
		After:  "atomicAdd(&s_hist[bin], 1); __syncthreads(); if (t < bins) atomicAdd(&hist[t], s_hist[t]);",
		Caveats: []string{
			"after that the merge itself can be the limit: use fewer, larger blocks, or a second kernel",
			"floating-point sums change in the last digits with the order of the updates",
		},
		Sources: []string{"80 % on the busiest slice against a mean of 1.5 % with 16 addresses (sm_90)"},
	},
	Needs: []Need{{AnyOf: atomicRequests, Code: true}},
	Reads: []string{
		"lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", atomicRequests[0], atomicRequests[1],
		"l1tex__m_l1tex2xbar_write_sectors_mem_global_op_red.sum", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_atom.sum",
	},
	Check: checkAtomicContention,
}

func checkAtomicContention(p *Pass) {
	requests, ok := p.sum(atomicRequests...)
	if !ok {
		requests = total(p.Code, isGlobalAtomic, executed)
	}
	if requests == 0 {
		return
	}
	if _, ok := p.Get(L2Hot); !ok && !p.Priced {
		p.Missing(p.unpriced()...)
		return
	}
	if !p.contended() {
		return
	}
	hot, known := p.Get(L2Hot)
	f := p.Report("%s atomic requests go to few addresses; more than one in %.0f warps of a block need not leave it", count(requests), p.BlockWarps)
	if known {
		f.Message = "the L2 slice with the atomics is " + percent(hot) + " busy while the mean is " + percent(p.Of(L2)) + "; " + count(requests) + " atomic requests go to few addresses"
		f.Shows("lts__d_atomic_input_cycles_active.max", 100*hot, "%", 100*p.Of(L2))
	} else {
		f.Counts("global atomic requests", requests, "request")
	}
	merge, packets := p.mergeFactor(requests)
	part := 0.0
	if l2 := p.value(l2Sectors); l2 > 0 {
		part = min(1, packets/l2)
	}
	// How far updates are merged is the programmer's choice: from one merge for each block of today's grid to one for
	// each block that fits on the GPU at a time. The middle is expected.
	fits := max(1, p.GridBlocks*p.BlockWarps/(p.SMs*p.Resident))
	f.Costs(1, func(s *State, b bound) {
		r := span{merge * math.Sqrt(fits), merge, merge * fits}[b]
		s.Scale(1/r, L2Hot)
		s.Scale(max(0.1, 1-part*(1-1/r)), L2, L2In, L1Out)
		s.SharedTrips += 2 // the update in shared memory, and reading it for the merge
		s.Blocks /= span{math.Sqrt(fits), 1, fits}[b]
	})
	p.Locates(f, func(_ int, in *ncu.Instruction) float64 {
		if isGlobalAtomic(in) {
			return in.Executed
		}
		return 0
	}, nil)
}

// contended reports whether atomics pile up on few addresses.
func (p *Pass) contended() bool {
	if hot, ok := p.Get(L2Hot); ok {
		// An atomic that takes long in the slice (a float add, a compare-and-swap) does not fill its input: then the time
		// that nothing else explains counts.
		alone := hot > 1.5*p.Of(L2)
		return alone && (hot > 0.5 || hot > 0.1 && p.unexplained() > 0.4)
	}
	_, top := p.Top(expected)
	return p.Priced && p.unexplained() > 0.4 && top < 0.5
}

// mergeFactor is how many requests become one when each block merges first: one for each warp of the block, times the
// packets that a request is cut into over the sectors that it names, since a merge names each address once.
func (p *Pass) mergeFactor(requests float64) (factor, packets float64) {
	packets, ok := p.sum("l1tex__m_l1tex2xbar_write_sectors_mem_global_op_red.sum", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_atom.sum")
	if !ok || packets == 0 {
		packets, _ = p.sum("lts__t_sectors_op_red.sum", "lts__t_sectors_op_atom.sum")
	}
	cut := 1.0
	if packets > 0 {
		named := 1.0
		if p.Code != nil {
			named = max(1, total(p.Code, isGlobalAtomic, sectors)/requests)
		}
		cut = max(1, packets/requests/named)
	}
	return max(1, p.BlockWarps*cut), packets
}
