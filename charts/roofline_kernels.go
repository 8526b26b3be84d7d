package charts

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"advisor/rules"
)

// A spot is a place in the roofline: operations a byte and a second.
type spot struct{ intensity, rate float64 }

// A mover is a kernel with its place before and after its fix; equal when there is none.
type mover struct {
	name          string
	before, after spot
	gain          float64
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
