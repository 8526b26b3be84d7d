package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"advisor/ncu/collect"
)

// TestProgressEstimate wants an estimate once a few launches are done: 120 launches of 38 passes must not be a surprise.
func TestProgressEstimate(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, 0)
	l := &collect.Log{Launches: 12, Passes: 38, Kernels: []string{"_mm"}, Current: "_mm", Percent: 50}
	now := p.last
	p.now = func() time.Time { return now }
	p.update(l)
	now = now.Add(24 * time.Second)
	p.update(l)
	p.update(l) // too soon for another line
	const want = `advisor: profiled _mm
advisor: 12 launches, 38 passes each, 2.0 s a launch (100 more: 3m20s), now _mm 50%; Ctrl-C ends and reports what is done
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
