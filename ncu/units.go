package ncu

import "strings"

// UnitOf returns the base unit of a metric by its name: "ns", "byte", "hz", "%" (as 0 to 100), "sector", "inst",
// "byte/s" and the like, "" for plain counts and for names that say nothing. Reports do not store units.
func UnitOf(metric string) string {
	if u, ok := unitByName[metric]; ok {
		return u
	}
	for _, prefix := range []string{"pmsampling:", "warpsampling:", "device__", "breakdown:", "group:"} {
		if rest, ok := strings.CutPrefix(metric, prefix); ok {
			if strings.HasSuffix(prefix, "sampling:") {
				return UnitOf(rest)
			}
			return ""
		}
	}
	if _, rest, ok := strings.Cut(metric, ".Triage"); ok { // "FBSP.TriageA.dram__..."
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
	{"cycles_active", "cycle"},
	{"cycles_elapsed", "cycle"},
	{"_active$", "cycle"},
	{"_cycles$", "cycle"},
	{"inst_executed", "inst"},
	{"inst_issued", "inst"},
	{"thread_inst", "inst"},
	{"bytes", "byte"},
	{"sectors", "sector"},
	{"warps_active", "warp"},
	{"warps_eligible", "warp"},
	{"smsp__pcsamp_warps_", "warp"},
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
var unitByName = map[string]string{}
