package ncu

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata")

// TestInputs reads inputs as users have them (testdata/inputs) and compares what the model holds with the file beside:
// launches with their numbers in base units, notes, and the error at the end.
func TestInputs(t *testing.T) {
	inputs, err := filepath.Glob("../testdata/inputs/*")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, path := range inputs {
		if strings.HasSuffix(path, ".want") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			checkGolden(t, path+".want", describeInput(path, Options{}))
		})
	}
}

func checkGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// describeInput returns what was read of an input, as text.
func describeInput(path string, opt Options) string {
	var out strings.Builder
	r, err := Open(path, opt)
	if err == nil {
		defer r.Close()
		for l, e := range r.Launches() {
			if err = e; e == nil {
				describeLaunch(&out, l)
			}
		}
		fmt.Fprintf(&out, "format %s\n", r.Format)
		if r.ClockControl != "" {
			fmt.Fprintf(&out, "clocks %s\n", r.ClockControl)
		}
		for _, note := range r.Notes {
			fmt.Fprintf(&out, "note %s\n", note)
		}
	}
	if err != nil {
		var partial *PartialError
		kind := "error"
		if errors.As(err, &partial) {
			kind = fmt.Sprintf("after %d launches", partial.Launches)
		}
		fmt.Fprintf(&out, "%s %s\n", kind, strings.TrimPrefix(err.Error(), "../testdata/inputs/"))
	}
	return out.String()
}

func describeLaunch(out *strings.Builder, l *Launch) {
	fmt.Fprintf(out, "%s %s: %s [%s], process %d %s, device %d, CC %q, grid %v, block %v\n", l.Kind, l.ID, l.Kernel, l.Function,
		l.Process.PID, l.Process.Name, l.Device.ID, l.Device.CC(), l.Grid, l.Block)
	for _, name := range l.Metrics.Names() {
		m := l.Metrics[name]
		value := "unknown"
		if m.Known {
			value = strconv.FormatFloat(m.Value, 'f', -1, 64)
		} else if m.Text != "" {
			value = strconv.Quote(m.Text)
		}
		fmt.Fprintf(out, "    %s = %s %s\n", name, value, m.Unit)
	}
	for _, a := range l.Advice {
		fmt.Fprintf(out, "    advice %s %s in %s: %s (%g%% %s)\n", a.Rule, a.Type, a.Section, a.Text, a.Speedup, a.Scope)
	}
}

// TestEncodings holds every encoding of one text to the same model.
func TestEncodings(t *testing.T) {
	want := strings.ReplaceAll(describeInput("../testdata/inputs/B01-preamble.csv", Options{}), "B01-preamble", "x")
	for _, name := range []string{"B10-utf16le", "B10-utf16be", "B10-utf8-bom", "B10-crlf", "B10-utf16le-nobom"} {
		got := strings.ReplaceAll(describeInput("../testdata/inputs/"+name+".csv", Options{}), name, "x")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: -want +got:\n%s", name, d)
		}
	}
}

// TestDecimal gives the number format by hand where the file does not tell.
func TestDecimal(t *testing.T) {
	point := describeInput("../testdata/inputs/decimal-unclear.csv", Options{Decimal: "point"})
	comma := describeInput("../testdata/inputs/decimal-unclear.csv", Options{Decimal: "comma"})
	if !strings.Contains(point, "launch__grid_size = 1024 ") || strings.Contains(point, "note") {
		t.Errorf("point: %s", point)
	}
	if !strings.Contains(comma, "launch__grid_size = 1.024 ") {
		t.Errorf("comma: %s", comma)
	}
}
