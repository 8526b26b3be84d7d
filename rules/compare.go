package rules

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
)

// DiffSchema names the JSON form of a Comparison.
const DiffSchema = "advisor.diff/v1"

// A Comparison says what changed from one result to another.
type Comparison struct {
	Schema  string   `json:"schema"`
	Advisor string   `json:"advisor"`
	Base    []string `json:"base"`   // paths
	Head    []string `json:"head"`   // paths
	Unlike  []string `json:"unlike"` // conditions that differ, which make times incomparable; empty when alike
	Pairs   []Pair   `json:"pairs"`  // in order of the time that changed
	Removed []Lone   `json:"removed"`
	Added   []Lone   `json:"added"`
}

// A Pair is one kernel at one launch shape in both results.
type Pair struct {
	Kernel       string `json:"kernel"`        // in head
	Function     string `json:"function"`      // in head
	BaseFunction string `json:"base_function"` // differs for renamed kernels
	Grid         string `json:"grid"`
	Block        string `json:"block"`
	Reshaped     bool   `json:"reshaped"` // the launch shape differs

	Base     Times           `json:"base"`
	Head     Times           `json:"head"`
	Noise    bool            `json:"noise"`  // the times differ by no more than runs do
	Factor   *float64        `json:"factor"` // base / head of the medians: above 1 is faster; null unknown
	Counters []CounterChange `json:"counters"`
	Findings []FindingChange `json:"findings"`
}

// Times are the durations of the launches of one side in nanoseconds; nil is unknown.
type Times struct {
	Launches int      `json:"launches"`
	MedianNS *float64 `json:"median_ns"`
	MinNS    *float64 `json:"min_ns"`
	MaxNS    *float64 `json:"max_ns"`
	TotalNS  *float64 `json:"total_ns"`
}

// A CounterChange is a counter that differs. Values are means over the launches.
type CounterChange struct {
	Metric string  `json:"metric"`
	Base   float64 `json:"base"`
	Head   float64 `json:"head"`
	Exact  bool    `json:"exact"` // the counter repeats from run to run, so that any difference is real
	Waste  bool    `json:"waste"` // less of it is better
}

// A Change says what became of a finding.
type Change string

// The changes. Unjudged is a finding of one side that the other could not judge: neither fixed nor new.
const (
	New      Change = "new"
	Fixed    Change = "fixed"
	Better   Change = "better"
	Worse    Change = "worse"
	Same     Change = "same"
	Unjudged Change = "not-judged"
)

// A FindingChange is a finding of either side.
type FindingChange struct {
	Rule   string   `json:"rule"`
	Change Change   `json:"change"`
	Base   *Finding `json:"base"`
	Head   *Finding `json:"head"`
	// Predicted and Gained stand for fixed findings: the speedup that base promised, and the one that came.
	Predicted *Gain    `json:"predicted"`
	Gained    *float64 `json:"gained"`
}

// A Lone is a kernel that only one side has: nothing to compare with.
type Lone struct {
	Kernel   string   `json:"kernel"`
	Function string   `json:"function"`
	Launches int      `json:"launches"`
	TotalNS  *float64 `json:"total_ns"`
}

// Noise is what runs differ by without a change. A time changed when it moved by more than both limits, and by more
// than the launches of either side spread.
type Noise struct {
	Relative   float64 // of the base time
	AbsoluteNS float64
}

// DefaultNoise fits launches under locked clocks: short kernels spread by a fifth, long ones by a few percent.
var DefaultNoise = Noise{Relative: 0.05, AbsoluteNS: 1000}

