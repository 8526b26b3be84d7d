package report

import (
	"io"
	"strings"

	"advisor/rules"
)

func writeDiffText(w io.Writer, c *rules.Comparison, opt Options) error {
	c = cleaned(c)
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
