package rules

import (
	"fmt"
	"math"

	"advisor/ncu"
	"advisor/ncu/sass"
)

// sectorBytes is the unit in which L1, L2 and DRAM move data; lineSectors is the number of sectors of a cache line.
const (
	sectorBytes = 32.0
	lineSectors = 4.0
)

// A theory is what the global accesses ask for: sectors named, and sectors that their bytes would need.
type theory struct{ sectors, ideal float64 }

// theory reads what the plain global accesses ask for: from the instructions, else from ncu's sums, else from
// sectors and bytes per sector.
func (d *Demand) theory() (theory, bool) {
	if d.Code != nil {
		return theory{total(d.Code, isPlain, sectors), total(d.Code, isPlain, ideal)}, true
	}
	if s, ok := d.Metrics.Value(theorySectors); ok {
		if i, ok := d.Metrics.Value(idealSectors); ok {
			return theory{s, i}, true
		}
		if x, ok := d.Metrics.Value("derived__memory_l2_theoretical_sectors_global_excessive"); ok {
			return theory{s, s - x}, true
		}
	}
	return d.theoryFromL1()
}

// theoryFromL1 rebuilds sectors and ideal from the L1's counters. Bytes per sector above 32 are broadcasts: they need no
// more than the sector.
func (d *Demand) theoryFromL1() (t theory, ok bool) {
	for _, op := range []string{"ld", "st"} {
		n, known := d.Metrics.Value("l1tex__t_sectors_pipe_lsu_mem_global_op_" + op + ".sum")
		if !known {
			continue
		}
		bytes, known := d.Metrics.Value("smsp__sass_average_data_bytes_per_sector_mem_global_op_" + op + ".ratio")
		if !known {
			return theory{}, false
		}
		t.sectors += n
		t.ideal += n * min(sectorBytes, bytes) / sectorBytes
		ok = true
	}
	return t, ok
}

// An accessKind says how a warp's global access lies in memory.
type accessKind uint8

const (
	clean      accessKind = iota // no more sectors than its bytes need
	misaligned                   // neighbouring lanes, but the start cuts a sector
	neighbour                    // misaligned by nature: the element beside one that an aligned access reads
	strided                      // lanes a fixed distance apart, part of each step unused
	walked                       // lanes a fixed distance apart, and the thread itself uses the rest of the step
	scattered                    // the address comes from memory
	unclear                      // too many sectors, for a reason the code does not show
)

// A shape is how a launch's global accesses lie in memory, and what of the waste survives the caches.
type shape struct {
	theory
	kinds      []accessKind // by instruction; nil without code
	atL2       float64      // sectors of global accesses that reached L2
	l2Excess   float64      // over the ideal
	dramExcess float64      // DRAM bytes over the ideal's; 0 unknown
	bad        theory       // of the accesses that are neither clean nor misaligned
	misaligned theory
}

// shape classifies the launch's global accesses; false when the counters are missing.
func (d *Demand) shape() (*shape, bool) {
	t, ok := d.theory()
	l2, known := d.Metrics.Value(l2Sectors)
	if !ok || !known {
		return nil, false
	}
	s := &shape{theory: t, atL2: d.globalAtL2(t, l2)}
	if t.ideal == 0 {
		return s, true
	}
	s.l2Excess = s.atL2 / t.ideal
	if d.DRAMBytes >= 0 {
		s.dramExcess = d.DRAMBytes / (sectorBytes * t.ideal)
	}
	if d.Code == nil {
		// Up to one extra sector on four to sixteen is what a shifted start costs.
		if t.sectors <= 1.3*t.ideal {
			s.misaligned = t
		} else {
			s.bad = t
		}
		return s, true
	}
	s.kinds = make([]accessKind, len(d.Code.Instructions))
	for i := range d.Code.Instructions {
		in := &d.Code.Instructions[i]
		if !isPlain(in) || in.Executed <= 0 {
			continue
		}
		s.kinds[i] = d.classify(i)
		switch s.kinds[i] {
		case clean, neighbour:
		case misaligned:
			s.misaligned.add(in)
		default:
			s.bad.add(in)
		}
	}
	return s, true
}

// globalAtL2 is how many of the sectors that reach L2 belong to plain global accesses: at most what they name, and when
// other accesses share the way, what the L1 did not serve of loads, and all of stores.
func (d *Demand) globalAtL2(t theory, l2 float64) float64 {
	most := min(l2, t.sectors)
	hit, ok := d.Metrics.Value("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct")
	local, _ := d.localAccesses()
	atomics, _ := d.sum(atomicRequests...)
	if !ok || d.Code == nil || local+atomics == 0 {
		return most
	}
	loads := total(d.Code, isGlobalLoad, sectors)
	return min(most, loads*(1-min(1, hit/100))+t.sectors-loads)
}

func (t *theory) add(in *ncu.Instruction) {
	t.sectors += in.Sectors
	t.ideal += in.IdealSectors
}

// excess returns sectors over ideal, 1 when there is nothing.
func (t theory) excess() float64 {
	if t.ideal == 0 {
		return 1
	}
	return t.sectors / t.ideal
}

