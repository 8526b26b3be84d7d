package rules

import (
	"math"
	"sort"
)

// summarize fills in what needs all launches: totals, shares, and the summary by kernel.
func summarize(res *Result) {
	total, known := 0.0, true
	for i := range res.Launches {
		if d := res.Launches[i].DurationNS; d != nil {
			total += *d
		} else {
			known = false
		}
	}
	if known && total > 0 {
		res.TotalNS = &total
		for i := range res.Launches {
			share := *res.Launches[i].DurationNS / total
			res.Launches[i].Share = &share
		}
	}
	for _, members := range group(res.Launches) {
		res.Kernels = append(res.Kernels, kernel(res, members))
	}
	sort.SliceStable(res.Kernels, func(i, j int) bool { return deref(res.Kernels[i].TotalNS) > deref(res.Kernels[j].TotalNS) })
}

// group collects the launches of each kernel on one device and rank, in order of first appearance.
func group(launches []LaunchResult) [][]int {
	type key struct {
		kernel, device, cc, rank, kind string
		id                             int
	}
	index := map[key]int{}
	var groups [][]int
	for i := range launches {
		l := &launches[i]
		k := key{l.Kernel, l.Device, l.CC, l.Rank, l.Kind, l.DeviceID}
		g, ok := index[k]
		if !ok {
			g = len(groups)
			index[k] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// kernel sums up the launches of one kernel.
func kernel(res *Result, members []int) KernelResult {
	first := &res.Launches[members[0]]
	k := KernelResult{Kernel: first.Kernel, Function: first.Function, Device: first.Device, Rank: first.Rank, Launches: len(members), Members: members, Worst: members[0]}
	all := make([]*LaunchResult, 0, len(members))
	shapes := map[[6]int]bool{}
	mostSaved, longest := 0.0, 0.0
	for _, m := range members {
		l := &res.Launches[m]
		all = append(all, l)
		shapes[launchShape(l)] = true
		saved := 0.0
		if len(l.Findings) > 0 {
			saved = deref(l.Findings[0].SavedNS)
		}
		if saved > mostSaved || mostSaved == 0 && deref(l.DurationNS) > longest {
			k.Worst = m
		}
		mostSaved, longest = max(mostSaved, saved), max(longest, deref(l.DurationNS))
	}
	k.Shapes = len(shapes)
	t := timesOf(all)
	k.TotalNS, k.MedianNS, k.MinNS, k.MaxNS = t.TotalNS, t.MedianNS, t.MinNS, t.MaxNS
	if t.TotalNS != nil && res.TotalNS != nil {
		share := *t.TotalNS / *res.TotalNS
		k.Share = &share
	}
	k.Findings = merge(res, members)
	return k
}

// launchShape is the grid and block of a launch.
func launchShape(l *LaunchResult) (s [6]int) {
	if l.Grid != nil {
		copy(s[:3], l.Grid[:])
	}
	if l.Block != nil {
		copy(s[3:], l.Block[:])
	}
	return s
}

// merge joins the findings of the same rule over launches: the time saved is summed, the rest is that of the launch
// that would save most. Those that wait stand last, the others by time saved, in buckets of 10 % by step.
func merge(res *Result, members []int) []Finding {
	byRule := map[string]*Finding{}
	most := map[string]float64{}
	place := map[string]int{}
	var order []string
	for _, m := range members {
		for n, f := range res.Launches[m].Findings {
			saved := deref(f.SavedNS)
			have, ok := byRule[f.Rule]
			if !ok {
				c := f
				if f.SavedNS != nil {
					c.SavedNS = new(float64)
				}
				byRule[f.Rule], have = &c, &c
				order = append(order, f.Rule)
				most[f.Rule], place[f.Rule] = saved, n
			} else if saved > most[f.Rule] {
				sum := have.SavedNS
				*have = f
				have.SavedNS = sum
				if sum == nil {
					have.SavedNS = new(float64)
				}
				most[f.Rule], place[f.Rule] = saved, n
			}
			if have.SavedNS != nil {
				*have.SavedNS += saved
			}
		}
	}
	findings := make([]Finding, len(order))
	for i, r := range order {
		findings[i] = *byRule[r]
	}
	if len(members) > 1 {
		sort.SliceStable(findings, func(i, j int) bool { return beforeMerged(&findings[i], &findings[j], place) })
	}
	return findings
}

// beforeMerged ranks the findings of a kernel.
func beforeMerged(a, b *Finding, place map[string]int) bool {
	if (a.WaitsFor == "") != (b.WaitsFor == "") {
		return a.WaitsFor == ""
	}
	bucket := func(f *Finding) float64 { return math.Round(math.Log(max(1, deref(f.SavedNS))) / math.Log(1.1)) }
	if x, y := bucket(a), bucket(b); x != y {
		return x > y
	}
	return place[a.Rule] < place[b.Rule]
}

// deref returns what a pointer points to, 0 for nil: for sums and orders in which unknown counts for nothing.
func deref(p *float64) float64 {
	if p == nil {
		return 0
	}
	return *p
}
