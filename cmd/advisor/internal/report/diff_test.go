package report

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"advisor/cmd/advisor/internal/gate"
	"advisor/rules"
)

// comparison is one of everything: faster, slower and unchanged kernels, every change of a finding, counters, a renamed
// kernel, a launch shape that changed, and kernels that one side lacks.
func comparison() *rules.Comparison {
	times := func(n int, median, low, high float64) rules.Times {
		total := median * float64(n)
		return rules.Times{Launches: n, MedianNS: &median, MinNS: &low, MaxNS: &high, TotalNS: &total}
	}
	s := sample()
	aos, wait := s.Launches[1].Findings[0], s.Launches[1].Findings[1]
	more := aos
	more.SavedNS = num(450_000)
	return &rules.Comparison{
		Schema: rules.DiffSchema, Advisor: "v1.0.0", Base: []string{"base.ncu-rep"}, Head: []string{"head.ncu-rep"}, Unlike: []string{},
		Pairs: []rules.Pair{
			{Kernel: "layout_soa(float*)", Function: "layout_soa", BaseFunction: "layout_aos", Grid: "(4096, 1, 1)", Block: "(128, 1, 1)", Base: times(1, 503_232, 503_232, 503_232), Head: times(1, 195_584, 195_584, 195_584), Factor: num(2.573),
				Counters: []rules.CounterChange{{Metric: "memory_l2_theoretical_sectors_global", Base: 33554432, Head: 8388608, Exact: true, Waste: true}},
				Findings: []rules.FindingChange{{Rule: "narrow-access", Change: rules.New, Head: &wait}, {Rule: "aos-layout", Change: rules.Fixed, Base: &aos, Predicted: aos.Gain, Gained: num(2.573)}}},
			{Kernel: "coalesce_chunked(float*)", Function: "coalesce_chunked", BaseFunction: "coalesce_chunked", Base: times(3, 741_220, 736_640, 760_004), Head: times(3, 910_000, 900_000, 915_000), Factor: num(0.8145),
				Findings: []rules.FindingChange{{Rule: "aos-layout", Change: rules.Worse, Base: &aos, Head: &more}, {Rule: "bank-conflict", Change: rules.Unjudged, Base: &wait}}},
			{Kernel: "healthy_copy", Function: "healthy_copy", BaseFunction: "healthy_copy", Base: times(1, 124_096, 124_096, 124_096), Head: times(1, 124_500, 124_500, 124_500), Factor: num(0.997), Noise: true,
				Findings: []rules.FindingChange{{Rule: "aos-layout", Change: rules.Same, Base: &aos, Head: &aos}}},
			{Kernel: "grid_walk", Function: "grid_walk", BaseFunction: "grid_walk", Grid: "(2112, 1, 1)", Block: "(128, 1, 1)", Reshaped: true, Base: times(1, 938_720, 938_720, 938_720), Head: rules.Times{Launches: 1}, Noise: true},
		},
		Removed: []rules.Lone{{Kernel: "old(int)", Function: "old", Launches: 2, TotalNS: num(9000)}},
		Added:   []rules.Lone{{Kernel: "new(int)", Function: "new", Launches: 1}},
	}
}

// outcome is a gate with one of everything.
func outcome() *gate.Outcome {
	return &gate.Outcome{
		Schema: gate.Schema, Advisor: "v1.0.0", FailOn: rules.Error, Compared: true, Kernels: 7,
		Breaks: []gate.Break{
			{Severity: rules.Error, Kind: "finding", ID: "aos-layout", Kernel: "layout_aos(float*)", Function: "layout_aos", File: "pairs.cu", Line: 41, Message: "global loads fetch 16.0 sectors per request; 4 suffice"},
			{Severity: rules.Error, Kind: "slower", ID: "gpu__time_duration.sum", Kernel: "copy(float*)", Function: "copy", Message: "80000 ns, was 50000 ns: 1.60x the time"},
			{Severity: rules.Warning, Kind: "limit", ID: "dram__bytes_read.sum", Kernel: "copy(float*)", Function: "copy", Message: "dram__bytes_read.sum is 4000000 in launch 0, above the limit of 1000000"},
		},
		Ignored: []gate.Break{{Severity: rules.Error, Kind: "finding", ID: "bank-conflict", Kernel: "t(int)", Function: "t", Message: "m", Reason: "the tile is read once"}},
		Notes:   []string{"added since the baseline, so not compared: new"},
	}
}

// poison puts a text everywhere in a value, by its JSON form: names of fields stay.
func poison[T any](t *testing.T, v *T, text string) *T {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	quoted, _ := json.Marshal(text)
	for _, key := range []string{"kernel", "function", "base_function", "message", "file", "id", "reason", "metric"} {
		b = regexp.MustCompile(`"`+key+`":"[^"]*"`).ReplaceAll(b, []byte(`"`+key+`":`+strings.ReplaceAll(string(quoted), "$", "$$")))
	}
	out := new(T)
	if err := json.Unmarshal(b, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDiffAndCheck(t *testing.T) {
	sarif, err := os.ReadFile("testdata/sarif-2.1.0-part.json")
	if err != nil {
		t.Fatal(err)
	}
	sarifSchema := compile(t, "sarif", sarif)
	for format, write := range DiffFormats {
		var b bytes.Buffer
		if err := write(&b, comparison(), Options{Width: 90, Top: 20}); err != nil {
			t.Fatal(err)
		}
		golden(t, "diff."+format, b.Bytes())
		for name, text := range attacks {
			b.Reset()
			if err := write(&b, poison(t, comparison(), text), Options{}); err != nil {
				t.Fatal(err)
			}
			inert(t, name+"/diff/"+format, format, b.String())
		}
	}
	for format, write := range CheckFormats {
		var b bytes.Buffer
		if err := write(&b, outcome(), Options{Width: 90}); err != nil {
			t.Fatal(err)
		}
		golden(t, "check."+format, b.Bytes())
		for name, text := range attacks {
			b.Reset()
			if err := write(&b, poison(t, outcome(), text), Options{}); err != nil {
				t.Fatal(err)
			}
			inert(t, name+"/check/"+format, format, b.String())
			if format == "sarif" {
				validate(t, sarifSchema, name, b.Bytes())
			}
			if format == "junit" {
				wellFormed(t, name, b.Bytes())
			}
		}
	}
}

// inert sees that nothing in an output acts in its format.
func inert(t *testing.T, name, format, out string) {
	t.Helper()
	for _, r := range out {
		if r != '\n' && hidden(r) {
			t.Errorf("%s: character %U", name, r)
			break
		}
	}
	switch format {
	case "markdown":
		checkInert(t, strings.Replace(out, "<!-- advisor-diff -->", "", 1))
	case "github":
		for _, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
			if !githubCommand.MatchString(line) {
				t.Errorf("%s: %q", name, line)
			}
		}
	case "json", "sarif":
		if !json.Valid([]byte(out)) {
			t.Errorf("%s: not JSON", name)
		}
	}
}
