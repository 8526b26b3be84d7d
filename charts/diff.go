package charts

import (
	"fmt"
	"image/color"
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"advisor/rules"
)

// DiffTitle is the title of the chart that Diff draws.
const DiffTitle = "Time by kernel, before and after"

// noise is the change of a median time that two runs of the same program show on a GPU whose clock is not fixed.
const noise = 0.02

// A change is a kernel that both results have.
type change struct {
	name       string
	base, head float64 // median time of a launch in ns
	delta      float64 // change of the time of all launches in ns
}

// Diff draws how the time of kernels changed from one result to another, the largest change first. Kernels are matched
// by full name and device; those that only one result has are counted, not drawn.
func Diff(base, head *rules.Result, t Theme) (*Figure, error) {
	changes, added, removed := match(base, head)
	if len(changes) == 0 {
		return nil, ErrNothing
	}
	more := len(changes) - maxRows
	changes = changes[:min(len(changes), maxRows)]
	low, high := 0.8, 1.25
	names := make([]string, len(changes))
	v := &values{theme: t}
	for i, c := range changes {
		names[i] = c.name
		low, high = min(low, c.ratio()), max(high, c.ratio())
		v.x, v.text = append(v.x, max(1, c.ratio())), append(v.text, c.String())
	}
	f := newRows(t, names)
	f.Note = notes("median time of a launch", and(more, "kernel", "kernels"), only(added, "new"), only(removed, "gone"))
	f.Keys = []Key{{Text: "faster", Color: blue}, {Text: "slower", Color: red}, {Text: "within 2 %: noise", Color: gray}}
	p := f.Plot
	p.X.Min, p.X.Max, p.X.Scale = low, high, plot.LogScale{}
	p.X.Tick.Marker = factorTicks{func(v float64) string { return digits(v) + "x" }}
	f.X = "Time after, in times before (factor, logarithmic; left is faster)"
	p.Add(upright(t, p), v, painter(func(c draw.Canvas, x, y func(float64) vg.Length) {
		for i, ch := range changes {
			bar(&c, draw.LineStyle{Color: ch.color()}, true, min(x(1), x(ch.ratio())), max(x(1), x(ch.ratio())), y(rowY(i, len(changes))))
		}
		c.StrokeLine2(draw.LineStyle{Color: t.Ink, Width: 1}, x(1), c.Min.Y, x(1), c.Max.Y)
	}))
	return f, nil
}

func only(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, what)
}

func (c *change) ratio() float64 { return c.head / c.base }

func (c *change) color() color.RGBA {
	switch r := c.ratio(); {
	case math.Abs(r-1) <= noise:
		return gray
	case r < 1:
		return blue
	}
	return red
}

// String says the numbers of a row.
func (c *change) String() string {
	s := duration(c.base) + " to " + duration(c.head)
	switch r := c.ratio(); {
	case math.Abs(r-1) <= noise:
		return s
	case r < 1:
		return s + ", " + factor(1/r) + " faster"
	default:
		return s + ", " + factor(r) + " slower"
	}
}

// match pairs the kernels of two results and counts those that only one has.
func match(base, head *rules.Result) (changes []change, added, removed int) {
	type key struct{ kernel, device, rank string }
	old := map[key]*rules.KernelResult{}
	for i := range base.Kernels {
		k := &base.Kernels[i]
		old[key{k.Kernel, k.Device, k.Rank}] = k
	}
	for _, k := range byTime(head) {
		id := key{k.Kernel, k.Device, k.Rank}
		b := old[id]
		if b == nil {
			added++
			continue
		}
		delete(old, id)
		if timed(b) && timed(k) {
			changes = append(changes, change{kernelName(head, k), *b.MedianNS, *k.MedianNS, *k.TotalNS - *b.TotalNS})
		}
	}
	sort.SliceStable(changes, func(i, j int) bool { return math.Abs(changes[i].delta) > math.Abs(changes[j].delta) })
	return changes, added, len(old)
}

func timed(k *rules.KernelResult) bool {
	return k.MedianNS != nil && *k.MedianNS > 0 && k.TotalNS != nil
}
