package rules

import (
	"slices"
	"testing"

	"advisor/ncu"
)

// TestRangeIsNotJudgedByWarps holds that a result without launch shape, which is a range, gets no verdict from rules
// that count by warp.
func TestRangeIsNotJudgedByWarps(t *testing.T) {
	r, err := ncu.Open("../testdata/reports/range.ncu-rep.gz", ncu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	res, err := Run("test", r)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Launches) != 1 {
		t.Fatalf("%d launches", len(res.Launches))
	}
	skipped := func(n NotJudged) bool { return n.Rule == "read-only-path" }
	if l := res.Launches[0]; l.Kind != "range" || !slices.ContainsFunc(l.NotJudged, skipped) {
		t.Errorf("kind %q, not judged %v", l.Kind, l.NotJudged)
	}
}
