package rules

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"advisor/ncu"
)

var update = flag.Bool("update", false, "write severities and gains into the wants of testdata/rules; what is found is never changed")

// Cases of rules are data: testdata/rules/RULE.txtar holds cases of one rule, named by the start of their files.
//
//	NAME.csv         a raw page on its side: a line "column,unit,value,..." with a value for each launch
//	NAME.source.csv  pages as ncu exports them (source, details), joined with the raw page as the commands do
//	NAME.want        what must be said, in rank order, a line each; empty: nothing
//
// The lines of a want are
//
//	0 aos-layout error 2.1-2.9                             launch, rule, severity, bounds of the expected gain
//	0 aos-layout info                                      a finding without a price
//	0 narrow-access info, waits for aos-layout 1.4-1.6
//	0 not judged aos-layout: missing METRIC, METRIC
//	0 says TEXT                                            the sentence on the launch's state holds TEXT
//
// Every rule needs a case that fires, one that looks alike and must not, and one that cannot be judged. To add a case,
// write its files with a want without severities and gains, and fill them in with -update.

// A testCase is one case with what it wants.
type testCase struct {
	name string
	in   []txtar.File // its pages
	want *txtar.File
}

// readCases reads an archive of cases.
func readCases(t *testing.T, path string) (*txtar.Archive, []testCase) {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	for i, f := range a.Files {
		name, kind, _ := strings.Cut(f.Name, ".")
		if len(cases) == 0 || cases[len(cases)-1].name != name {
			if slices.ContainsFunc(cases, func(c testCase) bool { return c.name == name }) {
				t.Fatalf("%s: the files of case %s do not stand together", path, name)
			}
			cases = append(cases, testCase{name: name})
		}
		c := &cases[len(cases)-1]
		if kind == "want" {
			c.want = &a.Files[i]
		} else {
			c.in = append(c.in, f)
		}
	}
	for _, c := range cases {
		if c.want == nil || len(c.in) == 0 {
			t.Fatalf("%s: case %s needs a .want and a .csv", path, c.name)
		}
	}
	return a, cases
}

