package rules

import (
	"sort"

	"advisor/ncu"
	"advisor/ncu/sass"
)

// maxAccesses bounds the global accesses kept for the chart of sectors per request.
const maxAccesses = 12

// stats gathers the numbers that charts and comparisons need.
func stats(d *Demand, lr *LaunchResult, drafts []*draft) Stats {
	s := Stats{Stalls: d.Stalls, Counters: map[string]float64{}}
	after := d.State
	if len(drafts) > 0 && drafts[0].fix != nil {
		drafts[0].fix(&after, expected)
	}
	for u := Unit(0); u < unitCount; u++ {
		if busy, ok := d.Get(u); ok {
			s.Use = append(s.Use, Use{Unit: u.String(), Busy: busy, After: after.Of(u)})
		}
	}
	s.Occupancy = known(d.Occupancy, d.Occupancy > 0)
	s.Explained = known(d.Explained, d.Priced)
	s.Registers = d.pointer("launch__registers_per_thread")
	s.DRAMBytes = known(d.DRAMBytes, d.DRAMBytes >= 0)
	s.L2Bytes = scaled(d.pointer(l2Sectors), 32)
	s.L1Bytes = l1Bytes(d)
	s.Flops = flops(d)
	seconds := d.DurationNS / 1e9
	if busy, ok := d.Get(DRAM); ok && busy > 0.01 && s.DRAMBytes != nil {
		s.PeakDRAM = known(*s.DRAMBytes/seconds/busy, true)
	}
	if d.SMs > 0 && d.GHz > 0 {
		s.PeakL1 = known(128*d.SMs*d.GHz*1e9, true) // one wavefront of 128 bytes a cycle and SM
		s.PeakFlops = peakFlops(d)
	}
	if busy, ok := d.Get(L2); ok && busy > 0.05 && s.L2Bytes != nil {
		s.PeakL2 = known(*s.L2Bytes/seconds/busy, true)
	}
	countAccesses(d, lr, &s)
	for _, f := range lr.Findings {
		for _, e := range f.Evidence {
			if e.Value != nil {
				s.Counters[e.Metric] = *e.Value
			}
		}
	}
	for _, m := range comparedCounters {
		if v, ok := d.Metrics.Value(m); ok {
			s.Counters[m] = v
		}
	}
	return s
}

// comparedCounters are kept of every launch, so that two profiles can be compared by counters that repeat exactly.
var comparedCounters = []string{
	"gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum", l2Sectors, theorySectors, idealSectors,
	"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
	"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
	"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
	"memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal", "smsp__inst_executed.sum", "launch__registers_per_thread",
	"sass__inst_executed_register_spilling", "smsp__sass_inst_executed_op_local_ld.sum", "smsp__sass_inst_executed_op_local_st.sum",
	"sm__maximum_warps_per_active_cycle_pct",
}

// countAccesses adds up executed memory instructions by space and width, and keeps the global accesses that name most
// sectors above their ideal.
func countAccesses(d *Demand, lr *LaunchResult, s *Stats) {
	if d.Code == nil {
		return
	}
	s.Spaces, s.Widths = map[string]float64{}, map[int]float64{}
	var worst []*ncu.Instruction
	for i := range d.Code.Instructions {
		in := &d.Code.Instructions[i]
		if in.Space == sass.NoSpace || in.Executed <= 0 {
			continue
		}
		s.Spaces[in.Space.String()] += in.Executed
		if isPlain(in) {
			if in.Width > 0 {
				s.Widths[in.Width] += in.Executed
			}
			worst = append(worst, in)
		}
	}
	sort.SliceStable(worst, func(i, j int) bool {
		return worst[i].Sectors-worst[i].IdealSectors > worst[j].Sectors-worst[j].IdealSectors
	})
	l := &ncu.Launch{Function: lr.Function}
	for _, in := range worst[:min(len(worst), maxAccesses)] {
		s.Accesses = append(s.Accesses, Access{
			Location: locate(d.Code, in, l), Requests: in.Executed,
			Sectors: in.Sectors / in.Executed, Ideal: in.IdealSectors / in.Executed,
		})
	}
}

// flopMetrics are thread-level floating-point operations; a fused multiply-add counts as two.
var flopMetrics = []struct {
	name  string
	flops float64
}{
	{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1},
	{"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1},
	{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2},
}

// flops counts single-precision operations from counters, else from the instructions; nil when unknown.
func flops(d *Demand) *float64 {
	sum, ok := 0.0, false
	for _, m := range flopMetrics {
		if v, known := d.Metrics.Value(m.name); known {
			sum, ok = sum+m.flops*v, true
		}
	}
	if ok {
		return &sum
	}
	if d.Code == nil {
		return nil
	}
	for i := range d.Code.Instructions {
		in := &d.Code.Instructions[i]
		sum += flopsOf[in.Root] * in.Executed * lanes(in)
	}
	return &sum
}

// flopsOf is the number of floating-point operations of one lane by opcode; packed half operations count twice.
var flopsOf = map[string]float64{
	"FADD": 1, "FMUL": 1, "FFMA": 2, "DADD": 1, "DMUL": 1, "DFMA": 2, "HADD2": 2, "HMUL2": 2, "HFMA2": 4, "MUFU": 1,
}

// peakFlops is the single-precision peak: FMA lanes a cycle and SM by compute capability (CUDA C++ Programming Guide,
// arithmetic throughput), two operations each.
func peakFlops(d *Demand) *float64 {
	lanes := 128.0
	switch major, minor := d.value("device__attribute_compute_capability_major"), d.value("device__attribute_compute_capability_minor"); {
	case major == 0:
		return nil
	case major == 7, major == 8 && minor == 0:
		lanes = 64
	}
	return known(2*lanes*d.SMs*d.GHz*1e9, true)
}

// l1Bytes is what the L1's data stage moved for global and local accesses.
func l1Bytes(d *Demand) *float64 {
	n, ok := d.sum("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
		"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum")
	if !ok {
		n, ok = d.Metrics.Value(theorySectors)
	}
	return known(sectorBytes*n, ok)
}

// pointer returns a metric's value, nil when unknown.
func (d *Demand) pointer(name string) *float64 {
	v, ok := d.Metrics.Value(name)
	return known(v, ok)
}

func known(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

func scaled(p *float64, f float64) *float64 {
	if p == nil {
		return nil
	}
	return known(*p*f, true)
}
