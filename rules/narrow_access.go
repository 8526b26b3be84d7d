package rules

import (
	"fmt"
	"math"

	"advisor/ncu"
	"advisor/ncu/sass"
)

var narrowAccess = &Rule{
	ID:   "narrow-access",
	Step: Vectorize,
	Doc: Doc{
		Title: "Coalesced accesses move fewer than 16 bytes a thread",
		Why: "A load instruction costs issue slots, address arithmetic and a place in the load-store queue, whatever its width. Four 4-byte " +
			"loads keep as many bytes in flight as one 16-byte load, at four times the cost.",
		Judged: "Global accesses below 16 bytes that are coalesced, or that read neighbouring fields one by one from L1, carry at least half of the " +
			"ideal sectors; the mean width could grow 1.5 times or more; and at least 30 % of samples wait for memory. The price divides the " +
			"accesses, the index arithmetic that each thread repeats, the round trips and the blocks by the factor. DRAM traffic stays: " +
			"wider accesses move no fewer bytes, so a launch at its DRAM limit gains nothing.",
		Change: "move 16 bytes a thread: float4, uint4 or eight halves, with the element count divided by the width and a scalar tail for the rest; the " +
			"base must be 16-byte aligned where the pointer is cast, and the compiler must know it",
		Before: "if (i < n) data[i] *= a;                      // float",
		After:  "if (i < n / 4) { float4 v = data4[i]; ... }   // float4, n % 4 elements apart",
		Caveats: []string{
			"allocations are aligned to 256 bytes, offsets into them may not be: a misaligned wide access faults",
			"each thread holds more values: check -Xptxas -v for spills, and occupancy",
		},
		Sources: []string{"16 bytes a lane is the widest access up to sm_90; 1.5 to 1.6x measured on float kernels and 5x on byte kernels that DRAM did not limit (sm_90)"},
	},
	Needs: []Need{
		{AnyOf: []string{"smsp__sass_inst_executed_op_memory_32b.sum"}, Code: true, Sure: true},
		{AnyOf: []string{theorySectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}, Code: true, Sure: true},
	},
	Check: checkNarrowAccess,
}

// wideBytes is the widest access of a lane on all architectures.
const wideBytes = 16

// A widening is what wider accesses would change.
type widening struct {
	factor    float64 // wide over mean width
	share     float64 // of the ideal sectors, those of eligible accesses
	accesses  float64 // executions of eligible accesses
	overhead  float64 // executions of index and bounds instructions, paid once a thread
	ofALU     float64 // the overhead's share of integer instructions
	ofConst   float64 // the share of constant loads that a thread pays once
	requests  float64 // L2 requests after over before
	grouped   float64 // share of eligible executions that read fields from one sector
	eligible  map[int]bool
	ordered   bool
	barrier   bool
	meanWidth float64
}

func checkNarrowAccess(p *Pass) {
	w, ok := p.widening()
	if !ok {
		return
	}
	if w.accesses < 2*p.scalarAtomics() {
		return
	}
	waiting := p.stalled("long_scoreboard", "lg_throttle", "drain")
	if p.Stalls == nil {
		waiting = 0.5 // unknown: neither ruled out nor the whole of the time
	}
	if w.factor < 1.5 || w.share < 0.5 || waiting < 0.3 {
		return
	}
	f := p.Report("%s of global traffic moves in accesses of %.1f bytes a thread on average; 16 would do with %.1fx fewer instructions",
		percent(w.share), w.meanWidth, w.factor)
	f.Shows("bytes a thread and access", w.meanWidth, "byte", wideBytes)
	// Next to a unit that is close to what it can attain, time that the model does not explain is that unit's: an access
	// pattern that DRAM or L2 serves less well. Wider accesses do not change it.
	_, bw := p.Top(expected)
	free := min(1, max(0, (0.9-bw)/0.2))
	f.Costs(waiting*free, func(s *State, b bound) { p.widen(s, b, w) }).Yields()
	if w.ordered {
		f.Advises("some of these accesses are volatile or ordered, which forbids merging them: drop volatile first, if no other thread writes the data meanwhile")
	}
	if note := p.registerRoom(); note != "" {
		f.Warns(note)
	}
	p.Locates(f, func(i int, in *ncu.Instruction) float64 {
		if w.eligible[i] {
			return in.IdealSectors
		}
		return 0
	}, func(in *ncu.Instruction) string {
		note := fmt.Sprintf("%d bytes a lane", in.Width)
		if in.Run > 1 {
			note += fmt.Sprintf("; %d neighbouring accesses could be one of %d bytes", in.Run, in.RunWidth)
		}
		if isOrdered(in) {
			note += "; volatile or ordered (" + in.Order + ")"
		}
		return note
	})
}

