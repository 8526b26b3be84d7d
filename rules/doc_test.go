package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestDocs holds that every rule can be explained, and that its file and its cases are found under its id.
func TestDocs(t *testing.T) {
	seen := map[string]bool{}
	last := Placement
	for _, r := range All {
		if n := utf8.RuneCountInString(r.Doc.Title); n == 0 || n > 60 || strings.HasSuffix(r.Doc.Title, ".") {
			t.Errorf("%s: title %q has %d letters; want 1 to 60, without full stop", r.ID, r.Doc.Title, n)
		}
		for field, text := range map[string]string{
			"Why": r.Doc.Why, "Judged": r.Doc.Judged, "Change": r.Doc.Change, "Before": r.Doc.Before, "After": r.Doc.After,
			"Caveats": strings.Join(r.Doc.Caveats, ""), "Sources": strings.Join(r.Doc.Sources, ""),
		} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: Doc.%s is empty", r.ID, field)
			}
		}
		if r.Doc.Before == r.Doc.After {
			t.Errorf("%s: the example is the same before and after the change", r.ID)
		}
		if len(r.Needs) == 0 {
			t.Errorf("%s: needs nothing, so it can never be not judged", r.ID)
		}
		if seen[r.ID] || r.Step < last {
			t.Errorf("%s: stands twice, or after a later step", r.ID)
		}
		seen[r.ID], last = true, r.Step
		for _, path := range []string{strings.ReplaceAll(r.ID, "-", "_") + ".go", casesOf(r.ID)} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", r.ID, err)
			}
		}
	}
}

// metricName is what counters look like, with or without a roll-up, and the counters by instruction that have no unit in
// front.
var metricName = regexp.MustCompile(`^(group:)?[a-z0-9]+__[a-z0-9_]+[a-z0-9_.]*$|^(memory|inst_executed|thread_inst_executed)[a-z0-9_]*$`)

// TestGlossary holds that every metric named in the rules is explained. A name that is the start of others needs one of
// them to be.
func TestGlossary(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || path == "glossary.go" {
			continue
		}
		for _, name := range literals(t, path) {
			if !metricName.MatchString(name) {
				continue
			}
			found++
			_, _, ok := Explain(name)
			isStart := slices.ContainsFunc(glossary, func(g Term) bool { return strings.HasPrefix(g.Counter, name) })
			if !ok && !isStart {
				t.Errorf("%s: %q is not in the glossary", path, name)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d metrics found in the source: do the literals still look like %v?", found, metricName)
	}
	for _, m := range Collect() {
		if _, _, ok := Explain(m); !ok {
			t.Errorf("%q is collected and not in the glossary", m)
		}
	}
}

// literals returns the strings of a source file.
func literals(t *testing.T, path string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

// TestCollectLines holds that the line which collects what a case lacks names what ncu knows, and all that is missing.
func TestCollectLines(t *testing.T) {
	known := knownMetrics(t)
	lines := 0
	for _, r := range All {
		_, cases := readCases(t, casesOf(r.ID))
		for _, c := range cases {
			if kindOfCase(parseWant(t, c.want)) != "is not judged" {
				continue
			}
			for _, l := range c.judge(t).Launches {
				for _, n := range l.NotJudged {
					lines++
					checkCollectLine(t, n, known)
				}
			}
		}
	}
	if lines < len(All) {
		t.Errorf("only %d lines", lines)
	}
}

func checkCollectLine(t *testing.T, n NotJudged, known map[string]bool) {
	t.Helper()
	words := strings.Fields(n.Collect)
	var metrics, sections []string
	for i, w := range words[:len(words)-1] {
		switch w {
		case "--metrics":
			metrics = strings.Split(words[i+1], ",")
		case "--section":
			sections = append(sections, words[i+1])
		}
	}
	if words[0] != "ncu" || len(metrics)+len(sections) == 0 {
		t.Errorf("%s: %q collects nothing", n.Rule, n.Collect)
	}
	for _, m := range metrics {
		if !known[m] {
			t.Errorf("%s: the line collects %q, which ncu does not know", n.Rule, m)
		}
	}
	for _, s := range sections {
		if !slices.Contains(Sections, s) {
			t.Errorf("%s: the line collects the section %q, which no rule reads", n.Rule, s)
		}
	}
	for _, m := range n.Missing {
		if m != instructions && !slices.Contains(metrics, m) && len(sections) == 0 {
			t.Errorf("%s: %q does not collect %s", n.Rule, n.Collect, m)
		}
	}
}

// knownMetrics reads the names that a table lists which is kept beside the repository.
func knownMetrics(t *testing.T) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "formats", "units.tsv"))
	if err != nil {
		t.Skip("no table of metrics")
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(line, "\t")
		known[name] = true
	}
	return known
}
