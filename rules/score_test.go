package rules

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"advisor/ncu"
)

// A bar is how well the findings on a labelled report must agree with its labels.
type bar struct {
	labels, report string // files without suffix
	right, urged   int    // at least this many causes first, at most this many healthy launches urged
	labeled        int    // as many are labelled, so that a lost label does not look like a better score
	median, worst  float64
}

// bars hold the rules where they are. Labels and reports lie in testdata; those of the sets that are too large for it
// are read from beside the repository, where they are.
var bars = []bar{
	{"pairs", "pairs-full", 21, 0, 21, 1.25, 3},
	{"pairs", "pairs-checklist", 21, 0, 21, 1.25, 3},
	{"pairs", "pairs-own", 21, 0, 21, 1.25, 3},
	{"more", "more-own", 44, 0, 44, 1.25, 3},
	{"holdout", "holdout-own", 37, 0, 38, 1.25, 3},
	{"holdout2", "holdout2-own", 47, 0, 51, 1.25, 3},
	{"triton", "triton-own", 2, 0, 2, 1.25, 3},
}

// TestScore prints predicted beside measured for every labelled launch, and holds the sums to the bars.
func TestScore(t *testing.T) {
	for _, b := range bars {
		t.Run(b.report, func(t *testing.T) {
			s, err := ScoreResult(resultOf(t, b.report), labelsOf(t, b.labels))
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range s.Lines {
				if l.Causes == nil && !l.Healthy {
					continue
				}
				mark := ""
				if !l.OK {
					mark = "  wrong"
				}
				t.Logf("%4s %-26s %-34s first %-20s predicted %5s measured %5s%s", l.Launch, l.Kernel, cause(l), l.First, orDash(l.Predicted), orDash(l.Speedup), mark)
			}
			t.Logf("right %d of %d, urged %d of %d, median %.2f, worst %.2f", s.Right, s.Labeled, s.Urged, s.Healthy, s.Median, s.Worst)
			if s.Right < b.right || s.Labeled < b.labeled || len(s.Missing) > 0 {
				t.Errorf("right cause first: %d of %d, want %d of %d; labels without a launch: %v", s.Right, s.Labeled, b.right, b.labeled, s.Missing)
			}
			if s.Urged > b.urged {
				t.Errorf("urged %d of %d healthy launches, want at most %d", s.Urged, s.Healthy, b.urged)
			}
			if s.Median > b.median || s.Worst > b.worst {
				t.Errorf("gains off by %.2f in the median and %.2f at worst, want %.2f and %.2f", s.Median, s.Worst, b.median, b.worst)
			}
		})
	}
}

func cause(l ScoreLine) string {
	if l.Healthy {
		return "healthy"
	}
	return strings.Join(l.Causes, "|")
}

func orDash(v float64) string {
	if v == 0 {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// corpus is a folder beside the repository.
func corpus(elem ...string) string {
	return filepath.Join(append([]string{"..", "..", "shared", "corpus"}, elem...)...)
}

// firstOf returns the first of the files that is there; the test is skipped when none is.
func firstOf(t *testing.T, paths ...string) string {
	t.Helper()
	for _, p := range paths {
		if _, err := os.Stat(p); err == nil {
			return p
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	t.Skipf("none of %v", paths)
	return ""
}

func resultOf(t *testing.T, name string) *Result {
	t.Helper()
	own := filepath.Join("..", "testdata", "reports", name+".ncu-rep")
	r, err := ncu.Open(firstOf(t, own+".zst", own+".gz", corpus("reports", name+".ncu-rep.zst"), corpus("reports", name+".ncu-rep.gz")), ncu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	res, err := Run("test", r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func labelsOf(t *testing.T, name string) []Label {
	t.Helper()
	paths := []string{filepath.Join("..", "testdata", "labels", name+".tsv")}
	if name == "pairs" {
		paths = append(paths, corpus("labels.tsv"))
	}
	path := firstOf(t, paths...)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	labels, err := ReadLabels(path, f)
	if err != nil {
		t.Fatal(err)
	}
	return labels
}

func TestReadLabels(t *testing.T) {
	const header = "launch\tkernel\tcause\tfix\tduration_ns\tspeedup\n"
	for _, c := range []struct{ in, want string }{
		{"", "no labels"},
		{header, "no labels"},
		{"launch\tcause\n0\thealthy\n", `x.tsv:1: no column "kernel"`},
		{header + "0\tk\tslowness\t\t1\t\n", `x.tsv:2: unknown cause "slowness"`},
		{header + "0\tk\taos-layout|slowness\t\t1\t\n", "slowness"},
		{header + "0\tk\taos-layout\t\t1\tfast\n", `x.tsv:2: speedup "fast"`},
		{header + "0\tk\taos-layout\t\t1\t-2\n", "not a positive number"},
		{header + "0\tk\taos-layout\t\t1\tInf\n", "not a positive number"},
	} {
		if _, err := ReadLabels("x.tsv", strings.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.in, err, c.want)
		}
	}
	got, err := ReadLabels("x.tsv", strings.NewReader(header+"0\tk\taos-layout|narrow-access\tj\t100\t2.5\r\n\n1\tj\thealthy\n2\ti\tunscored\t\t\t\n"))
	if err != nil || len(got) != 3 || len(got[0].Causes) != 2 || got[0].Speedup != 2.5 || !got[1].Healthy || got[2].Causes != nil || got[2].Healthy {
		t.Errorf("read %+v, %v", got, err)
	}
}

// TestScoreResult holds how findings are compared with labels.
func TestScoreResult(t *testing.T) {
	launch := func(id, function string, fs ...Finding) LaunchResult {
		return LaunchResult{ID: id, Function: function, Findings: fs}
	}
	found := func(rule string, gain float64) Finding { return Finding{Rule: rule, Gain: &Gain{1, gain, 99}} }
	res := &Result{Launches: []LaunchResult{
		launch("0", "a", found("aos-layout", 2), found("narrow-access", 1.5)),
		launch("1", "b", found("narrow-access", 1.05), found("small-grid", 1.2)),
		launch("2", "c"),
		launch("3", "d", found("bank-conflict", 3)),
	}}
	labels := []Label{
		{Launch: "0", Kernel: "a", Causes: []string{"aos-layout"}, Speedup: 2.5},
		{Launch: "1", Kernel: "b#2", Healthy: true},
		{Launch: "2", Kernel: "c", Causes: []string{"aos-layout"}, Speedup: 1.5},
		{Launch: "3", Kernel: "d", Causes: []string{"small-grid", "bank-conflict"}},
		{Launch: "9", Kernel: "z", Healthy: true},
	}
	s, err := ScoreResult(res, labels)
	if err != nil {
		t.Fatal(err)
	}
	if s.Right != 2 || s.Labeled != 3 || s.Urged != 1 || s.Healthy != 1 || math.Abs(s.Median-1.5) > 1e-9 || math.Abs(s.Worst-1.5) > 1e-9 || len(s.Missing) != 1 {
		t.Errorf("score %+v", s)
	}
	labels[0].Kernel = "other"
	if _, err := ScoreResult(res, labels); err == nil || !strings.Contains(err.Error(), "another report") {
		t.Errorf("labels of another report: %v", err)
	}
}
