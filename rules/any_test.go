package rules

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

// TestAnyCounters holds what every result must keep, whatever the counters are: cases with some of their values missing,
// zero, huge or senseless.
func TestAnyCounters(t *testing.T) {
	paths, err := filepath.Glob(casesOf("*"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	var all []testCase
	for _, p := range paths {
		_, cases := readCases(t, p)
		all = append(all, cases...)
	}
	rapid.Check(t, func(rt *rapid.T) {
		c := all[rapid.IntRange(0, len(all)-1).Draw(rt, "case")]
		spoilt := testCase{name: c.name}
		for _, f := range c.in {
			switch f.Name {
			case c.name + ".csv":
				f = spoil(rt, f)
			case c.name + ".source.csv":
				f = spoilRows(rt, f)
			}
			spoilt.in = append(spoilt.in, f)
		}
		res := spoilt.judge(t)
		for i := range res.Launches {
			if err := sound(&res.Launches[i]); err != nil {
				rt.Fatalf("%s, launch %s: %v", c.name, res.Launches[i].ID, err)
			}
		}
		if _, err := json.Marshal(res); err != nil {
			rt.Fatalf("writing the result: %v", err)
		}
	})
}

// senseless are values that cells of damaged files hold.
var senseless = []string{"0", "1", "-1", "1e-12", "100", "1e18", "1e300", "n/a", "nan", "", "inf"}

// spoil takes lines away from a page and changes values of others. Identity stays.
func spoil(t *rapid.T, page txtar.File) txtar.File {
	var out strings.Builder
	for line := range strings.Lines(string(page.Data)) {
		name, _, _ := strings.Cut(line, ",")
		if !strings.Contains(name, "_") {
			out.WriteString(line)
			continue
		}
		switch rapid.IntRange(0, 19).Draw(t, name) {
		case 18: // left out
		case 19:
			fmt.Fprintf(&out, "%s,,%s\n", name, rapid.SampledFrom(senseless).Draw(t, "value"))
		default:
			out.WriteString(line)
		}
	}
	return txtar.File{Name: page.Name, Data: []byte(out.String())}
}

// spoilRows changes counters of some instructions in a source page.
func spoilRows(t *rapid.T, page txtar.File) txtar.File {
	var out strings.Builder
	for line := range strings.Lines(string(page.Data)) {
		cells := strings.Split(strings.TrimSpace(line), `","`)
		if strings.HasPrefix(line, `"0x`) && rapid.IntRange(0, 9).Draw(t, cells[0]) == 9 {
			i := rapid.IntRange(2, len(cells)-2).Draw(t, "cell")
			cells[i] = rapid.SampledFrom(senseless).Draw(t, "value")
			line = strings.Join(cells, `","`) + "\n"
		}
		out.WriteString(line)
	}
	return txtar.File{Name: page.Name, Data: []byte(out.String())}
}

// sound says what is wrong with the verdict on a launch.
func sound(l *LaunchResult) error {
	judged := map[string]bool{}
	for i, f := range l.Findings {
		judged[f.Rule] = true
		if g := f.Gain; g != nil && !(1 <= g.Low && g.Low <= g.Expected && g.Expected <= g.High && !math.IsInf(g.High, 0)) {
			return fmt.Errorf("%s gains %+v", f.Rule, *g)
		}
		if f.SavedNS != nil && (l.DurationNS == nil || *f.SavedNS < 0 || *f.SavedNS > *l.DurationNS) {
			return fmt.Errorf("%s saves %v of %v ns", f.Rule, *f.SavedNS, orUnknown(l.DurationNS))
		}
		if f.Severity != severity(&l.Findings[i]) || f.Message == "" || len(f.Advice) == 0 || len(f.Evidence) == 0 {
			return fmt.Errorf("%s is %s and says %q, with %d pieces of evidence", f.Rule, f.Severity, f.Message, len(f.Evidence))
		}
		if strings.Contains(f.Message, "NaN") || strings.Contains(f.Message, "Inf") {
			return fmt.Errorf("%s says %q", f.Rule, f.Message)
		}
		waitsFor := func(e Finding) bool { return e.Rule == f.WaitsFor && e.Step < f.Step }
		if f.WaitsFor != "" && !slices.ContainsFunc(l.Findings, waitsFor) {
			return fmt.Errorf("%s waits for %s, which is not found", f.Rule, f.WaitsFor)
		}
		for _, loc := range f.Locations {
			if !(loc.Share > 0 && loc.Share <= 1) {
				return fmt.Errorf("%s has a location with a share of %v", f.Rule, loc.Share)
			}
		}
	}
	for _, n := range l.NotJudged {
		if judged[n.Rule] || len(n.Missing) == 0 || !strings.HasPrefix(n.Collect, "ncu --") {
			return fmt.Errorf("%s is not judged for want of %v, and found is %v: %q", n.Rule, n.Missing, judged[n.Rule], n.Collect)
		}
	}
	if l.Verdict == "" || l.LimiterPct != nil && !(*l.LimiterPct >= 0 && !math.IsInf(*l.LimiterPct, 0)) {
		return fmt.Errorf("verdict %q, limiter %s at %v %%", l.Verdict, l.Limiter, orUnknown(l.LimiterPct))
	}
	return nil
}
