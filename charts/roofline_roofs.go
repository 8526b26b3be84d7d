package charts

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"advisor/rules"
)

// A roof is a ceiling: bytes a second of a memory, or operations a second.
type roof struct {
	name  string
	slope float64 // bytes a second, 0 for a flat roof
	flat  float64 // operations a second, 0 for a slope
	color color.RGBA
	shape shape
}

// findRoofs reads the ceilings of a device. DRAM's bandwidth is the more exact the busier it was, so the busiest launch
// gives it. L2 may be busy with more than the bytes that are counted, which makes its bandwidth look smaller: the largest
// value is the nearest, from launches that use it enough to measure.
func findRoofs(r *rules.Result, device string, t Theme) []roof {
	var dram, l2, l1, flops, busiest float64
	for i := range r.Launches {
		l := &r.Launches[i]
		if l.Device != device {
			continue
		}
		for _, u := range l.Stats.Use {
			if v := l.Stats.PeakDRAM; u.Unit == "dram" && v != nil && u.Busy > busiest {
				dram, busiest = *v, u.Busy
			}
			if v := l.Stats.PeakL2; u.Unit == "l2" && v != nil && u.Busy > 0.2 {
				l2 = max(l2, *v)
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
