package report

import (
	"fmt"
	"io"

	"advisor/rules"
)

// writeSassText writes for a person: the sum, then each function with its memory instructions and findings, or each
// change of a comparison.
func writeSassText(w io.Writer, res *rules.StaticResult, opt Options) error {
	res = cleaned(res)
	l := newLayout(opt)
	for _, s := range wrap(sassHeadline(res), l.width) {
		l.line(l.paint(bold, s))
	}
	l.line()
	for i := range res.Inputs {
		in := &res.Inputs[i]
		l.labelled(0, "read", plain, fmt.Sprintf("%s: %s, %s", tail(in.Path, l.width-labelWidth-1), in.Format, plural(in.Functions, "function", "functions")))
		for _, n := range in.Notes {
			l.labelled(0, "note", plain, n)
		}
	}
	if res.Compared {
		for i := range res.Changes {
			writeChange(l, &res.Changes[i])
		}
	} else {
		writeFunctions(l, res, opt.Top)
	}
	_, err := io.WriteString(w, l.String())
	return err
}

func writeFunctions(l *layout, res *rules.StaticResult, top int) {
	zeros := anyGeneric(res)
	for i := range res.Functions {
		if top > 0 && i == top {
			l.line()
			l.line(l.paint(dim, "and "+plural(len(res.Functions)-i, "more function", "more functions")+"; --top 0 shows all"))
			return
		}
		f := &res.Functions[i]
		l.line()
		l.line(l.paint(bold, elide(f.Function, l.width)))
		if s := resources(f); s != "" {
			l.labelled(3, "uses", plain, s)
		}
		if s := opcodes(f, zeros); s != "" {
			l.labelled(3, "code", plain, s)
		}
		for j := range f.Findings {
			writeStaticFinding(l, &f.Findings[j])
		}
	}
}

// writeStaticFinding writes a finding without a price.
func writeStaticFinding(l *layout, f *rules.Finding) {
	l.line("   ", l.paint(severityStyle(f.Severity), pad(f.Severity.String(), labelWidth)), l.paint(bold, f.Rule))
	l.labelled(3, "", plain, f.Message)
	locations := byLine(f.Locations)
	n := min(len(locations), shown)
	for i := range n {
		locations[i].Share = 0 // instructions are not equal in how often they run
		writeLocation(l, &locations[i], i == 0)
	}
	if more := len(locations) - n; more > 0 {
		l.labelled(3, "", dim, "and "+plural(more, "more place", "more places"))
	}
	l.listed(3, "change", f.Advice)
	l.listed(3, "caution", f.Caveats)
}

func writeChange(l *layout, c *rules.StaticChange) {
	l.line()
	name := c.Function
	if c.Arch != "" {
		name += " (" + c.Arch + ")"
	}
	l.line(l.paint(bold, elide(name, l.width-10)), "  ", c.Status)
	if s := changesOf(c.Opcodes); s != "" {
		l.labelled(3, "code", plain, s)
	}
	if s := changesOf(c.Counts); s != "" {
		l.labelled(3, "counts", plain, s)
	}
	for i := range c.Fixed {
		l.labelled(3, "fixed", plain, c.Fixed[i].Rule+": "+c.Fixed[i].Message)
	}
	for i := range c.New {
		l.line("   ", l.paint(red, "new"))
		writeStaticFinding(l, &c.New[i])
	}
}
