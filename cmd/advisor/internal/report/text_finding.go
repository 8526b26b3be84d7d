package report

import (
	"fmt"
	"strings"

	"advisor/rules"
)

// writeFinding writes one finding in full.
func writeFinding(l *layout, k *rules.KernelResult, f *rules.Finding) {
	head, cost := pad(f.Severity.String(), labelWidth), price(k, f)
	if 3+labelWidth+length(f.Rule)+2+length(cost) <= l.width {
		l.line("   ", l.paint(severityStyle(f.Severity), head), l.paint(bold, f.Rule), "  ", cost)
	} else {
		l.line("   ", l.paint(severityStyle(f.Severity), head), l.paint(bold, f.Rule))
		l.labelled(3, "", plain, cost)
	}
	if minor(f) {
		text := f.Message
		if at := place(f); at != "" {
			text += " (" + at + ")"
		}
		l.labelled(3, "", dim, text)
		return
	}
	l.labelled(3, "", plain, f.Message)
	locations := byLine(f.Locations)
	n := min(len(locations), shown)
	if f.Severity == rules.Info {
		n = min(n, 1)
	}
	for i := range n {
		writeLocation(l, &locations[i], i == 0)
	}
	if more := len(locations) - n; more > 0 && n > 0 {
		l.labelled(3, "", dim, "and "+plural(more, "more place", "more places"))
	}
	writeEvidence(l, f.Evidence)
	l.listed(3, "change", f.Advice)
	l.listed(3, "caution", f.Caveats)
}

// price says what fixing a finding saves.
func price(k *rules.KernelResult, f *rules.Finding) string {
	if f.Gain == nil {
		return "gain unknown"
	}
	if f.SavedNS == nil {
		return gainRange(f.Gain)
	}
	s := "saves " + duration(f.SavedNS)
	if k.TotalNS != nil && *k.TotalNS > 0 {
		part := *f.SavedNS / *k.TotalNS
		s += " (" + percent(&part) + ")"
	}
	return s + ": " + gainRange(f.Gain)
}

func severityStyle(s rules.Severity) style {
	switch s {
	case rules.Error:
		return red
	case rules.Warning:
		return yellow
	}
	return cyan
}

// writeLocation writes an instruction with its source line.
func writeLocation(l *layout, at *rules.Location, isFirst bool) {
	label := ""
	if isFirst {
		label = "where"
	}
	l.labelled(3, label, plain, where(at))
	if src := strings.TrimSpace(at.Source); src != "" {
		l.line(strings.Repeat(" ", 3+labelWidth), l.paint(cyan, elide(src, l.width-3-labelWidth)))
	}
	code := at.SASS
	if code != "" && at.PC != "" {
		code += " at " + at.PC
	}
	if code != "" && at.Note != "" {
		code += ": "
	}
	l.labelled(3, "", dim, code+at.Note)
	for _, c := range at.Callers {
		l.labelled(3, "", dim, fmt.Sprintf("called from %s:%d", tail(c.File, 50), c.Line))
	}
}

// where says in which line and function a location is, and how much of the waste is there.
func where(at *rules.Location) string {
	s := elide(at.Function, 60)
	if at.File != "" {
		s = tail(at.File, 60)
		if at.Line > 0 {
			s += fmt.Sprintf(":%d", at.Line)
		}
		if at.Function != "" {
			s += " in " + elide(at.Function, 60)
		}
	}
	if at.Share > 0 {
		s += fmt.Sprintf(", %s of the waste", percent(&at.Share))
	}
	return s
}

// writeEvidence writes the measured values beside the ideal ones. Metric names stay whole: people search for them.
func writeEvidence(l *layout, evidence []rules.Evidence) {
	widest := 0
	for _, e := range evidence {
		widest = max(widest, length(beside(e)))
	}
	room := l.width - 3 - labelWidth
	for _, e := range evidence {
		if widest+2+length(e.Metric) > room {
			widest = 0 // no room for columns
			break
		}
	}
	label := "measured"
	for _, e := range evidence {
		value := pad(beside(e), widest)
		if length(value)+2+length(e.Metric) <= room {
			l.line("   ", l.paint(dim, pad(label, labelWidth)), value, "  ", l.paint(dim, e.Metric))
		} else {
			l.labelled(3, label, plain, value)
			l.labelled(3, "", dim, e.Metric)
		}
		label = ""
	}
}

// waits says in one line what a finding would bring once the one before it is fixed.
func waits(f *rules.Finding) string {
	s := fmt.Sprintf("%s waits for %s", f.Rule, f.WaitsFor)
	if f.Gain != nil {
		s += ": worth " + gainRange(f.Gain) + " today"
	}
	if at := place(f); at != "" {
		s += " at " + at
	}
	return s
}

// writeSays shows what Nsight Compute's own rules say, as theirs.
func writeSays(l *layout, says []rules.NsightAdvice) {
	l.line()
	l.labelled(3, "ncu says", dim, "Nsight Compute's own estimates; they overlap and are no sum")
	for i, s := range says {
		if i == shown {
			l.labelled(3, "", dim, "and "+plural(len(says)-i, "more message", "more messages"))
			break
		}
		l.labelled(3, "", dim, saying(s))
	}
}
