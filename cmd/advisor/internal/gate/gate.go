package gate

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"advisor/ncu/sass"
	"advisor/rules"
)

// Schema names the JSON form of an Outcome.
const Schema = "advisor.check/v1"

// An Outcome is what the gate found. It fails when a break has the severity FailOn or more.
type Outcome struct {
	Schema   string         `json:"schema"`
	Advisor  string         `json:"advisor"`
	Passed   bool           `json:"passed"`
	FailOn   rules.Severity `json:"fail_on"`
	Compared bool           `json:"compared"` // with a baseline
	Kernels  int            `json:"kernels"`  // that were checked
	Breaks   []Break        `json:"breaks"`   // the most severe first
	Ignored  []Break        `json:"ignored"`
	Notes    []string       `json:"notes"`
}

// A Break is one thing that should not be.
type Break struct {
	Severity rules.Severity `json:"severity"`
	Kind     string         `json:"kind"`     // "finding", "limit", "slower" or "counter"
	ID       string         `json:"id"`       // rule or metric
	Kernel   string         `json:"kernel"`   // full name
	Function string         `json:"function"` // short name
	File     string         `json:"file"`     // "" unknown
	Line     int            `json:"line"`     // 0 unknown
	Message  string         `json:"message"`
	Reason   string         `json:"reason,omitempty"` // why it is ignored
}

// Failed counts the breaks that fail the gate.
func (o *Outcome) Failed() int {
	n := 0
	for _, b := range o.Breaks {
		if b.Severity >= o.FailOn {
			n++
		}
	}
	return n
}

// Evaluate checks a result. base is nil without a baseline; with one, findings that it holds as well are accepted, and
// times and counters must not grow. now decides which ignores have ended.
func Evaluate(c *Config, res, base *rules.Result, now time.Time) *Outcome {
	g := &gate{config: c, now: now, used: make([]bool, len(c.Ignore)), out: &Outcome{
		Schema: Schema, Advisor: res.Advisor, FailOn: c.failOn(), Compared: base != nil, Kernels: len(res.Kernels),
		Breaks: []Break{}, Ignored: []Break{}, Notes: []string{},
	}}
	if len(res.Launches) == 0 {
		g.note("no launch was profiled: nothing was checked")
	}
	known := map[string]bool{}
	if base != nil {
		known = g.compare(base, res)
	}
	for i := range res.Kernels {
		g.findings(res, &res.Kernels[i], known)
	}
	for i := range c.Limits {
		g.limit(res, &c.Limits[i])
	}
	for i, ig := range c.Ignore {
		if !g.used[i] {
			g.note("the ignore on line %d matches nothing: remove it (%s)", ig.line, ig.Reason)
		}
	}
	sort.SliceStable(g.out.Breaks, func(i, j int) bool { return g.out.Breaks[i].Severity > g.out.Breaks[j].Severity })
	g.out.Passed = g.out.Failed() == 0 && len(res.Launches) > 0
	return g.out
}

// A gate is an evaluation under way.
type gate struct {
	config *Config
	now    time.Time
	used   []bool // which ignores matched
	out    *Outcome
}

func (c *Config) failOn() rules.Severity {
	if c.FailOn == "" {
		return rules.Error
	}
	s, _ := rules.ParseSeverity(string(c.FailOn)) // checked when read
	return s
}

// NoiseLimits are those of the configuration, with defaults where it has none.
func (c *Config) NoiseLimits() rules.Noise {
	n := rules.DefaultNoise
	if c.Noise.Percent != nil {
		n.Relative = *c.Noise.Percent / 100
	}
	if c.Noise.NS != nil {
		n.AbsoluteNS = *c.Noise.NS
	}
	return n
}

func (g *gate) note(format string, args ...any) {
	g.out.Notes = append(g.out.Notes, fmt.Sprintf(format, args...))
}

// add files a break, unless an ignore that has not ended covers it.
func (g *gate) add(b Break) {
	for i, ig := range g.config.Ignore {
		if ig.Rule != "" && ig.Rule != b.ID || ig.Metric != "" && ig.Metric != b.ID || !ig.Kernel.Match(b.Kernel) {
			continue
		}
		g.used[i] = true
		if !ig.Until.IsZero() && g.now.After(ig.Until.AddDate(0, 0, 1)) {
			b.Message += fmt.Sprintf(" (ignored until %s: %s)", ig.Until.Format("2006-01-02"), ig.Reason)
			continue
		}
		b.Reason = ig.Reason
		g.out.Ignored = append(g.out.Ignored, b)
		return
	}
	g.out.Breaks = append(g.out.Breaks, b)
}

// severity returns the severity that the configuration gives a rule's finding; off is false when it is switched off.
func (g *gate) severity(f *rules.Finding) (s rules.Severity, on bool) {
	level := g.config.Rules[f.Rule]
	if level == "" {
		return f.Severity, true
	}
	s, err := rules.ParseSeverity(string(level))
	return s, err == nil
}

// findings files those of a kernel that the baseline does not hold.
func (g *gate) findings(res *rules.Result, k *rules.KernelResult, known map[string]bool) {
	for i := range k.Findings {
		f := &k.Findings[i]
		s, on := g.severity(f)
		if !on || known[key(f.Rule, k.Kernel)] {
			continue
		}
		if f.WaitsFor != "" && g.config.Rules[f.Rule] == "" {
			s = rules.Info
		}
		b := Break{Severity: s, Kind: "finding", ID: f.Rule, Kernel: k.Kernel, Function: k.Function, Message: f.Message}
		if f.Gain != nil {
			b.Message += fmt.Sprintf("; fixing it promises %.2fx", f.Gain.Expected)
		}
		b.File, b.Line = f.Place()
		g.add(b)
	}
}

