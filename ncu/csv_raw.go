package ncu

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// A rawPage is the wide page of "ncu --page raw --csv": a column a metric, a row a launch, and between header and
// rows one row of units.
type rawPage struct {
	t        *textReader
	known    identityCache
	identity []string // plain names of the identity columns, by place; "" for the others
	columns  []rawColumn

	identityEnd int  // no identity column stands from here on
	former      bool // some columns have names that metrics had before
	started     bool // the row of units has been seen
	twice       bool // some name stands over two columns: cells depend on each other
	model       atomic.Pointer[rawModel]
}

// A rawColumn is how the cells of one column become metrics.
type rawColumn struct {
	name    string // "" for identity columns
	printed string // unit in the header; mostly it has a row of its own
	unit    string
	power   int  // of ten, from the printed unit to the base unit
	usable  bool // false: the printed unit is not known, so the values say nothing
}

// isRawHeader tells the raw page, and what a notebook made of it: without identity, but with metrics alone.
func isRawHeader(header []string) bool {
	metric := func(name string) bool {
		name, _ = splitUnit(name)
		return strings.Contains(name, "__") && !strings.Contains(name, " ")
	}
	if slices.Contains(header, "ID") || slices.Contains(header, "Kernel Name") {
		return slices.ContainsFunc(header, metric)
	}
	return len(header) > 1 && header[0] == "" && !slices.ContainsFunc(header[1:], func(name string) bool { return !metric(name) })
}

func newRawPage(t *textReader, header []string) page {
	p := &rawPage{t: t, identity: make([]string, len(header)), columns: make([]rawColumn, len(header))}
	names := map[string]bool{}
	for i, name := range header {
		if p.identity[i] = identityColumn(name); p.identity[i] == "" {
			p.columns[i].name, p.columns[i].printed = splitUnit(name)
			p.former = p.former || currentName(name) != ""
			p.twice = p.twice || names[p.columns[i].name]
			names[p.columns[i].name] = true
		} else {
			p.identityEnd = i + 1
		}
	}
	p.units(nil)
	return p
}

// units takes the row of units. Without one, values are taken to be in base units.
func (p *rawPage) units(cells []string) {
	for i := range p.columns {
		c := &p.columns[i]
		if c.name == "" {
			continue
		}
		printed := c.printed
		if i < len(cells) && printed == "" && !isUnknown(cells[i]) {
			printed = cells[i]
		}
		var known bool
		if c.unit, c.power, known, c.usable = unitOf(c.name, printed); !known {
			p.t.log.add("%s", unknownUnit(printed, c.name, c.usable))
		}
	}
}

// isUnits reports whether a row is the row of units: its identity cells are empty.
func (p *rawPage) isUnits(row []byte) bool {
	if p.identityEnd == 0 || row[0] == '"' && row[1] != '"' {
		return false
	}
	for i, cell := range splitCells(row) {
		if i < len(p.identity) && p.identity[i] != "" && !isUnknown(cell) {
			return false
		}
	}
	return true
}

func (p *rawPage) row(rec record) error {
	if !rec.cut && rec.short(p.identityEnd) {
		p.t.foreign++
		return nil
	}
	if p.t.tooLong(rec, len(p.columns)) {
		return nil
	}
	if !p.started && !rec.cut {
		p.started = true
		if p.isUnits(rec.text) {
			p.units(splitCells(rec.text))
			return nil
		}
	}
	if rec.cut || rec.unended && rec.cells() < len(p.columns) {
		return p.t.cutOff(rec, p.kernel(rec.text))
	}
	text, number := bytes.Clone(rec.text), p.t.made
	p.t.emit(func() (*Launch, error) { return p.launch(text, number), nil })
	return nil
}

func (p *rawPage) end() error { return nil }

// kernel returns the name of the kernel of a row that may be cut.
func (p *rawPage) kernel(row []byte) string {
	if i := slices.Index(p.identity, "Kernel Name"); i >= 0 {
		if cells := splitCells(row); i < len(cells) {
			return cells[i]
		}
	}
	return ""
}

// A rawModel is one row and its metrics. Most cells of a page repeat from row to row: device attributes, zeros, limits.
// Copying the map of another row and changing what differs costs less than filling an empty one.
type rawModel struct {
	cells   [][]byte
	metrics Metrics
}

