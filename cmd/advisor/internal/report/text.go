package report

import (
	"fmt"
	"io"
	"strings"

	"advisor/rules"
)

// WriteText writes for a person at a terminal: the verdict first, kernels by time, then each kernel's findings.
func WriteText(w io.Writer, res *rules.Result, opt Options) error {
	res = cleaned(res)
	l := newLayout(opt)
	for _, s := range wrap(verdict(res), l.width) {
		l.line(l.paint(bold, s))
	}
	l.line()
	writeInputs(l, res)
	if len(res.Launches) > 0 {
		writeKernelTable(l, res, opt)
		writeKernels(l, res, opt)
		writeGaps(l, res)
	}
	_, err := io.WriteString(w, l.String())
	return err
}

// writeInputs says what was read, and under which conditions it was measured.
func writeInputs(l *layout, res *rules.Result) {
	for i := range res.Inputs {
		in := &res.Inputs[i]
		parts := []string{plural(in.Launches, "launch", "launches")}
		parts = append(parts, conditions(in)...)
		if d := devices(res, i); d != "" {
			parts = append(parts, d)
		}
		l.labelled(0, "read", plain, tail(in.Path, l.width-labelWidth-1)+": "+strings.Join(parts, ", "))
		for _, n := range in.Notes {
			l.labelled(0, "note", plain, n)
		}
	}
}

// conditions lists how an input was profiled.
func conditions(in *rules.Input) []string {
	var parts []string
	if in.NCUVersion != "" {
		parts = append(parts, "Nsight Compute "+in.NCUVersion)
	}
	switch in.ClockControl {
	case "":
	case "none":
		parts = append(parts, "clocks not locked")
	default:
		parts = append(parts, "clocks locked to "+in.ClockControl)
	}
	switch in.CacheControl {
	case "":
	case "none":
		parts = append(parts, "caches not flushed")
	default:
		parts = append(parts, "caches flushed")
	}
	if in.ReplayMode != "" && in.ReplayMode != "kernel" {
		parts = append(parts, in.ReplayMode+" replay")
	}
	if in.Partial {
		parts = append(parts, "the file ends early")
	}
	return parts
}

// devices lists the GPUs of an input.
func devices(res *rules.Result, input int) string {
	seen := map[string]bool{}
	for i := range res.Launches {
		if l := &res.Launches[i]; l.Input == input && l.Device != "" {
			seen[l.Device+" ("+l.CC+")"] = true
		}
	}
	return strings.TrimSuffix(strings.Join(sorted(seen), ", "), " ()")
}

// writeKernelTable lists the kernels by time.
func writeKernelTable(l *layout, res *rules.Result, opt Options) {
	cols := []column{
		{head: "kernels by time", grow: true},
		{head: "time", right: true},
		{head: "share", right: true, drop: 1},
		{head: "limited by", drop: 2},
		{head: "first finding", paint: rulePaint},
		{head: "saves", right: true},
		{head: "speedup", right: true, drop: 3},
	}
	ks := byTime(res)
	var rows [][]string
	for i, k := range ks {
		if opt.Top > 0 && i == opt.Top {
			break
		}
		rows = append(rows, kernelRow(res, k))
	}
	l.line()
	l.table(0, cols, rows)
	if rest := ks[len(rows):]; len(rest) > 0 {
		var sum float64
		for _, k := range rest {
			if k.TotalNS != nil {
				sum += *k.TotalNS
			}
		}
		l.line(l.paint(dim, fmt.Sprintf("and %s of %s together; --top 0 shows all",
			plural(len(rest), "kernel", "kernels"), duration(&sum))))
	}
}

// rulePaint sets off the names of rules from what stands where there is none.
func rulePaint(cell string) style {
	if cell == "-" || strings.HasSuffix(cell, "judged") {
		return dim
	}
	return bold
}

func kernelRow(res *rules.Result, k *rules.KernelResult) []string {
	row := []string{times(k), duration(k.TotalNS), percent(k.Share), "", verdictOn(res, k), "", ""}
	if w := worst(res, k); w != nil {
		row[3] = limiter(w)
	}
	if f := first(k); f != nil {
		row[4] = f.Rule
		row[5] = duration(f.SavedNS)
		if f.Gain != nil {
			row[6] = factor(f.Gain.Expected)
		}
	}
	return row
}

// times returns the kernel's name, with the number of its launches when there are many: "gemm x12".
func times(k *rules.KernelResult) string {
	if k.Launches < 2 {
		return name(k)
	}
	return fmt.Sprintf("%s x%d", name(k), k.Launches)
}

