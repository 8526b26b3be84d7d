package gate

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"advisor/rules"
)

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "limit: []\n", `c.yaml:1: unknown key "limit"; did you mean "limits"?`},
		{"nothing near", "xyzzy: 1\n", `c.yaml:1: unknown key "xyzzy"; use one of fail-on, rules, limits, ignore, noise`},
		{"unknown key inside", "ignore:\n  - rule: aos-layout\n    reson: x\n", `c.yaml:3: unknown key "reson"; did you mean "reason"?`},
		{"unknown rule", "rules:\n  bank-conflicts: off\n", `c.yaml:2: unknown rule "bank-conflicts"; did you mean "bank-conflict"?`},
		{"rule of a limit", "limits:\n  - rule: aos\n    max-gain: 2\n", `c.yaml:2: unknown rule "aos"; advisor rules lists them`},
		{"severity", "fail-on: high\n", `c.yaml:1: unknown severity "high"; use off, info, warning or error`},
		{"off as gate", "rules: {}\nfail-on: off\n", `c.yaml:2: fail-on: off would never fail; use info, warning or error`},
		{"date", "ignore:\n  - reason: x\n    until: 31.12.2026\n", `c.yaml:3: "31.12.2026" is no date; write it as 2026-12-31`},
		{"no reason", "ignore:\n  - rule: aos-layout\n", `c.yaml:2: an ignore without a reason; add reason: why it may stay`},
		{"pattern", "limits:\n  - kernel: '('\n", "c.yaml:2: kernel pattern \"(\": error parsing regexp: missing closing ): `(`; give a regular expression of Go's syntax"},
		{"no bound", "limits:\n  - metric: x\n", `c.yaml:2: a limit on x without a bound; add min: or max:`},
		{"nothing limited", "limits:\n  - max: 1\n", `c.yaml:2: a limit without a metric or a rule; add metric: with min: or max:, or rule: with max-gain:`},
		{"both", "limits:\n  - {metric: x, rule: aos-layout, max: 1}\n", `c.yaml:2: a limit with both a metric and a rule; make it two limits`},
		{"wrong bound", "limits:\n  - {metric: x, max: 1, max-gain: 2}\n", `c.yaml:2: a bound that does not fit; metrics take min: and max:, rules take max-gain:`},
		{"number", "limits:\n  - metric: x\n    max: much\n", "c.yaml:3: cannot unmarshal !!str `much` into float64; see advisor check --help for what may stand there"},
		{"not YAML", "limits: [\n", "c.yaml:1: did not find expected node content; see advisor check --help for what may stand there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("c.yaml", []byte(c.text))
			if err == nil {
				t.Fatal("accepted")
			}
			if d := cmp.Diff(c.want, err.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}

// launch is one launch and kernel of a result; findings are "rule severity gain [waits]".
func result(kernels ...string) *rules.Result {
	res := &rules.Result{}
	for i, line := range kernels {
		fields := strings.Split(line, "; ")
		ns := 100_000.0
		l := rules.LaunchResult{ID: fmt.Sprint(i), Kernel: fields[0], Function: fields[0], DurationNS: &ns, Stats: rules.Stats{Counters: map[string]float64{}}}
		for _, f := range fields[1:] {
			w := strings.Fields(f)
			if name, value, ok := strings.Cut(w[0], "="); ok {
				var v float64
				fmt.Sscan(value, &v)
				l.Stats.Counters[name] = v
				continue
			}
			if w[1] == "?" {
				l.NotJudged = append(l.NotJudged, rules.NotJudged{Rule: w[0], Collect: "ncu x"})
				continue
			}
			s, _ := rules.ParseSeverity(w[1])
			var gain float64
			fmt.Sscan(w[2], &gain)
			saved := ns * (1 - 1/gain)
			finding := rules.Finding{Rule: w[0], Severity: s, Gain: &rules.Gain{Low: 1, Expected: gain, High: gain}, SavedNS: &saved, Message: "m"}
			if len(w) > 3 {
				finding.WaitsFor = w[3]
			}
			l.Findings = append(l.Findings, finding)
		}
		res.Launches = append(res.Launches, l)
		res.Kernels = append(res.Kernels, rules.KernelResult{Kernel: l.Kernel, Function: l.Function, Launches: 1, Members: []int{i}, Findings: l.Findings})
	}
	return res
}

func TestEvaluate(t *testing.T) {
	for _, c := range []struct {
		name, config string
		res, base    []string
		passed       bool
		breaks       string // "severity kind id kernel", joined by "; "
	}{
		{"clean", "", []string{"a"}, nil, true, ""},
		{"an error fails", "", []string{"a; aos-layout error 2"}, nil, false, "error finding aos-layout a"},
		{"a warning does not", "", []string{"a; aos-layout warning 1.2"}, nil, true, "warning finding aos-layout a"},
		{"unless asked", "fail-on: warning", []string{"a; aos-layout warning 1.2"}, nil, false, "warning finding aos-layout a"},
		{"off", "rules: {aos-layout: off}", []string{"a; aos-layout error 2"}, nil, true, ""},
		{"raised", "rules: {aos-layout: error}", []string{"a; aos-layout info 1.01"}, nil, false, "error finding aos-layout a"},
		{"one that waits", "", []string{"a; narrow-access error 2 aos-layout"}, nil, true, "info finding narrow-access a"},
		{"ignored", "ignore: [{rule: aos-layout, reason: x}]", []string{"a; aos-layout error 2"}, nil, true, ""},
		{"another kernel ignored", "ignore: [{rule: aos-layout, kernel: b, reason: x}]", []string{"a; aos-layout error 2"}, nil, false, "error finding aos-layout a"},
		{"last day of an ignore", "ignore: [{rule: aos-layout, reason: x, until: 2026-03-01}]", []string{"a; aos-layout error 2"}, nil, true, ""},
		{"ignore ended", "ignore: [{rule: aos-layout, reason: x, until: 2026-02-28}]", []string{"a; aos-layout error 2"}, nil, false, "error finding aos-layout a"},
		{"max", "limits: [{metric: x, max: 5}]", []string{"a; x=6", "b; x=5"}, nil, false, "error limit x a"},
		{"min", "limits: [{metric: x, min: 5, severity: warning}]", []string{"a; x=4"}, nil, true, "warning limit x a"},
		{"unknown metric", "limits: [{metric: y, max: 5}]", []string{"a; x=6"}, nil, false, "error limit y a"},
		{"gain", "limits: [{rule: aos-layout, max-gain: 1.1}]", []string{"a; aos-layout warning 1.2"}, nil, false, "error limit aos-layout a; warning finding aos-layout a"},
		{"gain not judged", "limits: [{rule: aos-layout, max-gain: 1.1}]", []string{"a; aos-layout ?"}, nil, false, "error limit aos-layout a"},
		{"limit switched off", "limits: [{metric: x, max: 5, severity: off}]", []string{"a; x=6"}, nil, true, ""},
		{"known finding", "", []string{"a; aos-layout error 2"}, []string{"a; aos-layout error 2"}, true, ""},
		{"new finding", "", []string{"a; aos-layout error 2"}, []string{"a"}, false, "error finding aos-layout a"},
		{"worse finding", "", []string{"a; aos-layout error 4"}, []string{"a; aos-layout error 2"}, false, "error finding aos-layout a"},
		{"finding of a new kernel", "", []string{"a", "b; aos-layout error 2"}, []string{"a"}, false, "error finding aos-layout b"},
		{"waste grew", "", []string{"a; dram__bytes_read.sum=2e9"}, []string{"a; dram__bytes_read.sum=1e9"}, false, "error counter dram__bytes_read.sum a"},
		{"work grew", "", []string{"a; smsp__inst_executed.sum=200"}, []string{"a; smsp__inst_executed.sum=100"}, true, ""},
		{"nothing profiled", "", nil, nil, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, err := Parse("c.yaml", []byte(c.config))
			if err != nil {
				t.Fatal(err)
			}
			var base *rules.Result
			if c.base != nil {
				base = result(c.base...)
			}
			out := Evaluate(config, result(c.res...), base, time.Date(2026, 3, 1, 15, 0, 0, 0, time.UTC))
			var got []string
			for _, b := range out.Breaks {
				got = append(got, fmt.Sprintf("%s %s %s %s", b.Severity, b.Kind, b.ID, b.Kernel))
			}
			if d := cmp.Diff(c.breaks, strings.Join(got, "; ")); d != "" {
				t.Error(d)
			}
			if out.Passed != c.passed {
				t.Errorf("passed: %v", out.Passed)
			}
		})
	}
}