// scalarAtomics counts global atomics of 4 bytes or less. When each element also takes one, a thread that owns
// neighbouring elements spreads its warp's atomics over more sectors: wider loads then cost more than they save.
func (p *Pass) scalarAtomics() float64 {
	if p.Code == nil {
		n, _ := p.sum(atomicRequests...)
		return n
	}
	return total(p.Code, func(in *ncu.Instruction) bool { return isGlobalAtomic(in) && in.Width <= 4 }, executed)
}

// widen applies wider accesses to a state.
func (p *Pass) widen(s *State, b bound, w *widening) {
	k := w.factor
	over := w.overhead
	if b == low {
		k, over = min(k, 2), 0
	}
	fewer := 1 - 1/k
	left := w.share/k + 1 - w.share
	s.Scale(1-(w.accesses+over)*fewer/max(p.Inst, 1), Issue)
	if b != low {
		s.Scale(1-w.ofALU*fewer, ALU)
		s.Scale(1-w.ofConst*fewer, ADU, IDC)
	}
	if l2, ok := s.Get(L2); ok {
		requests := span{w.requests, 1, 1 / k}[b]
		shadow := 0.0
		if dram := s.Of(DRAM); dram > 0.1 {
			shadow = 1.07 * dram // lts__throughput also counts what passes on to DRAM
		}
		s.Set(L2, min(l2, max(shadow, s.Of(L2In), l2*requests)))
	}
	s.Scale(1-w.grouped*fewer, L1Data)
	s.Less(LSU, w.accesses*fewer/p.smCycles(), 1/k)
	s.Trips *= left
	s.PerWarp = max(0, s.PerWarp-(w.accesses+over)*fewer/p.Warps)
	if !w.barrier {
		s.Blocks *= left // a tile in shared memory fixes the block's work
	}
}

// widening measures what could be wider: by instruction, else from the histogram of access widths.
func (p *Pass) widening() (*widening, bool) {
	if p.Code == nil {
		return p.wideningFromHistogram()
	}
	s, ok := p.shape()
	if !ok {
		s = &shape{kinds: make([]accessKind, len(p.Code.Instructions))}
		s.theory, _ = p.theory()
	}
	w := &widening{eligible: map[int]bool{}}
	all, narrow, wide := total(p.Code, isGlobal, ideal), 0.0, 0.0
	before, after, groupedN, most := 0.0, 0.0, 0.0, 0.0
	for i := range p.Code.Instructions {
		in := &p.Code.Instructions[i]
		w.barrier = w.barrier || in.Root == "BAR" && in.Executed > 0
		if !p.canWiden(s, i) {
			continue
		}
		w.eligible[i] = true
		w.ordered = w.ordered || isOrdered(in)
		narrow += in.IdealSectors
		wide += in.IdealSectors * float64(in.Width) / wideBytes
		w.accesses += in.Executed
		most = max(most, in.Executed)
		before += max(in.Executed, in.TagRequests)
		after += max(in.IdealSectors/lineSectors, 1)
		if s.kinds[i] == walked {
			groupedN += in.Executed
		}
	}
	if all == 0 || narrow == 0 {
		return nil, false
	}
	w.share, w.factor = narrow/all, narrow/wide
	w.meanWidth = wideBytes / w.factor
	w.requests = min(1, after/max(before, 1))
	w.grouped = groupedN / w.accesses
	p.countOverhead(w)
	return w, true
}

// canWiden reports whether an access is narrow and lies so that a wider one would serve it: coalesced, or one of the
// fields that a thread reads from a sector which stays in L1.
func (p *Pass) canWiden(s *shape, i int) bool {
	in := &p.Code.Instructions[i]
	if !isPlain(in) || in.Executed <= 0 || p.Flow.repeated[i] || in.Width == 0 || in.Width >= wideBytes || isUniform(in) || in.IdealSectors == 0 {
		return false
	}
	if in.Indirect == sass.Yes && !in.StrideKnown {
		return false // a gather: what lies beside each element is not what the thread wants
	}
	switch s.kinds[i] {
	case clean, misaligned, neighbour: // a thread that owns several elements has most neighbours in registers
		return true
	case walked:
		step, _ := laneStep(in)
		return step <= sectorBytes && s.l2Excess <= 1.3 && s.l2Excess > 0
	}
	return false
}

