package rules

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A given is a finding as a rule would report it: with a price, and the instructions that take part.
type given struct {
	rule    string
	gain    float64 // expected; 0 no price
	touches []int
}

// ranked settles findings and writes them in order, with what they wait for.
func ranked(gs []given) string {
	var drafts []*draft
	for _, g := range gs {
		d := &draft{Finding: Finding{Rule: g.rule, Step: Lookup(g.rule).Step}, touches: map[int]bool{}}
		if g.gain > 0 {
			d.Gain = &Gain{Low: g.gain, Expected: g.gain, High: g.gain}
		}
		for _, i := range g.touches {
			d.touches[i] = true
		}
		drafts = append(drafts, d)
	}
	var lines []string
	for _, f := range settle(&Demand{DurationNS: 1e5}, drafts) {
		line := f.Rule + " " + f.Severity.String()
		if f.WaitsFor != "" {
			line += " waits for " + f.WaitsFor
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func TestRank(t *testing.T) {
	code, other := []int{3, 4}, []int{9}
	for _, c := range []struct {
		name string
		in   []given
		want string
	}{
		{"larger gain first", []given{{"bank-conflict", 1.3, code}, {"warp-divergence", 2, other}},
			"warp-divergence error; bank-conflict warning"},
		{"close gains by step", []given{{"warp-divergence", 1.62, other}, {"bank-conflict", 1.6, code}},
			"bank-conflict error; warp-divergence error"},
		{"a worthless early step does not come first", []given{{"generic-addressing", 1.01, code}, {"low-occupancy", 5, nil}},
			"low-occupancy error; generic-addressing info"},
		{"a later step on the same access waits", []given{{"aos-layout", 2.5, code}, {"narrow-access", 1.4, []int{4}}},
			"aos-layout error; narrow-access info waits for aos-layout"},
		{"on another access it does not", []given{{"aos-layout", 2.5, code}, {"narrow-access", 1.4, other}},
			"aos-layout error; narrow-access warning"},
		{"a gate counts for what it unlocks", []given{{"misaligned-access", 1.01, code}, {"narrow-access", 1.6, code}, {"warp-divergence", 1.3, other}},
			"misaligned-access info; warp-divergence warning; narrow-access info waits for misaligned-access"},
		{"without instructions rules of one access wait", []given{{"uncoalesced-access", 3, nil}, {"narrow-access", 2, nil}, {"bank-conflict", 1.2, nil}},
			"uncoalesced-access error; bank-conflict warning; narrow-access info waits for uncoalesced-access"},
		{"what is beyond memory does not wait", []given{{"uncoalesced-access", 3, code}, {"atomic-contention", 2, code}},
			"uncoalesced-access error; atomic-contention error"},
		{"no price", []given{{"fp64-arithmetic", 0, nil}, {"small-grid", 1.2, nil}},
			"small-grid warning; fp64-arithmetic info"},
	} {
		if d := cmp.Diff(c.want, ranked(c.in)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestSeverity(t *testing.T) {
	for _, c := range []struct {
		gain  float64
		waits string
		want  Severity
	}{{1, "", Info}, {1.0999, "", Info}, {1.1, "", Warning}, {1.4999, "", Warning}, {1.5, "", Error}, {90, "", Error}, {90, "aos-layout", Info}} {
		f := Finding{Gain: &Gain{1, c.gain, 100}, WaitsFor: c.waits}
		if got := severity(&f); got != c.want {
			t.Errorf("%v, waits for %q: got %v, want %v", c.gain, c.waits, got, c.want)
		}
	}
	if got := severity(&Finding{}); got != Info {
		t.Errorf("no price: got %v, want info", got)
	}
	for s := Info; s <= Error; s++ {
		if got, err := ParseSeverity(s.String()); got != s || err != nil {
			t.Errorf("%v reads back as %v, %v", s, got, err)
		}
	}
	if _, err := ParseSeverity("bad"); err == nil || !strings.Contains(err.Error(), "info, warning or error") {
		t.Errorf("severity bad: %v", err)
	}
}

// TestYields holds that time which the model does not explain goes to one cause: one that yields has no claim on it
// beside a cause that is strong without.
func TestYields(t *testing.T) {
	none := func(*State, bound) {}
	for _, c := range []struct {
		left, claim float64 // of the other cause: what stays of the busiest unit's work, and its claim
		want        float64 // gain of the one that yields
	}{{0.9, 0.2, 2}, {0.1, 1, 1}} {
		d := sample()
		d.Set(DRAM, 0.44) // half of what it can do: the other half of the time is unexplained
		d.Explained = 0.5
		yields := (&draft{Finding: Finding{Rule: "narrow-access", Step: Vectorize}}).Costs(1, none).Yields()
		other := (&draft{Finding: Finding{Rule: "warp-divergence", Step: Beyond}}).Costs(c.claim, func(s *State, _ bound) { s.Scale(c.left, DRAM) })
		price(d, []*draft{yields, other})
		if got := yields.Gain.Expected; math.Abs(got-c.want) > 0.05 {
			t.Errorf("beside a cause of %.2fx: got %.3f, want %.1f", other.Gain.Expected, got, c.want)
		}
	}
}

// sample is a launch of a millisecond on 100 SMs that fills them eight times over and waits for nothing.
func sample() *Demand {
	d := &Demand{Priced: true, DurationNS: 1e6, GHz: 1, Cycles: 1e6, SMs: 100, MaxWarps: 64, Warps: 51200, BlockWarps: 8, waited: 1}
	d.State.Resident, d.State.Spread, d.State.Shrink = 64, 1, 1
	return d
}

// run makes a result of launches "function ns [rule=saved]".
func run(lines ...string) *Result {
	r := &Result{}
	for i, line := range lines {
		f := strings.Fields(line)
		l := LaunchResult{ID: fmt.Sprint(i), Kernel: f[0] + "(int)", Function: f[0], Device: "GPU", CC: "9.0", Kind: "kernel"}
		var ns float64
		if fmt.Sscan(f[1], &ns); ns > 0 {
			l.DurationNS = &ns
		}
		for _, x := range f[2:] {
			rule, saved, _ := strings.Cut(x, "=")
			g := Finding{Rule: rule, Message: f[1]}
			var s float64
			if fmt.Sscan(saved, &s); saved != "?" {
				g.SavedNS = &s
			}
			l.Findings = append(l.Findings, g)
		}
		r.Launches = append(r.Launches, l)
	}
	summarize(r)
	return r
}

// TestKernels holds how launches of one kernel are summed up.
func TestKernels(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string
		want string // function launches total median [rule=saved]
	}{
		{"longest total first", []string{"a 100", "b 300", "a 50"}, "b 1 300 300; a 2 150 75"},
		{"odd and even medians", []string{"a 36", "a 12", "a 13", "b 4", "b 1", "b 2", "b 3"}, "a 3 61 13; b 4 10 2.5"},
		{"savings are summed, in order of the sum", []string{"a 100 aos-layout=50 narrow-access=40", "a 100 narrow-access=40"}, "a 2 200 100 narrow-access=80 aos-layout=50"},
		{"a time that is unknown makes the sum unknown", []string{"a 100", "a 0"}, "a 2 ? ?"},
		{"a saving that is unknown", []string{"a 100 fp64-arithmetic=?"}, "a 1 100 100 fp64-arithmetic=?"},
	} {
		var lines []string
		for _, k := range run(c.in...).Kernels {
			line := fmt.Sprintf("%s %d %s %s", k.Function, k.Launches, orUnknown(k.TotalNS), orUnknown(k.MedianNS))
			for _, f := range k.Findings {
				line += " " + f.Rule + "=" + orUnknown(f.SavedNS)
			}
			lines = append(lines, line)
		}
		if d := cmp.Diff(c.want, strings.Join(lines, "; ")); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func orUnknown(p *float64) string {
	if p == nil {
		return "?"
	}
	return fmt.Sprint(*p)
}

// TestWorst holds that a kernel points at the launch that would save most, else at the longest.
func TestWorst(t *testing.T) {
	if k := run("a 100 aos-layout=10", "a 900", "a 100 aos-layout=60").Kernels[0]; k.Worst != 2 || k.Findings[0].Message != "100" {
		t.Errorf("worst is %d, its finding %v; want the launch that saves 60", k.Worst, k.Findings)
	}
	if k := run("a 100", "a 900", "a 100").Kernels[0]; k.Worst != 1 {
		t.Errorf("worst is %d, want the longest", k.Worst)
	}
}
