package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"advisor/rules"
)

// maxAnnotations keeps a log readable; GitHub itself shows ten of each kind a step.
const maxAnnotations = 50

// WriteGitHub writes workflow commands: an annotation for each finding that need not wait, the one that saves most
// first.
func WriteGitHub(w io.Writer, res *rules.Result, opt Options) error {
	res = cleaned(res)
	b := bufio.NewWriter(w)
	annotate(b, "notice", "", 0, "advisor", verdict(res))
	n := 0
	with, _ := bySaving(res)
	for _, k := range with {
		for i := range k.Findings {
			f := &k.Findings[i]
			if f.WaitsFor != "" {
				continue
			}
			if n++; n > maxAnnotations {
				continue
			}
			file, line := sourceOf(f, opt.Root)
			text := f.Message + "; " + price(k, f)
			if len(f.Advice) > 0 {
				text += "; " + f.Advice[0]
			}
			annotate(b, githubLevel(f.Severity), file, line, f.Rule+" in "+elide(name(k), 80), text)
		}
	}
	if n > maxAnnotations {
		annotate(b, "notice", "", 0, "advisor", fmt.Sprintf("%d more findings are not annotated", n-maxAnnotations))
	}
	return b.Flush()
}

func githubLevel(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "error"
	case rules.Warning:
		return "warning"
	}
	return "notice"
}

// annotate writes one workflow command.
func annotate(w io.Writer, level, file string, line int, title, text string) {
	props := ""
	if file != "" {
		props = fmt.Sprintf("file=%s,line=%d,", property(file), line)
	}
	fmt.Fprintf(w, "::%s %stitle=%s::%s\n", level, props, property(title), data(text))
}

// data escapes the text of a command, property the value of a property.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}

// sourceOf returns the program's own file and line of a finding, "" and 0 when unknown. Paths under root are made
// relative to it.
func sourceOf(f *rules.Finding, root string) (string, int) {
	file, line := f.Place()
	if file == "" {
		return "", 0
	}
	return relative(file, root), line
}

// relative makes a path under root relative to it, with forward slashes.
func relative(path, root string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if root != "" {
		if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(strings.ReplaceAll(root, `\`, "/"), "/")+"/"); ok {
			return rest
		}
	}
	return strings.TrimPrefix(path, "./")
}
