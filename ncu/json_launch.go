package ncu

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// jsonNames are the keys that scripts use for the identity of a launch.
var jsonNames = map[string]string{
	"id": "ID", "launch_id": "ID", "process": "Process ID", "pid": "Process ID", "process_id": "Process ID",
	"process_name": "Process Name", "host": "Host Name", "kernel": "Kernel Name", "kernel_name": "Kernel Name",
	"name": "Kernel Name", "demangled": "Kernel Name", "demangled_name": "Kernel Name", "context": "Context",
	"stream": "Stream", "grid": "Grid Size", "grid_size": "Grid Size", "block": "Block Size", "block_size": "Block Size",
	"cc": "CC", "device_id": "Device",
}

// jsonLaunch makes the launch of one JSON object. name is the key that the object stood under, "" without one; number
// counts the launches of the file from 0.
func jsonLaunch(log *notes, fields map[string]json.RawMessage, name string, number int, units map[string]string) *Launch {
	id, device := jsonIdentity(fields)
	metrics := Metrics{}
	var nested map[string]json.RawMessage
	if json.Unmarshal(fields["metrics"], &nested) == nil && len(nested) > 0 {
		fields = maps.Clone(fields)
		delete(fields, "metrics")
		maps.Copy(fields, nested)
	}
	var instances map[string]json.RawMessage
	json.Unmarshal(fields["instances"], &instances) // without them there are none
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		_, isMetric := nested[key]
		plain, unit := splitUnit(key)
		if !isMetric && (strings.Contains(plain, " ") || !strings.Contains(plain, "__") && !isPlainMetric(plain) || jsonNames[plain] != "") {
			continue
		}
		if unit == "" {
			unit = units[key]
		}
		metrics[plain] = jsonMetric(log, plain, unit, fields[key])
		if list, ok := instances[plain]; ok {
			metrics[plain] = metrics[plain].WithInstances(jsonInstances(list))
		}
	}
	if id.ID == "" {
		id.ID = fmt.Sprint(number)
	}
	if id.Kernel == "" {
		id.Kernel = name
	}
	if m := pandasIndex.FindStringSubmatch(id.Kernel); m != nil {
		id.ID, id.Kernel = m[1], m[2]
	}
	l := id.launch()
	json.Unmarshal(fields["nvtx"], &l.NVTX) // a list of names, else none
	for _, note := range metrics.addCurrentNames() {
		log.late(note)
	}
	l.Metrics, l.Device.Name = metrics, device
	l.fillFromMetrics()
	return l
}

// jsonIdentity takes what says which launch an object is.
func jsonIdentity(fields map[string]json.RawMessage) (id identity, device string) {
	var header, row []string
	for key, raw := range fields {
		column := identityColumn(key)
		if column == "" {
			column = jsonNames[strings.ToLower(key)]
		}
		text := jsonText(raw)
		if strings.EqualFold(key, "device") && atoiOr(text, -1) < 0 {
			device, column = text, ""
		}
		if column != "" && text != "" && !slices.Contains(header, column) {
			header, row = append(header, column), append(row, text)
		}
	}
	return makeIdentity(header, row), device
}

// jsonText returns a value as the cell of a table would be.
func jsonText(raw json.RawMessage) string {
	text := strings.TrimSpace(string(raw))
	switch firstByte(raw) {
	case '"':
		json.Unmarshal(raw, &text) // valid, since it was read as part of a valid text
	case '[':
		var list []json.RawMessage
		json.Unmarshal(raw, &list)
		parts := make([]string, len(list))
		for i := range list {
			parts[i] = jsonText(list[i])
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case 'n', '{':
		return ""
	}
	return text
}

// jsonMetric makes a metric of a number, a text, null, or {"value": ..., "unit": ...}.
func jsonMetric(log *notes, name, unit string, raw json.RawMessage) Metric {
	var quantity struct {
		Value json.RawMessage `json:"value"`
		Unit  string          `json:"unit"`
	}
	if firstByte(raw) == '{' && json.Unmarshal(raw, &quantity) == nil {
		raw, unit = quantity.Value, quantity.Unit
	}
	c := rawColumn{name: name}
	known := true
	c.unit, c.usable = UnitOf(name), true
	if unit != "" {
		if c.unit, c.power, known, c.usable = unitOf(name, unit); !known {
			log.late(unknownUnit(unit, name, c.usable))
		}
	}
	return c.metric(pointFormat, []byte(jsonText(raw)))
}

// jsonInstances reads the list that advisor convert writes: pairs of an id, a number or a name, and a value.
func jsonInstances(raw json.RawMessage) []Instance {
	var pairs [][2]json.RawMessage
	if json.Unmarshal(raw, &pairs) != nil {
		return nil
	}
	out := make([]Instance, 0, len(pairs))
	for _, p := range pairs {
		var in Instance
		in.ID, in.Name = instanceID(jsonText(p[0]))
		text := jsonText(p[1])
		if firstByte(p[1]) == '"' {
			in.Text = text
		} else if v, kind := pointFormat.parse([]byte(text), 0); kind == cellNumber {
			in.Value, in.Known = v, true
		}
		out = append(out, in)
	}
	return out
}
