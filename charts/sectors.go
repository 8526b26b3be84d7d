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

// accesses returns the global accesses of all kernels with their names, those with most sectors too many first.
func accesses(r *rules.Result) (names []string, all []rules.Access) {
	type named struct {
		name string
		rules.Access
	}
	var list []named
	for _, k := range byTime(r) {
		l := worst(r, k)
		if l == nil {
			continue
		}
		for _, a := range l.Stats.Accesses {
			if a.Sectors > 0 && a.Ideal > 0 && a.Requests > 0 {
				list = append(list, named{accessName(r, k, &a), a})
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return excess(&list[i].Access) > excess(&list[j].Access) })
	for _, a := range list {
		names, all = append(names, a.name), append(all, a.Access)
	}
	return names, all
}

func excess(a *rules.Access) float64 { return max(0, a.Sectors-a.Ideal) * a.Requests }

// accessName says which access it is: "layout_aos pairs.cu:41 LDG".
func accessName(r *rules.Result, k *rules.KernelResult, a *rules.Access) string {
	words := strings.Fields(a.Location.SASS)
	if len(words) > 1 && strings.HasPrefix(words[0], "@") { // a predicate stands in front
		words = words[1:]
	}
	opcode := ""
	if len(words) > 0 {
		opcode, _, _ = strings.Cut(words[0], ".")
	}
	at := a.Location.PC
	if a.Location.File != "" && a.Location.Line > 0 {
		at = fmt.Sprintf("%s:%d", a.Location.File[strings.LastIndexAny(a.Location.File, `/\`)+1:], a.Location.Line)
	}
	return squeeze("", kernelName(r, k), clean(strings.TrimRight(" "+at+" "+opcode, " ")))
}
