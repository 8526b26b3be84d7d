package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"advisor/rules"
)

var update = flag.Bool("update", false, "rewrite golden files")

const goldens = "../../../../testdata/golden"

// golden compares an output with the file of that name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join(goldens, name)
	if *update {
		if err := os.MkdirAll(goldens, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs (-want +got); run with -update if that is right:\n%s", name, d)
	}
}

func TestMain(m *testing.M) {
	rules.All = checklist()
	os.Exit(m.Run())
}

func render(t *testing.T, format string, res *rules.Result, opt Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Formats[format](&b, res, opt); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	results := map[string]*rules.Result{"sample": sample(), "empty": empty(), "single": single()}
	for name, res := range results {
		for _, format := range Names() {
			t.Run(name+"/"+format, func(t *testing.T) {
				golden(t, name+"."+format, render(t, format, res, Options{Top: 10}))
			})
		}
	}
	for _, format := range []string{"text", "markdown"} {
		golden(t, "many."+format, render(t, format, thousand(), Options{Top: 3}))
	}
	golden(t, "sample-80.text", render(t, "text", sample(), Options{Width: 80}))
	golden(t, "sample-160.text", render(t, "text", sample(), Options{Width: 160}))
	golden(t, "sample-color.text", render(t, "text", sample(), Options{Width: 80, Color: true}))
}

func TestSameBytes(t *testing.T) {
	for _, format := range Names() {
		a, b := render(t, format, sample(), Options{}), render(t, format, sample(), Options{})
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs from run to run", format)
		}
	}
}

func TestTextFitsWidth(t *testing.T) {
	for _, width := range []int{60, 80, 100, 140} {
		for _, res := range []*rules.Result{sample(), single(), many(50)} {
			for _, line := range strings.Split(string(render(t, "text", res, Options{Width: width})), "\n") {
				if length(line) > width && !strings.HasPrefix(line, "   ncu ") { // lines to copy stay whole
					t.Errorf("width %d: line of %d: %s", width, length(line), line)
				}
			}
		}
	}
}

func TestTextColor(t *testing.T) {
	with := string(render(t, "text", sample(), Options{Width: 80, Color: true}))
	bare := string(render(t, "text", sample(), Options{Width: 80}))
	if strings.Contains(bare, "\x1b") {
		t.Error("colour without being asked")
	}
	for _, code := range []style{bold, dim, red, yellow, cyan} {
		with = strings.ReplaceAll(with, "\x1b["+string(code)+"m", "")
	}
	with = strings.ReplaceAll(with, "\x1b[0m", "")
	if d := cmp.Diff(bare, with); d != "" {
		t.Errorf("colour changes more than colour (-bare +with):\n%s", d)
	}
}

// No two of Nsight Compute's estimates may be added up, and local ones are never of the launch.
func TestTextNsightEstimates(t *testing.T) {
	out := string(render(t, "text", sample(), Options{Width: 100}))
	for _, want := range []string{"33.5% of this launch at most", "88.1% of one unit's time, not of the launch", "no sum"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in text", want)
		}
	}
	if strings.Contains(out, "121.6") || strings.Contains(out, "122%") {
		t.Error("estimates were added up")
	}
}

func TestJSONSchema(t *testing.T) {
	schema := compile(t, "advisor.report.v1.json", Schema())
	for name, res := range map[string]*rules.Result{
		"sample": sample(), "empty": empty(), "single": single(), "many": thousand(), "hostile": hostile("\x00\u202e<b>"),
	} {
		out := render(t, "json", res, Options{})
		validate(t, schema, name, out)
		if bytes.Contains(out, []byte(": null,\n      \"launches\"")) {
			t.Errorf("%s: a list is null", name)
		}
		var back rules.Result
		if err := json.Unmarshal(out, &back); err != nil {
			t.Errorf("%s: reading back: %v", name, err)
		}
		if len(back.Launches) != len(res.Launches) || len(res.Launches) > 0 && back.Launches[0].Kernel != strings.ToValidUTF8(res.Launches[0].Kernel, "\ufffd") {
			t.Errorf("%s: reads back differently", name)
		}
	}
	for _, bad := range []string{`{}`, `{"schema":"advisor.report/v2","advisor":"","inputs":[],"launches":[],"kernels":[]}`,
		`{"schema":"advisor.report/v1","advisor":"","inputs":null,"launches":[],"kernels":[]}`} {
		doc, _ := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if schema.Validate(doc) == nil {
			t.Errorf("schema accepts %s", bad)
		}
	}
}

func compile(t *testing.T, name string, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, name string, out []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// Whatever a result says, every format writes it or refuses it.
func FuzzWrite(f *testing.F) {
	for _, res := range []*rules.Result{sample(), empty(), single()} {
		var b bytes.Buffer
		if err := WriteJSON(&b, res, Options{}); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		res, err := rules.ReadResult(text)
		if err != nil {
			return
		}
		for _, format := range Names() {
			if err := Formats[format](io.Discard, res, Options{Width: 80, Top: 3}); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
		rules.Compare(res, sample(), nil, rules.DefaultNoise)
	})
}