// countOverhead counts the instructions that each thread pays once however many elements it handles: index arithmetic,
// bounds checks, parameter loads. They execute once a warp, or once for each access in a loop over elements.
func (p *Pass) countOverhead(w *widening) {
	integer, constants, constOnce := 0.0, 0.0, 0.0
	data := dataWork(p.Code)
	for i := range p.Code.Instructions {
		in := &p.Code.Instructions[i]
		if in.Executed <= 0 || in.IsMemory() && !isConstantRead[in.Root] {
			continue
		}
		once := in.Executed <= 1.05*p.Warps
		if isConstantRead[in.Root] {
			constants += in.Executed
			if once {
				constOnce += in.Executed
			}
		}
		if isFloat(in.Root) {
			continue
		}
		integer += in.Executed
		if once && !data[i] {
			w.overhead += in.Executed
		}
	}
	w.ofALU = w.overhead / max(integer, 1)
	w.ofConst = constOnce / max(constants, 1)
}

// dataWork marks the instructions that work on loaded values: they are paid for each element, not for each thread.
func dataWork(c *ncu.Code) []bool {
	marked := make([]bool, len(c.Instructions))
	loaded := map[sass.Reg]bool{}
	for i := range c.Instructions {
		in := &c.Instructions[i]
		_, isLoad := tripKind(in)
		for _, r := range in.Src {
			marked[i] = marked[i] || loaded[r]
		}
		for _, r := range in.Dst {
			loaded[r] = isLoad || marked[i]
		}
	}
	return marked
}

// isConstantRead are the opcodes that read launch parameters and special registers.
var isConstantRead = map[string]bool{"LDC": true, "ULDC": true, "LDCU": true, "S2R": true}

// isFloat reports whether an opcode does floating-point or matrix work.
func isFloat(root string) bool {
	switch root {
	case "FADD", "FMUL", "FFMA", "FFMA2", "FSETP", "FMNMX", "FSEL", "MUFU", "F2F", "I2F", "F2I", "DADD", "DMUL", "DFMA", "DSETP":
		return true
	}
	return len(root) > 3 && (root[0] == 'H' || root[:3] == "IMM" || root[:3] == "QMM")
}

// wideningFromHistogram uses the counts of accesses by width, less those to shared and local memory. They do not tell a
// broadcast or a scattered access from one that a wider one could replace: only where every request touches just the
// sectors of its full width is it sure that there are none of these.
func (p *Pass) wideningFromHistogram() (*widening, bool) {
	w := &widening{requests: 1}
	all, bytes, narrow := 0.0, 0.0, 0.0
	for _, width := range []float64{1, 2, 4, 8, wideBytes} {
		n := p.value(fmt.Sprintf("smsp__sass_inst_executed_op_memory_%.0fb.sum", 8*width))
		all += n
		bytes += n * width
		if width < wideBytes {
			w.accesses += n
			narrow += n * width
		}
	}
	shared, _ := p.sum("smsp__sass_inst_executed_op_shared_ld.sum", "smsp__sass_inst_executed_op_shared_st.sum")
	local, _ := p.localAccesses()
	atomics, _ := p.sum(atomicRequests...)
	t, ok := p.theory()
	w.meanWidth = bytes / max(all, 1)
	full := bytes // sectors of 32 lanes side by side: one for each byte of the width, as a sector has 32 bytes
	if !ok || all == 0 || shared+local+atomics > 0 || t.sectors > 1.02*t.ideal || t.sectors < 0.95*full {
		p.Missing(instructions)
		return nil, false
	}
	w.factor, w.share = wideBytes/w.meanWidth, narrow/bytes
	return w, true
}

// registerRoom says how many registers a thread can gain before fewer blocks fit on an SM: wider accesses hold more
// values. An SM has 65,536 registers, given to warps in units of 8 a thread.
func (p *Pass) registerRoom() string {
	regs := p.value("launch__registers_per_thread")
	blocks := math.Inf(1)
	for _, limit := range []string{"registers", "shared_mem", "warps", "blocks", "barriers"} {
		if v, ok := p.Metrics.Value("launch__occupancy_limit_" + limit); ok && v > 0 {
			blocks = min(blocks, v)
		}
	}
	if regs == 0 || math.IsInf(blocks, 1) || p.BlockWarps == 0 {
		return ""
	}
	room := math.Floor(p.registerFile()/(blocks*p.BlockWarps*32)/8)*8 - regs
	return fmt.Sprintf("%.0f registers a thread are free before fewer blocks fit on an SM", max(0, room))
}
