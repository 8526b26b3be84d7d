package charts

import (
	"fmt"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"advisor/rules"
)

// Gain shows what each fix is expected to gain, with its range, the one that saves most time first.
var Gain = &Chart{Name: "gain", Title: "What each fix is expected to gain", Draw: drawGain}

// A priced is a finding of a kernel with a gain.
type priced struct {
	kernel  string
	finding *rules.Finding
}

// marks of severities, told apart by shape, too.
var severityMarks = map[rules.Severity]Key{
	rules.Error:   {Text: "1.5x or more", Color: red, Shape: dot},
	rules.Warning: {Text: "1.1x or more", Color: blue, Shape: square},
	rules.Info:    {Text: "less, or after another fix", Color: gray, Shape: ring},
}

func drawGain(r *rules.Result, t Theme) (*Figure, error) {
	all := pricedFindings(r)
	if len(all) == 0 {
		return nil, ErrNothing
	}
	shown := all[:min(len(all), maxRows)]
	names := make([]string, len(shown))
	v := &values{theme: t}
	high := 2.0
	for i, f := range shown {
		g := f.finding.Gain
		names[i] = squeeze(f.finding.Rule+": ", f.kernel, "")
		high = max(high, g.High)
		v.x, v.text = append(v.x, g.High), append(v.text, gainText(f.finding))
	}
	f := newRows(t, names)
	f.Note = notes("the mark is the expected value, the line its range", and(len(all)-len(shown), "finding", "findings"))
	for _, s := range []rules.Severity{rules.Error, rules.Warning, rules.Info} {
		f.Keys = append(f.Keys, severityMarks[s])
	}
	p := f.Plot
	p.X.Min, p.X.Max, p.X.Scale = 1, high, plot.LogScale{}
	p.X.Tick.Marker = factorTicks{func(v float64) string { return digits(v) + "x" }}
	f.X = "Predicted speedup of the launch (factor, logarithmic)"
	p.Add(upright(t, p), v, painter(func(c draw.Canvas, x, y func(float64) vg.Length) {
		for i, f := range shown {
			g, at := f.finding.Gain, y(rowY(i, len(shown)))
			m := severityMarks[f.finding.Severity]
			c.StrokeLine2(draw.LineStyle{Color: m.Color, Width: 1.6}, x(g.Low), at, x(g.High), at)
			for _, end := range [...]float64{g.Low, g.High} {
				c.StrokeLine2(draw.LineStyle{Color: m.Color, Width: 1.6}, x(end), at-3, x(end), at+3)
			}
			if m.Shape == ring {
				marker(&c, dot, t.Paper, vg.Point{X: x(g.Expected), Y: at})
			}
			marker(&c, m.Shape, m.Color, vg.Point{X: x(g.Expected), Y: at})
		}
	}))
	return f, nil
}

// gainText says the numbers of a row.
func gainText(f *rules.Finding) string {
	s := factor(f.Gain.Expected)
	if f.SavedNS != nil && *f.SavedNS >= 1 {
		s += fmt.Sprintf(", saves %s", duration(*f.SavedNS))
	}
	if f.WaitsFor != "" {
		s += ", after " + f.WaitsFor
	}
	return s
}

// pricedFindings returns the findings with a gain, the one that saves most first.
func pricedFindings(r *rules.Result) []priced {
	var all []priced
	for _, k := range byTime(r) {
		for i := range k.Findings {
			if f := &k.Findings[i]; f.Gain != nil {
				all = append(all, priced{kernelName(r, k), f})
			}
		}
	}
	saved := func(p priced) float64 {
		if p.finding.SavedNS == nil {
			return -1
		}
		return *p.finding.SavedNS
	}
	sort.SliceStable(all, func(i, j int) bool { return saved(all[i]) > saved(all[j]) })
	return all
}
