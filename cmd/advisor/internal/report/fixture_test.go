package report

import (
	"fmt"

	"advisor/rules"
)

func num(v float64) *float64 { return &v }

// checklist stands for rules.All in these tests: what the real rules say changes more often than how it is written.
func checklist() []*rules.Rule {
	var all []*rules.Rule
	for i, id := range []string{"generic-addressing", "constant-divergence", "aos-layout", "bank-conflict", "uncoalesced-access", "narrow-access"} {
		all = append(all, &rules.Rule{ID: id, Step: rules.Step(i / 2), Doc: rules.Doc{
			Title: "Title of " + id, Why: "Why <it> costs `time`.", Judged: "a / b", Change: "Change it.", Before: "x[i * 4]", After: "x[i]",
		}})
	}
	return all
}

// sample is a result with everything in it that writers must cope with: every severity, a finding that waits, one
// without a price, unknown numbers, many launches of one kernel, rules that were not judged, and kernels without a
// finding.
func sample() *rules.Result {
	res := &rules.Result{
		Schema: rules.Schema, Advisor: "v1.0.0", TotalNS: num(26_080_416),
		Inputs: []rules.Input{
			{Path: "runs/2026-03-01/pairs-full.ncu-rep", Format: "ncu-rep", NCUVersion: "2025.3.1.0", Driver: "570.124.06",
				Launches: 8, Notes: []string{"clocks were not locked: times vary from run to run"}, ClockControl: "none", CacheControl: "all", ReplayMode: "kernel"},
			{Path: "old.csv", Format: "csv-raw", Launches: 1, Notes: []string{}},
		},
	}
	res.Launches = []rules.LaunchResult{
		launch("constant_divergent", "constant_divergent(float const*, float*, int)", 21_846_816, "constant", 98.2),
		launch("layout_aos", "void layout_aos<Particle<float, 4>, 256>(Particle<float, 4> const*, float*, unsigned long)", 503_232, "dram", 87.7),
		launch("coalesce_chunked", "coalesce_chunked(float const*, float*, int)", 736_640, "l2", 71.4),
		launch("coalesce_chunked", "coalesce_chunked(float const*, float*, int)", 741_220, "l2", 71.1),
		launch("coalesce_chunked", "coalesce_chunked(float const*, float*, int)", 1_470_004, "l2", 73.9),
		launch("healthy_copy", "healthy_copy(float4 const*, float4*)", 124_096, "dram", 91.6),
		launch("address_generic", "address_generic(float*, int)", 632_256, "lsu", 64),
		launch("gemm", "void cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm_relu_f16_256x128_64x3_tn_align8>(cutlass_80_tensorop_f16_s16816gemm_relu_f16_256x128_64x3_tn_align8::Params)", 26_152, "tensor", 88),
		launch("mystery", "mystery", 0, "unknown", 0),
	}
	for i := range res.Launches {
		res.Launches[i].ID = fmt.Sprint(i)
	}
	m := &res.Launches[8]
	m.Input, m.Process, m.Grid, m.Block, m.DurationNS, m.Share, m.LimiterPct, m.Device, m.CC = 1, nil, nil, nil, nil, nil, nil, "", ""
	m.NotJudged = []rules.NotJudged{
		{Rule: "uncoalesced-access", Missing: []string{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}, Collect: "ncu --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum APP"},
		{Rule: "bank-conflict", Missing: []string{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}, Collect: "ncu --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared.sum APP"},
	}
	res.Launches[5].Verdict = "it runs at the DRAM limit (92% of peak) and moves only useful bytes; to go faster, move fewer bytes"
	res.Launches[7].Verdict = "the tensor pipe is the limit (88% of peak)"
	findings(res)
	res.Kernels = []rules.KernelResult{
		kernel(res, 0), kernel(res, 2, 3, 4), kernel(res, 6), kernel(res, 1), kernel(res, 5), kernel(res, 7), kernel(res, 8),
	}
	k := &res.Kernels[1]
	k.Shapes, k.MedianNS, k.MinNS, k.MaxNS, k.Worst = 2, num(741_220), num(736_640), num(1_470_004), 4
	k.Findings[0].SavedNS = num(2_422_000)
	return res
}

func launch(function, kernel string, ns float64, limiter string, pct float64) rules.LaunchResult {
	pid := 767
	return rules.LaunchResult{
		Process: &pid, Kernel: kernel, Function: function, Device: "NVIDIA H200", CC: "9.0",
		Grid: &[3]int{4096, 1, 1}, Block: &[3]int{128, 2, 1}, NVTX: []string{"default:step 3"},
		DurationNS: &ns, Share: num(ns / 26_080_416), Limiter: limiter, LimiterPct: &pct, Kind: "kernel",
		Findings: []rules.Finding{}, NotJudged: []rules.NotJudged{},
		Stats: rules.Stats{Counters: map[string]float64{"gpu__time_duration.sum": ns}},
	}
}

