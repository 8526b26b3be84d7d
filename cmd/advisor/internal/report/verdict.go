package report

import (
	"fmt"
	"sort"

	"advisor/rules"
)

// verdict is the whole report in one or two sentences.
func verdict(res *rules.Result) string {
	if len(res.Launches) == 0 {
		read := 0
		for _, in := range res.Inputs {
			read += in.Launches
		}
		if read > 0 {
			return "No kernel matches: none of " + plural(read, "launch is", "launches are") + " judged."
		}
		return "No launch was profiled in this input: there is nothing to judge."
	}
	with, _ := bySaving(res)
	var f *rules.Finding
	if len(with) > 0 {
		f = first(with[0])
	}
	if f == nil {
		return quiet(res)
	}
	s := fmt.Sprintf("Fix %s in %s first", f.Rule, elide(name(with[0]), 60))
	if at := place(f); at != "" {
		s += " (" + at + ")"
	}
	if f.SavedNS == nil {
		return s + "; how much time that saves is unknown."
	}
	s += fmt.Sprintf(": it should save about %s", duration(f.SavedNS))
	if share := ofTotal(res, f.SavedNS); share != nil {
		s += fmt.Sprintf(" of %s, %s of this run", duration(res.TotalNS), percent(share))
	}
	s += "."
	if f.Severity == rules.Info {
		s += " That is little: nothing here costs much time."
	}
	return s
}

// quiet is the verdict on a result without findings. What was not judged is never called clean.
func quiet(res *rules.Result) string {
	missing := map[string]bool{}
	for i := range res.Launches {
		for _, n := range res.Launches[i].NotJudged {
			missing[n.Rule] = true
		}
	}
	s := "Nothing to fix first: no finding in " + plural(len(res.Launches), "launch", "launches")
	if len(missing) > 0 {
		return s + ", but " + plural(len(missing), "rule", "rules") + " could not be judged."
	}
	if l := worst(res, byTime(res)[0]); l != nil && l.Verdict != "" && len(res.Kernels) == 1 {
		return s + "; " + l.Verdict + "."
	}
	return s + "."
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
