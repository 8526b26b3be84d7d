package ncu

import (
	"regexp"
	"slices"
	"strings"
)

// A guiPage is what the user interface copies: a row a property or metric with its unit in brackets, a column a result.
type guiPage struct {
	t     *textReader
	cells [][]string // of the results, by row, the name first
}

// isGUIHeader tells "ID,0": names and values side by side.
func isGUIHeader(header []string) bool {
	return header[0] == "ID" && len(header) > 1 &&
		!slices.ContainsFunc(header[1:], func(s string) bool { return atoiOr(s, -1) < 0 })
}

func newGUIPage(t *textReader, header []string) page {
	return &guiPage{t: t, cells: [][]string{header}}
}

func (p *guiPage) row(rec record) error {
	if rec.cut {
		return p.t.cutOff(rec, "")
	}
	p.cells = append(p.cells, splitCells(rec.text))
	return nil
}

func (p *guiPage) end() error {
	for column := 1; column < len(p.cells[0]); column++ {
		if l := p.launch(column); len(l.Metrics) > 0 {
			p.t.emit(func() (*Launch, error) { return l, nil })
		}
	}
	return nil
}

func (p *guiPage) launch(column int) *Launch {
	id := identity{PID: "-1"}
	metrics := Metrics{}
	device := ""
	for _, row := range p.cells {
		name, unit := splitUnit(row[0])
		if column >= len(row) || row[column] == "" {
			continue
		}
		cell := strings.TrimSpace(row[column])
		switch name {
		case "ID":
			id.ID = cell
		case "Function Name":
			if id.Kernel == "" {
				id.Kernel = cell
			}
		case "Demangled Name":
			id.Kernel = cell
		case "Process":
			if m := guiProcess.FindStringSubmatch(cell); m != nil {
				id.PID, id.ProcessName = m[1], m[2]
			}
		case "Device Name":
			device = cell
		case "Grid Size":
			id.Grid = cell
		case "Block Size":
			id.Block = cell
		default:
			if strings.Contains(name, "__") || strings.Contains(name, ":") || isPlainMetric(name) {
				metrics[name] = p.metric(name, unit, cell)
			}
		}
	}
	l := id.launch()
	l.Metrics, l.Device.Name = metrics, device
	l.fillFromMetrics()
	return l
}

var guiProcess = regexp.MustCompile(`^\[(\d+)\] (.*)$`)

// isPlainMetric tells metrics without a unit of the GPU in their name: "inst_executed", "memory_type".
func isPlainMetric(name string) bool {
	return strings.Contains(name, "_") && !strings.Contains(name, " ")
}

func (p *guiPage) metric(name, unit, cell string) Metric {
	c := rawColumn{name: name}
	var known bool
	if c.unit, c.power, known, c.usable = unitOf(name, unit); !known {
		p.t.log.add("%s", unknownUnit(unit, name, c.usable))
	}
	return c.metric(p.t.numbers, []byte(cell))
}

// splitUnit splits "name [unit]" and "name (unit)", as the user interface and notebooks write them.
func splitUnit(name string) (plain, unit string) {
	for _, brackets := range [...]string{" []", " ()"} {
		if i := strings.Index(name, brackets[:2]); i > 0 && name[len(name)-1] == brackets[2] {
			unit = name[i+2 : len(name)-1]
			if isUnknown(unit) {
				unit = ""
			}
			return name[:i], unit
		}
	}
	return name, ""
}