func findings(res *rules.Result) {
	res.Launches[0].Findings = []rules.Finding{{
		Rule: "constant-divergence", Step: rules.Placement, Severity: rules.Error,
		Gain: &rules.Gain{Low: 41, Expected: 74.2, High: 88}, SavedNS: num(21_552_384),
		Message:  "constant loads see 31.9 different addresses per warp, and serve one at a time; 1 is ideal",
		Advice:   []string{"Move the table to shared memory, or to global memory behind const __restrict__, where lanes may differ at full speed.", "Keep __constant__ for values that every lane of a warp reads at the same index."},
		Caveats:  []string{"The index is uniform on other inputs."},
		Evidence: []rules.Evidence{{Metric: "idc__request_cycles_active.avg.pct_of_peak_sustained_elapsed", Value: num(98.21), Unit: "%", Ideal: num(3.08)}, {Metric: "smsp__inst_executed_op_ldc.sum", Value: num(33554432), Unit: "inst"}},
		Locations: []rules.Location{
			{File: "/home/dev/kernels/pairs.cu", Line: 388, Function: "constant_divergent", PC: "0x0170", SASS: "LDC R7, c[0x3][R6]", Share: 0.72, Note: "the index depends on the lane", Source: "        sum += table[(threadIdx.x * 7 + i) & 1023];"},
			{File: "/home/dev/kernels/pairs.cu", Line: 391, Function: "lookup", PC: "0x0230", SASS: "LDC.64 R8, c[0x3][R10]", Share: 0.28, Callers: []rules.Caller{{File: "/home/dev/kernels/pairs.cu", Line: 402}}},
		},
	}}
	aos := rules.Finding{
		Rule: "aos-layout", Step: rules.Layout, Severity: rules.Error,
		Gain: &rules.Gain{Low: 1.9, Expected: 2.5, High: 2.9}, SavedNS: num(301_939),
		Message:  "global loads fetch 16.0 sectors per request; 4 suffice: lanes are 16 bytes apart and each reads 4",
		Advice:   []string{"Store each field in an array of its own (structure of arrays), so that a warp reads 128 consecutive bytes."},
		Evidence: []rules.Evidence{{Metric: "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", Value: num(16), Unit: "sector/request", Ideal: num(4)}, {Metric: "dram__bytes_read.sum", Value: num(1073741824), Unit: "byte", Ideal: num(268435456)}},
		Locations: []rules.Location{
			{File: "pairs.cu", Line: 41, Function: "layout_aos", PC: "0x0090", SASS: "LDG.E R4, [R2.64]", Share: 1, Note: "lanes are 16 bytes apart and each reads 4"},
		},
	}
	wait := rules.Finding{
		Rule: "narrow-access", Step: rules.Vectorize, Severity: rules.Info, WaitsFor: "aos-layout",
		Gain: &rules.Gain{Low: 1.1, Expected: 1.3, High: 1.6}, SavedNS: num(116_130),
		Message:   "each lane moves 4 bytes an instruction; 16 are possible",
		Advice:    []string{"Load float4 where the pointer is 16-byte aligned and the count divides by 4; keep a scalar tail."},
		Locations: []rules.Location{{File: "pairs.cu", Line: 41, Function: "layout_aos", PC: "0x0090", SASS: "LDG.E R4, [R2.64]", Share: 1}},
	}
	res.Launches[1].Findings = []rules.Finding{aos, wait}
	for i := 2; i < 5; i++ {
		ns := *res.Launches[i].DurationNS
		res.Launches[i].Findings = []rules.Finding{{
			Rule: "uncoalesced-access", Step: rules.Coalescing, Severity: rules.Warning,
			Gain: &rules.Gain{Low: 1.05, Expected: 1.4, High: 6}, SavedNS: num(ns * (1 - 1/1.4)),
			Message:   "global loads fetch 32.0 sectors per request; 4 suffice when neighbouring lanes read neighbouring addresses",
			Advice:    []string{"Let thread i read element i, i + stride, ... (a grid-stride loop) instead of a chunk of its own."},
			Evidence:  []rules.Evidence{{Metric: "memory_l2_theoretical_sectors_global_excessive", Value: num(29360128), Unit: "sector", Ideal: num(0)}, {Metric: "dram__bytes_read.sum", Unit: "byte"}},
			Locations: []rules.Location{{Function: "coalesce_chunked", PC: "0x01f0", SASS: "LDG.E R9, [R4.64+0x4]", Share: 0.5}, {Function: "coalesce_chunked", PC: "0x0200", SASS: "LDG.E R9, [R4.64+0x8]", Share: 0.5}},
		}}
		res.Launches[i].Says = []rules.NsightAdvice{
			{Rule: "UncoalescedGlobalAccess", Type: "OPT", Title: "Uncoalesced Global Accesses", Text: "long text", Scope: "global", Speedup: 33.5},
			{Rule: "CPIStall", Type: "OPT", Title: "Long Scoreboard Stalls", Text: "long text", Scope: "local", Speedup: 88.1},
			{Rule: "SOLBottleneck", Type: "INF", Title: "High Throughput", Text: "long text"},
		}
	}
	res.Launches[6].Findings = []rules.Finding{{
		Rule: "generic-addressing", Step: rules.Placement, Severity: rules.Info,
		Message:   "12 loads are generic (LD) though they hit shared memory",
		Advice:    []string{"Derive the pointer from the __shared__ array without a cast to an integer."},
		Locations: []rules.Location{{File: `C:\src\pairs.cu`, Line: 300, Function: "address_generic", PC: "0x0100", SASS: "LD.E R4, [R2.64]", Share: 0.4}},
	}}
}

