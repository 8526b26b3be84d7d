package rules

import (
	"math"

	"advisor/ncu"
)

// cachedBytes is the DRAM traffic below which data counts as living in L2, so that DRAM bytes say nothing of waste.
const cachedBytes = 8e6

// A badShape is a launch whose global accesses waste sectors, and which of the two rules it belongs to.
type badShape struct {
	*shape
	aos bool
}

// badShape decides whether global accesses waste sectors in a way that costs time, and whether the layout or the access
// pattern is to blame. An excess that the L1 absorbs costs nothing further down; then only the tag stage or the queue
// in front of it can be the limit.
func (p *Pass) badShape() *badShape {
	s, ok := p.shape()
	if !ok {
		p.Missing(theorySectors, idealSectors, l2Sectors)
		return nil
	}
	if s.bad.excess() <= 1.3 {
		return nil
	}
	waste := s.l2Excess
	if p.DRAMBytes > cachedBytes {
		waste = max(waste, s.dramExcess)
	}
	tags, queue := p.Of(L1Tag), p.stalled("lg_throttle")
	if waste <= 1.3 && tags <= 0.35 && !(s.bad.excess() > 2 && queue > 0.2) {
		return nil
	}
	return &badShape{s, p.isLayout(s)}
}

// isLayout tells an array of structures from a walk. In both, lanes are a fixed step apart; but who walks a chunk uses
// the rest of each sector soon, while fields that are not read are never used: then DRAM moves them for nothing.
func (p *Pass) isLayout(s *shape) bool {
	excess := s.l2Excess
	if p.DRAMBytes > cachedBytes {
		excess = s.dramExcessOfBad(p.Demand)
	}
	if excess <= 1.5 {
		return false
	}
	if p.Code == nil {
		paper := s.bad.excess()
		return paper < 16 && math.Abs(paper-math.Round(paper)) < 0.05
	}
	return s.share(p.Code, strided) > 0.5
}

// dramExcessOfBad is the DRAM traffic of the wasteful accesses over what they need, when all others move what they must.
func (s *shape) dramExcessOfBad(d *Demand) float64 {
	if local, _ := d.localAccesses(); local > 0 {
		return s.l2Excess // local traffic is among the DRAM bytes
	}
	others := (s.ideal - s.bad.ideal) * sectorBytes
	return max(s.dramExcess, (d.DRAMBytes-others)/(s.bad.ideal*sectorBytes))
}

// coalesced is the launch with the wasteful accesses naming only the sectors that they need.
func (p *Pass) coalesced(s *badShape) fix {
	share := s.bad.sectors / s.sectors
	l2After := s.atL2*(1-share) + min(s.bad.ideal, s.atL2*share)
	flits := p.flitRatio(s)
	dram := p.dramAfter(s)
	tags, tagsAfter := p.tagsAfter(s)
	data := p.dataStageAfter(s)
	ours := min(1, s.atL2/p.value(l2Sectors)) // of what L2 does, the part for these accesses
	flits = 1 - ours*(1-flits)
	return func(st *State, b bound) {
		sectorRatio := 1 - ours*(1-min(1, l2After/s.atL2))
		st.Scale(flits, L2In, L1Out)
		if in, ok := st.Get(L2In); ok && in < 0.9*p.Of(L2)*flits {
			// L2 looks up each request and moves each sector; which of the two keeps it busy is not known.
			st.Scale((sectorRatio+min(sectorRatio, flits))/2, L2)
		} else {
			st.Scale(flits, L2) // requests and write data are the part of L2 that is busy
		}
		if b == low {
			st.Scale(math.Sqrt(dram), DRAM)
		} else {
			st.Scale(dram, DRAM)
		}
		if _, ok := st.Get(L1Data); ok {
			st.Set(L1Data, data)
		}
		if tags > 0 {
			st.Scale(tagsAfter/tags, L1Tag)
		}
	}
}

