package charts

import "advisor/rules"

// Spaces shows which address spaces the executed memory instructions name. Generic ones stand apart: the compiler could
// not prove where they point.
var Spaces = &Chart{Name: "spaces", Title: "Memory instructions by address space", Draw: drawSpaces}

// spaceParts begin with the spaces that no fast kernel should need.
var spaceParts = []part{
	{"generic", red}, {"local", orange}, {"constant", purple}, {"shared", sky}, {"global", blue}, {"other", gray},
}

func drawSpaces(r *rules.Result, t Theme) (*Figure, error) {
	known := map[string]bool{}
	for _, p := range spaceParts {
		known[p.name] = true
	}
	rows := shareRows(r, func(s *rules.Stats) map[string]float64 {
		sizes := map[string]float64{}
		for name, n := range s.Spaces {
			if !known[name] {
				name = "other"
			}
			sizes[name] += n
		}
		return sizes
	})
	return shares(t, rows, spaceParts, "Executed memory instructions (%)")
}
