package rules

import (
	"advisor/ncu"
	"advisor/ncu/sass"
)

var misalignedAccess = &Rule{
	ID:   "misaligned-access",
	Step: Coalescing,
	Doc: Doc{
		Title: "Coalesced accesses start inside a sector",
		Why: "A warp that reads 128 bytes from an address that is no multiple of 32 touches five sectors instead of four. The extra one is " +
			"mostly a hit, since the neighbouring warp reads it, too; what it really costs is that wide accesses are ruled out: they " +
			"fault unless they are aligned.",
		Judged: "Accesses with at most one sector a row above the ideal, on more than half of the lanes. Without instructions: sectors between " +
			"1.02 and 1.3 times the ideal. The price takes away the extra sectors as far as they reach L2, and the extra wavefronts.",
		Change: "start on a multiple of the access width: pad the rows, shift the base, or handle the first elements apart",
		Before: "out[i] = in[i + 1];",
		After:  "// pad in by one element at the front, or shift the range so that each warp starts at a multiple of 32 bytes",
		Caveats: []string{
			"neighbours of a stencil are misaligned by design: a tile in shared memory serves them all",
		},
		Sources: []string{"1.04x measured for an offset of one float, with 1.13x the sectors named and 1.01x in L2 (sm_90)"},
	},
	Needs: shapeNeeds,
	Check: checkMisalignedAccess,
}

func checkMisalignedAccess(p *Pass) {
	s, ok := p.shape()
	if !ok {
		p.Missing(theorySectors, idealSectors, l2Sectors)
		return
	}
	excess := s.misaligned.excess()
	if excess <= 1.02 || s.misaligned.sectors-s.misaligned.ideal < 0.02*s.ideal {
		return
	}
	f := p.Report("accesses that start inside a sector touch %.2fx the sectors of an aligned start (%.2fx reached L2)", excess, s.l2Excess)
	p.showShape(f, s)
	extra := s.misaligned.sectors - s.misaligned.ideal
	reached := min(s.atL2, p.extraAtL2(s))
	f.Costs(0.1, func(st *State, _ bound) {
		st.Scale(1-reached/s.atL2, L2, L2In, L1Out)
		if p.DRAMBytes > 0 {
			wasted := max(0, p.DRAMBytes/sectorBytes-s.ideal)
			st.Scale(1-min(reached, wasted)*sectorBytes/p.DRAMBytes, DRAM)
		}
		st.Less(L1Data, extra/lineSectors/p.smCycles(), 0.5)
	})
	p.Locates(f, func(i int, in *ncu.Instruction) float64 {
		if s.kinds[i] == misaligned {
			return in.Sectors - in.IdealSectors
		}
		return 0
	}, describeAccess)
}

// extraAtL2 counts the extra sectors of misaligned accesses that reach L2. Stores all do. The extra sector of a load is the
// neighbouring warp's, and mostly a hit, unless the rows are picked at random: then it misses as often as the others.
func (p *Pass) extraAtL2(s *shape) float64 {
	extra := s.misaligned.sectors - s.misaligned.ideal
	if p.Code == nil {
		return max(0, s.atL2-s.ideal) * extra / max(s.sectors-s.ideal, 1)
	}
	missing := s.atL2 / s.sectors
	reached := 0.0
	for i := range p.Code.Instructions {
		in := &p.Code.Instructions[i]
		if s.kinds[i] != misaligned {
			continue
		}
		switch more := in.Sectors - in.IdealSectors; {
		case isGlobalStore(in):
			reached += more
		case in.Indirect == sass.Yes:
			reached += more * missing
		default:
			reached += more * max(0, s.atL2-s.ideal) / max(s.sectors-s.ideal, 1)
		}
	}
	return reached
}
