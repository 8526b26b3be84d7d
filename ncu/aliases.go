package ncu

import (
	"slices"
	"strings"
)

// formerNames are the names that counters had before, with their names of today. The first generation (2018, 2019)
// spelled roll-ups with underscores; memory throughput moved from fbpa to dram in 2019.
var formerNames = map[string]string{
	"dram__bytes_per_sec":                                       "dram__bytes.sum.per_second",
	"dram__frequency":                                           "dram__cycles_elapsed.avg.per_second",
	"fbpa__sol_pct":                                             "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
	"gpc__elapsed_cycles_max":                                   "gpc__cycles_elapsed.max",
	"gpc__frequency":                                            "gpc__cycles_elapsed.avg.per_second",
	"gpu__compute_memory_request_utilization_pct":               "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed",
	"gpu__compute_memory_sol_pct":                               "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
	"gpu__time_duration":                                        "gpu__time_duration.sum",
	"ltc__sol_pct":                                              "lts__throughput.avg.pct_of_peak_sustained_elapsed",
	"lts__request_total_sectors_hitrate_pct":                    "lts__t_sector_hit_rate.pct",
	"sm__active_warps_avg_per_active_cycle":                     "sm__warps_active.avg.per_cycle_active",
	"sm__active_warps_avg_per_active_cycle_pct":                 "sm__warps_active.avg.pct_of_peak_sustained_active",
	"sm__inst_executed_avg_per_active_cycle":                    "sm__inst_executed.avg.per_cycle_active",
	"sm__inst_executed_avg_per_elapsed_cycle":                   "sm__inst_executed.avg.per_cycle_elapsed",
	"sm__inst_executed_pipes_mem_per_active_cycle_sol_pct":      "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed",
	"sm__inst_issued_avg_per_active_cycle":                      "sm__inst_issued.avg.per_cycle_active",
	"sm__inst_issued_per_active_cycle_sol_pct":                  "sm__inst_issued.avg.pct_of_peak_sustained_active",
	"sm__sol_pct":                                               "sm__throughput.avg.pct_of_peak_sustained_elapsed",
	"smsp__active_warps_avg_per_active_cycle":                   "smsp__warps_active.avg.per_cycle_active",
	"smsp__eligible_warps_avg_per_active_cycle":                 "smsp__warps_eligible.avg.per_cycle_active",
	"smsp__inst_executed_avg":                                   "smsp__inst_executed.avg",
	"smsp__inst_executed_sum":                                   "smsp__inst_executed.sum",
	"smsp__inst_issued0_active_per_active_cycle_pct":            "smsp__issue_inst0.avg.pct_of_peak_sustained_active",
	"smsp__inst_issued_avg":                                     "smsp__inst_issued.avg",
	"smsp__inst_issued_sum":                                     "smsp__inst_issued.sum",
	"smsp__issue_active_avg_per_active_cycle":                   "smsp__issue_active.avg.per_cycle_active",
	"smsp__issue_active_per_active_cycle_pct":                   "smsp__issue_active.avg.pct_of_peak_sustained_active",
	"smsp__thread_inst_executed_not_pred_off_per_inst_executed": "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
	"smsp__thread_inst_executed_per_inst_executed":              "smsp__thread_inst_executed_per_inst_executed.ratio",
	"smsp__warp_cycles_per_inst_executed":                       "smsp__average_warps_active_per_inst_executed.ratio",
	"smsp__warp_cycles_per_inst_issued":                         "smsp__average_warp_latency_per_inst_issued.ratio",
	"smsp__warp_cycles_per_issue_active":                        "smsp__average_warps_active_per_issue_active.ratio",
	"tex__hitrate_pct":                                          "l1tex__t_sector_hit_rate.pct",
	"tex__sol_pct":                                              "l1tex__throughput.avg.pct_of_peak_sustained_active",
	"memory_l2_transactions_global":                             "memory_l2_theoretical_sectors_global",
	"memory_l2_sectors_global":                                  "memory_l2_theoretical_sectors_global",
	"memory_l2_sectors_local":                                   "memory_l2_theoretical_sectors_local",
}

// formerCounters are counters that kept their roll-ups.
var formerCounters = map[string]string{
	"fbpa__throughput":       "dram__throughput",
	"fbpa__dram_read_bytes":  "dram__bytes_read",
	"fbpa__dram_write_bytes": "dram__bytes_write",
	"dram__read_bytes":       "dram__bytes_read",
	"dram__write_bytes":      "dram__bytes_write",
}

// currentName returns the name that a metric has today, "" for a name that is current or not known.
func currentName(name string) string {
	if now, ok := formerNames[name]; ok {
		return now
	}
	counter, rollup, ok := strings.Cut(name, ".")
	if now := formerCounters[counter]; ok && now != "" {
		return now + "." + rollup
	}
	if stall, ok := strings.CutPrefix(name, "smsp__warp_cycles_per_issue_stall_"); ok {
		if stall == "no_instructions" {
			stall = "no_instruction"
		}
		return "smsp__average_warps_issue_stalled_" + stall + "_per_issue_active.ratio"
	}
	if stall, ok := strings.CutPrefix(name, "smsp__pcsamp_warp_stall_"); ok {
		return "smsp__pcsamp_warps_issue_stalled_" + stall
	}
	return ""
}

// addCurrentNames adds, for every metric under a former name, the same metric under its name of today, unless that is
// there as well. It returns what was added, one line for a note.
func (m Metrics) addCurrentNames() []string {
	var added []string
	for name, metric := range m {
		now := currentName(name)
		if now == "" {
			continue
		}
		if _, have := m[now]; !have {
			metric.Unit = UnitOf(now)
			m[now] = metric
			added = append(added, name+" is read as "+now)
		}
	}
	slices.Sort(added)
	return added
}