// launch makes the launch of one row; number counts the launches of the file from 0.
func (p *rawPage) launch(row []byte, number int) *Launch {
	identity := make([][]byte, p.identityEnd)
	index, _, _ := nextCell(row)
	model := p.model.Load()
	cells, metrics := [][]byte(nil), Metrics(nil)
	if model == nil || p.twice {
		model = &rawModel{cells: make([][]byte, len(p.columns))}
		cells, metrics = make([][]byte, len(p.columns)), make(Metrics, len(p.columns))
	} else {
		metrics = maps.Clone(model.metrics)
	}
	more := true
	for i := range p.columns {
		var cell []byte
		if more {
			cell, row, more = nextCell(row)
		}
		if i < len(identity) {
			identity[i] = cell
		}
		if cells != nil {
			cells[i] = cell
		}
		if !bytes.Equal(cell, model.cells[i]) {
			p.columns[i].put(metrics, p.t.numbers, cell)
		}
	}
	if cells != nil && !p.twice {
		p.model.CompareAndSwap(nil, &rawModel{cells, maps.Clone(metrics)})
	}
	l := p.known.of(p.identity, identity, number)
	if p.identityEnd == 0 {
		l = indexLaunch(index, number)
	}
	l.Metrics = metrics
	if p.former {
		for _, note := range metrics.addCurrentNames() {
			p.t.log.late(note)
		}
	}
	l.fillFromMetrics()
	return l
}

// pandasIndex is the row label that grouping by ID and kernel name gives.
var pandasIndex = regexp.MustCompile(`^\((\d+), ['"](.*)['"]\)$`)

// indexLaunch makes a launch of the row label of a notebook's table, all that is left of its identity.
func indexLaunch(label []byte, number int) *Launch {
	id := identity{ID: strconv.Itoa(number), PID: "-1", Kernel: string(label)}
	if m := pandasIndex.FindSubmatch(label); m != nil {
		id.ID, id.Kernel = string(m[1]), string(m[2])
	}
	return id.launch()
}

// put sets the metric of one cell; an empty one has none.
func (c *rawColumn) put(metrics Metrics, numbers numberFormat, cell []byte) {
	if c.name == "" {
		return
	}
	if len(cell) == 0 {
		delete(metrics, c.name)
		return
	}
	if v, kind := numbers.parse(cell, c.power); kind == cellNumber && c.usable {
		metrics[c.name] = Metric{Known: true, Value: v, Unit: c.unit}
	} else {
		metrics[c.name] = c.metric(numbers, cell)
	}
}

// metric makes the metric of one cell.
func (c *rawColumn) metric(numbers numberFormat, cell []byte) Metric {
	v, kind := numbers.parse(cell, c.power)
	switch {
	case kind == cellNumber && c.usable:
		return Number(v, c.unit)
	case kind == cellNumber:
		return Metric{Text: string(cell)}
	case kind == cellText:
		if m, ok := instanceCell(numbers, string(cell), c.power); ok && c.usable {
			m.Unit = c.unit
			return m
		}
		return Metric{Text: string(cell)}
	}
	return Metric{Unit: c.unit}
}

// fillFromMetrics takes from the metrics what the identity columns do not tell: the device's name everywhere, and in
// old exports its capability and the launch shape, of which only the size is there.
func (l *Launch) fillFromMetrics() {
	if l.Device.Name == "" {
		l.Device.Name = l.Metrics["device__attribute_display_name"].Text
	}
	if l.Device.Major == 0 {
		major, ok1 := l.Metrics.Value("device__attribute_compute_capability_major")
		minor, ok2 := l.Metrics.Value("device__attribute_compute_capability_minor")
		if ok1 && ok2 && major > 0 && major < 100 && minor >= 0 && minor < 100 {
			l.Device.Major, l.Device.Minor = int(major), int(minor)
		}
	}
	if l.Kind != Range && l.Grid == (Dim3{}) && l.Block == (Dim3{}) {
		l.Grid = l.shape("launch__grid_dim_", "launch__grid_size")
		l.Block = l.shape("launch__block_dim_", "launch__block_size")
	}
}

func (l *Launch) shape(dim, size string) Dim3 {
	x, okX := l.Metrics.Value(dim + "x")
	y, okY := l.Metrics.Value(dim + "y")
	z, okZ := l.Metrics.Value(dim + "z")
	if okX && okY && okZ && min(x, y, z) >= 1 && max(x, y, z) < 1<<32 {
		return Dim3{int(x), int(y), int(z)}
	}
	if n, ok := l.Metrics.Value(size); ok && n >= 1 && n < 1<<53 {
		return Dim3{int(n), 1, 1}
	}
	return Dim3{}
}
