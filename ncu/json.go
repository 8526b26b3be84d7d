package ncu

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// resultSchema marks what the advisor itself writes.
const resultSchema = "advisor.report/v1"

// IsResult reports whether an input begins as a result of the advisor (schema advisor.report/v1), which is no profile:
// its launches have been judged already.
func IsResult(head []byte) bool {
	head = jsonHead(head)
	schema := []byte(`"` + resultSchema + `"`)
	return len(head) > 0 && head[0] == '{' && bytes.Contains(head[:min(len(head), 256)], schema)
}

// jsonHead returns the first bytes of a text, without its encoding and leading blanks.
func jsonHead(head []byte) []byte {
	head, _ = io.ReadAll(decodeText(bytes.NewReader(head[:min(len(head), 1024)]))) // memory does not fail
	return bytes.TrimLeft(head, " \t\r\n")
}

// isJSON tells JSON: an object, or an array of something. A console page may begin with "[", too, but a number follows.
func isJSON(head []byte) bool {
	head = jsonHead(head)
	if len(head) == 0 || head[0] != '[' {
		return len(head) > 0 && head[0] == '{'
	}
	next := bytes.TrimLeft(head[1:], " \t\r\n")
	return len(next) == 0 || next[0] == '{' || next[0] == ']'
}

// jsonExample is what the error for an unknown shape shows.
const jsonExample = `accepted is [{"Kernel Name": "k(int)", "gpu__time_duration.sum": 5632}], base units, and the pandas ` +
	`forms records, columns, list and index, or {"k(int)": {"gpu__time_duration.sum": 5632}}`

// openJSON reads the shapes of JSON that launches come in: what advisor convert writes (an array, or one object a
// line), what pandas makes of the raw page, and an object of metrics by kernel, as scripts on ncu's Python interface
// write. Numbers without a unit are in base units, as in the report.
func openJSON(r *Report, src *source, _ Options) error {
	head, err := src.head()
	if err != nil {
		return err
	}
	if IsResult(head) {
		return &SyntaxError{Path: src.name, Offset: -1, Msg: "a result of the advisor, not a profile",
			Hint: "give it to advisor diff, or the profile that it was made from"}
	}
	r.Format = "json"
	first := false
	for _, err := range jsonItems(r, src) { // so that a bad shape is told at once
		if err != nil {
			return err
		}
		first = true
		break
	}
	if !first {
		return jsonError(src.name, 1, "no launch in this JSON")
	}
	r.Notes = nil
	r.items = jsonItems(r, src)
	return nil
}

func jsonError(path string, line int, msg string) error {
	return &SyntaxError{Path: path, Line: line, Msg: msg, Hint: jsonExample}
}

// A jsonReader hands out the launches of a JSON text.
type jsonReader struct {
	log   notes
	path  string
	lines *lineCounter
	dec   *json.Decoder
	yield func(item, error) bool
	made  int
	units map[string]string // from a row of units that a notebook kept as a record
}

// jsonItems returns the launches of a JSON text.
func jsonItems(r *Report, src *source) func(func(item, error) bool) {
	return func(yield func(item, error) bool) {
		lines := &lineCounter{in: &finiteReader{in: bufio.NewReaderSize(decodeText(src.reader()), 64<<10)}}
		j := &jsonReader{path: src.name, lines: lines, dec: json.NewDecoder(lines), yield: yield}
		j.log.report = r
		err := j.read()
		if err == nil || errors.Is(err, errStopped) {
			return
		}
		var syntax *SyntaxError
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			err = jsonError(src.name, lines.lineAt(lines.offset), "the JSON text ends early")
		case !errors.As(err, &syntax):
			err = jsonError(src.name, lines.lineAt(j.dec.InputOffset()), fmt.Sprintf("reading JSON: %v", err))
		}
		if j.made > 0 {
			err = &PartialError{Launches: j.made, Err: err}
		}
		yield(nil, err)
	}
}

// errStopped ends reading when nobody wants more.
var errStopped = errors.New("stopped")

// read takes one value after another: one array, one object, or an object a line.
func (j *jsonReader) read() error {
	for {
		tok, err := j.dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('['):
			err = j.array()
		case json.Delim('{'):
			err = j.object()
		default:
			err = j.shape("a single value")
		}
		if err != nil {
			return err
		}
	}
}

func (j *jsonReader) shape(what string) error {
	return jsonError(j.path, j.lines.lineAt(j.dec.InputOffset()), "unknown shape of JSON: "+what)
}

// array takes an array of launches, after its bracket.
func (j *jsonReader) array() error {
	for j.dec.More() {
		var raw json.RawMessage
		if err := j.dec.Decode(&raw); err != nil {
			return err
		}
		if err := j.record(raw, ""); err != nil {
			return err
		}
	}
	_, err := j.dec.Token()
	return err
}

// object takes one object, after its bracket: a launch, columns, or launches by name.
func (j *jsonReader) object() error {
	fields := map[string]json.RawMessage{}
	var order []string
	for j.dec.More() {
		key, err := j.dec.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := j.dec.Decode(&raw); err != nil {
			return err
		}
		name := key.(string) // keys of objects are strings
		if _, have := fields[name]; !have {
			order = append(order, name)
		}
		fields[name] = raw
	}
	if _, err := j.dec.Token(); err != nil {
		return err
	}
	return j.fields(fields, order)
}