// limiter names the unit that limits a launch: "dram 92%".
func limiter(w *rules.LaunchResult) string {
	if w.LimiterPct == nil {
		return w.Limiter
	}
	return w.Limiter + " " + digits(float64(int(*w.LimiterPct+0.5))) + "%"
}

// writeKernels writes a block for each kernel with findings, the one that saves most first, and a line for the others.
func writeKernels(l *layout, res *rules.Result, opt Options) {
	with, rest := bySaving(res)
	for i, k := range with {
		if opt.Top > 0 && i == opt.Top {
			l.line()
			l.line(l.paint(dim, fmt.Sprintf("and %s with findings; --top 0 shows all",
				plural(len(with)-i, "kernel", "kernels"))))
			break
		}
		writeKernel(l, res, k, i+1)
	}
	if len(rest) == 0 {
		return
	}
	l.line()
	l.line(l.paint(bold, "No finding"))
	for i, k := range rest {
		if opt.Top > 0 && i == opt.Top {
			l.line(l.paint(dim, "   and "+plural(len(rest)-i, "kernel", "kernels")))
			break
		}
		for j, part := range wrap(elide(name(k), l.width/2)+": "+quietLine(res, k), l.width-5) {
			indent := "   "
			if j > 0 {
				indent = "     "
			}
			l.line(indent, part)
		}
	}
}

// writeKernel writes the block of one kernel.
func writeKernel(l *layout, res *rules.Result, k *rules.KernelResult, n int) {
	l.line()
	head := fmt.Sprintf("%d. %s", n, name(k))
	l.apart(head, strings.TrimSuffix(duration(k.TotalNS)+", "+percent(k.Share), ", "+unknown), bold)
	w := worst(res, k)
	if k.Kernel != name(k) {
		l.line("   ", l.paint(dim, elide(k.Kernel, l.width-3)))
	}
	if w != nil {
		for _, s := range wrap(shape(k, w), l.width-3) {
			l.line("   ", l.paint(dim, s))
		}
	}
	for i := range k.Findings {
		f := &k.Findings[i]
		if f.WaitsFor == "" {
			l.line()
			writeFinding(l, k, f)
			for _, later := range waiting(k.Findings, f.Rule) {
				l.labelled(3, "then", plain, waits(later))
			}
		}
	}
	// A finding can wait for one that the reader's filters hide.
	for i := range k.Findings {
		if f := &k.Findings[i]; f.WaitsFor != "" && find(k.Findings, f.WaitsFor) == nil {
			l.labelled(3, "later", plain, waits(f))
		}
	}
	if w != nil && len(w.Says) > 0 {
		writeSays(l, estimatesFirst(w.Says))
	}
}

// shape says how a kernel was launched, how often, where and what limits it.
func shape(k *rules.KernelResult, w *rules.LaunchResult) string {
	var parts []string
	if w.Grid != nil && w.Block != nil {
		parts = append(parts, fmt.Sprintf("grid %s, block %s", dims(w.Grid), dims(w.Block)))
	}
	if k.Launches > 1 {
		s := fmt.Sprintf("%d launches of %s", k.Launches, duration(k.MedianNS))
		if k.MinNS != nil && k.MaxNS != nil && *k.MinNS != *k.MaxNS {
			s += fmt.Sprintf(" (%s to %s)", duration(k.MinNS), duration(k.MaxNS))
		}
		if k.Shapes > 1 {
			s += fmt.Sprintf(", %d shapes", k.Shapes)
		}
		parts = append(parts, s)
	}
	if w.Limiter != "" {
		parts = append(parts, "limited by "+limiter(w))
	}
	return strings.Join(parts, "; ")
}

// shown is how many locations and rows of evidence a finding shows.
const shown = 3

// writeGaps lists what could not be judged, and how to collect what it takes.
func writeGaps(l *layout, res *rules.Result) {
	gs, collect := gaps(res)
	if len(gs) == 0 {
		return
	}
	l.line()
	l.line(l.paint(bold, "Not judged"), " (neither a finding nor a clean bill)")
	for _, g := range gs {
		for _, part := range wrap(strings.Join(g.Rules, ", ")+" on "+onKernels(g.Kernels, len(res.Kernels)), l.width-3) {
			l.line("   ", part)
		}
	}
	// The line stays whole, so that it can be copied.
	l.line("   ", l.paint(dim, pad("collect", labelWidth)), "with advisor profile, or with:")
	l.line("   ", collect)
}
