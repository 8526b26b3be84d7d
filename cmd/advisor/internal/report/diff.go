package report

import (
	"fmt"
	"io"
	"reflect"
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

func cleanedComparison(c *rules.Comparison) *rules.Comparison {
	return deepCopy(reflect.ValueOf(c), clean).Interface().(*rules.Comparison)
}

func writeDiffJSON(w io.Writer, c *rules.Comparison, _ Options) error {
	same := func(s string) string { return s }
	return writeJSON(w, deepCopy(reflect.ValueOf(c), same).Interface()) // with no slice nil
}

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

func writeDiffText(w io.Writer, c *rules.Comparison, opt Options) error {
	c = cleanedComparison(c)
	l := newLayout(opt)
	for _, s := range wrap(diffVerdict(c), l.width) {
		l.line(l.paint(bold, s))
	}
	l.line()
	l.labelled(0, "base", plain, strings.Join(c.Base, ", "))
	l.labelled(0, "head", plain, strings.Join(c.Head, ", "))
	for _, u := range c.Unlike {
		l.labelled(0, "unlike", yellow, u)
	}
	if len(c.Pairs) > 0 {
		l.line()
		rows := make([][]string, 0, len(c.Pairs))
		for i := range c.Pairs {
			p := &c.Pairs[i]
			if opt.Top > 0 && i == opt.Top {
				break
			}
			rows = append(rows, []string{pairName(p), spread(p.Base), spread(p.Head), timeChange(p)})
		}
		l.table(0, []column{{head: "kernel", grow: true}, {head: "base", right: true}, {head: "head", right: true}, {head: "time", right: true, paint: timePaint}}, rows)
		if more := len(c.Pairs) - len(rows); more > 0 {
			l.line(l.paint(dim, "and "+plural(more, "kernel", "kernels")+"; --top 0 shows all"))
		}
	}
	n := 0
	for i := range c.Pairs {
		p := &c.Pairs[i]
		if !eventful(p) {
			continue
		}
		if n++; opt.Top <= 0 || n <= opt.Top {
			writePair(l, p)
		}
	}
	if more := n - opt.Top; opt.Top > 0 && more > 0 {
		l.line()
		l.line(l.paint(dim, "and changes of "+plural(more, "kernel", "kernels")+"; --top 0 shows all"))
	}
	writeLone(l, "Removed", c.Removed)
	writeLone(l, "Added", c.Added)
	_, err := io.WriteString(w, l.String())
	return err
}

func timePaint(cell string) style {
	switch {
	case strings.HasSuffix(cell, "slower"):
		return red
	case strings.HasSuffix(cell, "faster"):
		return bold
	}
	return dim
}

func writePair(l *layout, p *rules.Pair) {
	l.line()
	l.apart(pairName(p), timeChange(p), bold)
	if p.Reshaped {
		l.labelled(3, "", plain, "the launch shape differs: now grid "+p.Grid+", block "+p.Block)
	}
	for _, f := range p.Findings {
		if f.Change == rules.Same {
			continue
		}
		s, label := plain, string(f.Change)
		switch f.Change {
		case rules.New, rules.Worse:
			s = red
		case rules.Unjudged:
			label = "unknown"
		}
		l.line("   ", l.paint(s, pad(label, labelWidth)), l.paint(bold, f.Rule))
		if text := strings.TrimPrefix(strings.TrimPrefix(findingChange(&f), string(f.Change)), ": "); text != "" {
			l.labelled(3, "", plain, text)
		}
	}
	label := "counters"
	for _, k := range p.Counters {
		l.labelled(3, label, plain, counterChange(k))
		label = ""
	}
}

func writeLone(l *layout, title string, ks []rules.Lone) {
	if len(ks) == 0 {
		return
	}
	l.line()
	l.line(l.paint(bold, title), " (not compared)")
	for _, k := range ks {
		l.line("   ", elide(k.Function, l.width-24), ", ", plural(k.Launches, "launch", "launches"), " ", duration(k.TotalNS))
	}
}

func writeDiffMarkdown(w io.Writer, c *rules.Comparison, opt Options) error {
	c = cleanedComparison(c)
	var b strings.Builder
	b.WriteString("<!-- advisor-diff -->\n**" + prose(diffVerdict(c)) + "**\n\n")
	for _, u := range c.Unlike {
		b.WriteString("- unlike: " + prose(u) + "\n")
	}
	if len(c.Pairs) > 0 {
		b.WriteString("\n| kernel | base | head | time | findings |\n|:--|--:|--:|--:|:--|\n")
	}
	n := 0
	for ; n < len(c.Pairs) && (opt.Top <= 0 || n < opt.Top) && b.Len() < maxTable; n++ {
		p := &c.Pairs[n]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(code(pairName(p), 60)), spread(p.Base), spread(p.Head), timeChange(p), cell(findingList(p)))
	}
	if n < len(c.Pairs) {
		fmt.Fprintf(&b, "\n%s not in the table.\n", plural(len(c.Pairs)-n, "kernel", "kernels"))
	}
	b.WriteString("\n")
	for i := range c.Pairs {
		p := &c.Pairs[i]
		if !eventful(p) {
			continue
		}
		part := markdownPair(p)
		if b.Len()+len(part)+maxTail > maxMarkdown {
			b.WriteString("More kernels changed than a comment has room for: the text and JSON formats have all.\n\n")
			break
		}
		b.WriteString(part)
	}
	markdownLone(&b, "removed", c.Removed)
	markdownLone(&b, "added", c.Added)
	_, err := io.WriteString(w, b.String())
	return err
}

// findingList lists the findings of a pair that changed.
func findingList(p *rules.Pair) string {
	var parts []string
	for _, f := range p.Findings {
		if f.Change != rules.Same && f.Change != rules.Unjudged {
			parts = append(parts, string(f.Change)+" "+code(f.Rule, 40))
		}
	}
	return strings.Join(parts, ", ")
}

func markdownPair(p *rules.Pair) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s: %s</summary>\n\n", htmlCode(pairName(p), 80), timeChange(p))
	if p.Reshaped {
		b.WriteString("- the launch shape differs: now grid " + prose(p.Grid) + ", block " + prose(p.Block) + "\n")
	}
	for _, f := range p.Findings {
		if f.Change != rules.Same {
			fmt.Fprintf(&b, "- %s %s\n", code(f.Rule, 40), prose(findingChange(&f)))
		}
	}
	for _, k := range p.Counters {
		fmt.Fprintf(&b, "- %s is %s, was %s\n", code(k.Metric, 120), count(k.Head), count(k.Base))
	}
	b.WriteString("\n</details>\n\n")
	return b.String()
}

func markdownLone(b *strings.Builder, what string, ks []rules.Lone) {
	for i, k := range ks {
		if i == 20 {
			fmt.Fprintf(b, "- and %d more %s\n", len(ks)-i, what)
			break
		}
		fmt.Fprintf(b, "- %s, so not compared: %s, %s\n", what, code(k.Function, 80), duration(k.TotalNS))
	}
}

func writeDiffGitHub(w io.Writer, c *rules.Comparison, opt Options) error {
	c = cleanedComparison(c)
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
