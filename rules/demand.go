package rules

import (
	"math"
	"strings"

	"advisor/ncu"
)

// A Demand is what one launch asks of each unit of the GPU, with the facts that several rules need.
type Demand struct {
	State // as measured

	Metrics ncu.Metrics
	Code    *ncu.Code // nil when the input holds no instructions with counters
	Flow    *Flow     // nil without Code

	Priced     bool    // duration and enough units are known to predict gains
	DurationNS float64 // 0 unknown
	GHz        float64 // SM clock during the launch
	Cycles     float64 // SM cycles of the launch
	SMs        float64
	GridBlocks float64
	BlockSize  float64 // threads
	BlockWarps float64
	Warps      float64 // of the whole grid
	MaxWarps   float64 // resident warps an SM can hold
	Occupancy  float64 // theoretical, 0 to 1
	Waves      float64 // waves per multiprocessor; 0 unknown
	Inst       float64 // warp instructions executed

	L1Hit     float64 // hit rate of global loads, 0 to 1
	DRAMShare float64 // of the sectors that L2 reads for the SMs, those that DRAM serves
	DRAMBytes float64 // read and written; -1 unknown
	Explained float64 // the model's time over the measured one

	Stalls map[string]float64 // share of samples by reason; nil unknown

	waited    float64 // part of the round trips that warps really wait for, 0 to 1
	composite bool    // L1Data was read from a counter that also holds other parts of the L1
}

// newDemand reads a launch's counters.
func newDemand(l *ncu.Launch) *Demand {
	d := &Demand{Metrics: l.Metrics, DRAMBytes: -1}
	d.readShape(l)
	if l.Counted() {
		if code, err := l.Code(); err == nil && code != nil && code.HasCounters {
			d.Code = code
		}
	}
	d.readUnits()
	d.readInstructions()
	d.readTraffic()
	d.readStalls()
	d.readTrips()
	_, top := d.Top(expected)
	d.Priced = d.DurationNS > 0 && d.Cycles > 0 && d.Warps > 0 && top > 0 && d.known[Issue] && d.known[L2]
	if d.Priced {
		d.waited = d.overlapped()
		d.Explained = d.time(&d.State, expected)
		d.Priced = isFinite(d.Explained)
	}
	return d
}

// unpriced lists what is missing to predict gains, by the preferred names.
func (d *Demand) unpriced() []string {
	var missing []string
	for _, q := range []struct {
		known bool
		name  string
	}{
		{d.DurationNS > 0, "gpu__time_duration.sum"},
		{d.Cycles > 0, "gpc__cycles_elapsed.avg.per_second"},
		{d.GridBlocks > 0, "launch__grid_size"},
		{d.SMs > 0, "launch__sm_count"},
		{d.known[Issue], "smsp__issue_active" + elapsed},
		{d.known[L2], "lts__throughput" + elapsed},
	} {
		if !q.known {
			missing = append(missing, q.name)
		}
	}
	return missing
}

// value returns the first known of the metrics, 0 when there is none: for quantities where the caller checks for 0.
func (d *Demand) value(names ...string) float64 {
	v, _ := d.Metrics.Value(names...)
	return v
}

// sum adds the metrics that are known; false when none is.
func (d *Demand) sum(names ...string) (total float64, ok bool) {
	for _, n := range names {
		if v, known := d.Metrics.Value(n); known {
			total, ok = total+v, true
		}
	}
	return total, ok
}