// judge runs all rules on the pages of a case.
func (c *testCase) judge(t *testing.T) *Result {
	t.Helper()
	dir := t.TempDir()
	var reports []*ncu.Report
	for _, f := range c.in {
		data := f.Data
		if f.Name == c.name+".csv" {
			data = upright(t, f)
		}
		path := filepath.Join(dir, f.Name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := ncu.Open(path, ncu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		reports = append(reports, r)
	}
	res, err := Run("test", ncu.Join(reports)...)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// upright turns a raw page from its side: columns were lines. Cells that a line lacks are empty.
func upright(t *testing.T, f txtar.File) []byte {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(f.Data))
	r.FieldsPerRecord = -1
	columns, err := r.ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	rows := 0
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	var out bytes.Buffer
	for row := range rows {
		for i, c := range columns {
			cell := ""
			if row < len(c) {
				cell = c[row]
			}
			if i > 0 {
				out.WriteByte(',')
			}
			fmt.Fprintf(&out, "\"%s\"", strings.ReplaceAll(cell, `"`, `""`))
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// A said is one line of what is said of a launch.
type said struct {
	about    string // "0 aos-layout", "0 not judged aos-layout: missing METRIC"
	severity string // with what it waits for; "" when not judged
	gain     *Gain  // of what is found Expected; of what is wanted the bounds; nil: no price
}

func (s said) String() string {
	text := strings.TrimSuffix(s.about+" "+s.severity, " ")
	if s.gain != nil {
		text += fmt.Sprintf(" %.2f-%.2f", s.gain.Low, s.gain.High)
	}
	return text
}

// saidOf lists what a result says of one rule. When rule is "" it lists all findings, and of what is not judged what a
// want names.
func saidOf(res *Result, rule string, want []said) []said {
	var out []said
	for _, l := range res.Launches {
		for _, f := range l.Findings {
			if rule != "" && f.Rule != rule {
				continue
			}
			s := said{about: l.ID + " " + f.Rule, severity: f.Severity.String(), gain: f.Gain}
			if f.WaitsFor != "" {
				s.severity += ", waits for " + f.WaitsFor
			}
			out = append(out, s)
		}
		for _, w := range want {
			if id, text, ok := strings.Cut(w.about, " says "); ok && id == l.ID && strings.Contains(l.Verdict, text) {
				out = append(out, w)
			}
		}
		for _, n := range l.NotJudged {
			s := said{about: l.ID + " not judged " + n.Rule + ": missing " + strings.Join(n.Missing, ", ")}
			if n.Rule == rule || rule == "" && slices.ContainsFunc(want, func(w said) bool { return w.about == s.about }) {
				out = append(out, s)
			}
		}
	}
	return out
}

// parseWant reads the lines of a want.
func parseWant(t *testing.T, f *txtar.File) []said {
	t.Helper()
	var out []said
	for line := range strings.Lines(string(f.Data)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
			continue
		case len(fields) > 2 && (fields[1] == "not" || fields[1] == "says"):
			out = append(out, said{about: strings.Join(fields, " ")})
			continue
		case len(fields) < 2:
			t.Fatalf("%s: %q is no line of a want", f.Name, line)
		}
		s := said{about: fields[0] + " " + fields[1]}
		rest := fields[2:]
		if n := len(rest); n > 0 {
			if low, high, ok := bounds(rest[n-1]); ok {
				s.gain, rest = &Gain{Low: low, High: high}, rest[:n-1]
			}
		}
		s.severity = strings.Join(rest, " ")
		out = append(out, s)
	}
	return out
}

// bounds reads "2.1-2.9".
func bounds(s string) (low, high float64, ok bool) {
	a, b, _ := strings.Cut(s, "-")
	low, err1 := strconv.ParseFloat(a, 64)
	high, err2 := strconv.ParseFloat(b, 64)
	return low, high, err1 == nil && err2 == nil
}

// compareSaid holds what is said to what is wanted.
func compareSaid(t *testing.T, got, want []said) {
	t.Helper()
	words := func(list []said) (out []string) {
		for _, s := range list {
			out = append(out, strings.TrimSuffix(s.about+" "+s.severity, " "))
		}
		return out
	}
	if d := cmp.Diff(words(want), words(got)); d != "" {
		t.Errorf("said (- wanted, + got):\n%s%v", d, got)
		return
	}
	for i, w := range want {
		switch g := got[i].gain; {
		case g == nil && w.gain == nil:
		case g == nil || w.gain == nil:
			t.Errorf("%s: got the price %v, want %v", w.about, g, w.gain)
		case g.Expected < w.gain.Low || g.Expected > w.gain.High:
			t.Errorf("%s: expected gain %.3f, want %.2f to %.2f", w.about, g.Expected, w.gain.Low, w.gain.High)
		}
	}
}

// fill writes severities and gains into a want when it is about the same findings as what is said.
func fill(f *txtar.File, got, want []said) {
	if !slices.EqualFunc(got, want, func(a, b said) bool { return a.about == b.about }) {
		return
	}
	var out strings.Builder
	for i, s := range got {
		if s.gain != nil {
			e := s.gain.Expected
			s.gain = &Gain{Low: math.Floor(100*(1+(e-1)*0.85)) / 100, High: math.Ceil(100*(1+(e-1)*1.15)) / 100}
			if w := want[i].gain; w != nil && e >= w.Low && e <= w.High {
				s.gain = w
			}
		}
		fmt.Fprintln(&out, s)
	}
	f.Data = []byte(out.String())
}

// runCases runs the cases of an archive, with what rule says or, for "", all findings.
func runCases(t *testing.T, path, rule string) []testCase {
	t.Helper()
	a, cases := readCases(t, path)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := parseWant(t, c.want)
			got := saidOf(c.judge(t), rule, want)
			if *update {
				fill(c.want, got, want)
				want = parseWant(t, c.want)
			}
			compareSaid(t, got, want)
		})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return cases
}

func casesOf(name string) string { return filepath.Join("..", "testdata", "rules", name+".txtar") }

// TestRules runs every rule's cases and holds that there are all three kinds.
func TestRules(t *testing.T) {
	for _, r := range All {
		t.Run(r.ID, func(t *testing.T) {
			kinds := map[string]bool{}
			for _, c := range runCases(t, casesOf(r.ID), r.ID) {
				kinds[kindOfCase(parseWant(t, c.want))] = true
			}
			for _, k := range []string{"fires", "must not fire", "is not judged"} {
				if !kinds[k] {
					t.Errorf("no case that %s", k)
				}
			}
		})
	}
}

// kindOfCase names the kind of a case by its want.
func kindOfCase(want []said) string {
	kind := "must not fire"
	for _, s := range want {
		switch {
		case strings.Contains(s.about, " not judged "):
			kind = "is not judged"
		case !strings.Contains(s.about, " says "):
			return "fires"
		}
	}
	return kind
}
