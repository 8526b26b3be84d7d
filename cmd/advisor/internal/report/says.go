package report

import (
	"sort"

	"advisor/rules"
)

// estimatesFirst orders messages of Nsight Compute's own rules: estimates of the launch, the largest first, then of one
// unit, then those without. Of several messages of one title, the first stands.
func estimatesFirst(says []rules.NsightAdvice) []rules.NsightAdvice {
	order := map[string]int{"global": 0, "local": 1}
	rank := func(a rules.NsightAdvice) int {
		if r, ok := order[a.Scope]; ok {
			return r
		}
		return 2
	}
	all := append([]rules.NsightAdvice{}, says...)
	sort.SliceStable(all, func(i, j int) bool {
		if a, b := rank(all[i]), rank(all[j]); a != b {
			return a < b
		}
		return all[i].Speedup > all[j].Speedup
	})
	var out []rules.NsightAdvice
	seen := map[string]bool{}
	for _, a := range all {
		if title := a.Rule + a.Title; !seen[title] {
			seen[title] = true
			out = append(out, a)
		}
	}
	return out
}

// saying is a message of Nsight Compute's own rules in one line. Numbers of scope "local" are about one unit, not about
// the launch, and no two of them may be added up.
func saying(a rules.NsightAdvice) string {
	title := a.Title
	if title == "" {
		title = a.Rule
	}
	title = elide(title, 80) + ": "
	switch a.Scope {
	case "global":
		return title + digits(a.Speedup) + "% of this launch at most"
	case "local":
		return title + digits(a.Speedup) + "% of one unit's time, not of the launch"
	}
	return title + "no estimate"
}