// A baseline that is read back compares as the result that it was made of.
func TestBaselineKeepsWhatCounts(t *testing.T) {
	res := result("a; aos-layout error 2; dram__bytes_read.sum=100; other=3", "b; bank-conflict ?")
	res.Inputs = []rules.Input{{Path: "x", NCUVersion: "2025.3", ClockControl: "base"}}
	var b bytes.Buffer
	if err := WriteBaseline(&b, res); err != nil {
		t.Fatal(err)
	}
	back, ok, err := ReadBaseline(b.Bytes())
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	out := Evaluate(&Config{}, res, back, time.Now())
	if !out.Passed || len(out.Breaks) != 0 {
		t.Errorf("breaks against itself: %+v", out.Breaks)
	}
	if why := Unlike(back, res); why != "" {
		t.Errorf("unlike itself: %s", why)
	}
	if _, ok, _ := ReadBaseline([]byte(`{"schema": "advisor.report/v1"}`)); ok {
		t.Error("a report is taken for a baseline")
	}
	if _, ok, err := ReadBaseline([]byte(`{"schema": "advisor.baseline/v2"}`)); !ok || err == nil {
		t.Error("a later baseline is read")
	}
}

func TestSuggest(t *testing.T) {
	if d := distance("kitten", "sitting"); d != 3 {
		t.Errorf("distance %d, want 3", d)
	}
}

// Whatever a configuration says, reading it gives a configuration or an error of one line.
func FuzzParse(f *testing.F) {
	f.Add("fail-on: error\nrules: {aos-layout: off}\nlimits: [{metric: x, max: 1}]\nignore: [{rule: aos-layout, reason: x, until: 2026-01-01}]\n")
	f.Add("limits:\n  - rule: bank-conflict\n    max-gain: 1.2\nnoise: {percent: 5, ns: 10}\n")
	f.Add("a: &a [*a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("c.yaml", []byte(text))
		if err == nil {
			Evaluate(c, result("a; aos-layout error 2; x=6"), result("a"), time.Now())
		}
	})
}

// Whatever stands in a baseline, it can be compared with or is refused.
func FuzzReadBaseline(f *testing.F) {
	var b bytes.Buffer
	if err := WriteBaseline(&b, result("a; aos-layout error 2; dram__bytes_read.sum=100", "b; bank-conflict ?")); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		base, ok, err := ReadBaseline(text)
		if ok && err == nil {
			Evaluate(&Config{}, result("a"), base, time.Now())
		}
	})
}
