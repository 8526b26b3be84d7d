package ncu

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeTemp writes a file for a test to open.
func writeTemp(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestJSONShapes reads the same launch from every shape of JSON.
func TestJSONShapes(t *testing.T) {
	for name, text := range map[string]string{
		"records":       `[{"ID": 0, "Process ID": 42, "Kernel Name": "k<1>(int)", "Block Size": "(256, 1, 1)", "CC": "9.0", "gpu__time_duration.sum": 5632, "smsp__inst_executed.sum": NaN}]`,
		"records units": `[{"ID": null, "Kernel Name": null, "gpu__time_duration.sum": "us"}, {"ID": 0, "Process ID": 42.0, "Kernel Name": "k<1>(int)", "Block Size": "(256, 1, 1)", "CC": 9.0, "gpu__time_duration.sum": "5.632", "smsp__inst_executed.sum": null}]`,
		"columns":       `{"ID": {"0": 0}, "Process ID": {"0": 42}, "Kernel Name": {"0": "k<1>(int)"}, "Block Size": {"0": "(256, 1, 1)"}, "CC": {"0": 9.0}, "gpu__time_duration.sum": {"0": "5,632"}, "smsp__inst_executed.sum": {"0": "n/a"}}`,
		"columns list":  `{"ID": [0], "Process ID": [42], "Kernel Name": ["k<1>(int)"], "Block Size": ["(256, 1, 1)"], "CC": ["9.0"], "gpu__time_duration.sum": [5632], "smsp__inst_executed.sum": [null]}`,
		"split":         `{"columns": ["ID", "Process ID", "Kernel Name", "Block Size", "CC", "gpu__time_duration.sum", "smsp__inst_executed.sum"], "index": [0], "data": [[0, 42, "k<1>(int)", "(256, 1, 1)", "9.0", 5632, null]]}`,
		"index":         `{"0": {"ID": 0, "Process ID": 42, "Kernel Name": "k<1>(int)", "Block Size": "(256, 1, 1)", "CC": "9.0", "gpu__time_duration.sum": 5632, "smsp__inst_executed.sum": -Infinity}}`,
		"by kernel":     `{"k<1>(int)": {"id": 0, "pid": 42, "block": [256, 1, 1], "cc": "9.0", "gpu__time_duration.sum": {"value": 5.632, "unit": "usecond"}, "smsp__inst_executed.sum": "no data"}}`,
		"launches":      `{"launches": [{"id": "0", "process": 42, "kernel": "k<1>(int)", "block": [256, 1, 1], "cc": "9.0", "metrics": {"gpu__time_duration.sum": 5632, "smsp__inst_executed.sum": null}}]}`,
		"ndjson":        `{"id": "0", "process": 42, "kernel": "k<1>(int)", "block": [256, 1, 1], "cc": "9.0", "metrics": {"gpu__time_duration.sum": 5632, "smsp__inst_executed.sum": null}}` + "\n",
		"bom":           "\ufeff" + `[{"ID": 0, "Process ID": 42, "Kernel Name": "k<1>(int)", "Block Size": "(256, 1, 1)", "CC": "9.0", "gpu__time_duration.sum (us)": 5.632, "smsp__inst_executed.sum (inst)": NaN}]`,
	} {
		t.Run(name, func(t *testing.T) {
			r, launches := openAll(t, writeTemp(t, "p.json", text))
			if r.Format != "json" || len(launches) != 1 {
				t.Fatalf("got %d launches of %s", len(launches), r.Format)
			}
			l := launches[0]
			if l.ID != "0" || l.Process.PID != 42 || l.Kernel != "k<1>(int)" || l.Function != "k" || l.Block != (Dim3{256, 1, 1}) || l.Device.CC() != "9.0" {
				t.Errorf("got %+v", l)
			}
			if d := l.Metrics["gpu__time_duration.sum"]; !d.Known || d.Value != 5632 || d.Unit != "ns" {
				t.Errorf("duration %+v", d)
			}
			if m, have := l.Metrics["smsp__inst_executed.sum"]; m.Known || have && m.Text != "" {
				t.Errorf("a missing value reads as %+v", m)
			}
			if len(l.Metrics) > 2 {
				t.Errorf("got metrics %v", l.Metrics.Names())
			}
		})
	}
}

func TestJSONRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"schema": "advisor.report/v1", "launches": []}`: "a result of the advisor",
		`[]`:                           "no launch",
		`{}`:                           "no launch",
		`[{"a": 1}, 2]`:                "unknown shape",
		`{"a": 1}`:                     "unknown shape",
		`[{"a": 1}]`:                   "unknown shape",
		"[\n{\"a__b\": 1},\n{\"a__b\"": ":3: the JSON text ends early",
		`[{"a__b": 1}`:                 "ends early",
	} {
		r, err := Open(writeTemp(t, "p.json", text), Options{})
		if err == nil {
			for _, e := range r.Launches() {
				err = e
			}
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