// classify says how one access lies in memory. Rounding noise of counters stays below 2 %.
func (d *Demand) classify(i int) accessKind {
	in := &d.Code.Instructions[i]
	per, want := in.Sectors/in.Executed, in.IdealSectors/in.Executed
	if per <= 1.02*want || isUniform(in) {
		return clean
	}
	dense := !in.StrideKnown || in.Stride == int64(in.Width)
	if dense && per <= want+1.05*d.rowsPerWarp() && lanes(in) > 16 && (want > 1 || in.StrideKnown) {
		if d.besideAligned(in) {
			return neighbour
		}
		return misaligned
	}
	if in.Indirect == sass.Yes {
		return scattered
	}
	step, ok := laneStep(in)
	switch {
	case !ok || step <= float64(in.Width):
		return unclear
	case d.covered(in, step):
		return walked
	case in.StrideKnown || math.Abs(step-math.Round(step)) < 0.05 && math.Mod(math.Round(step), 4) == 0:
		return strided
	}
	return unclear
}

// besideAligned reports whether an aligned access uses the same base register: the access is a stencil's neighbour, which
// no shift of the data can align.
func (d *Demand) besideAligned(in *ncu.Instruction) bool {
	for i := range d.Code.Instructions {
		o := &d.Code.Instructions[i]
		if isPlain(o) && o.Executed > 0 && o.Function == in.Function && o.Addr.HasBase && o.Addr.Base == in.Addr.Base &&
			o.Addr.Offset != in.Addr.Offset && o.Sectors <= 1.02*o.IdealSectors {
			return true
		}
	}
	return false
}

// rowsPerWarp is how many rows of a block that is narrower than a warp one warp spans: each can cut a sector.
func (d *Demand) rowsPerWarp() float64 {
	if x := d.value("launch__block_dim_x"); x > 0 && x < 32 {
		return 32 / x
	}
	return 1
}

// laneStep returns the distance in bytes between neighbouring lanes: as proven by the address arithmetic, else from the
// sectors (below one sector a lane) or cache lines (below one line a lane) that an access touches.
func laneStep(in *ncu.Instruction) (float64, bool) {
	if in.StrideKnown {
		return math.Abs(float64(in.Stride)), true
	}
	n := lanes(in)
	if n < 2 {
		return 0, false
	}
	if per := in.Sectors / in.Executed; per < 0.98*n {
		return per * sectorBytes / n, true
	}
	if lines := in.TagRequests / in.Executed; lines > 0 && lines < 0.98*n {
		return lines * lineSectors * sectorBytes / n, true
	}
	return 0, false
}

// covered reports whether a thread's accesses together use the whole step between lanes: a walk through a chunk, or a
// structure of which every field is read. They belong together when they have one base, or in a loop when they move on by
// the same distance: unrolled rounds can have a base each.
func (d *Demand) covered(in *ncu.Instruction, step float64) bool {
	round := math.Abs(float64(in.Advance))
	walks := in.AdvanceKnown && round > 0 && round < step
	if walks {
		step = round // what the thread uses of each round's distance counts
	}
	if step > 4096 {
		return false // too far for a structure or an unrolled loop, and for the sums below
	}
	type place struct {
		base   sass.Reg
		offset int64
	}
	used := map[place]bool{}
	for i := range d.Code.Instructions {
		o := &d.Code.Instructions[i]
		if o.Executed <= 0 || !isPlain(o) || o.Operation != in.Operation || o.Width != in.Width || o.Function != in.Function {
			continue
		}
		if o.Addr.Base == in.Addr.Base || walks && o.AdvanceKnown && o.Advance == in.Advance && o.Stride == in.Stride && o.Loop == in.Loop {
			used[place{o.Addr.Base, o.Addr.Offset}] = true
		}
	}
	return float64(len(used)*in.Width) >= 0.9*step
}

// describeAccess says what is known of one access: its lane stride and its sectors.
func describeAccess(in *ncu.Instruction) string {
	if in.Executed <= 0 {
		return ""
	}
	text := fmt.Sprintf("%.1f sectors a request, %.1f would do", in.Sectors/in.Executed, in.IdealSectors/in.Executed)
	switch {
	case in.StrideKnown && in.Width > 0:
		text = fmt.Sprintf("lanes are %d bytes apart and each %ss %d; %s", in.Stride, in.Operation, in.Width, text)
	case in.Indirect == sass.Yes:
		text = "the address comes from memory; " + text
	}
	if isOrdered(in) {
		text += "; volatile or ordered (" + in.Order + ")"
	}
	return text
}

// isBad reports whether an instruction's shape is one of those that waste sectors for another reason than its start.
func (s *shape) isBad(i int) bool { return s.kinds != nil && s.kinds[i] > neighbour }

// share returns the part of the bad accesses' extra sectors that accesses of a kind cause.
func (s *shape) share(c *ncu.Code, kinds ...accessKind) float64 {
	of, all := 0.0, 0.0
	for i := range s.kinds {
		if !s.isBad(i) {
			continue
		}
		extra := c.Instructions[i].Sectors - c.Instructions[i].IdealSectors
		all += extra
		for _, k := range kinds {
			if s.kinds[i] == k {
				of += extra
			}
		}
	}
	if all == 0 {
		return 0
	}
	return of / all
}