// dataStageAfter is how busy the L1's data stage would be. A scattered access takes up to a wavefront for each line that it
// touches, as its addresses fall into banks; coalesced it takes one for each full line.
func (p *Pass) dataStageAfter(s *badShape) float64 {
	now := p.Of(L1Data)
	floor := (s.sectors - s.bad.sectors + s.bad.ideal) / lineSectors / p.smCycles()
	if p.Code == nil || p.composite {
		paper := s.sectors / (s.sectors - s.bad.sectors + s.bad.ideal)
		return min(now, max(floor, now/paper))
	}
	excess := 0.0
	for i := range p.Code.Instructions {
		if in := &p.Code.Instructions[i]; s.isBad(i) {
			excess += max(0, in.TagRequests-max(in.Executed, in.IdealSectors/lineSectors))
		}
	}
	return min(now, max(floor, now-excess/p.smCycles()))
}

// flitRatio is how much the traffic into L2 shrinks. A store carries its data, a flit for each sector; a read request
// asks for up to four sectors of one line.
func (p *Pass) flitRatio(s *badShape) float64 {
	if p.Code == nil {
		return min(1, s.ideal/s.atL2)
	}
	var storesNow, storesAfter, loadsAfter, loads, requests float64
	for i := range p.Code.Instructions {
		in := &p.Code.Instructions[i]
		after := in.Sectors
		if s.isBad(i) {
			after = in.IdealSectors
		}
		if isGlobalStore(in) {
			storesNow, storesAfter = storesNow+in.Sectors, storesAfter+after
		} else if isGlobalLoad(in) {
			loadsAfter += after
			loads += in.Sectors
			requests += max(in.TagRequests, in.Sectors/lineSectors)
		}
	}
	loadsNow := max(s.atL2-storesNow, min(loadsAfter, 0.02*s.atL2))
	together := lineSectors // sectors of a load that one request asks for: those in one line
	if requests > 0 {
		together = min(lineSectors, loads/requests)
	}
	return min(1, (storesAfter+min(loadsAfter, loadsNow)/lineSectors)/max(1, storesNow+loadsNow/together))
}

// dramAfter is how much DRAM traffic remains. Below 15 % of excess the waste does not reach DRAM.
func (p *Pass) dramAfter(s *badShape) float64 {
	if p.DRAMBytes <= 0 || s.dramExcessOfBad(p.Demand) <= 1.15 {
		return 1
	}
	need := s.bad.ideal * sectorBytes
	others := min(p.DRAMBytes-need, (s.ideal-s.bad.ideal)*sectorBytes)
	return min(1, (max(0, others)+need)/p.DRAMBytes)
}

// tagsAfter returns the tag look-ups now and with the wasteful accesses in full lines.
func (p *Pass) tagsAfter(s *badShape) (now, after float64) {
	now, ok := p.tagRequests()
	if !ok {
		return 0, 0
	}
	if p.Code == nil {
		return now, min(now, s.ideal/lineSectors)
	}
	after = now
	for i := range p.Code.Instructions {
		if in := &p.Code.Instructions[i]; s.isBad(i) {
			after -= max(0, in.TagRequests-in.IdealSectors/lineSectors)
		}
	}
	return now, after
}

// showShape reports the sectors that global accesses name, those that reached L2, and DRAM's bytes where they are more than
// the accesses need.
func (p *Pass) showShape(f *draft, s *shape) {
	f.Shows(theorySectors, s.sectors, "sector", s.ideal)
	f.Shows(l2Sectors, s.atL2, "sector", min(s.ideal, s.atL2))
	if need := sectorBytes * s.ideal; p.DRAMBytes > need {
		f.Shows("dram__bytes.sum", p.DRAMBytes, "byte", need)
	}
}

// reportShape fills in what the two rules about wasted sectors have in common.
func (p *Pass) reportShape(f *draft, s *badShape) {
	p.showShape(f, s.shape)
	f.Costs(p.memoryStalls(), p.coalesced(s))
	p.Locates(f, func(i int, in *ncu.Instruction) float64 {
		if s.isBad(i) {
			return in.Sectors - in.IdealSectors
		}
		return 0
	}, describeAccess)
}
