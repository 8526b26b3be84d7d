package report

import (
	"fmt"
	"sort"

	"advisor/rules"
)

// verdict is the whole report in one or two sentences.
func verdict(res *rules.Result) string {
	if len(res.Launches) == 0 {
		return nothing(res)
	}
	with, _ := bySaving(res)
	if len(with) == 0 || first(with[0]) == nil {
		return quiet(res)
	}
	k, f := with[0], first(with[0])
	what := fmt.Sprintf("%s in %s", f.Rule, elide(name(k), 60))
	at := place(f)
	if at != "" {
		at = " (" + at + ")"
	}
	switch {
	case f.SavedNS == nil:
		what = "Fix " + what + " first" + at + "; how much time that saves is unknown."
	case minor(f):
		if share := ofTotal(res, f.SavedNS); share != nil && *share < 0.001 {
			what = "Nothing to fix first: no finding would save time worth speaking of."
		} else {
			what = "Nothing here costs much time: the largest saving is " + cost(res, f) + ", by " + what + at + "."
		}
		if w := worst(res, k); w != nil && w.Verdict != "" && len(res.Kernels) == 1 {
			what += " It is " + w.Verdict + "."
		}
	default:
		what = "Fix " + what + " first" + at + ": it should save about " + cost(res, f) + "."
	}
	if n, all := len(unjudgedRules(res)), len(rules.All); unjudged(res) > 0.3 {
		what += fmt.Sprintf(" But %d of %d rules could not be judged.", n, all)
	}
	return what
}

// cost says how much of the run a finding costs.
func cost(res *rules.Result, f *rules.Finding) string {
	s := duration(f.SavedNS)
	if share := ofTotal(res, f.SavedNS); share != nil {
		s += fmt.Sprintf(" of %s, %s of this run", duration(res.TotalNS), percent(share))
	}
	return s
}

// nothing is the verdict on a result without launches.
func nothing(res *rules.Result) string {
	read := 0
	for _, in := range res.Inputs {
		read += in.Launches
	}
	if read > 0 {
		return "No kernel matches: none of " + plural(read, "launch is", "launches are") + " judged."
	}
	return "No launch was profiled in this input: there is nothing to judge."
}

// quiet is the verdict on a result without findings. What was not judged is never called clean.
func quiet(res *rules.Result) string {
	s := "Nothing to fix first: no finding in " + plural(len(res.Launches), "launch", "launches")
	if missing := unjudgedRules(res); len(missing) > 0 {
		return s + ", but " + plural(len(missing), "rule", "rules") + " could not be judged."
	}
	if l := worst(res, byTime(res)[0]); l != nil && l.Verdict != "" && len(res.Kernels) == 1 {
		return s + "; " + l.Verdict + "."
	}
	return s + "."
}

// unjudgedRules are those that some launch could not be judged by.
func unjudgedRules(res *rules.Result) map[string]bool {
	set := map[string]bool{}
	for i := range res.Launches {
		for _, n := range res.Launches[i].NotJudged {
			set[n.Rule] = true
		}
	}
	return set
}

// verdictOn says what stands in the place of a finding where a kernel has none: a clean bill only when every rule was
// judged.
func verdictOn(res *rules.Result, k *rules.KernelResult) string {
	if n := unjudgedOf(res, k); n > 0 {
		return fmt.Sprintf("%d not judged", n)
	}
	return "-"
}

// unjudgedOf counts the rules that some launch of a kernel could not be judged by.
func unjudgedOf(res *rules.Result, k *rules.KernelResult) int {
	set := map[string]bool{}
	for _, m := range k.Members {
		for _, n := range res.Launches[m].NotJudged {
			set[n.Rule] = true
		}
	}
	return len(set)
}

// quietLine says what limits a kernel without findings, and how many rules could not be judged.
func quietLine(res *rules.Result, k *rules.KernelResult) string {
	says := "limited by " + unknown
	if w := worst(res, k); w != nil {
		if says = w.Verdict; says == "" {
			says = "limited by " + limiter(w)
		}
	}
	if n := unjudgedOf(res, k); n > 0 {
		says += " (" + plural(n, "rule", "rules") + " not judged)"
	}
	return says
}

// unjudged is the part of the checklist that could not be judged, weighed by time.
func unjudged(res *rules.Result) float64 {
	part := 0.0
	for i := range res.Launches {
		if l := &res.Launches[i]; l.Share != nil && len(rules.All) > 0 {
			part += *l.Share * float64(len(l.NotJudged)) / float64(len(rules.All))
		}
	}
	return part
}

// A gap is a group of rules that could not be judged on as many kernels.
type gap struct {
	Rules   []string
	Kernels int
}

// gaps lists what could not be judged, the widest gap first, and the one ncu line that collects what it takes.
func gaps(res *rules.Result) (gs []gap, collect string) {
	kernels := map[string]map[string]bool{} // by rule
	missing := map[string]bool{}
	for i := range res.Launches {
		l := &res.Launches[i]
		for _, n := range l.NotJudged {
			if kernels[n.Rule] == nil {
				kernels[n.Rule] = map[string]bool{}
			}
			kernels[n.Rule][l.Kernel] = true
			for _, m := range n.Missing {
				missing[m] = true
			}
		}
	}
	byCount := map[int]map[string]bool{}
	for rule, ks := range kernels {
		if byCount[len(ks)] == nil {
			byCount[len(ks)] = map[string]bool{}
		}
		byCount[len(ks)][rule] = true
	}
	for n, set := range byCount {
		gs = append(gs, gap{inOrder(set), n})
	}
	sort.Slice(gs, func(i, j int) bool { return gs[i].Kernels > gs[j].Kernels })
	if len(gs) > 0 {
		collect = rules.CollectLine(sorted(missing))
	}
	return gs, collect
}

// onKernels says of how many kernels something is true.
func onKernels(n, all int) string {
	if n == all && n > 1 {
		return "all " + plural(n, "kernel", "kernels")
	}
	return plural(n, "kernel", "kernels")
}
