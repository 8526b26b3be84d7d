package report

import (
	"fmt"
	"io"
	"strings"

	"advisor/rules"
)

// A DiffWriter writes a comparison in one format.
type DiffWriter func(io.Writer, *rules.Comparison, Options) error

// DiffFormats are the writers of comparisons by name.
var DiffFormats = map[string]DiffWriter{
	"text":     writeDiffText,
	"json":     writeDiffJSON,
	"markdown": writeDiffMarkdown,
	"github":   writeDiffGitHub,
}

func writeDiffJSON(w io.Writer, c *rules.Comparison, _ Options) error { return writeJSON(w, filled(c)) }

// changes counts what became of findings that matter: those below a warning come and go with the noise of runs.
func changes(c *rules.Comparison) map[rules.Change]int {
	n := map[rules.Change]int{}
	for _, p := range c.Pairs {
		for _, f := range p.Findings {
			if f.Base != nil && f.Base.Severity > rules.Info || f.Head != nil && f.Head.Severity > rules.Info {
				n[f.Change]++
			}
		}
	}
	return n
}

// diffVerdict is the comparison in one sentence.
func diffVerdict(c *rules.Comparison) string {
	if len(c.Pairs) == 0 {
		return "No kernel is on both sides: nothing to compare."
	}
	faster, slower := 0, 0
	for _, p := range c.Pairs {
		switch {
		case p.Noise || p.Factor == nil:
		case *p.Factor > 1:
			faster++
		default:
			slower++
		}
	}
	var parts []string
	if slower > 0 {
		parts = append(parts, plural(slower, "kernel is slower", "kernels are slower"))
	}
	if faster > 0 {
		parts = append(parts, plural(faster, "kernel is faster", "kernels are faster"))
	}
	if slower+faster == 0 {
		parts = append(parts, "no kernel changed its time by more than noise")
	}
	n := changes(c)
	for _, k := range []rules.Change{rules.New, rules.Worse, rules.Fixed, rules.Better} {
		if n[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s %s", n[k], k, strings.TrimPrefix(plural(n[k], "finding", "findings"), fmt.Sprint(n[k], " "))))
		}
	}
	s := strings.Join(parts, ", ") + "."
	s = strings.ToUpper(s[:1]) + s[1:]
	if len(c.Unlike) > 0 {
		s += " Times are not comparable: the conditions differ."
	}
	return s
}

// timeChange says how a time changed: "~" is noise.
func timeChange(p *rules.Pair) string {
	switch {
	case p.Factor == nil:
		return unknown
	case p.Noise:
		return "~"
	case *p.Factor >= 1:
		return factor(*p.Factor) + " faster"
	}
	return factor(1 / *p.Factor) + " slower"
}

// spread returns a time with the spread of its launches: "503 µs ±2.0%".
func spread(t rules.Times) string {
	s := duration(t.MedianNS)
	if t.MedianNS != nil && t.Launches > 1 && *t.MedianNS > 0 {
		half := (*t.MaxNS - *t.MinNS) / 2 / *t.MedianNS
		s += " ±" + percent(&half)
	}
	return s
}

// pairName names a pair: "new (was old)".
func pairName(p *rules.Pair) string {
	s := p.Function
	if p.BaseFunction != p.Function {
		s += " (was " + p.BaseFunction + ")"
	}
	if p.Head.Launches > 1 {
		s += fmt.Sprintf(" x%d", p.Head.Launches)
	}
	return s
}

// eventful reports whether there is more to say about a pair than its time.
func eventful(p *rules.Pair) bool {
	for _, f := range p.Findings {
		if f.Change != rules.Same {
			return true
		}
	}
	return len(p.Counters) > 0 || p.Reshaped
}

// findingChange says in one line what became of a finding.
func findingChange(f *rules.FindingChange) string {
	switch f.Change {
	case rules.Fixed:
		s := "fixed"
		if f.Predicted != nil {
			s += ": predicted " + gainRange(f.Predicted)
		}
		if f.Gained != nil {
			s += ", gained " + factor(*f.Gained)
		}
		return s
	case rules.Unjudged:
		return "could be judged on one side only"
	case rules.New:
		s := "new: " + f.Head.Message
		if f.Head.Gain != nil {
			s += "; worth " + gainRange(f.Head.Gain)
		}
		if at := place(f.Head); at != "" {
			s += " at " + at
		}
		return s
	case rules.Better, rules.Worse:
		return fmt.Sprintf("%s: costs %s, was %s", f.Change, duration(f.Head.SavedNS), duration(f.Base.SavedNS))
	}
	return "still there"
}

// counterChange says in one line how a counter changed.
func counterChange(k rules.CounterChange) string {
	return fmt.Sprintf("%s: %s, was %s", k.Metric, count(k.Head), count(k.Base))
}

func writeDiffGitHub(w io.Writer, c *rules.Comparison, opt Options) error {
	c = cleaned(c)
	annotate(w, "notice", "", 0, "advisor diff", diffVerdict(c))
	n := 0
	for i := range c.Pairs {
		p := &c.Pairs[i]
		if !p.Noise && p.Factor != nil && *p.Factor < 1 && n < maxAnnotations {
			n++
			annotate(w, "warning", "", 0, "slower: "+elide(p.Function, 80), timeChange(p)+", "+spread(p.Base)+" to "+spread(p.Head))
		}
		for _, f := range p.Findings {
			if (f.Change == rules.New || f.Change == rules.Worse) && n < maxAnnotations {
				n++
				file, line := sourceOf(f.Head, opt.Root)
				annotate(w, "warning", file, line, f.Rule+" in "+elide(p.Function, 80), findingChange(&f))
			}
		}
	}
	return nil
}
