package rules

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"advisor/ncu"
)

// TestSameAdviceFromEveryForm reads one run from its report and from its exports: a rule that an export holds the
// counters for finds the same in the same launches, and the table says which rules those are. A rule without its
// counters is not judged, in any launch.
func TestSameAdviceFromEveryForm(t *testing.T) {
	const all = "generic-addressing register-spill local-array constant-divergence aos-layout bank-conflict uncoalesced-access " +
		"misaligned-access narrow-access read-only-path atomic-contention warp-divergence low-occupancy small-grid fp64-arithmetic"
	const occupancy = "low-occupancy small-grid"
	const noCode = "register-spill local-array bank-conflict atomic-contention warp-divergence low-occupancy small-grid"
	reports := map[string]*Result{}
	for _, c := range []struct {
		report  string
		exports string
		judged  string  // rules that every launch is judged by
		some    string  // rules that only some launches are judged by: where what is counted is sure without instructions
		factor  float64 // of prices: without instructions they are less exact; 0: what makes the price is not printed
	}{
		{"pairs-full.ncu-rep.zst", "pairs-full-raw.csv.gz pairs-full-source-sass.csv.gz", all, "", 1.001},
		{"pairs-full.ncu-rep.zst", "pairs-full-raw.csv.gz pairs-full-source-cuda.csv.gz", all, "", 1.001},
		// Without instructions there is no telling generic from global, nor the width of an access.
		{"pairs-full.ncu-rep.zst", "pairs-full-raw.csv.gz", dropWords(all, "generic-addressing", "constant-divergence",
			"narrow-access", "read-only-path", "fp64-arithmetic"), "", 1.5},
		// The details page of the full set prints 87 of 2,227 metrics.
		{"pairs-full.ncu-rep.zst", "pairs-full-details.csv.gz", "warp-divergence " + occupancy, "", 1.05},
		{"pairs-checklist.ncu-rep.gz", "pairs-checklist-raw.csv.gz", dropWords(all, "read-only-path", "fp64-arithmetic", "narrow-access"), "narrow-access", 1.9},
		{"pairs-basic.ncu-rep.gz", "pairs-basic-raw.csv.gz", occupancy, "", 1.001},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-raw-base.csv.gz", noCode, "", 1.02},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-raw-instances.csv.gz", "generic-addressing " + noCode, "", 1.02},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-details-all.csv.gz", dropWords(noCode, "local-array"), "local-array", 1.02},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-details-names.csv.gz", occupancy, "", 1.001},
		{"pairs-detailed.ncu-rep.gz", "pairs-detailed-details.txt.gz", occupancy, "", 1.001},
		{"torch.ncu-rep.zst", "torch-raw.csv.gz", occupancy, "", 1.001},
		{"torch.ncu-rep.zst", "torch-details.csv.gz", dropWords(occupancy, "low-occupancy"), "low-occupancy", 0},
	} {
		t.Run(c.exports, func(t *testing.T) {
			if reports[c.report] == nil {
				reports[c.report] = runCorpus(t, filepath.Join("reports", c.report))
			}
			want := reports[c.report]
			var paths []string
			for e := range strings.FieldsSeq(c.exports) {
				paths = append(paths, filepath.Join("exports", e))
			}
			got := runCorpus(t, paths...)
			if len(got.Launches) != len(want.Launches) {
				t.Fatalf("got %d launches, the report gives %d", len(got.Launches), len(want.Launches))
			}
			for _, rule := range All {
				judged := strings.Contains(" "+c.judged+" ", " "+rule.ID+" ")
				for i := range want.Launches {
					if strings.Contains(c.some, rule.ID) {
						judged, _ = wordOn(&got.Launches[i], rule.ID)
					}
					sameFinding(t, rule.ID, judged, c.factor, &got.Launches[i], &want.Launches[i])
				}
			}
		})
	}
}

// dropWords drops words from a list.
func dropWords(list string, words ...string) string {
	for _, w := range words {
		list = strings.Replace(list+" ", w+" ", "", 1)
	}
	return list
}

// runCorpus judges profiles of the corpus, and skips the test without it.
func runCorpus(t *testing.T, paths ...string) *Result {
	t.Helper()
	var reports []*ncu.Report
	for _, p := range paths {
		path := filepath.Join("..", "..", "shared", "corpus", p)
		if _, err := os.Stat(path); err != nil {
			t.Skip("no shared folder beside the repository")
		}
		r, err := ncu.Open(path, ncu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	reports = ncu.Join(reports)
	res, err := Run("test", reports...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		r.Close()
	}
	return res
}

// exact is the factor below which prices are as good as the report's, so that the severity, which follows the price, is.
const exact = 1.2

// sameFinding holds a rule's word on a launch to that from the report: the finding, its severity, and its price within
// a factor, since exports round and some lack what makes a price exact.
func sameFinding(t *testing.T, rule string, judged bool, factor float64, got, want *LaunchResult) {
	t.Helper()
	isJudged, g := wordOn(got, rule)
	_, w := wordOn(want, rule)
	switch {
	case isJudged != judged:
		t.Errorf("%s on %s: judged %v, want %v", rule, want.Function, isJudged, judged)
	case !judged:
	case (g == nil) != (w == nil):
		t.Errorf("%s on %s: finding %v, from the report %v", rule, want.Function, g, w)
	case g == nil || factor == 0:
	case g.Severity != w.Severity && factor < exact:
		t.Errorf("%s on %s: severity %v, from the report %v", rule, want.Function, g.Severity, w.Severity)
	case (g.Gain == nil) != (w.Gain == nil):
		t.Errorf("%s on %s: gain %v, from the report %v", rule, want.Function, g.Gain, w.Gain)
	case g.Gain != nil && math.Abs(math.Log(g.Gain.Expected/w.Gain.Expected)) > math.Log(factor):
		t.Errorf("%s on %s: gain %v, from the report %v", rule, want.Function, g.Gain.Expected, w.Gain.Expected)
	}
}

// wordOn tells whether a rule was judged on a launch, and what it found.
func wordOn(l *LaunchResult, rule string) (judged bool, found *Finding) {
	for _, n := range l.NotJudged {
		if n.Rule == rule {
			return false, nil
		}
	}
	for i := range l.Findings {
		if l.Findings[i].Rule == rule {
			return true, &l.Findings[i]
		}
	}
	return true, nil
}
