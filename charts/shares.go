package charts

import (
	"image/color"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"advisor/rules"
)

// A part is one colour of a chart of shares.
type part struct {
	name  string
	color color.RGBA
}

// A row is a kernel with the size of each part.
type row struct {
	name  string
	sizes map[string]float64
}

// shareRows collects, for each kernel, what its launch with most to gain is made of, the kernel of most time first.
func shareRows(r *rules.Result, sizes func(*rules.Stats) map[string]float64) []row {
	var rows []row
	for _, k := range byTime(r) {
		l := worst(r, k)
		if l == nil {
			continue
		}
		if s := sizes(&l.Stats); total(s) > 0 {
			rows = append(rows, row{kernelName(r, k), s})
		}
	}
	return rows
}

// shares draws rows as bars that are filled by their parts. Only parts that occur are named.
func shares(t Theme, rows []row, parts []part, axis string) (*Figure, error) {
	if len(rows) == 0 {
		return nil, ErrNothing
	}
	more := len(rows) - maxRows
	rows = rows[:min(len(rows), maxRows)]
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].name
	}
	parts = occurring(rows, parts)
	f := newRows(t, names)
	f.Note = notes("the kernel with most time first", and(more, "kernel", "kernels"))
	for _, p := range parts {
		f.Keys = append(f.Keys, Key{Text: p.name, Color: p.color})
	}
	p := f.Plot
	p.X.Min, p.X.Max = 0, 1
	f.X = axis
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: .25, Label: "25"}, {Value: .5, Label: "50"}, {Value: .75, Label: "75"}, {Value: 1, Label: "100"}}
	p.Add(painter(func(c draw.Canvas, x, y func(float64) vg.Length) {
		for i := range rows {
			stack(&c, t, &rows[i], parts, x, y(rowY(i, len(rows))))
		}
	}))
	return f, nil
}

// stack paints the parts of one row.
func stack(c *draw.Canvas, t Theme, r *row, parts []part, x func(float64) vg.Length, y vg.Length) {
	sum, at := total(r.sizes), 0.0
	for _, p := range parts {
		share := r.sizes[p.name] / sum
		if share <= 0 {
			continue
		}
		left, right := x(at), x(at+share)
		bar(c, draw.LineStyle{Color: p.color}, true, left, right, y)
		s := percent(share)
		if style := write(smallSize, on(p.color), text.XCenter, text.YCenter); style.Width(s)+4 < right-left {
			c.FillText(style, vg.Point{X: (left + right) / 2, Y: y}, s)
		}
		at += share
		if at < 0.999 { // a gap of paper keeps neighbours apart in grey print
			c.StrokeLine2(draw.LineStyle{Color: t.Paper, Width: 1}, right, y-rowHeight*0.33, right, y+rowHeight*0.33)
		}
	}
}

// occurring leaves out parts that no row has.
func occurring(rows []row, parts []part) []part {
	var kept []part
	for _, p := range parts {
		for i := range rows {
			if rows[i].sizes[p.name] > 0 {
				kept = append(kept, p)
				break
			}
		}
	}
	return kept
}

// total adds up sizes.
func total(sizes map[string]float64) float64 {
	names := make([]string, 0, len(sizes))
	for n := range sizes {
		names = append(names, n)
	}
	sort.Strings(names) // sums of floats depend on their order
	sum := 0.0
	for _, n := range names {
		sum += sizes[n]
	}
	return sum
}

// byTime returns the kernels, the longest first; unknown times come last.
func byTime(r *rules.Result) []*rules.KernelResult {
	ks := make([]*rules.KernelResult, len(r.Kernels))
	for i := range r.Kernels {
		ks[i] = &r.Kernels[i]
	}
	sort.SliceStable(ks, func(i, j int) bool {
		a, b := ks[i].TotalNS, ks[j].TotalNS
		return a != nil && (b == nil || *a > *b)
	})
	return ks
}

// worst returns the launch that stands for the kernel, nil when the result has none.
func worst(r *rules.Result, k *rules.KernelResult) *rules.LaunchResult {
	if k.Worst < 0 || k.Worst >= len(r.Launches) {
		return nil
	}
	return &r.Launches[k.Worst]
}

// first returns the finding to act on first, nil when there is none.
func first(fs []rules.Finding) *rules.Finding {
	for i := range fs {
		if fs[i].WaitsFor == "" {
			return &fs[i]
		}
	}
	return nil
}
