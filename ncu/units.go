package ncu

import "strings"

// UnitOf returns the base unit of a metric by its name: "ns", "byte", "hz", "%" (as 0 to 100), "sector", "inst",
// "byte/s" and the like, "" for plain counts and for names that say nothing. Reports do not store units.
func UnitOf(metric string) string {
	if u, ok := unitByName[metric]; ok {
		return u
	}
	for _, prefix := range []string{"device__", "breakdown:", "group:"} {
		if strings.HasPrefix(metric, prefix) {
			return ""
		}
	}
	for _, prefix := range []string{"pmsampling:", "warpsampling:"} {
		metric = strings.TrimPrefix(metric, prefix)
	}
	if _, rest, ok := strings.Cut(metric, "Triage"); ok { // "FBSP.TriageA.dram__read_sectors.sum"
		_, metric, _ = strings.Cut(rest, ".")
	}
	counter, rollup, _ := strings.Cut(metric, ".")
	if isPercent(counter, rollup) {
		return "%"
	}
	return rollupUnit(counterUnit(counter), counter, rollup)
}

func isPercent(counter, rollup string) bool {
	last := rollup[strings.LastIndexByte(rollup, '.')+1:]
	return last == "pct" || strings.HasPrefix(last, "pct_of_peak") ||
		strings.Contains(counter, "_throughput") || strings.HasSuffix(counter, "_pct")
}

// unitByWord gives the unit of a counter by a word in its name; the first that matches.
var unitByWord = []struct {
	word string // "x" anywhere, "x$" at the end
	unit string
}{
	{"gpu__time_duration", "ns"},
	{"_interval_time", "ns"},
	{"bytes_per_sector", "byte/sector"},
	{"sectors_per_request", "sector/request"},
	{"_pred_on_x", "thread"},
	{"avg_thread_", "thread"},
	{"ctas_launched", "block"},
	{"branch_targets_threads_divergent", "branches"},
	{"maximum_warps_avg", "warp"},
	{"warps_active", "warp"},
	{"warps_eligible", "warp"},
	{"smsp__pcsamp_warps_", "warp"},
	{"_passes", "pass"},
	{"merged_samples", "sample"},
	{"dropped_samples", "sample"},
	{"writeback_active", "cycle"},
	{"cycles_active", "cycle"},
	{"cycles_elapsed", "cycle"},
	{"_active$", "cycle"},
	{"_cycles$", "cycle"},
	{"inst_executed", "inst"},
	{"inst_issued", "inst"},
	{"thread_inst", "inst"},
	{"bytes", "byte"},
	{"sectors", "sector"},
}

func counterUnit(counter string) string {
	for _, u := range unitByWord {
		word, atEnd := strings.CutSuffix(u.word, "$")
		if atEnd && strings.HasSuffix(counter, word) || !atEnd && strings.Contains(counter, word) {
			return u.unit
		}
	}
	for _, cache := range []string{"gcc__", "lts__", "lrc__"} {
		if strings.HasPrefix(counter, cache) && strings.Contains(counter, "requests") {
			return "request"
		}
	}
	return ""
}

// rollupUnit turns the unit of a counter into that of a roll-up of it.
func rollupUnit(unit, counter, rollup string) string {
	last := rollup[strings.LastIndexByte(rollup, '.')+1:]
	switch {
	case last == "per_second" && unit == "cycle":
		return "hz"
	case last == "per_second" && unit != "":
		return unit + "/s"
	case strings.HasPrefix(last, "per_cycle") || strings.HasPrefix(last, "peak_sustained"):
		return perCycle(unit)
	case last == "ratio" && strings.Contains(counter, "issue_stalled"):
		return "inst"
	case last == "ratio" && !strings.Contains(unit, "/"):
		return ""
	}
	return unit
}

func perCycle(unit string) string {
	switch unit {
	case "", "cycle":
		return ""
	case "warp":
		return "warp"
	}
	return unit + "/cycle"
}

// unitByName holds the metrics whose name does not give the unit away.
var unitByName = map[string]string{
	"derived__pct_occupancy_per_block_size":              "%",
	"derived__pct_occupancy_per_register_count":          "%/register",
	"derived__pct_occupancy_per_shared_mem_size":         "%/byte",
	"launch__block_dim_x":                                "block",
	"launch__block_dim_y":                                "block",
	"launch__block_dim_z":                                "block",
	"launch__cluster_max_active":                         "cluster",
	"launch__cluster_max_potential_size":                 "block",
	"launch__occupancy_limit_barriers":                   "block",
	"launch__occupancy_limit_blocks":                     "block",
	"launch__occupancy_limit_registers":                  "block",
	"launch__occupancy_limit_shared_mem":                 "block",
	"launch__occupancy_limit_warps":                      "block",
	"launch__persisting_l2_cache_size":                   "byte",
	"launch__registers_per_thread":                       "register/thread",
	"launch__registers_per_thread_allocated":             "register/thread",
	"launch__shared_mem_config_size":                     "byte",
	"launch__shared_mem_per_block":                       "byte/block",
	"launch__shared_mem_per_block_allocated":             "byte/block",
	"launch__shared_mem_per_block_driver":                "byte/block",
	"launch__shared_mem_per_block_dynamic":               "byte/block",
	"launch__shared_mem_per_block_static":                "byte/block",
	"launch__sm_count":                                   "SM",
	"launch__thread_count":                               "thread",
	"smsp__average_warp_latency_per_inst_issued.ratio":   "cycle",
	"smsp__average_warps_active_per_inst_executed.ratio": "cycle",
}
