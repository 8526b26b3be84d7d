package charts

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// A svgText is a text element; y is negative in the flipped frame of vgsvg.
type svgText struct {
	X    float64 `xml:"x,attr"`
	Y    float64 `xml:"y,attr"`
	Size string  `xml:"font-size,attr"`
	Text string  `xml:",chardata"`
}

// box is the room that the letters take.
func (s svgText) box(t *testing.T) vg.Rectangle {
	t.Helper()
	size, err := strconv.ParseFloat(strings.TrimSuffix(s.Size, "px"), 64)
	if err != nil {
		t.Fatal(err)
	}
	w := write(vg.Length(size), Light.Ink, text.XLeft, text.YBottom).Width(s.Text)
	return vg.Rectangle{
		Min: vg.Point{X: vg.Length(s.X), Y: vg.Length(-s.Y - 0.2*size)},
		Max: vg.Point{X: vg.Length(s.X) + w, Y: vg.Length(-s.Y + 0.7*size)},
	}
}

// texts returns every text of a drawing.
func texts(t *testing.T, svg []byte) []svgText {
	t.Helper()
	var all []svgText
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		tok, err := d.Token()
		if err != nil {
			return all
		}
		if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "text" {
			var s svgText
			if err := d.DecodeElement(&s, &e); err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
	}
}

// TestLayout holds that no text meets another or leaves the page, whatever the number of kernels.
func TestLayout(t *testing.T) {
	for _, n := range []int{1, 2, 5, 24, 25, 60} {
		for name, f := range figures(t, n, Light) {
			svg, err := f.SVG(name, Light)
			if err != nil {
				t.Fatal(err)
			}
			page := vg.Rectangle{Max: vg.Point{X: figureWidth, Y: f.height(Light)}}
			var taken []vg.Rectangle
			for _, s := range texts(t, svg) {
				b := s.box(t)
				if b.Min.X < page.Min.X || b.Max.X > page.Max.X || b.Min.Y < page.Min.Y || b.Max.Y > page.Max.Y {
					t.Errorf("%s with %d kernels: %q leaves the page", name, n, s.Text)
				}
				if meets(b, taken) {
					t.Errorf("%s with %d kernels: %q meets another text", name, n, s.Text)
				}
				taken = append(taken, b)
			}
			if len(taken) < 3 {
				t.Errorf("%s with %d kernels has %d texts", name, n, len(taken))
			}
		}
	}
}

func TestElide(t *testing.T) {
	style := write(textSize, Light.Ink, text.XLeft, text.YBottom)
	for _, s := range []string{"", "short", "αβγ " + strings.Repeat("long ", 900) + "end", strings.Repeat("W", 4000)} {
		got := elide(s, labelWidth, style)
		if style.Width(got) > labelWidth {
			t.Errorf("%q is too wide", got)
		}
		if got != s && (!strings.Contains(got, "…") || got[:1] != s[:1] || got[len(got)-1] != s[len(s)-1]) {
			t.Errorf("%q does not keep both ends", got)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{duration(0.5), "0.5 ns"}, {duration(999.9), "1 µs"}, {duration(503232), "503 µs"}, {duration(21_846_816), "21.8 ms"}, {duration(3e12), "3000 s"},
		{rate(4.81e12, "B/s"), "4.81 TB/s"}, {rate(12, "FLOP/s"), "12 FLOP/s"},
		{factor(1.0449), "1.04x"}, {factor(2.5), "2.5x"}, {factor(74.4), "74.4x"},
		{percent(0), "0 %"}, {percent(0.004), "<1 %"}, {percent(0.5), "50 %"},
		{prefixed(0.2), "0.2"}, {prefixed(5e10), "50 G"}, {prefixed(1), "1"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestTicks holds that logarithmic axes have a few labels that stand apart.
func TestTicks(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{1, 2}, {1, 1.3}, {0.4, 1.3}, {1, 124}, {0.01, 80}, {0.8, 1.25}} {
		labels := 0
		for _, k := range (factorTicks{func(v float64) string { return fmt.Sprint(v) }}).Ticks(c.low, c.high) {
			if k.Label != "" {
				labels++
			}
		}
		if labels < 2 || labels > 12 {
			t.Errorf("%d labels from %g to %g", labels, c.low, c.high)
		}
	}
	for _, c := range []struct{ low, high float64 }{{1e9, 4e9}, {1e-3, 1e14}, {0.3, 40}} {
		labels := 0
		for _, k := range (decadeTicks{}).Ticks(c.low, c.high) {
			if k.Label != "" {
				labels++
			}
		}
		if labels < 2 || labels > 10 {
			t.Errorf("%d labels from %g to %g", labels, c.low, c.high)
		}
	}
}