// Compare matches the launches of two results by kernel, shape and order. renamed maps functions of base to their names
// in head.
func Compare(base, head *Result, renamed map[string]string, noise Noise) *Comparison {
	c := &Comparison{
		Schema: DiffSchema, Advisor: head.Advisor, Base: paths(base), Head: paths(head), Unlike: unlike(base, head),
		Pairs: []Pair{}, Removed: []Lone{}, Added: []Lone{},
	}
	bs, hs := groupsOf(base, renamed), groupsOf(head, nil)
	for _, key := range []func(*launches) string{
		func(g *launches) string { return g.kernel + "\x00" + g.shape },
		func(g *launches) string { return g.function + "\x00" + g.shape },
		func(g *launches) string { return g.function },
	} {
		match(bs, hs, key)
	}
	for _, b := range bs {
		if b.other == nil {
			c.Removed = append(c.Removed, b.lone())
			continue
		}
		c.Pairs = append(c.Pairs, pair(b, b.other, noise))
	}
	for _, h := range hs {
		if h.other == nil {
			c.Added = append(c.Added, h.lone())
		}
	}
	sort.SliceStable(c.Pairs, func(i, j int) bool { return c.Pairs[i].moved() > c.Pairs[j].moved() })
	return c
}

func paths(r *Result) []string {
	out := []string{}
	for _, in := range r.Inputs {
		out = append(out, in.Path)
	}
	return out
}

// launches are those of one kernel at one shape, in order.
type launches struct {
	kernel, function, shape string // function as head calls it
	all                     []*LaunchResult
	other                   *launches
}

// groupsOf collects launches by kernel and shape, in order of first appearance.
func groupsOf(r *Result, renamed map[string]string) []*launches {
	var groups []*launches
	at := map[string]*launches{}
	for i := range r.Launches {
		l := &r.Launches[i]
		function, kernel := l.Function, l.Kernel
		if to, ok := renamed[function]; ok {
			function, kernel = to, strings.Replace(kernel, l.Function, to, 1)
		}
		key := strings.Join([]string{kernel, dim(l.Grid), dim(l.Block), l.Device, l.Rank}, "\x00")
		if at[key] == nil {
			at[key] = &launches{kernel: kernel, function: function, shape: dim(l.Grid) + " " + dim(l.Block) + " " + l.Rank}
			groups = append(groups, at[key])
		}
		at[key].all = append(at[key].all, l)
	}
	return groups
}

func dim(d *[3]int) string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf("(%d, %d, %d)", d[0], d[1], d[2])
}

// match pairs the groups that are alone yet and share a key, in order.
func match(bs, hs []*launches, key func(*launches) string) {
	free := map[string][]*launches{}
	for _, h := range hs {
		if h.other == nil {
			free[key(h)] = append(free[key(h)], h)
		}
	}
	for _, b := range bs {
		if hs := free[key(b)]; b.other == nil && len(hs) > 0 {
			b.other, hs[0].other = hs[0], b
			free[key(b)] = hs[1:]
		}
	}
}

func (g *launches) lone() Lone {
	return Lone{Kernel: g.all[0].Kernel, Function: g.all[0].Function, Launches: len(g.all), TotalNS: timesOf(g.all).TotalNS}
}

// timesOf sums up the durations of launches; one that is unknown makes all unknown.
func timesOf(all []*LaunchResult) Times {
	t := Times{Launches: len(all)}
	n := len(all)
	ds := make([]float64, n)
	for i, l := range all {
		if l.DurationNS == nil {
			return t
		}
		ds[i] = *l.DurationNS
	}
	sort.Float64s(ds)
	total := 0.0
	for _, d := range ds {
		total += d
	}
	median := (ds[(n-1)/2] + ds[n/2]) / 2
	t.MedianNS, t.MinNS, t.MaxNS, t.TotalNS = &median, &ds[0], &ds[n-1], &total
	return t
}

// moved is how much time the pair gained or lost over the run, 0 when unknown or noise.
func (p *Pair) moved() float64 {
	if p.Noise || p.Base.TotalNS == nil || p.Head.TotalNS == nil {
		return 0
	}
	return math.Abs(*p.Base.TotalNS - *p.Head.TotalNS)
}