// readShape reads the launch's size, time and clock.
func (d *Demand) readShape(l *ncu.Launch) {
	d.DurationNS = d.value("gpu__time_duration.sum", "gpu__time_duration.avg")
	d.SMs = d.value("launch__sm_count", "device__attribute_multiprocessor_count")
	hz := d.value("gpc__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second")
	if hz == 0 {
		hz = d.value("device__attribute_clock_rate") * 1e3
	}
	d.GHz = hz / 1e9
	d.Cycles = d.value("sm__cycles_elapsed.avg", "sm__cycles_elapsed.max", "gpc__cycles_elapsed.max", "gpc__cycles_elapsed.avg")
	if d.Cycles == 0 {
		d.Cycles = d.DurationNS * d.GHz
	}
	d.GridBlocks = d.value("launch__grid_size")
	if d.GridBlocks == 0 {
		d.GridBlocks = float64(l.Grid.Count())
	}
	d.BlockSize = d.value("launch__block_size")
	if d.BlockSize == 0 {
		d.BlockSize = float64(l.Block.Count())
	}
	d.BlockWarps = math.Ceil(d.BlockSize / 32)
	if l.Kind == ncu.Kernel {
		d.Warps = d.GridBlocks * d.BlockWarps
	}
	if d.SMs == 0 {
		d.Warps = 0
	}
	d.MaxWarps = d.value("device__attribute_max_warps_per_multiprocessor", "smsp__warps_active.sum.peak_sustained")
	if d.MaxWarps == 0 || d.MaxWarps > 64 {
		d.MaxWarps = maxWarps(l.Device)
	}
	d.Occupancy = d.value("sm__maximum_warps_per_active_cycle_pct") / 100
	resident := d.MaxWarps
	if d.Occupancy > 0 {
		resident *= d.Occupancy
	}
	d.State.Resident = max(1, resident)
	d.State.Blocks, d.State.Spread, d.State.Shrink = d.GridBlocks, 1, 1
	d.Waves = d.value("launch__waves_per_multiprocessor")
}

// maxWarps is the number of resident warps per SM by compute capability (CUDA C++ Programming Guide, technical
// specifications per compute capability), for reports without device attributes.
func maxWarps(dev ncu.Device) float64 {
	switch {
	case dev.Major == 7 && dev.Minor == 5:
		return 32
	case dev.Major == 8 && dev.Minor != 0, dev.Major >= 12:
		return 48
	}
	return 64
}

// readUnits reads how busy each unit is. A share of active cycles is brought to elapsed cycles: leaving that out is an
// eightfold error on a launch that fills one SM in eight.
func (d *Demand) readUnits() {
	activeShare := 1.0
	if a, ok := d.Metrics.Value("sm__cycles_active.avg"); ok && d.Cycles > 0 {
		activeShare = min(1, a/d.Cycles)
	}
	read := func(counters []string) (float64, bool) {
		for _, c := range counters {
			if v, ok := d.Metrics.Value(c + elapsed); ok {
				return v / 100, true
			}
		}
		for _, c := range counters {
			if v, ok := d.Metrics.Value(c + active); ok {
				return v / 100 * activeShare, true
			}
		}
		return 0, false
	}
	for u := range units {
		if v, ok := read(units[u].counter); ok {
			d.Set(Unit(u), v)
		}
	}
	if !d.known[L1Data] {
		if v, ok := read([]string{"l1tex__throughput"}); ok {
			d.Set(L1Data, v)
			d.composite = true
		}
	}
	if hot, ok := d.hottestSlice(); ok {
		d.Set(L2Hot, hot)
	}
	if tags, ok := d.tagRequests(); ok && d.Cycles > 0 && d.SMs > 0 {
		d.Set(L1Tag, min(1, tags/tagsPerCycle[expected]/(d.SMs*d.Cycles)))
	}
}

// hottestSlice returns the busy share of the busiest L2 slice when the launch has global atomics. Means over slices hide
// it: with all atomics on one address one slice works and the mean reads 1 %.
func (d *Demand) hottestSlice() (float64, bool) {
	if n, _ := d.sum(atomicRequests...); n == 0 {
		return 0, false
	}
	if v, ok := d.Metrics.Value("lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed"); ok {
		return v / 100, true
	}
	v, ok := d.Metrics.Value("lts__throughput.max.pct_of_peak_sustained_elapsed")
	// The composite maximum is telling only when one slice stands out.
	return v / 100, ok && v >= 30 && v/100 >= 1.5*d.Of(L2)
}

// readInstructions reads how many instructions were executed, from the schedulers where they were not counted: each of
// an SM's four issues at most one a cycle.
func (d *Demand) readInstructions() {
	n, ok := d.Metrics.Value("smsp__inst_executed.sum", "inst_executed", "sm__inst_executed.sum")
	if !ok {
		n = 4 * d.Of(Issue) * d.smCycles()
	}
	d.Inst = n
	if d.Warps > 0 {
		d.PerWarp = d.Inst / d.Warps
	}
}

