package ncu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// The functions below build reports byte by byte.

func joined(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func varint(num protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), v)
}

func field(num protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), joined(parts...))
}

func double(num protowire.Number, v float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, num, protowire.Fixed64Type), math.Float64bits(v))
}

func str(num protowire.Number, s string) []byte { return field(num, []byte(s)) }

// chunk puts a length word before a message.
func chunk(parts ...[]byte) []byte {
	b := joined(parts...)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// block makes a block of a header and the chunks of its payload.
func block(header []byte, items ...[]byte) []byte {
	payload := joined(items...)
	return append(chunk(header, varint(5, uint64(len(payload)))), payload...)
}

// reportOf makes a report of blocks.
func reportOf(blocks ...[]byte) []byte {
	return joined(reportMagic, chunk(varint(1, reportVersion)), joined(blocks...))
}

// strings4 is a block header's string table.
func strings4(names ...string) []byte {
	var table []byte
	for _, n := range names {
		table = append(table, str(1, n)...)
	}
	return field(4, table)
}

// metric13 is a kernel's metric.
func metric13(id uint64, v []byte) []byte { return field(13, varint(1, id), field(2, v)) }

var (
	oneKernel  = varint(2, 1)
	sampleItem = chunk(str(7, "k(int)"), metric13(0, double(3, 42)))
	sampleBody = block(joined(oneKernel, strings4("a.sum", "b")), sampleItem)
)

// openReportBytes opens a report from memory.
func openReportBytes(b []byte) (*Report, error) {
	r := &Report{Path: "x.ncu-rep"}
	return r, r.read(&source{name: "x.ncu-rep", data: b, size: int64(len(b))}, Options{})
}

// drain reads all launches and their code, and returns how many there are and what ended them.
func drain(r *Report) (n int, err error) {
	for l, err := range r.Launches() {
		if err != nil {
			return n, err
		}
		if _, err := l.Code(); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func TestDamagedReports(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes []byte
		want  string // in the error; "" reads
	}{
		{"whole", reportOf(sampleBody), ""},
		{"empty", nil, "the file is empty"},
		{"text", []byte("just some words\n"), "x.ncu-rep"},
		{"no magic", []byte("\x97\x00\x00\x00\x08\x07"), "starts with bytes 97 00 00 00"},
		{"packed", []byte("PK\x03\x04\x00\x00"), ".ncu-repz"},
		{"magic only", []byte("NVR\x00"), "ends early"},
		{"header beyond the end", joined(reportMagic, []byte{0xff, 0xff, 0xff, 0xff, 1}), "ends early: 4294967295 bytes belong here, 1 are left"},
		{"no blocks", reportOf(), "no results"},
		{"no results", reportOf(block(strings4("a"))), "no results"},
		{"no names", reportOf(block(oneKernel, sampleItem)), "no block names the metrics"},
		{"half a length word", joined(reportOf(), []byte{1, 0}), "ends early"},
		{"block header beyond the end", joined(reportOf(), []byte{0xff, 0, 0, 0, 1}), "ends early"},
		{"payload beyond the end", reportOf(chunk(oneKernel, strings4("a"), varint(5, 1<<31))), "ends early"},
		{"a billion results", reportOf(block(joined(varint(2, 1e9), strings4("a")))), "ends early"},
		{"a billion sources", reportOf(block(joined(varint(1, 1e9), strings4("a")))), "ends early"},
		{"count beyond 64 bits", reportOf(chunk([]byte("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))), "damaged"},
		{"count of wrong type", reportOf(block(str(2, "x"), sampleItem)), "wire type 2 where 0 belongs"},
		{"strings of wrong type", reportOf(block(joined(oneKernel, varint(4, 1)), sampleItem)), "wire type 0 where 2 belongs"},
		{"a group", reportOf(block(joined(oneKernel, strings4("a"), []byte{13<<3 | 3}), sampleItem)), "wire type 3"},
		{"field 0", reportOf(block(joined(oneKernel, strings4("a"), []byte{0, 0}), sampleItem)), "damaged"},
		{"metric of wrong type", reportOf(block(joined(oneKernel, strings4("a")), chunk(varint(13, 7)))), "result 0"},
		{"name of wrong type", reportOf(block(joined(oneKernel, strings4("a")), chunk(varint(7, 7)))), "result 0"},
		{"value of wrong type", reportOf(block(joined(oneKernel, strings4("a")), chunk(metric13(0, varint(3, 1))))), "result 0"},
		{"clock of wrong type", reportOf(block(joined(oneKernel, strings4("a")), chunk(varint(25, 1)))), "result 0"},
		{"session of wrong type", reportOf(block(joined(oneKernel, strings4("a"), field(3, field(8, varint(1, 1)))), sampleItem)), "session"},
		{"source without cubin", reportOf(block(joined(varint(1, 1), oneKernel, strings4("a")), chunk(varint(1, 7)), chunk(metric13(0, double(3, 1)), field(15, varint(1, 7))))), ""},
		{"source with a text for a cubin", reportOf(block(joined(varint(1, 1), oneKernel, strings4("a")), chunk(varint(1, 7), str(4, "no ELF")), chunk(metric13(0, double(3, 1)), field(15, varint(1, 7))))), "cubin"},
		{"source longer than its message", reportOf(block(joined(varint(1, 1), oneKernel, strings4("a")), chunk(varint(1, 7), []byte{4<<3 | 2, 99}), chunk(metric13(0, double(3, 1)), field(15, varint(1, 7))))), "source"},
		{"infinity", reportOf(block(joined(oneKernel, strings4("a")), chunk(metric13(0, double(3, math.Inf(1)))))), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := openReportBytes(c.bytes)
			if err == nil {
				_, err = drain(r)
			}
			switch {
			case c.want == "" && err != nil:
				t.Errorf("error %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want one with %q", err, c.want)
			case err != nil && strings.Contains(err.Error(), "\n"):
				t.Errorf("error of several lines: %q", err)
			}
		})
	}
}

func TestReportNotes(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes []byte
		want  string
	}{
		{"version", joined(reportMagic, chunk(varint(1, 8)), sampleBody), "container version 8"},
		{"leftover", reportOf(block(joined(oneKernel, strings4("a")), sampleItem, []byte{1, 2, 3})), "3 bytes of a block"},
		{"missing name", reportOf(block(joined(oneKernel, strings4("a")), chunk(metric13(0, double(3, 1)), metric13(9, double(3, 1))))), "1 values of metrics whose name is missing"},
		{"clocks not locked", reportOf(block(joined(oneKernel, strings4("a")), chunk(metric13(0, double(3, 1)), field(25, varint(1, 0))))), "clocks were not locked"},
		{"clocks not lockable", reportOf(block(joined(oneKernel, strings4("a")), chunk(metric13(0, double(3, 1)), field(25, varint(1, 1), varint(2, 0))))), "clocks were not locked"},
		{"clock control", reportOf(sampleBody, block(field(3, str(11, "ncu --clock-control=none app")))), "clocks were not locked"},
		{"processes", reportOf(block(joined(oneKernel, strings4("a"), field(6, varint(1, 10))), sampleItem), block(joined(oneKernel, field(6, varint(1, 11))), sampleItem)), "results of 2 processes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := openReportBytes(c.bytes)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := drain(r); n == 0 || err != nil {
				t.Fatalf("%d launches, %v", n, err)
			}
			if all := strings.Join(r.Notes, "\n"); !strings.Contains(all, c.want) {
				t.Errorf("notes %q, want %q", all, c.want)
			}
		})
	}
}

// TestForwardNames holds that a metric's name may come in a later block, and that what is not a number is unknown.
func TestForwardNames(t *testing.T) {
	item := chunk(str(6, "k"), metric13(0, double(3, math.NaN())), metric13(1, varint(5, 7)), metric13(1, varint(5, 8)),
		field(13, varint(1, 2)), metric13(3, str(1, "text\xff")))
	r, err := openReportBytes(reportOf(block(joined(oneKernel, strings4("nan")), item), block(strings4("twice", "none", "text"))))
	if err != nil {
		t.Fatal(err)
	}
	for l, err := range r.Launches() {
		if err != nil {
			t.Fatal(err)
		}
		want := Metrics{"nan": {Text: "nan"}, "twice": {Known: true, Value: 7}, "none": {}, "text": {Text: "text\uFFFD"}}
		for name, w := range want {
			if m, ok := l.Metrics[name]; !ok || m.Known != w.Known || m.Value != w.Value || m.Text != w.Text {
				t.Errorf("%s is %+v, want %+v", name, m, w)
			}
		}
		if len(l.Metrics) != len(want) || l.Kernel != "k" || l.Function != "k" {
			t.Errorf("launch %+v", l)
		}
	}
}

// TestCutReport cuts a report at every thousandth byte: each piece is an error, after whole launches or at once.
func TestCutReport(t *testing.T) {
	whole := readText(t, testdata("reports", "range.ncu-rep.gz"))
	for n := 0; n < len(whole); n += 1000 {
		r, err := openReportBytes(whole[:n:n])
		if err == nil {
			_, err = drain(r)
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Fatalf("cut at %d of %d: error %v", n, len(whole), err)
		}
	}
}

// TestCutAfterTenth holds that the launches before the end of a cut report are good.
func TestCutAfterTenth(t *testing.T) {
	whole := readText(t, testdata("reports", "pairs-basic.ncu-rep.gz"))
	p := &rep{Report: &Report{}, src: &source{data: whole, size: int64(len(whole))}}
	p.sources = newSourceIndex(p.src)
	if err := p.walk(); err != nil {
		t.Fatal(err)
	}
	tenth := p.results[9]
	r, err := openReportBytes(whole[:tenth.off+int64(tenth.size)+100])
	if err != nil {
		t.Fatal(err)
	}
	n, err := drain(r)
	var partial *PartialError
	if n != 10 || !errors.As(err, &partial) || partial.Launches != 10 {
		t.Errorf("%d launches, then %v", n, err)
	}
}

// TestMemoryOfDamaged reads files of many tiny fields: what is allocated stays below twice the file and 64 MiB.
func TestMemoryOfDamaged(t *testing.T) {
	many := bytes.Repeat
	const n = 2 << 20
	kernel := func(item []byte) []byte {
		return reportOf(block(joined(oneKernel, strings4("a")), chunk(metric13(0, double(3, 1)), item)))
	}
	for name, b := range map[string][]byte{
		"strings":   reportOf(block(joined(oneKernel, field(4, many(str(1, ""), n))), sampleItem)),
		"results":   reportOf(block(joined(varint(2, n), strings4("a")), many(chunk(), n))),
		"sources":   reportOf(block(joined(varint(1, n), oneKernel, strings4("a")), many(chunk(), n), sampleItem)),
		"processes": reportOf(block(joined(oneKernel, strings4("a"), many(field(6), n)), sampleItem)),
		"devices":   reportOf(block(joined(oneKernel, strings4("a"), field(3, many(field(6), n))), sampleItem)),
		"metrics":   kernel(many(field(13), n)),
		"sections":  kernel(many(field(17), n)),
		"rules":     kernel(many(field(19), n)),
		"messages":  kernel(field(19, field(3, many(field(1, field(1)), n)))),
		"cells":     kernel(field(19, field(3, field(1, field(1), field(12, field(2, many(str(4, ""), n))))))),
		"numbers":   kernel(field(19, field(3, field(1, field(1), field(12, field(2, field(6, many([]byte{0}, n)))))))),
		"domains":   kernel(field(21, many(field(1), n))),
		"ranges":    kernel(field(21, field(3, many(field(3), n)))),
		"instances": kernel(field(13, varint(1, 0), many(field(3), n))),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if r, err := openReportBytes(b); err == nil {
				for l, err := range r.Launches() {
					if err == nil {
						l.Metrics["a"].Instances()
					}
					break // launches are let go one by one
				}
			}
			runtime.ReadMemStats(&after)
			if grown, limit := after.TotalAlloc-before.TotalAlloc, uint64(2*len(b)+64<<20); grown > limit {
				t.Errorf("%d bytes allocated for a file of %d, more than %d", grown, len(b), limit)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.ncu-rep")
	if err := os.WriteFile(secret, reportOf(sampleBody), 0); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		filepath.Join(dir, "missing.ncu-rep"): "opening: no such file",
		dir:                                   "a folder",
		secret:                                "opening: permission denied; ask for read permission",
	}
	if os.Geteuid() == 0 { // root may read everything
		delete(cases, secret)
	}
	for path, want := range cases {
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open(%s): %v, want %q", path, err, want)
		}
	}
}

func FuzzReport(f *testing.F) {
	f.Add(reportOf(sampleBody)[len(reportMagic):])
	item := chunk(varint(1, 5), str(5, "_Z1kv"), field(10, varint(1, 3)), field(15, varint(1, 7)), varint(22, 1),
		field(13, varint(1, 0), field(2, double(3, 1)), field(3, field(1, varint(5, 1<<40)), field(2, double(3, 2)))),
		field(17, str(1, "S"), str(2, "Section")), field(25, varint(1, 1)),
		field(19, str(1, "Rule"), field(3, field(1, field(1, str(1, "@url:a:b@"), varint(2, 4)), field(10, varint(1, 1), double(2, 3)),
			field(12, field(2, str(1, "column"), str(4, "cell"), double(5, 1), field(6, []byte{1, 2})))))),
		field(21, field(1, varint(1, 0), str(2, "domain"), field(3, varint(1, 9), str(2, "name"))),
			field(2, varint(1, 5), field(2, varint(1, 0), field(3, field(2, field(5, varint(3, 9))))))))
	source := chunk(varint(1, 7), str(4, "\x7fELF"), field(8, field(1, str(1, "a.cu"), str(2, "text"))), field(9, field(1, str(1, "_Z1kv"), varint(2, 1<<40))))
	f.Add(reportOf(block(joined(varint(1, 1), oneKernel, strings4("inst_executed")), source, item))[len(reportMagic):])
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := openReportBytes(append(append([]byte{}, reportMagic...), b...))
		if err != nil {
			return
		}
		for l, err := range r.Launches() {
			if err != nil {
				return
			}
			for name, m := range l.Metrics {
				if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) {
					t.Errorf("%s is %v", name, m.Value)
				}
				m.Instances()
			}
			l.Code()
		}
	})
}
