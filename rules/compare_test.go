package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// runOf makes a result of launches written as "function shape ns [counter=value] [!rule saved] [?rule]".
func runOf(t *testing.T, lines ...string) *Result {
	t.Helper()
	r := &Result{Inputs: []Input{{Path: "x.ncu-rep", NCUVersion: "2025.3.1", ClockControl: "base"}}}
	for i, line := range lines {
		fields := strings.Fields(line)
		l := LaunchResult{ID: fmt.Sprint(i), Function: fields[0], Kernel: fields[0] + "(int)", Device: "GPU", CC: "9.0", Stats: Stats{Counters: map[string]float64{}}}
		var x int
		var ns float64
		fmt.Sscan(fields[1], &x)
		if fmt.Sscan(fields[2], &ns); ns > 0 {
			l.DurationNS = &ns
		}
		l.Grid, l.Block = &[3]int{x, 1, 1}, &[3]int{128, 1, 1}
		for _, f := range fields[3:] {
			switch {
			case f[0] == '?':
				l.NotJudged = append(l.NotJudged, NotJudged{Rule: f[1:]})
			case f[0] == '!':
				rule, saved, _ := strings.Cut(f[1:], "=")
				var s float64
				fmt.Sscan(saved, &s)
				l.Findings = append(l.Findings, Finding{Rule: rule, SavedNS: &s, Gain: &Gain{1, ns / (ns - s), 9}})
			default:
				name, value, _ := strings.Cut(f, "=")
				var v float64
				fmt.Sscan(value, &v)
				l.Stats.Counters[name] = v
			}
		}
		r.Launches = append(r.Launches, l)
	}
	return r
}

// summary writes a comparison in one line a pair.
func summary(c *Comparison) string {
	var b strings.Builder
	for _, u := range c.Unlike {
		fmt.Fprintln(&b, "unlike", u)
	}
	for _, p := range c.Pairs {
		fmt.Fprintf(&b, "%s", p.Function)
		if p.BaseFunction != p.Function {
			fmt.Fprintf(&b, " was %s", p.BaseFunction)
		}
		if p.Reshaped {
			b.WriteString(" reshaped")
		}
		if p.Noise {
			b.WriteString(" ~")
		} else {
			fmt.Fprintf(&b, " %.2fx", *p.Factor)
		}
		for _, k := range p.Counters {
			fmt.Fprintf(&b, " %s %g->%g", k.Metric, k.Base, k.Head)
		}
		for _, f := range p.Findings {
			fmt.Fprintf(&b, " %s:%s", f.Rule, f.Change)
			if f.Predicted != nil {
				fmt.Fprintf(&b, " %.1fx gained %.1fx", f.Predicted.Expected, *f.Gained)
			}
		}
		b.WriteString("\n")
	}
	for _, l := range c.Removed {
		fmt.Fprintln(&b, "removed", l.Function, l.Launches)
	}
	for _, l := range c.Added {
		fmt.Fprintln(&b, "added", l.Function, l.Launches)
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	const ratio = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"
	for _, c := range []struct {
		name       string
		base, head []string
		renamed    map[string]string
		want       string
	}{
		{"short and long within noise", []string{"a 1 2000", "b 1 900000"}, []string{"a 1 2400", "b 1 910000"}, nil, "a ~\nb ~\n"},
		{"a counter doubles at equal time", []string{"c 1 50000 " + ratio + "=4"}, []string{"c 1 50000 " + ratio + "=8"}, nil, "c ~ " + ratio + " 4->8\n"},
		{"noisy counters have a margin", []string{"c 1 50000 dram__bytes_read.sum=1e8"}, []string{"c 1 50000 dram__bytes_read.sum=1.04e8"}, nil, "c ~\n"},
		{"and a floor", []string{"c 1 50000 dram__bytes_read.sum=1000"}, []string{"c 1 50000 dram__bytes_read.sum=9000"}, nil, "c ~\n"},
		{"exact counters have none", []string{"c 1 50000 smsp__inst_executed.sum=100000"}, []string{"c 1 50000 smsp__inst_executed.sum=100001"}, nil, "c ~ smsp__inst_executed.sum 100000->100001\n"},
		{"percentages are not compared", []string{"c 1 50000 x.pct=1"}, []string{"c 1 50000 x.pct=9"}, nil, "c ~\n"},
		{"removed and added are no deltas", []string{"d 1 9000", "d 1 9000"}, []string{"e 1 90000"}, nil, "removed d 2\nadded e 1\n"},
		{"renamed", []string{"old 1 90000"}, []string{"new 1 30000"}, map[string]string{"old": "new"}, "new was old 3.00x\n"},
		{"fixed, predicted beside gained", []string{"f 1 100000 !aos-layout=50000"}, []string{"f 1 40000"}, nil, "f 2.50x aos-layout:fixed 2.0x gained 2.5x\n"},
		{"not judged is not fixed", []string{"f 1 100000 !aos-layout=50000"}, []string{"f 1 100000 ?aos-layout"}, nil, "f ~ aos-layout:not-judged\n"},
		{"newly judged is not new", []string{"f 1 100000 ?aos-layout"}, []string{"f 1 100000 !aos-layout=50000"}, nil, "f ~ aos-layout:not-judged\n"},
		{"new, worse, better, same", []string{"f 1 100000 !a=20000 !b=20000 !c=20000"}, []string{"f 1 100000 !n=9000 !a=40000 !b=5000 !c=20500"}, nil,
			"f ~ n:new a:worse b:better c:same\n"},
		{"by shape and order", []string{"g 1 10000", "g 2 20000", "g 1 10000"}, []string{"g 2 40000", "g 1 10000"}, nil, "g 0.50x\ng ~\n"},
		{"another shape", []string{"g 16 100000"}, []string{"g 4 50000"}, nil, "g reshaped 2.00x\n"},
		{"spreads that overlap are noise", []string{"g 1 100000", "g 1 140000"}, []string{"g 1 130000", "g 1 150000"}, nil, "g ~\n"},
		{"spreads apart", []string{"g 1 100000", "g 1 104000"}, []string{"g 1 150000", "g 1 151000"}, nil, "g 0.68x\n"},
		{"unknown time", []string{"g 1 0"}, []string{"g 1 5000"}, nil, "g ~\n"},
		{"most time moved first", []string{"a 1 100000", "b 1 900000"}, []string{"a 1 50000", "b 1 100000"}, nil, "b 9.00x\na 2.00x\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := summary(Compare(runOf(t, c.base...), runOf(t, c.head...), c.renamed, DefaultNoise))
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCompareUnlike(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Result)
		want   string
	}{
		{"alike", func(*Result) {}, ""},
		{"another GPU", func(r *Result) { r.Launches[0].Device, r.Launches[0].CC = "Other", "8.0" }, "GPU: GPU 9.0, now Other 8.0"},
		{"minor version", func(r *Result) { r.Inputs[0].NCUVersion = "2025.1.0" }, ""},
		{"major version", func(r *Result) { r.Inputs[0].NCUVersion = "2024.3.0" }, "Nsight Compute major version: 2025, now 2024"},
		{"clocks", func(r *Result) { r.Inputs[0].ClockControl = "none" }, "clock control: base, now none"},
		{"caches", func(r *Result) { r.Inputs[0].CacheControl = "none" }, ""}, // base does not tell
		{"unknown", func(r *Result) { r.Inputs[0] = Input{} }, ""},
	} {
		head := runOf(t, "a 1 5000")
		c.change(head)
		if got := strings.Join(Compare(runOf(t, "a 1 5000"), head, nil, DefaultNoise).Unlike, "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