func (j *jsonReader) fields(fields map[string]json.RawMessage, order []string) error {
	switch {
	case isLaunch(fields):
		return j.emit(fields, "")
	case fields["columns"] != nil && fields["data"] != nil:
		return j.split(fields["columns"], fields["data"])
	case isColumns(fields):
		return j.columns(fields)
	}
	for _, name := range order {
		if kind := firstByte(fields[name]); kind == '[' && (name == "launches" || name == "kernels" || name == "results") {
			var list []json.RawMessage
			if err := json.Unmarshal(fields[name], &list); err != nil {
				return err
			}
			for _, raw := range list {
				if err := j.record(raw, ""); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, name := range order {
		if firstByte(fields[name]) != '{' {
			return j.shape(fmt.Sprintf("an object with the key %.40q", name))
		}
		if err := j.record(fields[name], name); err != nil {
			return err
		}
	}
	return nil
}

func firstByte(raw json.RawMessage) byte {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 {
		return raw[0]
	}
	return 0
}

// isLaunch tells a launch by a metric with a plain value, or by its object of metrics.
func isLaunch(fields map[string]json.RawMessage) bool {
	if firstByte(fields["metrics"]) == '{' {
		return true
	}
	for name, raw := range fields {
		plain, _ := splitUnit(name)
		if kind := firstByte(raw); strings.Contains(plain, "__") && !strings.Contains(plain, " ") && (kind != '{' || isQuantity(raw)) && kind != '[' {
			return true
		}
	}
	return false
}

// isColumns tells columns by a metric whose value is a list, or an object by row.
func isColumns(fields map[string]json.RawMessage) bool {
	for name, raw := range fields {
		plain, _ := splitUnit(name)
		if kind := firstByte(raw); strings.Contains(plain, "__") && !strings.ContainsAny(plain, " (<") && (kind == '[' || kind == '{') {
			return true
		}
	}
	return false
}

// isQuantity tells {"value": 1, "unit": "ns"}.
func isQuantity(raw json.RawMessage) bool {
	var q map[string]json.RawMessage
	return json.Unmarshal(raw, &q) == nil && q["value"] != nil
}

// record takes one launch; name is the key that it stood under.
func (j *jsonReader) record(raw json.RawMessage, name string) error {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return j.shape("an element that is no object")
	}
	if !isLaunch(fields) {
		return j.shape("an element without a metric")
	}
	return j.emit(fields, name)
}

// columns takes an object of columns and turns it into launches.
func (j *jsonReader) columns(fields map[string]json.RawMessage) error {
	rows := map[string]map[string]json.RawMessage{}
	var order []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		column := map[string]json.RawMessage{}
		if err := json.Unmarshal(fields[name], &column); err != nil {
			var list []json.RawMessage
			if err := json.Unmarshal(fields[name], &list); err != nil {
				continue // a remark, no column
			}
			for i, raw := range list {
				column[strconv.Itoa(i)] = raw
			}
		}
		for index, raw := range column {
			if rows[index] == nil {
				rows[index] = map[string]json.RawMessage{}
				order = append(order, index)
			}
			rows[index][name] = raw
		}
	}
	slices.SortFunc(order, compareIndex)
	for _, index := range order {
		if err := j.emit(rows[index], index); err != nil {
			return err
		}
	}
	return nil
}

// compareIndex sorts row labels as numbers where they are.
func compareIndex(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX == nil && errY == nil {
		return x - y
	}
	return strings.Compare(a, b)
}

// split takes pandas' form of column names beside rows.
func (j *jsonReader) split(columns, data json.RawMessage) error {
	var names []string
	var rows [][]json.RawMessage
	if err := json.Unmarshal(columns, &names); err != nil {
		return j.shape("columns that are no names")
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		return j.shape("data that are no rows")
	}
	for _, row := range rows {
		fields := map[string]json.RawMessage{}
		for i, raw := range row[:min(len(row), len(names))] {
			fields[names[i]] = raw
		}
		if err := j.emit(fields, ""); err != nil {
			return err
		}
	}
	return nil
}

// emit hands out one launch, or keeps a row of units.
func (j *jsonReader) emit(fields map[string]json.RawMessage, name string) error {
	if units := unitRow(fields); units != nil && j.made == 0 {
		j.units = units
		return nil
	}
	number, units := j.made, j.units
	j.made++
	it := func() (*Launch, error) { return jsonLaunch(&j.log, fields, name, number, units), nil }
	if !j.yield(it, nil) {
		return errStopped
	}
	return nil
}

// unitRow returns the units of a record that is the row of units of a raw page: it names no kernel, and its metrics are
// words.
func unitRow(fields map[string]json.RawMessage) map[string]string {
	units := map[string]string{}
	for name, raw := range fields {
		isIdentity := identityColumn(name) != "" || jsonNames[strings.ToLower(name)] != ""
		var s string
		switch kind := firstByte(raw); {
		case kind == 'n':
			continue
		case kind != '"' || json.Unmarshal(raw, &s) != nil:
			return nil
		case isIdentity && !isUnknown(s):
			return nil
		case !isIdentity && !isUnknown(s):
			units[name] = s
		}
	}
	if len(units) == 0 {
		return nil
	}
	return units
}
