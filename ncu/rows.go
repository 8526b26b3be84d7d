package ncu

import (
	"slices"
	"strings"
)

// A detailRow is one row of a details page, from a table or a console.
type detailRow struct {
	section, chart, label, unit string
	value                       []byte
}

// A rowBuilder makes a launch of the rows of a details page.
type rowBuilder struct {
	t       *textReader
	launch  *Launch
	section string         // of the last row
	seen    map[string]int // rows of one chart and label in the section, when a label can come again
}

func newRowBuilder(t *textReader, l *Launch) *rowBuilder {
	l.Metrics = make(Metrics, 128)
	return &rowBuilder{t: t, launch: l}
}

// enter notes the section of a row.
func (b *rowBuilder) enter(section string) {
	if section == b.section {
		return
	}
	b.section = section
	clear(b.seen)
	for _, s := range b.launch.Sections {
		if s.Name == section {
			return
		}
	}
	b.launch.Sections = append(b.launch.Sections, Section{Name: section})
}

// add takes one row. The first of several rows of one metric is kept: the same metric stands in several sections.
func (b *rowBuilder) add(r detailRow) {
	b.enter(r.section)
	name := metricOfLabel(r.section, r.chart, r.label, r.unit, b.nth(r))
	if name == "" {
		if r.chart != "" || b.t == nil {
			return // a chart's axis
		}
		name = strings.TrimPrefix(r.section+": "+r.label, ": ") // kept for who looks for it; rules know no such name
	}
	old, have := b.launch.Metrics[name]
	if have && (old.Known || old.Text != "") {
		return
	}
	b.launch.Metrics[name] = b.metric(name, r)
}

// nth counts the rows with the same chart and label before this one in the section.
func (b *rowBuilder) nth(r detailRow) int {
	if r.chart == "" {
		return 0
	}
	if b.seen == nil {
		b.seen = map[string]int{}
	}
	key := r.chart + "\x00" + r.label
	n := b.seen[key]
	b.seen[key] = n + 1
	return n
}

func (b *rowBuilder) metric(name string, r detailRow) Metric {
	c := rawColumn{name: name}
	var known bool
	if c.unit, c.power, known, c.usable = unitOf(name, r.unit); !known {
		b.t.log.late(unknownUnit(r.unit, name, c.usable))
	}
	return c.metric(b.t.numbers, r.value)
}

// done returns the finished launch.
func (b *rowBuilder) done() *Launch {
	for _, note := range b.launch.Metrics.addCurrentNames() {
		b.t.log.late(note)
	}
	b.launch.fillFromMetrics()
	return b.launch
}

// advise adds a message of the profiler's own rules.
func (b *rowBuilder) advise(a Advice, kind, speedup string) {
	a.Text = strings.ToValidUTF8(a.Text, "\uFFFD")
	if v, is := b.t.numbers.parse([]byte(strings.TrimSuffix(speedup, "%")), 0); is == cellNumber && slices.Contains([]string{"local", "global"}, kind) {
		a.Speedup, a.Scope = v, kind
	}
	b.launch.Advice = append(b.launch.Advice, a)
}