// kernel sums up launches as the rules do, as far as writers care.
func kernel(res *rules.Result, members ...int) rules.KernelResult {
	l := res.Launches[members[0]]
	k := rules.KernelResult{
		Kernel: l.Kernel, Function: l.Function, Device: l.Device, Launches: len(members), Members: members,
		Worst: members[0], Shapes: 1, MedianNS: l.DurationNS, Findings: append([]rules.Finding{}, l.Findings...),
	}
	if l.DurationNS != nil {
		var sum, share float64
		for _, m := range members {
			sum += *res.Launches[m].DurationNS
			share += *res.Launches[m].Share
		}
		k.TotalNS, k.Share = &sum, &share
	}
	return k
}

// empty is the result of inputs without a launch.
func empty() *rules.Result {
	return &rules.Result{Schema: rules.Schema, Advisor: "v1.0.0", Inputs: []rules.Input{{Path: "empty.csv", Format: "csv-raw"}}}
}

// single is the result of one launch.
func single() *rules.Result {
	res := sample()
	res.Inputs = res.Inputs[:1]
	res.Inputs[0].Launches = 1
	res.Launches = res.Launches[1:2]
	res.Launches[0].Share, res.TotalNS = num(1), res.Launches[0].DurationNS
	res.Kernels = []rules.KernelResult{kernel(res, 0)}
	return res
}

// many is the result of n launches of 600 kernels with long names and three findings each.
func many(n int) *rules.Result {
	res := &rules.Result{Schema: rules.Schema, Advisor: "v1.0.0", Inputs: []rules.Input{{Path: "big.ncu-rep", Format: "ncu-rep", Launches: n}}}
	const kernels = 600
	members := make([][]int, kernels)
	one := sample()
	var total float64
	for i := range n {
		k := i % kernels
		name := fmt.Sprintf("void at::native::vectorized_elementwise_kernel_with_a_long_name_%03d<4, at::native::CUDAFunctor_add<float>>", k)
		ns := float64(2_000_000 - 3_000*k)
		total += ns
		l := launch(fmt.Sprintf("vectorized_elementwise_kernel_with_a_long_name_%03d", k), name, ns, "dram", 50)
		l.ID = fmt.Sprint(i)
		l.Findings = append(append([]rules.Finding{}, one.Launches[1].Findings...), one.Launches[2].Findings...)
		for j := range l.Findings {
			l.Findings[j].SavedNS = num(ns * 0.2)
		}
		res.Launches = append(res.Launches, l)
		members[k] = append(members[k], i)
	}
	for i := range res.Launches {
		res.Launches[i].Share = num(*res.Launches[i].DurationNS / total)
	}
	for _, m := range members {
		if len(m) > 0 {
			res.Kernels = append(res.Kernels, kernel(res, m...))
		}
	}
	res.TotalNS = &total
	return res
}

// hostile is a result whose every text is an attack on some format.
func hostile(name string) *rules.Result {
	res := single()
	return deepHostile(res, name)
}

func deepHostile(res *rules.Result, s string) *rules.Result {
	res.Inputs[0].Path, res.Inputs[0].Notes, res.Inputs[0].NCUVersion = s, []string{s}, s
	res.Launches[0].Kernel, res.Launches[0].Function, res.Launches[0].Device, res.Launches[0].NVTX = s, s, s, []string{s}
	res.Launches[0].Verdict = s
	res.Launches[0].Says = []rules.NsightAdvice{{Rule: s, Title: s, Text: s, Scope: "global", Speedup: 3}}
	res.Launches[0].NotJudged = []rules.NotJudged{{Rule: "read-only-path", Missing: []string{s}, Collect: s}}
	f := &res.Launches[0].Findings[0]
	f.Message, f.Advice, f.Caveats = s, []string{s}, []string{s}
	f.Evidence[0].Metric, f.Evidence[0].Unit = s, s
	f.Locations[0] = rules.Location{File: s, Line: 3, Function: s, PC: "0x0", SASS: s, Share: 1, Note: s, Source: s, Callers: []rules.Caller{{File: s, Line: 1}}}
	res.Kernels[0] = kernel(res, 0)
	return res
}
