package ncu

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// labelTable lists what the details page calls each metric: a line "[SECTION]", then LABEL, METRIC and, where several
// metrics share a label, when it is that metric: the titles of the charts that show it, or "old" for versions that
// spell units the old way. The best guess for a label stands first.
//
//go:embed labels.tsv
var labelTable string

// A labelled metric is one meaning of a label.
type labelled struct {
	metric string
	charts []string // titles of the charts; nil: any
	old    bool
}

// labels gives the meanings by section and label, both as displayed.
var labels = sync.OnceValue(func() map[string]map[string][]labelled {
	sections := map[string]map[string][]labelled{}
	var section map[string][]labelled
	for line := range strings.Lines(labelTable) {
		line = strings.TrimSuffix(line, "\n")
		label, rest, isLabel := strings.Cut(line, "\t")
		if !isLabel {
			section = map[string][]labelled{}
			sections[strings.Trim(label, "[]")] = section
			continue
		}
		metric, when, _ := strings.Cut(rest, "\t")
		m := labelled{metric: metric, old: when == "old"}
		if when != "" && !m.old {
			m.charts = strings.Split(when, "; ")
		}
		section[label] = append(section[label], m)
	}
	return sections
})

// metricOfLabel returns the name of the metric that a label stands for, "" when it is not known. nth counts the rows
// of the same label and chart before it in the launch.
func metricOfLabel(section, chart, label, unit string, nth int) string {
	if i := strings.LastIndexByte(label, '('); i >= 0 && strings.Contains(label[i:], "__") {
		return strings.TrimSuffix(label[i+1:], ")") // one of many: "Warp Stall Sampling (All Samples) (smsp__...)"
	}
	if strings.Contains(label, "__") || section == "Command line profiler metrics" {
		return label // --metrics, --print-metric-name name, and entries without a label
	}
	meanings := labels()[section][label]
	if section == "" {
		meanings = meaningsAnywhere(label)
	}
	if len(meanings) == 1 {
		return meanings[0].metric
	}
	if len(meanings) == 0 {
		return metricOfChart(section, label, nth)
	}
	return bestMeaning(meanings, chart, unit)
}

// meaningsAnywhere looks a label up in all sections, for hand-made tables that name none. A label that means several
// things there, as "Memory Throughput" does, means nothing.
func meaningsAnywhere(label string) []labelled {
	var found []labelled
	for _, section := range labels() {
		for _, m := range section[label] {
			if len(found) > 0 && found[0].metric != m.metric {
				return nil
			}
			found = []labelled{m}
		}
	}
	return found
}

// bestMeaning chooses among the metrics that share a label: by chart, by unit, by the age of the tool. A chart's label
// without its chart says nothing.
func bestMeaning(meanings []labelled, chart, unit string) string {
	base, _, _ := baseUnit(unit)
	old := strings.Contains(unit, "second")
	best, bestScore := "", 0
	for _, m := range meanings {
		if m.charts != nil && !slices.Contains(m.charts, chart) {
			continue
		}
		score := 1
		if UnitOf(m.metric) == base {
			score += 2
		}
		if m.old && old {
			score++
		}
		if score > bestScore {
			best, bestScore = m.metric, score
		}
	}
	return best
}

// hardwareUnits are the units of the GPU as charts write them in front of a counter's words.
var hardwareUnits = map[string]string{"SM": "sm", "SMSP": "smsp", "L1": "l1tex", "L2": "lts", "DRAM": "dram"}

// metricOfChart makes the metric's name of labels that the tool makes of names itself. A breakdown shows
// "SM: Inst Executed Pipe Lsu" for sm__inst_executed_pipe_lsu as percent of peak; the workload distribution shows
// "L2 Active Cycles" four times, for the average, maximum, minimum and sum.
func metricOfChart(section, label string, nth int) string {
	if section == "GPU and Memory Workload Distribution" {
		rollups := [...]string{".avg", ".max", ".min", ".sum"}
		unit, rest, _ := strings.Cut(label, " ")
		if u := hardwareUnits[unit]; u != "" && rest == "Active Cycles" && nth < len(rollups) {
			return u + "__cycles_active" + rollups[nth]
		}
		return ""
	}
	unit, words, ok := strings.Cut(label, ": ")
	if !ok || strings.ContainsAny(unit, " .") || words == "" {
		return ""
	}
	prefix := hardwareUnits[unit]
	switch {
	case prefix == "":
		prefix = strings.ToLower(unit)
	case unit == "DRAM" && strings.HasPrefix(words, "Dram "):
		prefix = "fbpa" // the frame buffer partition is shown as DRAM, too
	}
	return prefix + "__" + strings.ReplaceAll(strings.ToLower(words), " ", "_") + ".avg.pct_of_peak_sustained_elapsed"
}
