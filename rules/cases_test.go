package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCases holds the advice on inputs that are known to mislead, and on whole launches: testdata/rules/cases.txtar and
// mixed.txtar say what is right.
func TestCases(t *testing.T) {
	runCases(t, casesOf("cases"), "")
	runCases(t, casesOf("mixed"), "")
}

// caseResult judges one case of cases.txtar.
func caseResult(t *testing.T, name string) *Result {
	t.Helper()
	_, cases := readCases(t, casesOf("cases"))
	i := slices.IndexFunc(cases, func(c testCase) bool { return c.name == name })
	if i < 0 {
		t.Fatalf("no case %s", name)
	}
	return cases[i].judge(t)
}

// TestScopesOfSpeedups holds that estimates of the profiler are passed on with their scope and not added up, and that
// kernels rank by their time in the run.
func TestScopesOfSpeedups(t *testing.T) {
	res := caseResult(t, "C01")
	var order []string
	for _, k := range res.Kernels {
		order = append(order, k.Function)
	}
	if got := strings.Join(order, " "); got != "B C A" {
		t.Errorf("kernels in order %s, want B C A: by time", got)
	}
	var scopes []string
	for _, s := range res.Launches[0].Says {
		scopes = append(scopes, s.Scope)
	}
	if got := strings.Join(scopes, " "); got != "local global local" {
		t.Errorf("scopes of A are %q, want local global local", got)
	}
	if share := *res.Launches[0].Share; math.Abs(share-0.02) > 1e-9 {
		t.Errorf("A has the share %v of the run, want 0.02: its 33.5 %% are at most 0.67 %% of the whole", share)
	}
}

// TestOtherAdvice holds what advice must and must not say when two causes look alike.
func TestOtherAdvice(t *testing.T) {
	for _, c := range []struct{ name, rule, must, mustNot string }{
		{"C09-i", "local-array", "index known at compile time", "-maxrregcount"},
		{"C09-i", "local-array", "-G", ""}, // a debug build does this, too
		{"C09-ii", "register-spill", "-Xptxas -v: spill stores", ""},
		{"C09-iii", "register-spill", "__launch_bounds__", ""},
	} {
		for _, f := range caseResult(t, c.name).Launches[0].Findings {
			if f.Rule != c.rule {
				continue
			}
			text := strings.Join(slices.Concat(f.Advice, f.Caveats), "\n")
			if !strings.Contains(text, c.must) || c.mustNot != "" && strings.Contains(text, c.mustNot) {
				t.Errorf("%s: want %q and not %q in %s", c.name, c.must, c.mustNot, text)
			}
		}
	}
}

// TestNeverAbovePeak holds that no peak is guessed where the profile gives none: cached writes would exceed it.
func TestNeverAbovePeak(t *testing.T) {
	l := caseResult(t, "C15-ii").Launches[0]
	if l.Limiter == "dram" || l.LimiterPct != nil && *l.LimiterPct > 100 || l.Stats.PeakDRAM != nil {
		t.Errorf("limiter %s at %v %%, peak %v; the share of DRAM is not in the profile", l.Limiter, l.LimiterPct, l.Stats.PeakDRAM)
	}
}

// TestKernelSummary holds that launches are summed up by kernel and device, also where two devices are of one model, that
// ranges are not launches, and that median and spread are those of the launches.
func TestKernelSummary(t *testing.T) {
	res := caseResult(t, "B14")
	var lines []string
	for _, k := range res.Kernels {
		lines = append(lines, fmt.Sprintf("%s, %s: %d launches, %.1f us, median %.1f, %.1f to %.1f",
			k.Kernel, k.Device, k.Launches, *k.TotalNS/1e3, *k.MedianNS/1e3, *k.MinNS/1e3, *k.MaxNS/1e3))
	}
	want := []string{
		"range, NVIDIA GeForce RTX 3090: 1 launches, 480.0 us, median 480.0, 480.0 to 480.0",
		"k(float *), NVIDIA GeForce RTX 3090: 3 launches, 60.2 us, median 12.2, 12.0 to 36.0",
		"k(float *), NVIDIA GeForce RTX 3090: 1 launches, 50.0 us, median 50.0, 50.0 to 50.0",
		"k(float *), NVIDIA H100 80GB HBM3: 1 launches, 8.0 us, median 8.0, 8.0 to 8.0",
	}
	if d := cmp.Diff(want, lines); d != "" {
		t.Error(d)
	}
	for _, l := range res.Launches {
		if l.Kernel == "range" && (l.Kind != "range" || l.Grid != nil || l.Block != nil) {
			t.Errorf("the range has kind %s and shape %v %v", l.Kind, l.Grid, l.Block)
		}
	}
}

// TestOtherConditions holds that times taken under other clocks or caches are not compared.
func TestOtherConditions(t *testing.T) {
	at := func(ns float64, clock, cache string) *Result {
		return &Result{
			Inputs:   []Input{{NCUVersion: "2025.3.1", ClockControl: clock, CacheControl: cache}},
			Launches: []LaunchResult{{Kernel: "k(float *)", Function: "k", Device: "NVIDIA A100", CC: "8.0", DurationNS: &ns}},
		}
	}
	for _, c := range []struct {
		clock, cache string
		want         int
	}{{"base", "all", 0}, {"none", "all", 1}, {"base", "none", 1}, {"none", "none", 2}} {
		got := Compare(at(21000, "base", "all"), at(14200, c.clock, c.cache), nil, DefaultNoise)
		if len(got.Unlike) != c.want {
			t.Errorf("clock %s, cache %s: unlike in %v, want %d conditions", c.clock, c.cache, got.Unlike, c.want)
		}
	}
}
