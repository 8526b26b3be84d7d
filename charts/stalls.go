package charts

import (
	"sort"
	"strings"

	"advisor/rules"
)

// Stalls shows what warps wait for.
var Stalls = &Chart{Name: "stalls", Title: "What warps wait for", Draw: drawStalls}

// stallNames say the reasons that matter for memory in words; the others keep the names of the counters.
var stallNames = map[string]string{
	"long_scoreboard": "global or local memory", "short_scoreboard": "shared memory or special functions",
	"lg_throttle": "queue to global memory", "mio_throttle": "queue to shared memory", "barrier": "barrier",
	"drain": "stores to finish", "imc_miss": "constant cache", "math_pipe_throttle": "arithmetic pipe",
	"selected": "issuing", "not_selected": "another warp's turn", "wait": "fixed latency", "no_instructions": "instruction fetch",
	"no_instruction": "instruction fetch", "tex_throttle": "queue to texture memory", "branch_resolving": "branch",
}

func drawStalls(r *rules.Result, t Theme) (*Figure, error) {
	rows := shareRows(r, func(s *rules.Stats) map[string]float64 {
		sizes := map[string]float64{}
		for reason, n := range s.Stalls {
			sizes[stallName(reason)] += n
		}
		return sizes
	})
	kept := commonest(rows, len(series))
	parts := make([]part, 0, len(kept)+1)
	named := map[string]bool{}
	for i, name := range kept {
		parts = append(parts, part{name, series[i]})
		named[name] = true
	}
	parts = append(parts, part{"other", gray})
	for i := range rows {
		rows[i].sizes = joinOthers(rows[i].sizes, named)
	}
	return shares(t, rows, parts, "Samples of warps (%)")
}

func stallName(reason string) string {
	if n := stallNames[reason]; n != "" {
		return n
	}
	return strings.ReplaceAll(clean(reason), "_", " ")
}

// commonest returns the n names with most of all rows, the largest first.
func commonest(rows []row, n int) []string {
	sums := map[string]float64{}
	for i := range rows {
		sum := total(rows[i].sizes)
		for name, v := range rows[i].sizes {
			sums[name] += v / sum
		}
	}
	var names []string
	for name, v := range sums {
		if v > 0 {
			names = append(names, name)
		}
	}
	sort.Slice(names, func(i, j int) bool {
		if sums[names[i]] != sums[names[j]] {
			return sums[names[i]] > sums[names[j]]
		}
		return names[i] < names[j]
	})
	return names[:min(n, len(names))]
}

// joinOthers adds up the sizes that have no name of their own.
func joinOthers(sizes map[string]float64, named map[string]bool) map[string]float64 {
	joined := map[string]float64{}
	others := map[string]float64{}
	for name, v := range sizes {
		if named[name] {
			joined[name] = v
		} else {
			others[name] = v
		}
	}
	if v := total(others); v > 0 {
		joined["other"] = v
	}
	return joined
}
