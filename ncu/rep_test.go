package ncu

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// testdata returns a file of the repository's test data.
func testdata(parts ...string) string {
	return filepath.Join(append([]string{"..", "testdata"}, parts...)...)
}

// launches reads a whole report.
func launches(t testing.TB, path string) (*Report, []*Launch) {
	t.Helper()
	r, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	var list []*Launch
	for l, err := range r.Launches() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, l)
	}
	return r, list
}

// readCSV reads an export.
func readCSV(t testing.TB, path string) [][]string {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(readText(t, path)))
	r.FieldsPerRecord, r.LazyQuotes = -1, true // source text is not always quoted well
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// rawPages pairs reports with Nsight Compute's own raw page of them.
var rawPages = []struct{ report, page string }{
	{"range.ncu-rep.gz", "range-raw.csv.gz"},
	{"graph.ncu-rep.gz", "graph-raw.csv.gz"},
	{"nvtx.ncu-rep.gz", "nvtx-raw.csv.gz"},
	{"pairs-basic.ncu-rep.gz", "pairs-basic-raw.csv.gz"},
	{"pairs-checklist.ncu-rep.gz", "pairs-checklist-raw.csv.gz"},
	{"pairs-detailed.ncu-rep.gz", "pairs-detailed-raw-base.csv.gz"},
	{"pairs-full.ncu-rep.zst", "pairs-full-raw.csv.gz"},
	{"torch.ncu-rep.zst", "torch-raw.csv.gz"},
}

// TestRawPages holds every metric and identity column of every launch against Nsight Compute's raw page.
func TestRawPages(t *testing.T) {
	for _, p := range rawPages {
		t.Run(p.report, func(t *testing.T) {
			t.Parallel()
			compareRawPage(t, shared(t, "corpus", "reports", p.report), shared(t, "corpus", "exports", p.page))
		})
	}
}

// TestRawPage does the same with what the repository itself holds.
func TestRawPage(t *testing.T) {
	compareRawPage(t, testdata("reports", "pairs-checklist.ncu-rep.gz"), testdata("exports", "pairs-checklist-raw.csv.gz"))
}

func compareRawPage(t *testing.T, report, page string) {
	_, list := launches(t, report)
	rows := readCSV(t, page)
	header, units, rows := rows[0], rows[1], rows[2:]
	if len(rows) != len(list) {
		t.Fatalf("%d launches, the page has %d", len(list), len(rows))
	}
	first := 0
	for header[first] != "CC" {
		first++
	}
	first++
	isColumn := map[string]bool{}
	for _, h := range header {
		isColumn[h] = true
	}
	for i, l := range list {
		for c, name := range header[:first] {
			if got, want := identityCell(l, name), rows[i][c]; !equalIdentity(l, name, got, want) {
				t.Errorf("launch %d: %s is %q, the page has %q", i, name, got, want)
			}
		}
		for c := first; c < len(header); c++ {
			m, ok := l.Metrics[header[c]]
			if !ok {
				t.Errorf("launch %d: no %s", i, header[c])
			} else if why := differs(m, rows[i][c], units[c], header[c]); why != "" {
				t.Errorf("launch %d: %s: %s", i, header[c], why)
			}
		}
		for name := range l.Metrics {
			if !isColumn[name] && !strings.HasPrefix(name, "breakdown:") && !strings.HasPrefix(name, "group:") {
				t.Errorf("launch %d: %s is not on the page", i, name)
			}
		}
	}
}

// identityCell returns what the page prints in an identity column.
func identityCell(l *Launch, column string) string {
	switch column {
	case "ID":
		return l.ID
	case "Process ID":
		return strconv.Itoa(l.Process.PID)
	case "Process Name":
		return l.Process.Name
	case "Host Name":
		return l.Process.Host
	case "Kernel Name":
		return l.Kernel
	case "Context":
		return l.Context
	case "Stream":
		return l.Stream
	case "Block Size":
		return l.Block.String()
	case "Grid Size":
		return l.Grid.String()
	case "Device":
		return strconv.Itoa(l.Device.ID)
	case "CC":
		return l.Device.CC()
	}
	return strings.Join(l.NVTX, " ")
}

// equalIdentity knows the exceptions: the page simplifies names of C++ templates and has "n/a" for the stream of a
// range; its NVTX columns hold more than names.
func equalIdentity(l *Launch, column, got, want string) bool {
	switch {
	case column == "Kernel Name" && strings.Contains(got, "<"):
		return plainTemplate(got) == plainTemplate(want)
	case column == "Stream" && l.Kind == Range:
		return got == "" && want == "n/a"
	case strings.Contains(column, "Push/Pop_Range"):
		return want == "" && got == "" || strings.Contains(want, got)
	case strings.Contains(column, "Start/Stop_Range"):
		return want == ""
	}
	return got == want
}

// plainTemplate reduces a name to the part that the simplification of template names does not touch.
func plainTemplate(name string) string {
	name = ShortName(name)
	return name[strings.LastIndex(name, "::")+1:]
}

// differs says how a metric differs from a printed cell, "" when it agrees within the digits printed.
func differs(m Metric, cell, unit, name string) string {
	switch cell {
	case "", "no data", "n/a", "nan":
		if m.Known {
			return fmt.Sprintf("%g where the page has none", m.Value)
		}
		return ""
	}
	if !m.Known {
		if m.Text != cell {
			return fmt.Sprintf("text %q, the page has %q", m.Text, cell)
		}
		return ""
	}
	printed, err := strconv.ParseFloat(strings.ReplaceAll(cell, ",", ""), 64)
	if err != nil {
		return fmt.Sprintf("%g, the page has text %q", m.Value, cell)
	}
	digits := 0
	if dot := strings.IndexByte(cell, '.'); dot >= 0 {
		digits = len(cell) - dot - 1
	}
	value := m.Value / printedFactor(unit, name)
	if math.Abs(value-printed) > 0.50005*math.Pow10(-digits)+1e-12*math.Abs(printed) {
		return fmt.Sprintf("%g, the page has %s", value, cell)
	}
	return ""
}

// printedFactor returns how many base units one printed unit is.
func printedFactor(unit, name string) float64 {
	if name == "derived__pct_occupancy_per_shared_mem_size" && unit == "%/Kbyte" {
		return 1e3 // the page divides the percentage per byte where it should multiply
	}
	if f, ok := map[string]float64{"us": 1e3, "ms": 1e6, "s": 1e9, "Khz": 1e3, "Mhz": 1e6, "Ghz": 1e9}[unit]; ok {
		return f
	}
	if _, per, ok := strings.Cut(unit, "/"); ok {
		if f, ok := map[string]float64{"ns": 1e9, "us": 1e6, "ms": 1e3}[per]; ok {
			return f
		}
	}
	if strings.HasPrefix(unit[min(1, len(unit)):], "byte") {
		return map[byte]float64{'K': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12, 'P': 1e15}[unit[0]]
	}
	return 1
}
