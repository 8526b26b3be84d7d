package report

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"advisor/rules"
)

var thousand = sync.OnceValue(func() *rules.Result { return many(1000) })

// cases are results of every size, and some that attack.
func cases() map[string]*rules.Result {
	cs := map[string]*rules.Result{"sample": sample(), "empty": empty(), "single": single(), "many": thousand()}
	for name, s := range attacks {
		cs[name] = hostile(s)
	}
	return cs
}

// attacks are names that mean something in some format.
var attacks = map[string]string{
	"script":    `<script>alert(1)</script>`,
	"attribute": `" onmouseover="alert(1)" x='`,
	"closing":   `</code></summary></details></td></table><img src=x onerror=alert(1)>`,
	"link":      "[click](javascript:alert(1)) ![i](http://x/y.png)",
	"command":   "\n::error file=x,line=1::owned\r\n::stop-commands::z",
	"controls":  "a\x00\x07\x1b[31mred\x1b[0m\x7f\u009b31m",
	"bidi":      "safe\u202egnp.exe\u2066\u200b\u2069\u2028next",
	"table":     "a | b || c `tick` ``two`` \\| end\\",
	"mention":   "@someone #12 **bold** _it_ http://example.org",
	"template":  "{{.}} ${x} {0} %s %d %%",
	"long":      strings.Repeat("std::tuple<int, float>", 182), // 4,004 characters
	"invalid":   "bad\xff\xfeutf8",
	"cdata":     "]]> <![CDATA[ &lt; &#0; <!-- x --> --!>",
}

func TestSARIF(t *testing.T) {
	text, err := os.ReadFile("testdata/sarif-2.1.0-part.json")
	if err != nil {
		t.Fatal(err)
	}
	schema := compile(t, "sarif", text)
	for name, res := range cases() {
		out := render(t, "sarif", res, Options{})
		validate(t, schema, name, out)
		var log sarifLog
		if err := json.Unmarshal(out, &log); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, r := range log.Runs[0].Results {
			print := r.Fingerprints["advisorFinding/v1"]
			if seen[print] {
				t.Errorf("%s: fingerprint %s stands for two findings", name, print)
			}
			seen[print] = true
			if r.RuleIndex != nil && log.Runs[0].Tool.Driver.Rules[*r.RuleIndex].ID != r.RuleID {
				t.Errorf("%s: rule index of %s", name, r.RuleID)
			}
		}
	}
}

// Fingerprints hold when lines move and numbers change.
func TestSARIFFingerprintIsStable(t *testing.T) {
	prints := func(res *rules.Result) (out []string) {
		var log sarifLog
		if err := json.Unmarshal(render(t, "sarif", res, Options{}), &log); err != nil {
			t.Fatal(err)
		}
		for _, r := range log.Runs[0].Results {
			out = append(out, r.Fingerprints["advisorFinding/v1"])
		}
		return out
	}
	a, b := single(), single()
	f := &b.Kernels[0].Findings[0]
	f.Message, f.SavedNS = "other", num(1)
	f.Locations = append([]rules.Location{}, f.Locations...)
	f.Locations[0].Line, f.Locations[0].File = 99, "/elsewhere/pairs.cu"
	if d := cmp.Diff(prints(a), prints(b)); d != "" {
		t.Error(d)
	}
}

func TestFileURI(t *testing.T) {
	for path, want := range map[string]string{
		"a/b c.cu": "a/b%20c.cu", "/x/y.cu": "file:///x/y.cu", `C:\k\a.cu`: "file:///C:/k/a.cu", "-": "stdin", "a:b.csv": "./a:b.csv", "x?#.cu": "x%3F%23.cu",
	} {
		if got := fileURI(relative(path, "")); got != want {
			t.Errorf("fileURI(%q) = %q, want %q", path, got, want)
		}
	}
	if got := relative("/src/app/k.cu", "/src/app"); got != "k.cu" {
		t.Errorf("relative to root: %q", got)
	}
}

func TestJUnitIsWellFormed(t *testing.T) {
	for name, res := range cases() {
		out := render(t, "junit", res, Options{})
		var doc junitSuites
		if err := xml.Unmarshal(out, &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(doc.Suites) != len(res.Kernels) {
			t.Errorf("%s: %d suites for %d kernels", name, len(doc.Suites), len(res.Kernels))
		}
		wellFormed(t, name, out)
	}
}

// wellFormed reads every token of an XML document.
func wellFormed(t *testing.T, name string, doc []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(doc)))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
}

// githubCommand is a whole annotation on one line.
var githubCommand = regexp.MustCompile(`^::(error|warning|notice) (file=[^:,]*,line=\d+,)?title=[^:,]*::[^\r\n]*$`)

// Every line of GitHub output is one of ours: nothing in a name starts a line.
func TestGitHubCommands(t *testing.T) {
	for name, res := range cases() {
		for _, line := range strings.Split(strings.TrimSuffix(string(render(t, "github", res, Options{})), "\n"), "\n") {
			if !githubCommand.MatchString(line) {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}

// No format for people shows a character that hides or reorders what stands around it, or that drives a terminal.
func TestNoHiddenCharacters(t *testing.T) {
	for name, res := range cases() {
		for _, format := range Names() {
			for _, r := range string(render(t, format, res, Options{Top: 10})) {
				if r != '\n' && hidden(r) {
					t.Errorf("%s/%s: character %U", name, format, r)
					break
				}
			}
		}
	}
}
