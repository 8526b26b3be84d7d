// Package charts draws results: what each fix is expected to gain, where kernels stand against the limits of the GPU,
// and what they execute. Charts are values in All, one a file; each picks its numbers out of a rules.Result and hands
// back a figure. Nothing here judges.
package charts

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"advisor/rules"
)

// A Chart is one picture of a result.
type Chart struct {
	Name  string // kebab-case; the file is chart-NAME.svg
	Title string
	Draw  func(*rules.Result, Theme) (*Figure, error)
}

// All lists the charts in the order in which a reader wants them.
var All = []*Chart{Gain, Time, Roofline, Sectors, Widths, Spaces, Stalls}

// ErrNothing says that the result has none of the numbers that the chart shows.
var ErrNothing = errors.New("nothing to draw")

// pngDPI makes PNGs sharp on dense screens and in print at the size of the SVG.
const pngDPI = 160

// SVG returns the chart as an svg element that can stand in an HTML page: no style attributes, scripts or references;
// text is text; every colour has a class that CSS can recolour. The same result gives the same bytes. The error is
// ErrNothing when there is nothing to draw.
func SVG(c *Chart, r *rules.Result, t Theme) ([]byte, error) {
	f, err := c.Draw(r, t)
	if err != nil {
		return nil, err
	}
	return f.SVG(c.Title, t)
}

// SVG returns the figure as an svg element.
func (f *Figure) SVG(title string, t Theme) ([]byte, error) {
	canvas := vgsvg.New(figureWidth, f.height(t))
	f.draw(draw.New(canvas), title, t)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("writing chart %q: %w", title, err)
	}
	return inline(b.String(), title, t), nil
}

// PNG returns the figure as a PNG.
func (f *Figure) PNG(title string, t Theme) ([]byte, error) {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(figureWidth, f.height(t)), vgimg.UseDPI(pngDPI), vgimg.UseBackgroundColor(t.Paper))}
	f.draw(draw.New(canvas), title, t)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("writing chart %q: %w", title, err)
	}
	return b.Bytes(), nil
}

// WriteAll writes every chart that has something to draw to dir as chart-NAME.svg and chart-NAME.png, and returns the
// paths. It makes dir. The SVG files follow the viewer's light or dark mode; the PNGs are light.
func WriteAll(dir string, r *rules.Result) ([]string, error) {
	var paths []string
	for _, c := range All {
		f, err := c.Draw(r, Light)
		if errors.Is(err, ErrNothing) {
			continue
		}
		if err != nil {
			return paths, fmt.Errorf("drawing chart %s: %w", c.Name, err)
		}
		written, err := f.write(dir, c.Name, c.Title)
		paths = append(paths, written...)
		if err != nil {
			return paths, err
		}
	}
	return paths, nil
}

// WriteDiff writes the chart of what changed between two results as WriteAll does; no paths when nothing can be drawn.
func WriteDiff(dir string, base, head *rules.Result) ([]string, error) {
	f, err := Diff(base, head, Light)
	if errors.Is(err, ErrNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("drawing chart diff: %w", err)
	}
	return f.write(dir, "diff", DiffTitle)
}

// write writes both forms of a light figure.
func (f *Figure) write(dir, name, title string) ([]string, error) {
	svg, err := f.SVG(title, Light)
	if err != nil {
		return nil, err
	}
	png, err := f.PNG(title, Light)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("writing charts: %w", err)
	}
	var paths []string
	for _, file := range []struct {
		ext  string
		data []byte
	}{{".svg", standalone(svg)}, {".png", png}} {
		path := filepath.Join(dir, "chart-"+name+file.ext)
		if err := replace(path, file.data); err != nil {
			return paths, fmt.Errorf("writing charts: %w", err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// replace writes a file beside its place and renames it, so that no reader sees half of it.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".chart-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone after the rename
	_, err = f.Write(data)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
