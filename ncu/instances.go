package ncu

import (
	"strconv"
	"strings"
)

// instanceCell reads a cell with instances: "scalar (id: value; id: value)" of the raw page, "scalar (value; value)"
// of the details page, or "scalar {count}" of a copy from the user interface, which keeps only how many there were.
func instanceCell(numbers numberFormat, cell string, power int) (Metric, bool) {
	head, list, ok := strings.Cut(cell, " (")
	if !ok || !strings.HasSuffix(list, ")") {
		head, list, ok = strings.Cut(cell, " {")
		if !ok || !strings.HasSuffix(list, "}") || atoiOr(strings.TrimSuffix(list, "}"), -1) < 0 {
			return Metric{}, false
		}
		list = ""
	}
	v, kind := numbers.parse([]byte(head), power)
	if kind == cellText {
		return Metric{}, false
	}
	var m Metric
	if kind == cellNumber {
		m = Number(v, "")
	}
	if list != "" {
		list = strings.TrimSuffix(list, ")")
		m.instances = func() []Instance { return parseInstances(numbers, list, power) }
	}
	return m, true
}

func parseInstances(numbers numberFormat, list string, power int) []Instance {
	var out []Instance
	for part := range strings.SplitSeq(list, "; ") {
		in := Instance{ID: uint64(len(out))}
		text := part
		if i := strings.LastIndex(part, ": "); i >= 0 {
			in.ID, in.Name = instanceID(part[:i])
			text = part[i+2:]
		}
		if v, kind := numbers.parse([]byte(text), power); kind == cellNumber {
			m := Number(v, "")
			in.Value, in.Known = m.Value, m.Known
		} else if kind == cellText {
			in.Text = text
		}
		out = append(out, in)
	}
	return out
}

// instanceID reads the correlation id: hexadecimal for most program counters, decimal for the rest, or a name.
func instanceID(s string) (uint64, string) {
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		if id, err := strconv.ParseUint(hex, 16, 64); err == nil {
			return id, ""
		}
	}
	if id, err := strconv.ParseUint(s, 10, 64); err == nil {
		return id, ""
	}
	return 0, s
}
