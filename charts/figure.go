package charts

import (
	"image/color"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// figureWidth fits a printed page and a column of a web page.
const figureWidth = vg.Length(640)

const (
	margin    = vg.Length(12)
	lineGap   = vg.Length(4)
	swatch    = vg.Length(9)
	keyGap    = vg.Length(14)
	rowHeight = vg.Length(19)
	keyHeight = textSize + 2*lineGap
	axisRoom  = vg.Length(18) // ticks under a plot of rows
)

// A Figure is a plot with what stands around it.
type Figure struct {
	Note string // one line under the title, "" none
	Keys []Key
	Plot *plot.Plot
	Tall vg.Length // height of the plot with its ticks
	X, Y string    // what the axes show, with units; Y stands over the plot
}

// A Key is an entry of the legend.
type Key struct {
	Text  string
	Color color.RGBA
	Shape shape
}

// A shape is how a key marks what it names.
type shape uint8

const (
	patch shape = iota
	dot
	square
	ring
	line
	dashed
	dotted
	tick
	label // no mark: the text says all
)

// height returns that of the whole figure.
func (f *Figure) height(t Theme) vg.Length {
	h := margin + titleSize + lineGap
	if f.Note != "" {
		h += textSize + lineGap
	}
	rows, _ := f.placeKeys(t)
	h += vg.Length(rows)*keyHeight + lineGap + f.Tall + textSize + lineGap + margin
	if f.Y != "" {
		h += keyHeight
	}
	return h
}

// placeKeys breaks the keys into lines and returns where each begins, from the left margin and in lines.
func (f *Figure) placeKeys(t Theme) (rows int, at []vg.Point) {
	style := write(textSize, t.Ink, text.XLeft, text.YCenter)
	x, rows := vg.Length(0), 0
	for i, k := range f.Keys {
		w := k.mark() + style.Width(k.Text) + keyGap
		block := i > 0 && k.Shape == label && f.Keys[i-1].Shape != label
		if i == 0 || block || x+w-keyGap > figureWidth-2*margin {
			x, rows = 0, rows+1
		}
		at = append(at, vg.Point{X: x, Y: vg.Length(rows - 1)})
		x += w
	}
	return rows, at
}

// mark returns the width of the key's mark and the gap behind it.
func (k Key) mark() vg.Length {
	switch k.Shape {
	case label:
		return 0
	case line, dashed, dotted:
		return 2*swatch + 4
	}
	return swatch + 4
}

// draw paints the figure.
func (f *Figure) draw(c draw.Canvas, title string, t Theme) {
	c.SetColor(t.Paper)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	y := c.Max.Y - titleSize
	c.FillText(write(titleSize, t.Ink, text.XLeft, text.YBottom), vg.Point{X: c.Min.X, Y: y}, clean(title))
	y -= lineGap
	if f.Note != "" {
		y -= textSize + lineGap
		c.FillText(write(textSize, t.Quiet, text.XLeft, text.YBottom), vg.Point{X: c.Min.X, Y: y}, f.Note)
	}
	y -= lineGap
	rows, at := f.placeKeys(t)
	for i, k := range f.Keys {
		k.draw(&c, vg.Point{X: c.Min.X + at[i].X, Y: y - (at[i].Y+0.5)*keyHeight}, t)
	}
	y -= vg.Length(rows) * keyHeight
	if f.Y != "" {
		c.FillText(write(textSize, t.Quiet, text.XLeft, text.YCenter), vg.Point{X: c.Min.X, Y: y - keyHeight/2}, f.Y)
		y -= keyHeight
	}
	body := draw.Crop(c, 0, 0, textSize+lineGap, y-c.Max.Y)
	f.Plot.Draw(body)
	inner := f.Plot.DataCanvas(body)
	c.FillText(write(textSize, t.Quiet, text.XCenter, text.YBottom), vg.Point{X: inner.Center().X, Y: c.Min.Y}, f.X)
}

// draw paints the key with its left middle at a point.
func (k Key) draw(c *draw.Canvas, at vg.Point, t Theme) {
	k.paint(c, at)
	style := write(textSize, t.Ink, text.XLeft, text.YCenter)
	c.FillText(style, vg.Point{X: at.X + k.mark(), Y: at.Y}, k.Text)
}

// paint paints the key's mark.
func (k Key) paint(c *draw.Canvas, at vg.Point) {
	mid := vg.Point{X: at.X + swatch/2, Y: at.Y}
	switch k.Shape {
	case patch:
		fillBox(c, k.Color, vg.Rectangle{Min: vg.Point{X: at.X, Y: at.Y - swatch/2}, Max: vg.Point{X: at.X + swatch, Y: at.Y + swatch/2}})
	case line, dashed, dotted:
		c.StrokeLine2(draw.LineStyle{Color: k.Color, Width: 1.5, Dashes: dashes[k.Shape]}, at.X, at.Y, at.X+2*swatch, at.Y)
	case tick:
		c.StrokeLine2(draw.LineStyle{Color: k.Color, Width: 2}, mid.X, at.Y-swatch/2, mid.X, at.Y+swatch/2)
	case dot, square, ring:
		marker(c, k.Shape, k.Color, mid)
	}
}

// dashes are the patterns of lines.
var dashes = map[shape][]vg.Length{dashed: {6, 3}, dotted: {1.5, 2.5}}

// marker paints the mark of one value.
func marker(c *draw.Canvas, s shape, clr color.Color, at vg.Point) {
	style := draw.GlyphStyle{Color: clr, Radius: 3.4}
	switch s {
	case square:
		style.Shape = draw.BoxGlyph{}
	case ring:
		style.Shape = draw.RingGlyph{}
	default:
		style.Shape = draw.CircleGlyph{}
	}
	c.DrawGlyphNoClip(style, at)
}

// fillBox fills a rectangle.
func fillBox(c *draw.Canvas, clr color.Color, r vg.Rectangle) {
	c.SetColor(clr)
	c.Fill(r.Path())
}

// notes joins what is to be said under the title.
func notes(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	s := strings.Join(kept, "; ")
	if s == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
