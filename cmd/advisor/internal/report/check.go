package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"advisor/cmd/advisor/internal/gate"
	"advisor/rules"
)

// A CheckWriter writes the outcome of a gate in one format.
type CheckWriter func(io.Writer, *gate.Outcome, Options) error

// CheckFormats are the writers of outcomes by name.
var CheckFormats = map[string]CheckWriter{
	"text":   writeCheckText,
	"json":   func(w io.Writer, o *gate.Outcome, _ Options) error { return writeJSON(w, o) },
	"github": writeCheckGitHub,
	"junit":  writeCheckJUnit,
	"sarif":  writeCheckSARIF,
}

// headline is the outcome in one sentence.
func headline(o *gate.Outcome) string {
	kernels := plural(o.Kernels, "kernel", "kernels")
	if o.Compared {
		kernels += " compared with the baseline"
	}
	failed := o.Failed()
	switch {
	case failed > 0:
		return fmt.Sprintf("Check failed: %s of severity %s or above in %s.", plural(failed, "break", "breaks"), o.FailOn, kernels)
	case !o.Passed:
		return "Check failed: nothing was checked."
	case len(o.Breaks) > 0:
		return fmt.Sprintf("Check passed: %s, %s below severity %s.", kernels, plural(len(o.Breaks), "break", "breaks"), o.FailOn)
	}
	return fmt.Sprintf("Check passed: %s, no limit broken.", kernels)
}

func writeCheckText(w io.Writer, o *gate.Outcome, opt Options) error {
	o = cleaned(o)
	l := newLayout(opt)
	for _, s := range wrap(headline(o), l.width) {
		l.line(l.paint(bold, s))
	}
	for _, b := range o.Breaks {
		l.line()
		writeBreak(l, &b)
	}
	if len(o.Ignored) > 0 {
		l.line()
	}
	for _, b := range o.Ignored {
		l.labelled(0, "ignored", dim, fmt.Sprintf("%s in %s: %s", b.ID, elide(b.Function, 60), b.Reason))
	}
	if len(o.Notes) > 0 {
		l.line()
	}
	for _, n := range o.Notes {
		l.labelled(0, "note", plain, n)
	}
	_, err := io.WriteString(w, l.String())
	return err
}

func writeBreak(l *layout, b *gate.Break) {
	l.line(l.paint(severityStyle(b.Severity), pad(b.Severity.String(), labelWidth)), l.paint(bold, b.ID), " in ", elide(b.Function, max(20, l.width-labelWidth-4-length(b.ID))))
	if b.File != "" && b.Line > 0 {
		l.labelled(0, "", plain, fmt.Sprintf("%s:%d", b.File, b.Line))
	}
	l.labelled(0, "", plain, b.Message)
}

func writeCheckGitHub(w io.Writer, o *gate.Outcome, opt Options) error {
	o = cleaned(o)
	out := bufio.NewWriter(w)
	annotate(out, "notice", "", 0, "advisor check", headline(o))
	for i, b := range o.Breaks {
		if i == maxAnnotations {
			annotate(out, "notice", "", 0, "advisor check", plural(len(o.Breaks)-i, "more break", "more breaks"))
			break
		}
		file := ""
		if b.File != "" {
			file = relative(b.File, opt.Root)
		}
		annotate(out, githubLevel(b.Severity), file, b.Line, b.ID+" in "+elide(b.Function, 80), b.Message)
	}
	return out.Flush()
}

func writeCheckJUnit(w io.Writer, o *gate.Outcome, opt Options) error {
	o = cleaned(o)
	s := junitSuite{Name: "advisor check"}
	for _, b := range o.Breaks {
		c := junitCase{Class: b.Function, Name: b.Kind + " " + b.ID, Line: b.Line}
		if b.File != "" {
			c.File = relative(b.File, opt.Root)
		}
		if b.Severity >= o.FailOn {
			c.Failure = &junitDetail{Message: b.Message, Type: b.Severity.String(), Text: b.Kernel}
			s.Failures++
		} else {
			c.Out = b.Message
		}
		s.Cases = append(s.Cases, c)
	}
	for _, b := range o.Ignored {
		s.Skipped++
		s.Cases = append(s.Cases, junitCase{Class: b.Function, Name: b.Kind + " " + b.ID, Skipped: &junitDetail{Message: b.Reason}})
	}
	all := junitCase{Class: "advisor", Name: "check", Out: strings.Join(append([]string{headline(o)}, o.Notes...), "\n")}
	if !o.Passed && o.Failed() == 0 {
		all.Failure = &junitDetail{Message: headline(o)}
		s.Failures++
	}
	s.Cases = append(s.Cases, all)
	s.Tests = len(s.Cases)
	return writeXML(w, junitSuites{Name: "advisor", Tests: s.Tests, Failures: s.Failures, Skipped: s.Skipped, Suites: []junitSuite{s}})
}

func writeCheckSARIF(w io.Writer, o *gate.Outcome, opt Options) error {
	o = cleaned(o)
	run := newSARIF(o.Advisor)
	seen := map[string]int{}
	for _, b := range o.Breaks {
		if len(run.Results) == maxSARIF {
			break
		}
		at := sarifPhysical{sarifArtifact{gate.DefaultConfig}, sarifRegion{1}}
		if b.File != "" && b.Line > 0 {
			at = sarifPhysical{sarifArtifact{fileURI(relative(b.File, opt.Root))}, sarifRegion{b.Line}}
		}
		print := fingerprint(b.Kind, b.ID, b.Kernel, base(b.File))
		seen[print]++
		run.Results = append(run.Results, sarifResult{
			RuleID: b.ID, RuleIndex: ruleIndex(b.ID), Level: sarifLevel(b.Severity), Message: sarifPlain(b.Function + ": " + b.Message),
			Locations:    []sarifLocation{{Physical: at, Logical: []sarifLogical{{Name: b.Function, Full: b.Kernel, Kind: "function"}}}},
			Fingerprints: sarifPrint(print, seen[print]),
		})
	}
	return writeSARIF(w, run)
}

// ruleIndex returns the place of a rule in the checklist, nil when it is not on it.
func ruleIndex(id string) *int {
	for i, r := range rules.All {
		if r.ID == id {
			return &i
		}
	}
	return nil
}