func pair(b, h *launches, noise Noise) Pair {
	p := Pair{
		Kernel: h.all[0].Kernel, Function: h.all[0].Function, BaseFunction: b.all[0].Function,
		Grid: dim(h.all[0].Grid), Block: dim(h.all[0].Block), Reshaped: b.shape != h.shape,
		Base: timesOf(b.all), Head: timesOf(h.all), Noise: true, Counters: []CounterChange{}, Findings: []FindingChange{},
	}
	if p.Base.MedianNS != nil && p.Head.MedianNS != nil && *p.Head.MedianNS > 0 {
		f := *p.Base.MedianNS / *p.Head.MedianNS
		p.Factor = &f
		p.Noise = noise.covers(p.Base, p.Head)
	}
	p.Counters = counterChanges(b, h, noise)
	p.Findings = findingChanges(b, h, &p, noise)
	return p
}

// covers reports whether two times differ by no more than runs do.
func (n Noise) covers(base, head Times) bool {
	d := math.Abs(*head.MedianNS - *base.MedianNS)
	if d <= n.AbsoluteNS || d <= n.Relative**base.MedianNS {
		return true
	}
	several := base.Launches > 1 && head.Launches > 1
	return several && *base.MaxNS >= *head.MinNS && *head.MaxNS >= *base.MinNS
}

// A counterKind says how a counter compares.
type counterKind struct {
	prefix       string
	exact, waste bool
	floor        float64 // a smaller difference is noise, unless exact
}

// counterKinds are told by prefix, the first that fits. Instructions are counted one by one, and so is what follows
// from their addresses; units of the memory system are sampled, and what reaches L2 and DRAM depends on what else is
// in the caches: two profiles of one program on an H200 differ there by up to 3 %, or a few hundred kilobytes.
var counterKinds = []counterKind{
	{"memory_l2_theoretical_sectors", true, true, 0},
	{"memory_l1_wavefronts_shared", true, true, 0},
	{"sass__inst_executed_register_spilling", true, true, 0},
	{"smsp__sass_inst_executed_op_local", true, true, 0},
	{"smsp__inst_executed", true, false, 0},
	{"launch__registers_per_thread", true, false, 0},
	{"l1tex__average_t_sectors_per_request", false, true, 0},
	{"l1tex__t_sectors", false, true, 1 << 15},
	{"l1tex__t_requests", false, false, 1 << 13},
	{"dram__bytes", false, true, 1 << 20},
	{"lts__t_sectors", false, true, 1 << 15},
}

// KindOf says whether a counter repeats exactly, and whether less of it is better; ok is false for counters that are
// not compared, as times and percentages are not.
func KindOf(metric string) (exact, waste, ok bool) {
	k, ok := kindOf(metric)
	return k.exact, k.waste, ok
}

func kindOf(metric string) (counterKind, bool) {
	if strings.Contains(metric, "ideal") || strings.Contains(metric, "pct") || strings.Contains(metric, " ") {
		return counterKind{}, false
	}
	for _, k := range counterKinds {
		if strings.HasPrefix(metric, k.prefix) {
			return k, true
		}
	}
	return counterKind{}, false
}

// counterChanges lists the counters that differ. Where the number of launches differs, too, means stay comparable.
func counterChanges(b, h *launches, noise Noise) []CounterChange {
	out := []CounterChange{}
	was, is := b.counters(), h.counters()
	for _, m := range slices.Sorted(maps.Keys(was)) {
		now, ok := is[m]
		kind, compared := kindOf(m)
		if !ok || !compared {
			continue
		}
		margin := math.Max(kind.floor, noise.Relative*math.Abs(was[m]))
		if kind.exact {
			margin = 1e-9 * math.Abs(was[m]) // of the mean
		}
		if math.Abs(now-was[m]) > margin {
			out = append(out, CounterChange{Metric: m, Base: was[m], Head: now, Exact: kind.exact, Waste: kind.waste})
		}
	}
	return out
}

// counters returns the mean of each counter that every launch has.
func (g *launches) counters() map[string]float64 {
	mean := map[string]float64{}
	for m := range g.all[0].Stats.Counters {
		sum, known := 0.0, true
		for _, l := range g.all {
			v, ok := l.Stats.Counters[m]
			sum, known = sum+v, known && ok
		}
		if known {
			mean[m] = sum / float64(len(g.all))
		}
	}
	return mean
}

