package charts

import (
	"fmt"
	"image/color"
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

// A spot is a place in the roofline: operations a byte and a second.
type spot struct{ intensity, rate float64 }

// A mover is a kernel with its place before and after its fix; equal when there is none.
type mover struct {
	name          string
	before, after spot
	gain          float64
}

// A roof is a ceiling: bytes a second of a memory, or operations a second.
type roof struct {
	name  string
	slope float64 // bytes a second, 0 for a flat roof
	flat  float64 // operations a second, 0 for a slope
	color color.RGBA
	shape shape
}

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

// findMovers returns the kernels that can be placed on the device of the longest of them, the longest first, and how
// many cannot.
func findMovers(r *rules.Result) (device string, movers []mover, idle int) {
	for _, k := range byTime(r) {
		l := worst(r, k)
		if l == nil {
			continue
		}
		m, ok := place(l)
		if !ok {
			idle++
			continue
		}
		if device == "" {
			device = l.Device
		}
		if l.Device == device {
			m.name = kernelName(r, k)
			movers = append(movers, m)
		}
	}
	return device, movers, idle
}

// place computes where a launch stands, and where its first fix would put it: it does the same operations in less
// time, with the bytes from DRAM that the fixed launch still moves.
func place(l *rules.LaunchResult) (mover, bool) {
	s := &l.Stats
	if l.DurationNS == nil || *l.DurationNS <= 0 || s.Flops == nil || *s.Flops <= 0 || s.DRAMBytes == nil || *s.DRAMBytes <= 0 {
		return mover{}, false
	}
	m := mover{before: spot{*s.Flops / *s.DRAMBytes, *s.Flops / *l.DurationNS * 1e9}}
	m.after = m.before
	if f := first(l.Findings); f != nil && f.Gain != nil && f.Gain.Expected > 1 {
		m.gain = f.Gain.Expected
		m.after = spot{m.before.intensity / keptBytes(s), m.before.rate * m.gain}
	}
	return m, true
}

// keptBytes is the share of today's bytes from DRAM that the fixed launch moves: busy time of DRAM after and before.
func keptBytes(s *rules.Stats) float64 {
	for _, u := range s.Use {
		if u.Unit == "dram" && u.Busy > 0.005 && u.After > 0 {
			return min(1, u.After/u.Busy)
		}
	}
	return 1
}

// findRoofs reads the ceilings of a device. A bandwidth is the more exact the busier the unit was, so the busiest
// launch gives it.
func findRoofs(r *rules.Result, device string, t Theme) []roof {
	var dram, l2, l1, flops, busiestDRAM, busiestL2 float64
	for i := range r.Launches {
		l := &r.Launches[i]
		if l.Device != device {
			continue
		}
		for _, u := range l.Stats.Use {
			if v := l.Stats.PeakDRAM; u.Unit == "dram" && v != nil && u.Busy > busiestDRAM {
				dram, busiestDRAM = *v, u.Busy
			}
			if v := l.Stats.PeakL2; u.Unit == "l2" && v != nil && u.Busy > busiestL2 {
				l2, busiestL2 = *v, u.Busy
			}
		}
		if v := l.Stats.PeakL1; v != nil {
			l1 = max(l1, *v)
		}
		if v := l.Stats.PeakFlops; v != nil {
			flops = max(flops, *v)
		}
	}
	var roofs []roof
	for _, o := range []roof{
		{name: "DRAM", slope: dram, color: blue, shape: line}, {name: "L2", slope: l2, color: green, shape: dashed},
		{name: "L1", slope: l1, color: orange, shape: dotted}, {name: "FP32", flat: flops, color: t.Quiet, shape: line},
	} {
		if o.slope > 0 || o.flat > 0 {
			roofs = append(roofs, o)
		}
	}
	return roofs
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

// paint draws the roof: slopes up to the flat roof, and that one from where the steepest slope meets it. It returns
// where it stands.
func (o *roof) paint(c *draw.Canvas, p *plot.Plot, roofs []roof, x, y func(float64) vg.Length) []vg.Rectangle {
	steepest, top := 0.0, p.Y.Max
	for _, r := range roofs {
		steepest = max(steepest, r.slope)
		if r.flat > 0 {
			top = r.flat
		}
	}
	from, to := spot{p.X.Min, o.flat}, spot{p.X.Max, o.flat}
	if o.flat == 0 {
		from.intensity = max(p.X.Min, p.Y.Min/o.slope)
		to.intensity = min(p.X.Max, top/o.slope)
		from.rate, to.rate = from.intensity*o.slope, to.intensity*o.slope
	} else if steepest > 0 {
		from.intensity = max(p.X.Min, o.flat/steepest)
	}
	if from.intensity >= to.intensity {
		return nil
	}
	style := draw.LineStyle{Color: o.color, Width: 1.5, Dashes: dashes[o.shape]}
	a, b := vg.Point{X: x(from.intensity), Y: y(from.rate)}, vg.Point{X: x(to.intensity), Y: y(to.rate)}
	c.StrokeLine2(style, a.X, a.Y, b.X, b.Y)
	return along(a, b)
}

// along covers a line with small rectangles.
func along(a, b vg.Point) []vg.Rectangle {
	const step = 5
	n := int(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))/step) + 1
	rs := make([]vg.Rectangle, 0, n+1)
	for i := range n + 1 {
		f := vg.Length(i) / vg.Length(n)
		rs = append(rs, around(vg.Point{X: a.X + f*(b.X-a.X), Y: a.Y + f*(b.Y-a.Y)}, 1, 1))
	}
	return rs
}

// paintMovers draws each kernel as a ring, its fix as a dot, and numbers that keep off each other and what is taken.
func paintMovers(c *draw.Canvas, t Theme, movers []mover, taken []vg.Rectangle, x, y func(float64) vg.Length) {
	at := func(s spot) vg.Point { return vg.Point{X: x(s.intensity), Y: y(s.rate)} }
	for _, m := range movers {
		if m.after != m.before {
			from, to := at(m.before), at(m.after)
			c.StrokeLine2(draw.LineStyle{Color: red, Width: 1}, from.X, from.Y, to.X, to.Y)
			marker(c, dot, red, to)
			taken = append(append(taken, along(from, to)...), around(to, 4, 4))
		}
	}
	for _, m := range movers {
		p := at(m.before)
		marker(c, dot, t.Paper, p)
		marker(c, ring, t.Ink, p)
		taken = append(taken, around(p, 4, 4))
	}
	for i, m := range movers {
		style := write(textSize, t.Ink, text.XCenter, text.YCenter)
		s := fmt.Sprint(i + 1)
		r := free(at(m.before), style.Width(s)/2+1, textSize/2, taken)
		taken = append(taken, r)
		c.FillText(style, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, s)
	}
}

// free finds room for a text near a point: it goes around the point in growing circles until it meets nothing.
func free(p vg.Point, w, h vg.Length, taken []vg.Rectangle) vg.Rectangle {
	for radius := 11.0; radius < 80; radius += 5 {
		for step := range 12 {
			angle := math.Pi/4 + float64(step)*math.Pi/6
			r := around(vg.Point{X: p.X + vg.Length(radius*math.Cos(angle)), Y: p.Y + vg.Length(radius*math.Sin(angle))}, w, h)
			if !meets(r, taken) {
				return r
			}
		}
	}
	return around(p, w, h)
}

func meets(r vg.Rectangle, taken []vg.Rectangle) bool {
	for _, o := range taken {
		if r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y {
			return true
		}
	}
	return false
}
