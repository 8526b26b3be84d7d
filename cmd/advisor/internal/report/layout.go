package report

import (
	"strings"
	"unicode/utf8"
)

// A layout lays out text for a terminal of a given width.
type layout struct {
	strings.Builder
	width int
	color bool
}

// defaultWidth is used where no terminal tells one; maxWidth keeps lines short enough to read on wide ones.
const (
	defaultWidth = 100
	maxWidth     = 140
)

func newLayout(opt Options) *layout {
	width := opt.Width
	if width <= 0 {
		width = defaultWidth
	}
	return &layout{width: min(max(width, 40), maxWidth), color: opt.Color}
}

// A style is one terminal attribute.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	yellow style = "1;33"
	cyan   style = "36"
)

// paint returns the text in a style. Text is measured and wrapped before it is painted.
func (l *layout) paint(s style, text string) string {
	if !l.color || s == plain || strings.TrimSpace(text) == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// line writes one line.
func (l *layout) line(parts ...string) {
	s := strings.Join(parts, "")
	l.WriteString(strings.TrimRight(s, " ") + "\n")
}

// labelWidth is the column where labelled text starts, after the indent.
const labelWidth = 9

// labelled writes a wrapped paragraph behind a label, with the text in one column.
func (l *layout) labelled(indent int, label string, s style, text string) {
	room := l.width - indent - labelWidth
	for i, part := range wrap(text, room) {
		head := pad(label, labelWidth)
		if i > 0 {
			head = strings.Repeat(" ", labelWidth)
		}
		l.line(strings.Repeat(" ", indent), l.paint(dim, head), l.paint(s, part))
	}
}

// listed writes each text as a wrapped item behind a dash; the label stands before the first.
func (l *layout) listed(indent int, label string, texts []string) {
	for i, text := range texts {
		if i > 0 {
			label = ""
		}
		dash := "- "
		if len(texts) == 1 {
			dash = ""
		}
		parts := wrap(text, l.width-indent-labelWidth-len(dash))
		for j, part := range parts {
			if j > 0 {
				label, dash = "", strings.Repeat(" ", len(dash))
			}
			l.line(strings.Repeat(" ", indent), l.paint(dim, pad(label, labelWidth)), dash, part)
		}
	}
}

// wrap breaks a text into lines of at most n characters, at spaces where it can.
func wrap(text string, n int) []string {
	n = max(n, 20)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for length(word) > n {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			r := []rune(word)
			lines, word = append(lines, string(r[:n])), string(r[n:])
		}
		switch {
		case line == "":
			line = word
		case length(line)+1+length(word) <= n:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// length counts characters. Texts are clean before, so that each takes one column (wide scripts aside).
func length(s string) int { return utf8.RuneCountInString(s) }

// pad fills a text with spaces on the right.
func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-length(s))) }

// apart writes two texts at the two ends of a line; the left one gives way.
func (l *layout) apart(left, right string, s style) {
	room := l.width - length(right) - 2
	left = elide(left, room)
	gap := strings.Repeat(" ", max(2, l.width-length(left)-length(right)))
	l.line(l.paint(s, left), gap, l.paint(s, right))
}

// A column of a table. Its cells are cut to the width that the table finds for it.
type column struct {
	head  string
	right bool // numbers stand to the right
	grow  bool // takes what room is left, and gives way first
	drop  int  // columns of the highest number are left out first where room is short; 0 never
	paint func(string) style
}

// table writes rows under a head.
func (l *layout) table(indent int, cols []column, rows [][]string) {
	cols, rows, widths := fit(cols, rows, l.width-indent)
	write := func(cells []string, isHead bool) {
		out := make([]string, len(cells))
		for i, c := range cells {
			c = elide(c, widths[i])
			s := plain
			switch {
			case isHead:
				s = dim
			case cols[i].paint != nil:
				s = cols[i].paint(c)
			}
			space := strings.Repeat(" ", widths[i]-length(c))
			if cols[i].right {
				out[i] = space + l.paint(s, c)
			} else {
				out[i] = l.paint(s, c) + space
			}
		}
		l.line(strings.Repeat(" ", indent), strings.Join(out, "  "))
	}
	heads := make([]string, len(cols))
	for i, c := range cols {
		heads[i] = c.head
	}
	write(heads, true)
	for _, r := range rows {
		write(r, false)
	}
}

// minGrow is the least width of a column that gives way.
const minGrow = 18

// fit finds the widths of columns, and leaves out columns for which there is no room.
func fit(cols []column, rows [][]string, room int) ([]column, [][]string, []int) {
	widths := make([]int, len(cols))
	total, least, droppable, grow := 2*(len(cols)-1), 2*(len(cols)-1), -1, -1
	for i, c := range cols {
		widths[i] = length(c.head)
		for _, r := range rows {
			widths[i] = max(widths[i], length(r[i]))
		}
		total += widths[i]
		if c.grow {
			grow = i
			least += min(widths[i], minGrow)
		} else {
			least += widths[i]
		}
		if c.drop > 0 && (droppable < 0 || c.drop > cols[droppable].drop) {
			droppable = i
		}
	}
	if least > room && droppable >= 0 {
		cut := make([][]string, len(rows))
		for i, r := range rows {
			cut[i] = without(r, droppable)
		}
		return fit(without(cols, droppable), cut, room)
	}
	if grow >= 0 && total > room {
		widths[grow] = max(minGrow, widths[grow]-(total-room))
	}
	return cols, rows, widths
}

func without[T any](s []T, i int) []T {
	return append(append([]T{}, s[:i]...), s[i+1:]...)
}
