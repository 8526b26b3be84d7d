package charts

import (
	"fmt"
	"sort"
	"strings"
	"unicode"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"advisor/rules"
)

// labelWidth bounds the names of rows.
const labelWidth = vg.Length(200)

// clean makes a text of a report safe to draw: one line, without characters that XML forbids or that reorder text.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case !unicode.IsPrint(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
}

// elide shortens a text to a width by leaving out its middle.
func elide(s string, width vg.Length, style text.Style) string {
	if style.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	without := func(n int) string {
		keep := len(runes) - n
		head := (keep + 1) / 2
		return string(runes[:head]) + "…" + string(runes[len(runes)-keep+head:])
	}
	return without(sort.Search(len(runes), func(n int) bool { return style.Width(without(n)) <= width }))
}

// squeeze puts a name between two texts and shortens it until all fit the names of rows.
func squeeze(before, name, after string) string {
	style := write(textSize, nil, text.XLeft, text.YCenter)
	return before + elide(name, max(labelWidth-style.Width(before+after), labelWidth/4), style) + after
}

// kernelName returns the shortest name that tells the kernel from the others of the result.
func kernelName(r *rules.Result, k *rules.KernelResult) string {
	name := k.Function
	if name == "" {
		name = k.Kernel
	}
	for i := range r.Kernels {
		o := &r.Kernels[i]
		if o != k && o.Function == k.Function && o.Kernel != k.Kernel {
			name = k.Kernel
		}
	}
	if k.Rank != "" {
		name += " (rank " + k.Rank + ")"
	}
	return clean(name)
}

// and says how many were left out: "and 12 more kernels", "" for none.
func and(more int, one, many string) string {
	switch {
	case more <= 0:
		return ""
	case more == 1:
		return "and 1 more " + one
	}
	return fmt.Sprintf("and %d more %s", more, many)
}
