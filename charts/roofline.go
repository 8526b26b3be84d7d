package charts

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"advisor/rules"
)

// Roofline shows how many operations kernels do a second for each byte from DRAM, before and after the first fix, under
// the bandwidths of DRAM, L2 and L1 and the peak of arithmetic (Williams, Waterman and Patterson, 2009).
var Roofline = &Chart{Name: "roofline", Title: "Roofline: kernels before and after their first fix", Draw: drawRoofline}

// maxPoints is how many numbered kernels can be told apart.
const maxPoints = 12

func drawRoofline(r *rules.Result, t Theme) (*Figure, error) {
	device, movers, idle := findMovers(r)
	roofs := findRoofs(r, device, t)
	if len(movers) == 0 || len(roofs) == 0 {
		return nil, ErrNothing
	}
	more := len(movers) - maxPoints
	movers = movers[:min(len(movers), maxPoints)]
	f := &Figure{Plot: newPlot(t), Tall: 300}
	f.Note = clean(notes(device, and(more, "kernel", "kernels"), without(idle)))
	for _, o := range roofs {
		unit, v := "B/s", o.slope
		if o.slope == 0 {
			unit, v = "FLOP/s", o.flat
		}
		f.Keys = append(f.Keys, Key{Text: o.name + " " + rate(v, unit), Color: o.color, Shape: o.shape})
	}
	f.Keys = append(f.Keys, Key{Text: "today", Color: t.Ink, Shape: ring}, Key{Text: "after the fix", Color: red, Shape: dot})
	style := write(textSize, t.Ink, text.XLeft, text.YCenter)
	for i, m := range movers {
		s := fmt.Sprintf("%d  %s", i+1, elide(m.name, labelWidth-40, style))
		if m.gain > 0 {
			s += " " + factor(m.gain)
		}
		f.Keys = append(f.Keys, Key{Text: s, Shape: label})
	}
	p := f.Plot
	frame(p, movers, roofs)
	f.X = "Operations per byte from DRAM (FLOP/byte, logarithmic)"
	f.Y = "Operations per second (FLOP/s, logarithmic)"
	p.Y.Tick.Label = besideTick(smallSize, t.Quiet)
	p.Add(upright(t, p), painter(func(c draw.Canvas, x, y func(float64) vg.Length) {
		level(&c, t, p, y)
		var taken []vg.Rectangle // where no number should stand
		for i := range roofs {
			taken = append(taken, roofs[i].paint(&c, p, roofs, x, y)...)
		}
		paintMovers(&c, t, movers, taken, x, y)
	}))
	return f, nil
}

func without(idle int) string {
	switch idle {
	case 0:
		return ""
	case 1:
		return "1 kernel without floating-point work or its counters is left out"
	}
	return fmt.Sprintf("%d kernels without floating-point work or its counters are left out", idle)
}

// frame sets the axes so that all kernels and the knees of the roofs are seen.
func frame(p *plot.Plot, movers []mover, roofs []roof) {
	low, high := spot{math.Inf(1), math.Inf(1)}, spot{}
	for _, m := range movers {
		for _, s := range []spot{m.before, m.after} {
			low = spot{min(low.intensity, s.intensity), min(low.rate, s.rate)}
			high = spot{max(high.intensity, s.intensity), max(high.rate, s.rate)}
		}
	}
	flat := 0.0
	for _, o := range roofs {
		flat = max(flat, o.flat)
	}
	for _, o := range roofs {
		if o.slope > 0 && flat > 0 {
			low.intensity, high.intensity = min(low.intensity, flat/o.slope), max(high.intensity, flat/o.slope)
		}
	}
	p.X.Min, p.X.Max, p.X.Scale = low.intensity/3, high.intensity*3, plot.LogScale{}
	p.Y.Min, p.Y.Max, p.Y.Scale = low.rate/3, max(high.rate, flat)*3, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = decadeTicks{}, decadeTicks{}
}

// level paints thin lines at the labelled ticks of the Y axis.
func level(c *draw.Canvas, t Theme, p *plot.Plot, y func(float64) vg.Length) {
	for _, k := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if k.Label != "" {
			c.StrokeLine2(draw.LineStyle{Color: t.Grid, Width: hairline}, c.Min.X, y(k.Value), c.Max.X, y(k.Value))
		}
	}
}
