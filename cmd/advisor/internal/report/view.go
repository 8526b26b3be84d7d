package report

import (
	"sort"

	"advisor/rules"
)

// first returns the finding of the kernel that should be acted on first, nil when it has none.
func first(k *rules.KernelResult) *rules.Finding {
	for i := range k.Findings {
		if k.Findings[i].WaitsFor == "" {
			return &k.Findings[i]
		}
	}
	return nil
}

// saved returns the time that the kernel's first finding is expected to save, 0 when none or unknown.
func saved(k *rules.KernelResult) float64 {
	if f := first(k); f != nil && f.SavedNS != nil {
		return *f.SavedNS
	}
	return 0
}

// byTime returns the kernels, the longest first; unknown times come last.
func byTime(res *rules.Result) []*rules.KernelResult {
	ks := make([]*rules.KernelResult, len(res.Kernels))
	for i := range res.Kernels {
		ks[i] = &res.Kernels[i]
	}
	sort.SliceStable(ks, func(i, j int) bool {
		a, b := ks[i].TotalNS, ks[j].TotalNS
		return a != nil && (b == nil || *a > *b)
	})
	return ks
}

// bySaving returns the kernels with findings, the one that saves most first, and those without, the longest first.
func bySaving(res *rules.Result) (with, without []*rules.KernelResult) {
	for _, k := range byTime(res) {
		if len(k.Findings) > 0 {
			with = append(with, k)
		} else {
			without = append(without, k)
		}
	}
	sort.SliceStable(with, func(i, j int) bool {
		if a, b := saved(with[i]), saved(with[j]); a != b {
			return a > b
		}
		return severity(with[i]) > severity(with[j])
	})
	return with, without
}

// severity returns that of the kernel's first finding, -1 when it has none.
func severity(k *rules.KernelResult) int {
	if f := first(k); f != nil {
		return int(f.Severity)
	}
	return -1
}

// worst returns the launch that stands for the kernel, nil when the result names none.
func worst(res *rules.Result, k *rules.KernelResult) *rules.LaunchResult {
	if k.Worst < 0 || k.Worst >= len(res.Launches) {
		return nil
	}
	return &res.Launches[k.Worst]
}

// name returns the short name of a kernel, with the rank of its process where there are several.
func name(k *rules.KernelResult) string {
	s := k.Function
	if s == "" {
		s = k.Kernel
	}
	if k.Rank != "" {
		s += " (rank " + k.Rank + ")"
	}
	return s
}

// Short returns a kernel's name for a line of text: safe to print, and not long.
func Short(k *rules.KernelResult) string { return elide(Clean(name(k)), 80) }

// ofTotal returns a time's share of the whole run.
func ofTotal(res *rules.Result, ns *float64) *float64 {
	if ns == nil || res.TotalNS == nil || *res.TotalNS <= 0 {
		return nil
	}
	s := *ns / *res.TotalNS
	return &s
}

func sorted(set map[string]bool) []string {
	s := make([]string, 0, len(set))
	for k := range set {
		s = append(s, k)
	}
	sort.Strings(s)
	return s
}

// inOrder returns rule ids in the order of the checklist, ids that are not on it last.
func inOrder(set map[string]bool) []string {
	s := sorted(set)
	at := map[string]int{}
	for i, r := range rules.All {
		at[r.ID] = i - len(rules.All)
	}
	sort.SliceStable(s, func(i, j int) bool { return at[s[i]] < at[s[j]] })
	return s
}

// waiting returns the findings of the list that wait for the given rule.
func waiting(fs []rules.Finding, rule string) []*rules.Finding {
	var out []*rules.Finding
	for i := range fs {
		if fs[i].WaitsFor == rule {
			out = append(out, &fs[i])
		}
	}
	return out
}

// minor reports whether a finding is worth no more than a line.
func minor(f *rules.Finding) bool {
	return f.Severity == rules.Info && f.Gain != nil && f.Gain.Expected < 1.05
}
