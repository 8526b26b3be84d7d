package rules

var uncoalescedAccess = &Rule{
	ID:   "uncoalesced-access",
	Step: Coalescing,
	Doc: Doc{
		Title: "Neighbouring lanes do not touch neighbouring addresses",
		Why: "A warp's 32 accesses are served by sectors of 32 bytes. When lanes are far apart each lane needs a sector of its own: up to " +
			"8 times the traffic for 4-byte values, and up to 32 look-ups in the L1 for one instruction.",
		Judged: "Sectors over their ideal above 1.3 on accesses that are not merely misaligned, and one sign that it costs time: L2 sectors or " +
			"DRAM bytes above 1.3 times the ideal, L1 tags above 35 %, or a full load-store queue (lg_throttle above 20 % of samples). " +
			"An excess that the L1 absorbs is free. Broadcasts, asynchronous copies and atomics do not count.",
		Change: "let neighbouring threads take neighbouring elements: a grid-stride loop instead of a chunk for each thread, the fastest index " +
			"from threadIdx.x; stage transposes through a padded tile in shared memory",
		Before: "for (k = 0; k < 16; ++k) s += in[t * 16 + k];",
		After:  "for (i = t; i < n; i += stride) s += in[i];",
		Caveats: []string{
			"stores that are spread out cost more than loads: each carries its sector, while one read request asks for four",
		},
		Sources: []string{"coalescing: CUDA C++ Best Practices Guide; tags at 87 % of four a cycle with L2 idle on a scattered table (sm_90)"},
	},
	Needs: shapeNeeds,
	Check: checkUncoalescedAccess,
}

func checkUncoalescedAccess(p *Pass) {
	s := p.badShape()
	if s == nil || s.aos {
		return
	}
	f := p.Report("global accesses touch %.1fx the sectors that their bytes need (%.1fx reached L2)", s.bad.excess(), s.l2Excess)
	p.reportShape(f, s)
	if p.Code != nil && s.share(p.Code, scattered) > 0.5 {
		f.Unsure("the index comes from memory: only sorting or binning the indices, or compacting the data, would help, and there may be no cheap way")
		f.Advises("sort or bin the indices once if they are used often; else keep the gathered data small enough for L2")
	}
}
