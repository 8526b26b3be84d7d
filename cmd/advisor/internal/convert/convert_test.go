package convert

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"advisor/ncu"
)

const reports = "../../../../testdata/reports/"

// read returns all launches of a profile.
func read(t *testing.T, path string) []*ncu.Launch {
	t.Helper()
	r, err := ncu.Open(path, ncu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []*ncu.Launch
	for l, err := range r.Launches() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// convertFile writes a profile in a form and returns the text.
func convertFile(t *testing.T, path, form string, opt Options) []byte {
	t.Helper()
	r, err := ncu.Open(path, ncu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	if err := Forms[form](&out, r, opt); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// known is what of a launch all forms hold.
type launchData struct {
	ID, Kernel, Function, Device, CC, Context, Stream string
	Process                                           int
	Grid, Block                                       ncu.Dim3
	NVTX                                              []string
	Numbers                                           map[string]float64
	Units                                             map[string]string
	Texts                                             map[string]string
	Instances                                         map[string][]ncu.Instance
}

func dataOf(l *ncu.Launch, instances bool) launchData {
	d := launchData{l.ID, l.Kernel, l.Function, l.Device.Name, l.Device.CC(), l.Context, l.Stream, l.Process.PID, l.Grid, l.Block,
		append([]string{}, l.NVTX...), map[string]float64{}, map[string]string{}, map[string]string{}, map[string][]ncu.Instance{}}
	for name, m := range l.Metrics {
		switch {
		case m.Known:
			d.Numbers[name], d.Units[name] = m.Value, m.Unit
		case m.Text != "":
			d.Texts[name] = m.Text
		}
		if strings.HasPrefix(name, "numa__id_") {
			continue // texts that are digits: CSV cannot tell them from numbers
		}
		if in := m.Instances(); instances && m.Text == "" && in != nil {
			d.Instances[name] = in
		}
	}
	return d
}

// TestRoundTrip converts a report and reads back what was written: nothing is lost, not one bit.
func TestRoundTrip(t *testing.T) {
	for _, report := range []string{"pairs-basic.ncu-rep.gz", "nvtx.ncu-rep.gz", "range.ncu-rep.gz", "graph.ncu-rep.gz"} {
		want := read(t, reports+report)
		for _, form := range Names() {
			for _, instances := range []bool{true, false} {
				if !instances && len(want) > 2 {
					continue // what instances do not need, a small report shows
				}
				path := filepath.Join(t.TempDir(), "out."+form)
				text := convertFile(t, reports+report, form, Options{Instances: instances})
				if err := os.WriteFile(path, text, 0o600); err != nil {
					t.Fatal(err)
				}
				got := read(t, path)
				if len(got) != len(want) {
					t.Fatalf("%s as %s: %d launches, want %d", report, form, len(got), len(want))
				}
				for i := range want {
					w, g := dataOf(want[i], instances), dataOf(got[i], instances)
					if !reflect.DeepEqual(w, g) {
						t.Fatalf("%s as %s, launch %d (-report +%s):\n%.2000s", report, form, i, form, cmp.Diff(w, g))
					}
				}
			}
		}
	}
}

func TestOptions(t *testing.T) {
	opt := Options{Metrics: regexp.MustCompile(`^gpu__time_duration\.sum$`)}
	lines := strings.Split(string(convertFile(t, reports+"graph.ncu-rep.gz", "csv", opt)), "\n")
	if !strings.HasSuffix(lines[0], `"CC","gpu__time_duration.sum"`) || !strings.HasSuffix(lines[1], `"","ns"`) || !strings.HasSuffix(lines[2], `"567712"`) {
		t.Errorf("got %s", lines)
	}
	if got := string(convertFile(t, reports+"graph.ncu-rep.gz", "ndjson", opt)); !strings.Contains(got, `"metrics":{"gpu__time_duration.sum":567712}`) {
		t.Errorf("got %s", got)
	}
}
