package rules

import (
	"advisor/ncu"
	"advisor/ncu/sass"
)

// A Flow is what the executed instructions say about waiting and repeating, in program order.
type Flow struct {
	Trips       float64 // round trips to global memory that one warp makes one after another
	LocalTrips  float64
	SharedTrips float64

	RepeatLoads        float64 // executions of global loads that read an address again because a store came between
	RepeatStores       float64 // executions of global stores to an address stored before
	RepeatLoadSectors  float64
	RepeatStoreSectors float64

	repeated map[int]bool // indexes of those instructions
}

// A memoryKind tells round trips apart.
type memoryKind uint8

const (
	globalTrip memoryKind = iota
	localTrip
	sharedTrip
)

// readFlow walks the instructions, function by function.
func readFlow(c *ncu.Code, warps float64) *Flow {
	f := &Flow{repeated: map[int]bool{}}
	for from := 0; from < len(c.Instructions); {
		to := from + 1
		for to < len(c.Instructions) && c.Instructions[to].Function == c.Instructions[from].Function {
			to++
		}
		body := c.Instructions[from:to]
		f.countTrips(body, warps)
		f.countRepeats(body, from, warps)
		from = to
	}
	if f.Trips == 0 {
		for i := range c.Instructions {
			if in := &c.Instructions[i]; isGlobalLoad(in) && in.Executed > 0 {
				f.Trips = 1 // the result is not read, or only past a branch: a warp waits for it once all the same
				break
			}
		}
	}
	return f
}

// inFlight are the registers that loads have yet to write. Loads that are in flight together come back together, so the
// first instruction that reads one of them waits for all.
type inFlight map[sass.Reg]loading

// A loading is a load in flight.
type loading struct {
	kind     memoryKind
	executed float64
}

// countTrips adds a round trip wherever an instruction reads a register that a load in flight writes.
func (f *Flow) countTrips(body []ncu.Instruction, warps float64) {
	out := inFlight{}
	for i := range body {
		in := &body[i]
		if in.Executed <= 0 {
			continue
		}
		f.wait(out, in, warps)
		for _, r := range in.Dst {
			delete(out, r)
		}
		if kind, ok := tripKind(in); ok {
			for _, r := range in.Dst {
				out[r] = loading{kind, in.Executed}
			}
		}
		if in.Root == "LDGDEPBAR" {
			f.Trips += in.Executed / warps // a batch of asynchronous copies is one trip
		}
		if in.HasTarget && in.Target <= in.Offset {
			f.wrapAround(out, body[:i+1], in.Target, warps)
		}
	}
}

// wait counts a trip when the instruction reads a register in flight, and lands the loads of that kind.
func (f *Flow) wait(out inFlight, in *ncu.Instruction, warps float64) {
	for _, r := range in.Src {
		load, ok := out[r]
		if !ok {
			continue
		}
		// A loop that reads what was loaded before it waits in its first round only.
		switch trips := min(in.Executed, load.executed) / warps; load.kind {
		case globalTrip:
			f.Trips += trips
		case localTrip:
			f.LocalTrips += trips
		case sharedTrip:
			f.SharedTrips += trips
		}
		for q, l := range out {
			if l.kind == load.kind {
				delete(out, q)
			}
		}
	}
}

// wrapAround looks for the readers of loads that are still in flight at the end of a loop at the loop's start: the
// loads are for the next round.
func (f *Flow) wrapAround(out inFlight, upToBranch []ncu.Instruction, start uint64, warps float64) {
	carried := inFlight{}
	for r, l := range out {
		carried[r] = l
	}
	for i := range upToBranch {
		in := &upToBranch[i]
		if in.Offset < start || in.Executed <= 0 {
			continue
		}
		if len(carried) == 0 {
			return
		}
		f.wait(carried, in, warps)
		for _, r := range in.Dst {
			delete(carried, r)
		}
	}
}

// tripKind says which memory an instruction waits for, if it loads into registers.
func tripKind(in *ncu.Instruction) (memoryKind, bool) {
	if len(in.Dst) == 0 || in.Operation != sass.Load && in.Operation != sass.Atomic {
		return 0, false
	}
	switch {
	case in.Space == sass.Global, in.Space == sass.Generic && in.SeenGlobal, in.Space == sass.Texture, in.Space == sass.Surface:
		return globalTrip, true
	case in.Space == sass.Local:
		return localTrip, true
	case in.Space == sass.Shared, in.Space == sass.Generic:
		return sharedTrip, true
	}
	return 0, false
}

// countRepeats adds up the loads and stores that go to an address again. Volatile and otherwise ordered accesses must
// repeat, so they do not count.
func (f *Flow) countRepeats(body []ncu.Instruction, base int, warps float64) {
	for i := range body {
		in := &body[i]
		if in.Executed <= 0 || !isGlobal(in) || in.Operation != sass.Load && in.Operation != sass.Store || isOrdered(in) {
			continue
		}
		n := 0.0
		switch first := in.Reload + in.Restore; {
		case first > 0:
			n = in.Executed
		case in.Loop > 0 && in.Loop <= len(body) && in.LoopInvariant == sass.Yes:
			n = repeatsInLoop(body, i, warps)
		}
		if n <= 0 {
			continue
		}
		share := n / in.Executed
		if in.Operation == sass.Load {
			f.RepeatLoads += n
			f.RepeatLoadSectors += in.Sectors * share
		} else {
			f.RepeatStores += n
			f.RepeatStoreSectors += in.Sectors * share
		}
		f.repeated[base+i] = true
	}
}

// repeatsInLoop returns how often an access of a loop goes to its one address again: all rounds but the first. A load
// repeats only when the loop stores, too: else the compiler would have taken it out.
func repeatsInLoop(body []ncu.Instruction, i int, warps float64) float64 {
	branch := &body[body[i].Loop-1]
	first := 0
	for first < i && body[first].Offset < branch.Target {
		first++
	}
	stores := false
	for j := first; j < body[i].Loop; j++ {
		in := &body[j]
		stores = stores || isGlobal(in) && in.Operation == sass.Store && in.Executed > 0
	}
	if !stores {
		return 0
	}
	entries := warps
	if first > 0 && body[first-1].Executed > 0 {
		entries = body[first-1].Executed
	}
	if body[i].Executed < 1.5*entries {
		return 0
	}
	return body[i].Executed - entries
}
