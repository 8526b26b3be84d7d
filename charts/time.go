package charts

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"advisor/rules"
)

// Time shows where the time of the run goes, as a Pareto chart, and what of it the first fixes are expected to save.
var Time = &Chart{Name: "time", Title: "Time by kernel", Draw: drawTime}

func drawTime(r *rules.Result, t Theme) (*Figure, error) {
	var ks []*rules.KernelResult
	sum := 0.0
	for _, k := range byTime(r) {
		if k.TotalNS != nil && *k.TotalNS > 0 {
			ks = append(ks, k)
			sum += *k.TotalNS
		}
	}
	if len(ks) == 0 {
		return nil, ErrNothing
	}
	more := len(ks) - maxRows
	ks = ks[:min(len(ks), maxRows)]
	names := make([]string, len(ks))
	v := &values{theme: t}
	cumulated := 0.0
	for i, k := range ks {
		names[i] = kernelName(r, k)
		cumulated += *k.TotalNS
		v.x, v.text = append(v.x, *k.TotalNS), append(v.text, timeText(k, sum, cumulated))
	}
	f := newRows(t, names)
	rest := ""
	if more > 0 {
		rest = fmt.Sprintf("%s with %s of the time", and(more, "kernel", "kernels"), percent(1-cumulated/sum))
	}
	f.Note = notes(fmt.Sprintf("%s in all; Σ is the share of a kernel and those above it", duration(sum)), rest)
	f.Keys = []Key{{Text: "time after the first fix", Color: blue}, {Text: "expected to be saved", Color: orange}}
	p := f.Plot
	unit := fit(*ks[0].TotalNS, times)
	p.X.Min, p.X.Max = 0, *ks[0].TotalNS
	p.X.Tick.Marker = scaledTicks{unit}
	f.X = "Time of all launches (" + unit.unit + ")"
	p.Add(upright(t, p), v, painter(func(c draw.Canvas, x, y func(float64) vg.Length) {
		for i, k := range ks {
			at, kept := y(rowY(i, len(ks))), *k.TotalNS-savedNS(k)
			bar(&c, draw.LineStyle{Color: blue}, true, x(0), x(kept), at)
			if kept < *k.TotalNS {
				bar(&c, draw.LineStyle{Color: orange}, true, x(kept), x(*k.TotalNS), at)
			}
		}
	}))
	return f, nil
}

// timeText says the numbers of a row.
func timeText(k *rules.KernelResult, sum, cumulated float64) string {
	s := fmt.Sprintf("%s, %s, Σ %s", duration(*k.TotalNS), percent(*k.TotalNS/sum), percent(cumulated/sum))
	if k.Launches > 1 {
		s += fmt.Sprintf(", %d launches", k.Launches)
	}
	return s
}

// savedNS is what the kernel's first fix is expected to save, at most all of its time.
func savedNS(k *rules.KernelResult) float64 {
	f := first(k.Findings)
	if f == nil || f.SavedNS == nil {
		return 0
	}
	return min(max(*f.SavedNS, 0), *k.TotalNS)
}
