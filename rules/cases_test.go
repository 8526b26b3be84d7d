package rules

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestCases holds the advice on inputs that are known to mislead: testdata/rules/cases.txtar says what is right.
func TestCases(t *testing.T) { runCases(t, casesOf("cases"), "") }

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

// TestKernelSummary holds that launches of other processes on the same device are one kernel, other devices and ranges
// are not, and that median and spread are those of the launches.
func TestKernelSummary(t *testing.T) {
	res := caseResult(t, "B14")
	if len(res.Kernels) != 3 {
		t.Fatalf("%d kernels, want 3", len(res.Kernels))
	}
	for _, k := range res.Kernels {
		total, median, least, most, n := 480e3, 480e3, 480e3, 480e3, 1
		switch k.Device {
		case "NVIDIA GeForce RTX 3090":
			if k.Kernel != "range" {
				total, median, least, most, n = 60.2e3, 12.2e3, 12e3, 36e3, 3
			}
		default:
			total, median, least, most = 8e3, 8e3, 8e3, 8e3
		}
		for _, v := range []struct{ got, want float64 }{{*k.TotalNS, total}, {*k.MedianNS, median}, {*k.MinNS, least}, {*k.MaxNS, most}, {float64(k.Launches), float64(n)}} {
			if math.Abs(v.got-v.want) > 1e-6*v.want {
				t.Errorf("%s on %s: got %v, want %v", k.Kernel, k.Device, v.got, v.want)
			}
		}
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
