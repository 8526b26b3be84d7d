package charts

import (
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Theme is a set of colours by what they are for.
type Theme struct {
	Paper color.RGBA // background
	Ink   color.RGBA // text and marks that matter
	Quiet color.RGBA // axes and notes
	Grid  color.RGBA // lines to read values by, parts that do not matter
}

// Light is for white paper and light pages, Dark for dark pages.
var (
	Light = Theme{Paper: rgb(0xffffff), Ink: rgb(0x1f2328), Quiet: rgb(0x59636e), Grid: rgb(0xd8dee4)}
	Dark  = Theme{Paper: rgb(0x16191d), Ink: rgb(0xe9edf1), Quiet: rgb(0xa3adb8), Grid: rgb(0x3a424b)}
)

// The colours of data are those of Okabe and Ito (Color Universal Design, 2008), which people with every common kind of
// colour blindness tell apart. They are the same in both themes, and each is told apart by place, shape or text, too.
var (
	orange  = rgb(0xe69f00)
	sky     = rgb(0x56b4e9)
	green   = rgb(0x009e73)
	yellow  = rgb(0xf0e442)
	blue    = rgb(0x0072b2)
	red     = rgb(0xd55e00)
	purple  = rgb(0xcc79a7)
	gray    = rgb(0x8c959f)
	onLight = rgb(0x000001) // text on a light patch of data, in both themes
	onDark  = rgb(0xfffffe) // text on a dark patch of data, in both themes
)

// series is the order in which unnamed parts take colours; neighbours differ in lightness, so that they stay apart in
// grey print.
var series = []color.RGBA{blue, orange, green, sky, red, yellow, purple}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// on returns the colour of text that stands on a patch, by the patch's luma (ITU-R BT.601).
func on(patch color.RGBA) color.RGBA {
	if 0.299*float64(patch.R)+0.587*float64(patch.G)+0.114*float64(patch.B) > 125 {
		return onLight
	}
	return onDark
}

// roles names the colours of a theme as the classes of an SVG do.
func (t Theme) roles() map[color.RGBA]string {
	return map[color.RGBA]string{t.Paper: "paper", t.Ink: "ink", t.Quiet: "quiet", t.Grid: "grid"}
}

// CSS returns rules that give SVG charts the theme's colours, each selector after the given prefix: for
// `@media (prefers-color-scheme: dark)` in a page.
func (t Theme) CSS(prefix string) string {
	var b strings.Builder
	for _, c := range []struct {
		role string
		c    color.RGBA
	}{{"paper", t.Paper}, {"ink", t.Ink}, {"quiet", t.Quiet}, {"grid", t.Grid}} {
		fmt.Fprintf(&b, "%s.f-%s{fill:%s}%s.s-%s{stroke:%s}", prefix, c.role, hex(c.c), prefix, c.role, hex(c.c))
	}
	return b.String()
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Sizes of text and lines.
const (
	titleSize = vg.Length(13)
	textSize  = vg.Length(9)
	smallSize = vg.Length(8)
	hairline  = vg.Length(0.6)
)

// write returns a style of one line of text.
func write(size vg.Length, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	s := text.Style{
		Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
	}
	if y == text.YCenter {
		s.YAlign = middle(s, 0)
	}
	return s
}

// middle aligns letters, not the box of the font with its room for accents, to a point: a capital of Liberation Sans is
// 0.73 of the size high, a small letter 0.53. The point may be raised.
func middle(s text.Style, raised vg.Length) text.YAlignment {
	e := s.FontExtents()
	return text.YAlignment((e.Ascent - 1.33*s.Font.Size - raised) / s.Height("x"))
}

// besideTick is the style of labels at the ticks of the Y axis, which gonum raises by the font's descent.
func besideTick(size vg.Length, c color.Color) text.Style {
	s := write(size, c, text.XRight, text.YCenter)
	s.YAlign = middle(s, s.FontExtents().Descent)
	return s
}

// newPlot returns a plot in the theme, without title, legend and names of axes: figures draw these themselves, since
// gonum misplaces the names of logarithmic axes.
func newPlot(t Theme) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = draw.LineStyle{Color: t.Quiet, Width: hairline}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = 3
		a.Padding = 0
	}
	p.X.Tick.Label = write(smallSize, t.Quiet, text.XCenter, text.YTop)
	p.Y.Tick.Label = besideTick(textSize, t.Ink)
	p.Y.Label.TextStyle = p.Y.Tick.Label // its blank keeps tick labels off the axis
	return p
}
