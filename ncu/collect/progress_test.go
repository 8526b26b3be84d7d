package collect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestLog reads logs in pieces of several sizes, as they grow.
func TestLog(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Log
	}{
		{"done", `==WARNING== Note: Running with unmodified GPU clocks.
==PROF== Connected to process 2285 (/home/dev/pairs)
==PROF== Profiling "layout_aos" - 0: 0%....50%....100% - 16 passes
==PROF== Profiling "layout_soa(float *, int, float)" - 1: 0%....50%....100% - 1 pass
==PROF== Profiling "layout_aos" - 2: 0%....50%....100% - 8 passes
done
==PROF== Disconnected from process 2285
==PROF== Report: /home/dev/a b.ncu-rep
`, Log{Connected: true, Launches: 3, Passes: 8, Kernels: []string{"layout_aos", "layout_soa(float *, int, float)"},
			Report: "/home/dev/a b.ncu-rep", Warnings: []string{"Note: Running with unmodified GPU clocks."}, Other: []string{"done"}}},
		{"older", "==PROF== Profiling \"k<\"a\">\": 0%....50%....100% - 38 passes\n",
			Log{Launches: 1, Passes: 38, Kernels: []string{`k<"a">`}}},
		{"half", "==PROF== Profiling \"slow\" - 4: 0%....50%", Log{Current: "slow", Percent: 50}},
		{"failed", "==PROF== Profiling \"k\" - 0: 0%\n==ERROR== Failed to profile \"k\" in process 1\n==PROF== Trying to shutdown target application\n",
			Log{Errors: []string{`Failed to profile "k" in process 1`}, Shutdown: true}},
		{"none", "==WARNING== No kernels were profiled.\nAvailable Kernels:\n1. saxpy4\r\n2. tiny",
			Log{NoKernels: true, Warnings: []string{"No kernels were profiled."}, Available: []string{"saxpy4", "tiny"}, Other: []string{"Available Kernels:"}}},
	} {
		for _, size := range []int{1, 7, 4096} {
			var got Log
			for text := c.text; text != ""; {
				n := min(size, len(text))
				got.Write([]byte(text[:n]))
				text = text[n:]
			}
			got.Close()
			if d := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Log{})); d != "" {
				t.Errorf("%s in pieces of %d (-want +got):\n%s", c.name, size, d)
			}
		}
	}
}

// TestKernelIDs counts launches that ncu names by kernel ids, as it does with one among the filters.
func TestKernelIDs(t *testing.T) {
	var l Log
	for i, name := range []string{"1:7:scale:1", "1:7:scale:2", "1:7:std::sort:1", "plain"} {
		fmt.Fprintf(&l, "==PROF== Profiling \"%s\" - %d: 0%%....50%%....100%% - 8 passes\n", name, i)
	}
	if want := []string{"scale", "std::sort", "plain"}; !slices.Equal(l.Kernels, want) || l.Launches != 4 {
		t.Errorf("%d launches of %q, want 4 of %q", l.Launches, l.Kernels, want)
	}
}

// TestLogBounds holds the memory of a log that never ends.
func TestLogBounds(t *testing.T) {
	var l Log
	for range 10 * keepLines {
		l.Write([]byte("==ERROR== again\n==WARNING== again\nagain\n"))
	}
	l.Write([]byte(strings.Repeat("x", 1<<20)))
	if len(l.Errors) != keepLines || len(l.Warnings) != keepLines || len(l.Other) != keepLines || len(l.line) > 1<<16 {
		t.Errorf("kept %d errors, %d warnings, %d other lines, %d unfinished bytes", len(l.Errors), len(l.Warnings), len(l.Other), len(l.line))
	}
}

// TestRealLogs reads what ncu wrote on a real machine.
func TestRealLogs(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "corpus", "ncu-logs")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the corpus is not here")
	}
	for _, c := range []struct {
		file             string
		launches, passes int
		id               string // of the failure, "" for none
		exit             int
	}{
		{"progress-checklist.log", 42, 16, "", 0},
		{"progress-torch.log", 51, 10, "", 0},
		{"badmetric.log", 2, 1, "", 0},
		{"crash.log", 1, 10, "crash", 3},
		{"missing.log", 0, 0, "program", 1},
		{"nomatch.log", 0, 0, "filter", 0},
		{"none.log", 0, 0, "no-cuda", 0},
	} {
		b, err := os.ReadFile(filepath.Join(folder, c.file))
		if err != nil {
			t.Fatal(err)
		}
		var l Log
		l.Write(b)
		l.Close()
		if l.Launches != c.launches || l.Passes != c.passes {
			t.Errorf("%s: %d launches of %d passes, want %d of %d", c.file, l.Launches, l.Passes, c.launches, c.passes)
		}
		id := ""
		opt := Options{Program: []string{"./app"}, Metrics: []string{"no__such_metric.sum"}}
		if f := Diagnose(Case{Outcome: &Outcome{Log: &l, Exit: c.exit}, Machine: &Machine{Devices: true}, Options: opt}); f != nil {
			id = f.ID
		}
		if id != c.id {
			t.Errorf("%s: failure %q, want %q", c.file, id, c.id)
		}
	}
}

func FuzzLog(f *testing.F) {
	f.Add("==PROF== Profiling \"k\" - 0: 0%....50%....100% - 8 passes\n==ERROR== x\n")
	f.Add("==PROF== Profiling \"")
	f.Add("==WARNING== No kernels were profiled.\nAvailable Kernels:\n1. a\n")
	f.Fuzz(func(t *testing.T, s string) {
		whole, bytewise := &Log{}, &Log{}
		whole.Write([]byte(s))
		for i := range len(s) {
			bytewise.Write([]byte{s[i]})
		}
		whole.Close()
		bytewise.Close()
		if whole.Launches != bytewise.Launches || len(whole.Errors) != len(bytewise.Errors) {
			t.Errorf("whole %+v, byte by byte %+v", whole, bytewise)
		}
		Diagnose(Case{Outcome: &Outcome{Log: whole, Stderr: s}, Machine: &Machine{}, Options: Options{Program: []string{"./app"}}})
	})
}