// tagRequests counts look-ups of global accesses in the L1's tags.
func (d *Demand) tagRequests() (float64, bool) {
	if v, ok := d.Metrics.Value("memory_l1_tag_requests_global"); ok {
		return v, true
	}
	if d.Code == nil {
		return 0, false
	}
	total := 0.0
	for i := range d.Code.Instructions {
		total += d.Code.Instructions[i].TagRequests
	}
	return total, total > 0
}

// readTraffic reads where global loads are served.
func (d *Demand) readTraffic() {
	hit, ok := d.Metrics.Value("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", "l1tex__t_sector_hit_rate.pct")
	if ok {
		d.L1Hit = min(1, max(0, hit/100))
	}
	read, okR := d.Metrics.Value(dramRead...)
	write, okW := d.Metrics.Value(dramWrite...)
	if okR && okW {
		d.DRAMBytes = read + write
	} else if v, ok := d.Metrics.Value("dram__bytes.sum"); ok {
		d.DRAMBytes = v
	}
	l2 := d.value("l1tex__m_xbar2l1tex_read_bytes.sum") / 32
	if l2 == 0 {
		l2 = d.value("lts__t_sectors_op_read.sum")
	}
	d.DRAMShare = 1
	if l2 > 0 && okR {
		// Stores counted as hits make L2's own hit rate useless for loads: compare what is read on both sides.
		d.DRAMShare = min(1, read/32/l2)
	}
}

// readStalls reads the share of stall samples by reason.
func (d *Demand) readStalls() {
	const prefix = "smsp__pcsamp_warps_issue_stalled_"
	total := 0.0
	stalls := map[string]float64{}
	for name, m := range d.Metrics {
		if reason, ok := strings.CutPrefix(name, prefix); ok && m.Known && !strings.HasSuffix(reason, "_not_issued") {
			stalls[reason] = m.Value
			total += m.Value
		}
	}
	if total == 0 {
		return
	}
	for r := range stalls {
		stalls[r] /= total
	}
	d.Stalls = stalls
}

// stalled adds the shares of the stall reasons; 0 when samples are unknown.
func (d *Demand) stalled(reasons ...string) float64 {
	s := 0.0
	for _, r := range reasons {
		s += d.Stalls[r]
	}
	return s
}

// memoryStalls is the share of samples that wait for memory in one way or another.
func (d *Demand) memoryStalls() float64 {
	return d.stalled("long_scoreboard", "lg_throttle", "drain", "mio_throttle")
}

// readTrips reads how many round trips to memory a warp makes one after another. Without instructions it assumes that
// compilers send about four loads out together.
func (d *Demand) readTrips() {
	if d.Warps == 0 {
		return
	}
	if d.Code != nil {
		d.Flow = readFlow(d.Code, d.Warps)
		d.Trips, d.LocalTrips, d.SharedTrips = d.Flow.Trips, d.Flow.LocalTrips, d.Flow.SharedTrips
		return
	}
	batches := func(names ...string) float64 {
		n := d.value(names...) / d.Warps
		if n == 0 {
			return 0
		}
		return max(1, n/4)
	}
	d.Trips = batches("smsp__sass_inst_executed_op_global_ld.sum", "sass__inst_executed_global_loads")
	d.LocalTrips = batches("smsp__sass_inst_executed_op_local_ld.sum", "sass__inst_executed_local_loads")
	d.SharedTrips = batches("smsp__sass_inst_executed_op_shared_ld.sum", "sass__inst_executed_shared_loads")
}

// unexplained is the share of the duration that the model does not account for.
func (d *Demand) unexplained() float64 { return max(0, 1-d.Explained) }

// smCycles is the number of SM cycles of the launch: a unit's count at one a cycle and SM, when fully busy.
func (d *Demand) smCycles() float64 { return d.SMs * d.Cycles }

// registerFile is the number of 32-bit registers of an SM: 65,536 on compute capability 7.0 to 12.x.
func (d *Demand) registerFile() float64 {
	if v, ok := d.Metrics.Value("device__attribute_max_registers_per_multiprocessor"); ok && v > 0 {
		return v
	}
	return 65536
}
