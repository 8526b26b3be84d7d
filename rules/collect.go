package rules

import (
	"slices"
	"strings"
)

// instructions stands for machine code with per-instruction counters in lists of what is missing.
const instructions = "instructions"

// codeMetrics are the per-instruction counters that rules read. Asking ncu for one of them also puts the machine code
// into the report.
var codeMetrics = []string{
	"inst_executed", "thread_inst_executed", "thread_inst_executed_true", theorySectors, idealSectors,
	"memory_l1_tag_requests_global", "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal",
	"memory_l2_theoretical_sectors_local", "memory_type",
}

// modelMetrics are what every prediction needs: the launch's time and how busy each unit was.
var modelMetrics = []string{
	"gpu__time_duration.sum",
	"dram__cycles_active" + elapsed, "lts__throughput" + elapsed, "lts__xbar2lts_cycles_active" + elapsed,
	"l1tex__data_pipe_lsu_wavefronts" + elapsed, "l1tex__lsuin_requests" + elapsed, "l1tex__m_l1tex2xbar_req_cycles_active" + elapsed,
	"smsp__issue_active" + elapsed, "sm__inst_executed_pipe_alu" + elapsed, "sm__inst_executed_pipe_fma" + elapsed,
	"sm__inst_executed_pipe_fp64" + elapsed, "sm__inst_executed_pipe_xu" + elapsed, "sm__inst_executed_pipe_adu" + elapsed,
	"idc__request_cycles_active" + elapsed, "sm__inst_executed_pipe_tensor" + elapsed,
	"smsp__inst_executed.sum", "sm__cycles_elapsed.avg", "gpc__cycles_elapsed.avg.per_second",
	"dram__bytes_read.sum", "dram__bytes_write.sum", "dram__bytes_op_read.sum", "dram__bytes_op_write.sum",
	l2Sectors, "lts__t_sectors_op_read.sum",
	"l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct",
	"group:smsp__pcsamp_warp_stall_reasons",
}

// Sections are the sections of ncu that rules read, and that cost no pass of their own.
var Sections = []string{"LaunchStats", "Occupancy"}

// Collect lists the metrics that answer every rule's question: those of the model, those by instruction, and of each rule
// what it reads and the preferred name of each need that the instructions do not meet. Both names stand where chips
// differ; ncu marks those that it does not know and goes on.
func Collect() []string {
	all := append(slices.Clone(modelMetrics), codeMetrics...)
	for _, r := range All {
		all = append(all, r.Reads...)
		for _, n := range r.Needs {
			if !n.Code && len(n.AnyOf) > 0 && !fromSection(n.AnyOf[0]) {
				all = append(all, n.AnyOf[0])
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fromSection reports whether ncu gives a metric only through its sections, not by name.
func fromSection(metric string) bool {
	return strings.HasPrefix(metric, "launch__") || strings.HasPrefix(metric, "sm__maximum_warps")
}

// collectLine is the cheapest ncu line that collects what is missing.
func collectLine(missing []string) string {
	var metrics, sections []string
	for _, m := range missing {
		switch {
		case m == instructions:
			metrics = append(metrics, codeMetrics...)
		case strings.HasPrefix(m, "launch__occupancy"), strings.HasPrefix(m, "sm__maximum_warps"):
			sections = append(sections, "Occupancy")
		case fromSection(m):
			sections = append(sections, "LaunchStats")
		default:
			metrics = append(metrics, m)
		}
	}
	line := "ncu"
	slices.Sort(sections)
	for _, s := range slices.Compact(sections) {
		line += " --section " + s
	}
	if len(metrics) > 0 {
		slices.Sort(metrics)
		line += " --metrics " + strings.Join(slices.Compact(metrics), ",")
	}
	return line + " -o report ./app"
}

// CollectLine returns one ncu line that collects all of what several rules miss, as listed in NotJudged.
func CollectLine(missing []string) string { return collectLine(missing) }
