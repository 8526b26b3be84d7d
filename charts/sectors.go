package charts

import (
	"fmt"
	"sort"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"advisor/rules"
)

// Sectors shows how many 32-byte sectors each global access names a request, beside what its bytes need.
var Sectors = &Chart{Name: "sectors", Title: "Sectors per request of global accesses", Draw: drawSectors}

func drawSectors(r *rules.Result, t Theme) (*Figure, error) {
	names, all := accesses(r)
	if len(all) == 0 {
		return nil, ErrNothing
	}
	more := len(all) - maxRows
	all = all[:min(len(all), maxRows)]
	v := &values{theme: t}
	high := 4.0
	for _, a := range all {
		high = max(high, a.Sectors, a.Ideal)
		v.x = append(v.x, max(a.Sectors, a.Ideal))
		v.text = append(v.text, fmt.Sprintf("%s, ideal %s", digits(a.Sectors), digits(a.Ideal)))
	}
	f := newRows(t, names[:len(all)])
	f.Note = notes("the access with most sectors too many first", and(more, "access", "accesses"))
	f.Keys = []Key{{Text: "needed", Color: blue}, {Text: "too many", Color: orange}, {Text: "ideal", Color: t.Ink, Shape: tick}}
	p := f.Plot
	p.X.Min, p.X.Max = 0, high
	p.X.Tick.Marker = plot.DefaultTicks{}
	f.X = "Sectors per request (32 bytes each)"
	p.Add(upright(t, p), v, painter(func(c draw.Canvas, x, y func(float64) vg.Length) {
		for i, a := range all {
			at := y(rowY(i, len(all)))
			bar(&c, draw.LineStyle{Color: blue}, true, x(0), x(min(a.Sectors, a.Ideal)), at)
			if a.Sectors > a.Ideal {
				bar(&c, draw.LineStyle{Color: orange}, true, x(a.Ideal), x(a.Sectors), at)
			}
			c.StrokeLine2(draw.LineStyle{Color: t.Ink, Width: 2}, x(a.Ideal), at-rowHeight*0.4, x(a.Ideal), at+rowHeight*0.4)
		}
	}))
	return f, nil
}

// An access is a global access of a kernel, and how many instructions it stands for.
type access struct {
	rules.Access
	kernel *rules.KernelResult
	copies int
}

// accesses returns the global accesses of all kernels with their names, those with most sectors too many first. What
// the compiler made of one line of source several times alike, in an unrolled loop, is one access.
func accesses(r *rules.Result) (names []string, all []rules.Access) {
	var list []*access
	for _, k := range byTime(r) {
		l := worst(r, k)
		if l == nil {
			continue
		}
		seen := map[string]*access{}
		for _, a := range l.Stats.Accesses {
			if a.Sectors <= 0 || a.Ideal <= 0 || a.Requests <= 0 {
				continue
			}
			same := fmt.Sprintf("%s %.2f of %.2f", where(&a.Location), a.Ideal, a.Sectors)
			if have := seen[same]; have != nil {
				have.Requests += a.Requests
				have.copies++
				continue
			}
			seen[same] = &access{a, k, 1}
			list = append(list, seen[same])
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return excess(&list[i].Access) > excess(&list[j].Access) })
	for _, a := range list {
		at := where(&a.Location)
		if a.copies > 1 {
			at += fmt.Sprintf(" ×%d", a.copies)
		}
		names, all = append(names, squeeze("", kernelName(r, a.kernel), " "+at)), append(all, a.Access)
	}
	return names, all
}

func excess(a *rules.Access) float64 { return max(0, a.Sectors-a.Ideal) * a.Requests }

// where says which access of a kernel it is: "pairs.cu:41 LDG", by address where the source is unknown.
func where(l *rules.Location) string {
	words := strings.Fields(l.SASS)
	if len(words) > 1 && strings.HasPrefix(words[0], "@") { // a predicate stands in front
		words = words[1:]
	}
	opcode := ""
	if len(words) > 0 {
		opcode, _, _ = strings.Cut(words[0], ".")
	}
	at := l.PC
	if l.File != "" && l.Line > 0 {
		at = fmt.Sprintf("%s:%d", l.File[strings.LastIndexAny(l.File, `/\`)+1:], l.Line)
	}
	return clean(strings.TrimSpace(at + " " + opcode))
}
