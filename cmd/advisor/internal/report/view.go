package report

import (
	"fmt"
	"sort"
	"strings"

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
func Short(k *rules.KernelResult) string { return elide(clean(name(k)), 80) }

// place returns "file.cu:12" for the first location with a source line, "" when there is none.
func place(f *rules.Finding) string {
	file, line := f.Place()
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", base(file), line)
}

// base returns the last element of a path of either kind of system: profiles travel between them.
func base(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// ofTotal returns a time's share of the whole run.
func ofTotal(res *rules.Result, ns *float64) *float64 {
	if ns == nil || res.TotalNS == nil || *res.TotalNS <= 0 {
		return nil
	}
	s := *ns / *res.TotalNS
	return &s
}

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

// byLine merges the locations of one source line: a line makes many instructions, and is changed once.
func byLine(locations []rules.Location) []rules.Location {
	type line struct {
		file, function string
		n              int
	}
	var out []rules.Location
	at, count := map[line]int{}, map[line]int{}
	for _, l := range locations {
		l = own(l)
		key := line{l.File, l.Function, l.Line}
		i, ok := at[key]
		if !ok || l.File == "" || l.Line == 0 {
			at[key] = len(out)
			out = append(out, l)
			continue
		}
		out[i].Share += l.Share
		count[key]++
	}
	for key, more := range count {
		l := &out[at[key]]
		l.SASS += fmt.Sprintf(" and %d more", more)
		l.PC = ""
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Share > out[j].Share })
	return out
}

// own moves a location out of a header of the toolkit to the program's line that led there.
func own(l rules.Location) rules.Location {
	file, line := l.Own()
	if file == l.File && line == l.Line {
		return l
	}
	note := fmt.Sprintf("in %s:%d", base(l.File), l.Line)
	if l.Note != "" {
		note += ": " + l.Note
	}
	for i, c := range l.Callers {
		if c.File == file && c.Line == line {
			l.Callers = l.Callers[i+1:]
			break
		}
	}
	l.File, l.Line, l.Source, l.Note = file, line, "", note
	return l
}

// minor reports whether a finding is worth no more than a line.
func minor(f *rules.Finding) bool {
	return f.Severity == rules.Info && f.Gain != nil && f.Gain.Expected < 1.05
}

// onKernels says of how many kernels something is true.
func onKernels(n, all int) string {
	if n == all && n > 1 {
		return "all " + plural(n, "kernel", "kernels")
	}
	return plural(n, "kernel", "kernels")
}

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