// findingChanges says what became of each finding, in the order of head, then of base.
func findingChanges(b, h *launches, p *Pair, noise Noise) []FindingChange {
	out := []FindingChange{}
	was, is := b.findings(), h.findings()
	for i := range is {
		c := FindingChange{Rule: is[i].Rule, Head: &is[i], Change: New}
		if c.Base = find(was, is[i].Rule); c.Base != nil {
			c.Change = trend(c.Base, c.Head, noise)
		} else if b.unjudged(is[i].Rule) {
			c.Change = Unjudged
		}
		out = append(out, c)
	}
	for i := range was {
		if find(is, was[i].Rule) != nil {
			continue
		}
		c := FindingChange{Rule: was[i].Rule, Base: &was[i], Change: Fixed, Predicted: was[i].Gain, Gained: p.Factor}
		if h.unjudged(was[i].Rule) {
			c.Change, c.Predicted, c.Gained = Unjudged, nil, nil
		}
		out = append(out, c)
	}
	return out
}

// findings returns those of the launches by rule: that of the launch that would save most, with the savings summed.
func (g *launches) findings() []Finding {
	var out []Finding
	at := map[string]int{}
	most := map[string]float64{}
	for _, l := range g.all {
		for _, f := range l.Findings {
			i, ok := at[f.Rule]
			if !ok {
				at[f.Rule] = len(out)
				most[f.Rule] = deref(f.SavedNS)
				out = append(out, f)
				continue
			}
			sum := addKnown(out[i].SavedNS, f.SavedNS)
			if s := deref(f.SavedNS); s > most[f.Rule] {
				most[f.Rule], out[i] = s, f
			}
			out[i].SavedNS = sum
		}
	}
	return out
}

func addKnown(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	s := *a + *b
	return &s
}

func find(fs []Finding, rule string) *Finding {
	for i := range fs {
		if fs[i].Rule == rule {
			return &fs[i]
		}
	}
	return nil
}

// unjudged reports whether a launch could not be judged by the rule.
func (g *launches) unjudged(rule string) bool {
	for _, l := range g.all {
		for _, n := range l.NotJudged {
			if n.Rule == rule {
				return true
			}
		}
	}
	return false
}

// trend compares a finding on both sides by the time it costs.
func trend(was, is *Finding, noise Noise) Change {
	if was.SavedNS == nil || is.SavedNS == nil {
		return Same
	}
	d := *is.SavedNS - *was.SavedNS
	if math.Abs(d) <= noise.AbsoluteNS || math.Abs(d) <= 4*noise.Relative**was.SavedNS {
		return Same // a predicted time is made of several measured ones: two profiles of one program differ by up to 15 %
	}
	if d > 0 {
		return Worse
	}
	return Better
}

// unlike lists the conditions that differ. A condition that either side does not tell is not compared.
func unlike(base, head *Result) []string {
	out := []string{}
	for _, c := range []struct {
		name   string
		values func(*Result) map[string]bool
	}{
		{"GPU", gpus},
		{"Nsight Compute major version", func(r *Result) map[string]bool {
			return ofInputs(r, func(in Input) string { return major(in.NCUVersion) })
		}},
		{"clock control", func(r *Result) map[string]bool {
			return ofInputs(r, func(in Input) string { return in.ClockControl })
		}},
		{"cache control", func(r *Result) map[string]bool {
			return ofInputs(r, func(in Input) string { return in.CacheControl })
		}},
	} {
		was, is := join(c.values(base)), join(c.values(head))
		if was != "" && is != "" && was != is {
			out = append(out, fmt.Sprintf("%s: %s, now %s", c.name, was, is))
		}
	}
	return out
}

func gpus(r *Result) map[string]bool {
	set := map[string]bool{}
	for _, l := range r.Launches {
		if l.Device != "" || l.CC != "" {
			set[strings.TrimSpace(l.Device+" "+l.CC)] = true
		}
	}
	return set
}

func ofInputs(r *Result, value func(Input) string) map[string]bool {
	set := map[string]bool{}
	for _, in := range r.Inputs {
		if v := value(in); v != "" {
			set[v] = true
		}
	}
	return set
}

func major(version string) string {
	m, _, _ := strings.Cut(version, ".")
	return m
}

func join(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }
