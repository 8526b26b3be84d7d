package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyKeepsIndexesAndShares(t *testing.T) {
	r := runOf(t, "a 1 1000", "b 1 3000", "a 1 2000", "b 1 4000")
	summarize(r)
	only := r.Only(func(kernel string) bool { return strings.HasPrefix(kernel, "b") })
	if len(only.Launches) != 2 || len(only.Kernels) != 1 {
		t.Fatalf("%d launches, %d kernels", len(only.Launches), len(only.Kernels))
	}
	k := only.Kernels[0]
	if d := cmp.Diff([]int{0, 1}, k.Members); d != "" {
		t.Error(d)
	}
	if l := only.Launches[k.Worst]; l.ID != "3" {
		t.Errorf("the worst launch is %s, want 3", l.ID)
	}
	if *k.Share != 0.7 {
		t.Errorf("share %g of the whole run, want 0.7", *k.Share)
	}
	if len(r.Launches) != 4 || r.Kernels[0].Members[0] != 1 {
		t.Error("the whole result changed")
	}
}

func TestFromLeavesTheWholeResult(t *testing.T) {
	r := runOf(t, "a 1 100000 !x=50000 !y=1000")
	r.Launches[0].Findings[0].Severity = Error
	summarize(r)
	for _, c := range []struct {
		least Severity
		want  int
	}{{Info, 2}, {Warning, 1}, {Error, 1}} {
		f := r.From(c.least)
		if len(f.Launches[0].Findings) != c.want || len(f.Kernels[0].Findings) != c.want {
			t.Errorf("from %s: %d findings, want %d", c.least, len(f.Launches[0].Findings), c.want)
		}
	}
	if len(r.Launches[0].Findings) != 2 {
		t.Error("the whole result changed")
	}
}
