package charts

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxRows is how many rows fill a printed page.
const maxRows = 24

// newRows returns a figure of named rows, the first on top, each with room for one bar. The names are shortened to
// what fits.
func newRows(t Theme, names []string) *Figure {
	p := newPlot(t)
	p.Y.Min, p.Y.Max = -0.5, float64(len(names))-0.5
	p.Y.LineStyle.Width = 0
	p.Y.Tick.LineStyle.Width = 0
	p.Y.Tick.Length = 0
	p.X.Padding = 2
	p.Y.Padding = 4
	ticks := make(plot.ConstantTicks, len(names))
	for i, n := range names {
		ticks[i] = plot.Tick{Value: rowY(i, len(names)), Label: elide(n, labelWidth, p.Y.Tick.Label)}
	}
	p.Y.Tick.Marker = ticks
	return &Figure{Plot: p, Tall: vg.Length(len(names))*rowHeight + axisRoom}
}

// rowY is where row i of n stands on the axis.
func rowY(i, n int) float64 { return float64(n - 1 - i) }

// A painter is a plotter from a function.
type painter func(c draw.Canvas, x, y func(float64) vg.Length)

// Plot implements plot.Plotter.
func (f painter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	f(c, x, y)
}

// around is the rectangle of half a width and height on each side of a point.
func around(p vg.Point, w, h vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: p.X - w, Y: p.Y - h}, Max: vg.Point{X: p.X + w, Y: p.Y + h}}
}

// upright paints thin lines at the labelled ticks of the X axis, to read values by.
func upright(t Theme, p *plot.Plot) painter {
	return func(c draw.Canvas, x, _ func(float64) vg.Length) {
		for _, k := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			if k.Label != "" && k.Value >= p.X.Min && k.Value <= p.X.Max {
				c.StrokeLine2(draw.LineStyle{Color: t.Grid, Width: hairline}, x(k.Value), c.Min.Y, x(k.Value), c.Max.Y)
			}
		}
	}
}

// bar paints a horizontal bar of a row between two places.
func bar(c *draw.Canvas, style draw.LineStyle, fill bool, left, right, mid vg.Length) {
	const half = rowHeight * 0.32
	r := vg.Rectangle{Min: vg.Point{X: left, Y: mid - half}, Max: vg.Point{X: right, Y: mid + half}}
	if fill {
		fillBox(c, style.Color, r)
		return
	}
	c.SetLineStyle(style)
	c.Stroke(r.Path())
}

// values are texts behind the ends of rows. They make room for themselves.
type values struct {
	theme Theme
	x     []float64
	text  []string
}

// valueGap keeps a text off what it stands behind.
const valueGap = vg.Length(6)

func (v *values) style() text.Style { return write(smallSize, v.theme.Quiet, text.XLeft, text.YCenter) }

// Plot implements plot.Plotter.
func (v *values) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, s := range v.text {
		at := vg.Point{X: x(v.x[i]) + valueGap, Y: y(rowY(i, len(v.text)))}
		w := v.style().Width(s)
		fillBox(&c, v.theme.Paper, around(vg.Point{X: at.X + w/2, Y: at.Y}, w/2+2, smallSize*0.6)) // off the grid's lines
		c.FillText(v.style(), at, s)
	}
}

// GlyphBoxes implements plot.GlyphBoxer.
func (v *values) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	boxes := make([]plot.GlyphBox, len(v.text))
	for i, s := range v.text {
		boxes[i] = plot.GlyphBox{X: p.X.Norm(v.x[i]), Y: p.Y.Norm(rowY(i, len(v.text))),
			Rectangle: vg.Rectangle{Max: vg.Point{X: valueGap + v.style().Width(s), Y: 0}}}
	}
	return boxes
}
