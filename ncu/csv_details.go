package ncu

import (
	"bytes"
	"slices"
)

// A detailsPage is the long page of "ncu --page details --csv": a row a metric of a launch, or a message of a rule.
// Rows of metrics are shorter than the header when there are columns for rules.
type detailsPage struct {
	t        *textReader
	identity []string // plain names of the identity columns, by place; "" for the others
	// columns of the rest; -1 for none
	section, chart, metric, unit, value, rule, kind, text, scope, speedup int

	summary     bool   // rows are averages of all launches of a kernel
	identityEnd int    // all identity columns stand before this one and nothing else does; 0 when they are spread
	key         []byte // identity of the launch that is being collected
	rows        []byte // its rows, each ended by rowEnd
}

// rowEnd ends a row among the collected ones; a cell may hold line breaks, but nothing writes zero bytes.
const rowEnd = 0

func isDetailsHeader(header []string) bool {
	return slices.Contains(header, "Metric Name") && slices.Contains(header, "Metric Value") &&
		(slices.Contains(header, "ID") || slices.Contains(header, "Kernel Name"))
}

func newDetailsPage(t *textReader, header []string) page {
	at := func(name string) int { return slices.Index(header, name) }
	p := &detailsPage{t: t, identity: make([]string, len(header)),
		section: at("Section Name"), chart: at("Body Item Label"), metric: at("Metric Name"), unit: at("Metric Unit"),
		value: at("Metric Value"), rule: at("Rule Name"), kind: at("Rule Type"), text: at("Rule Description"),
		scope: at("Estimated Speedup Type"), speedup: at("Estimated Speedup")}
	for i, name := range header {
		p.identity[i] = identityColumn(name)
		if p.identity[i] != "" && p.identityEnd == i {
			p.identityEnd++
		}
	}
	if slices.ContainsFunc(p.identity[p.identityEnd:], func(name string) bool { return name != "" }) {
		p.identityEnd = 0
	}
	return p
}

func (p *detailsPage) row(rec record) error {
	if rec.cut || rec.unended && rec.cells() <= p.value {
		return p.cut(rec)
	}
	if rec.short(p.metric + 1) {
		p.t.foreign++
		return nil
	}
	if p.t.tooLong(rec, len(p.identity)) {
		return nil
	}
	if bytes.IndexByte(rec.text, rowEnd) >= 0 {
		p.t.log.add("line %d: the row has a zero byte; it is skipped", rec.line)
		return nil
	}
	if !p.same(rec.text) {
		p.flush()
		p.key = append(p.key[:0], p.keyOf(rec.text)...)
	}
	p.rows = append(append(p.rows, rec.text...), rowEnd)
	return nil
}

// same reports whether a row belongs to the launch that is being collected.
func (p *detailsPage) same(row []byte) bool {
	if p.identityEnd > 0 {
		return len(p.key) > 0 && bytes.HasPrefix(row, p.key)
	}
	return bytes.Equal(p.keyOf(row), p.key)
}

// keyOf returns what all rows of a launch share: its identity cells. Mostly they stand together at the start of the
// row, and comparing bytes is enough.
func (p *detailsPage) keyOf(row []byte) []byte {
	if p.identityEnd == 0 {
		var key []byte
		for i, cell := range rowCells(nil, row) {
			if i < len(p.identity) && p.identity[i] != "" {
				key = append(append(key, cell...), rowEnd)
			}
		}
		return key
	}
	rest, more := row, true
	for i := 0; i < p.identityEnd && more; i++ {
		_, rest, more = nextCell(rest)
	}
	return row[:len(row)-len(rest)]
}

// cut ends the input inside a row: the launch that the row belongs to is left out.
func (p *detailsPage) cut(rec record) error {
	if !p.same(rec.text) && !bytes.HasPrefix(p.key, rec.text) {
		p.flush()
	}
	p.rows = nil
	kernel := ""
	cells := splitCells(rec.text)
	if i := slices.Index(p.identity, "Kernel Name"); i >= 0 && i < len(cells) {
		kernel = cells[i]
	}
	return p.t.cutOff(rec, kernel)
}

func (p *detailsPage) end() error {
	p.flush()
	return nil
}

// flush hands out the launch collected so far.
func (p *detailsPage) flush() {
	if len(p.rows) == 0 {
		return
	}
	rows, number := bytes.Clone(p.rows), p.t.made
	p.rows = p.rows[:0]
	if p.summary {
		p.emitSummary(rows)
		return
	}
	p.t.emit(func() (*Launch, error) { return p.makeLaunch(rows, number), nil })
}

// makeLaunch makes the launch of its rows; number counts the launches of the file from 0.
func (p *detailsPage) makeLaunch(rows []byte, number int) *Launch {
	var b *rowBuilder
	var cells [][]byte
	for len(rows) > 0 {
		end := bytes.IndexByte(rows, rowEnd)
		cells = rowCells(cells[:0], rows[:end])
		rows = rows[end+1:]
		if b == nil {
			b = newRowBuilder(p.t, identityOf(p.identity, cells, number))
		}
		p.addRow(b, cells)
	}
	return b.done()
}

// addRow takes one row: a metric, a message of a rule, or, in hand-made files, both.
func (p *detailsPage) addRow(b *rowBuilder, cells [][]byte) {
	get := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return string(cells[i])
	}
	if label := get(p.metric); label != "" {
		r := detailRow{section: get(p.section), chart: get(p.chart), label: label, unit: get(p.unit)}
		if p.value < len(cells) {
			r.value = cells[p.value]
		}
		b.add(r)
	}
	if rule := get(p.rule); rule != "" {
		b.advise(Advice{Rule: rule, Section: get(p.section), Type: get(p.kind), Text: get(p.text)}, get(p.scope), get(p.speedup))
	}
}
