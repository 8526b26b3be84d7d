package ncu

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// openAll returns all launches of a file.
func openAll(t testing.TB, path string) (*Report, []*Launch) {
	t.Helper()
	r, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []*Launch
	for l, err := range r.Launches() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return r, all
}

// TestFormsAgree reads one run from its report and from every export of it: where both hold a metric, they agree within
// what the export prints.
func TestFormsAgree(t *testing.T) {
	for _, c := range []struct {
		report, export string
		digits         int // after the decimal sign
	}{
		{"pairs-full.ncu-rep.zst", "pairs-full-raw.csv.gz", 6},
		{"pairs-full.ncu-rep.zst", "pairs-full-details.csv.gz", 2},
		{"pairs-basic.ncu-rep.gz", "pairs-basic-raw.csv.gz", 6},
		{"pairs-basic.ncu-rep.gz", "pairs-basic-details.csv.gz", 2},
		{"pairs-checklist.ncu-rep.gz", "pairs-checklist-raw.csv.gz", 6},
		{"pairs-checklist.ncu-rep.gz", "pairs-checklist-details.csv.gz", 2},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-raw-base.csv.gz", 6},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-raw-instances.csv.gz", 2},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-details-all.csv.gz", 2},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-details-names.csv.gz", 2},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-details.txt.gz", 2},
		{"nvtx.ncu-rep.gz", "nvtx-raw.csv.gz", 6},
		{"nvtx.ncu-rep.gz", "nvtx-details.csv.gz", 2},
		{"range.ncu-rep.gz", "range-raw.csv.gz", 6},
		{"range.ncu-rep.gz", "range-details.csv.gz", 2},
		{"graph.ncu-rep.gz", "graph-raw.csv.gz", 6},
		{"graph.ncu-rep.gz", "graph-details.csv.gz", 2},
		{"torch.ncu-rep.zst", "torch-details.csv.gz", 2},
		{"torch.ncu-rep.zst", "torch-raw.csv.gz", 6},
	} {
		t.Run(c.export, func(t *testing.T) {
			_, want := openAll(t, corpus(t, "reports", c.report))
			power := printedPowers(t, corpus(t, "exports", c.export))
			_, got := openAll(t, corpus(t, "exports", c.export))
			if len(got) != len(want) {
				t.Fatalf("got %d launches, the report has %d", len(got), len(want))
			}
			var numbers, found, bad int
			missing := map[string]bool{}
			for i, l := range got {
				if d := identityDiff(l, want[i]); d != "" {
					t.Errorf("launch %d: %s", i, d)
				}
				for name, m := range l.Metrics {
					if !m.Known {
						continue
					}
					numbers++
					w, ok := want[i].Metrics[name]
					if !ok {
						missing[name] = true
						continue
					}
					found++
					if !w.Known || math.Abs(m.Value-w.Value) > tolerance(w.Value, c.digits, power(name)) || w.Unit != "" && m.Unit != w.Unit {
						if bad++; bad < 10 {
							t.Errorf("launch %d, %s: got %v %s, the report has %v %s", i, name, m.Value, m.Unit, w.Value, w.Unit)
						}
					}
				}
			}
			if bad > 0 || found < numbers {
				t.Errorf("%d of %d numbers found in the report, %d differ; not found: %v", found, numbers, bad, missing)
			}
		})
	}
}

func identityDiff(got, want *Launch) string {
	type id struct {
		kind         Kind
		id, ctx, cc  string
		process      int
		grid, block  Dim3
		device, nvtx string
	}
	of := func(l *Launch) id {
		return id{l.Kind, l.ID, l.Context, l.Device.CC(), l.Process.PID, l.Grid, l.Block, fmt.Sprint(l.Device.ID), fmt.Sprint(l.NVTX)}
	}
	if want.NVTX == nil {
		want.NVTX = got.NVTX
	}
	if g, w := of(got), of(want); g != w {
		return fmt.Sprintf("got %+v, the report has %+v", g, w)
	}
	return ""
}

// printedPowers returns for each metric the power of ten of the unit that an export prints it in: by column in a raw
// page, and for the rows of other pages one that fits all.
func printedPowers(t *testing.T, path string) func(metric string) int {
	lines := strings.SplitN(string(readText(t, path)), "\n", 3)
	names, units := splitCells([]byte(lines[0])), splitCells([]byte(lines[1]))
	powers := map[string]int{}
	if isRawHeader(names) {
		for i, name := range names {
			_, powers[name], _ = baseUnit(units[i])
		}
	}
	return func(metric string) int {
		if p, ok := powers[metric]; ok {
			return p
		}
		return -1
	}
}

// tolerance is half of the last printed digit. Where the unit is chosen for the row, a printed number is 1 or more.
func tolerance(v float64, digits, power int) float64 {
	half := 0.5000001 * math.Pow10(-digits)
	if power < 0 {
		return half * max(1, math.Abs(v))
	}
	if power == 0 && digits == 6 {
		half = 0.005000001 // numbers without a unit have two digits
	}
	return half*math.Pow10(power) + 1e-12*math.Abs(v)
}