func key(rule, kernel string) string { return rule + "\x00" + kernel }

// limit files the kernels that break a limit. What the profile cannot tell breaks it, too: a gate that cannot fail is
// none.
func (g *gate) limit(res *rules.Result, l *Limit) {
	s := rules.Error
	if l.Severity != "" {
		var err error
		if s, err = rules.ParseSeverity(string(l.Severity)); err != nil {
			return // off
		}
	}
	matched := false
	for i := range res.Kernels {
		k := &res.Kernels[i]
		if !l.Kernel.Match(k.Kernel) {
			continue
		}
		matched = true
		id, msg := l.Metric, ""
		if l.Rule != "" {
			id, msg = l.Rule, l.gainBreak(res, k)
		} else {
			msg = l.metricBreak(res, k)
		}
		if msg != "" {
			b := Break{Severity: s, Kind: "limit", ID: id, Kernel: k.Kernel, Function: k.Function, Message: msg}
			for j := range k.Findings {
				if k.Findings[j].Rule == id {
					b.File, b.Line = k.Findings[j].Place()
				}
			}
			g.add(b)
		}
	}
	if !matched {
		g.note("the limit on line %d matches no kernel: %q", l.line, l.Kernel)
	}
}

// gainBreak says how a kernel breaks a limit on a rule's gain, "" when it does not.
func (l *Limit) gainBreak(res *rules.Result, k *rules.KernelResult) string {
	for _, f := range k.Findings {
		if f.Rule == l.Rule && f.Gain != nil && f.Gain.Expected > *l.MaxGain {
			return fmt.Sprintf("fixing %s promises %.2fx, more than the limit of %gx", f.Rule, f.Gain.Expected, *l.MaxGain)
		}
	}
	for _, m := range k.Members {
		for _, n := range res.Launches[m].NotJudged {
			if n.Rule == l.Rule {
				return fmt.Sprintf("%s cannot be judged; collect with %s", l.Rule, n.Collect)
			}
		}
	}
	return ""
}

// metricBreak says how the worst launch of a kernel breaks a limit on a metric, "" when none does.
func (l *Limit) metricBreak(res *rules.Result, k *rules.KernelResult) string {
	msg, most := "", 0.0
	for _, m := range k.Members {
		launch := &res.Launches[m]
		v, ok := launch.Stats.Counters[l.Metric]
		if !ok && slices.Contains(sass.CountNames(), l.Metric) {
			return l.Metric + " is not known of this input; give a cubin"
		}
		if !ok {
			return fmt.Sprintf("%s is not in the profile; collect with ncu --metrics %s", l.Metric, l.Metric)
		}
		if l.Max != nil && v > *l.Max && (msg == "" || v-*l.Max > most) {
			msg, most = fmt.Sprintf("%s is %s in launch %s, above the limit of %s", l.Metric, number(v), launch.ID, number(*l.Max)), v-*l.Max
		}
		if l.Min != nil && v < *l.Min && (msg == "" || *l.Min-v > most) {
			msg, most = fmt.Sprintf("%s is %s in launch %s, below the limit of %s", l.Metric, number(v), launch.ID, number(*l.Min)), *l.Min-v
		}
	}
	return msg
}

// compare files what got worse since the baseline, and returns the findings that the baseline holds as well.
func (g *gate) compare(base, res *rules.Result) map[string]bool {
	noise := g.config.NoiseLimits()
	c := rules.Compare(base, res, nil, noise)
	known, fresh := map[string]bool{}, map[string]bool{}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		if p.Factor != nil && !p.Noise && *p.Factor < 1 {
			g.add(Break{Severity: rules.Error, Kind: "slower", ID: "gpu__time_duration.sum", Kernel: p.Kernel, Function: p.Function,
				Message: fmt.Sprintf("%s ns, was %s ns: %.2fx the time", number(*p.Head.MedianNS), number(*p.Base.MedianNS), 1 / *p.Factor)})
		}
		for _, k := range p.Counters {
			if k.Waste && k.Head > k.Base*(1+noise.Relative) {
				g.add(Break{Severity: rules.Error, Kind: "counter", ID: k.Metric, Kernel: p.Kernel, Function: p.Function,
					Message: fmt.Sprintf("%s grew from %s to %s", k.Metric, number(k.Base), number(k.Head))})
			}
		}
		for _, f := range p.Findings {
			switch f.Change {
			case rules.New, rules.Worse:
				fresh[key(f.Rule, p.Kernel)] = true
			case rules.Unjudged:
				g.note("%s in %s could be judged on one side only", f.Rule, p.Function)
				known[key(f.Rule, p.Kernel)] = true
			default:
				known[key(f.Rule, p.Kernel)] = true
			}
		}
	}
	for k := range fresh { // new at one launch shape is new
		delete(known, k)
	}
	g.lone("removed", c.Removed)
	g.lone("added", c.Added)
	return known
}

// lone notes kernels that one side does not have.
func (g *gate) lone(what string, ks []rules.Lone) {
	var names []string
	for _, k := range ks {
		names = append(names, k.Function)
	}
	if len(names) > 0 {
		g.note("%s since the baseline, so not compared: %s", what, strings.Join(names, ", "))
	}
}

// number writes whole numbers in full, others with four digits.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Unlike returns why a result must not be compared with the baseline, "" when it may.
func Unlike(base, res *rules.Result) string {
	return strings.Join(rules.Compare(base, res, nil, rules.DefaultNoise).Unlike, "; ")
}
