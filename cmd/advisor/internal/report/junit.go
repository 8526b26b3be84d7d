package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"advisor/rules"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr,omitempty"` // seconds
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	File    string       `xml:"file,attr,omitempty"`
	Line    int          `xml:"line,attr,omitempty"`
	Failure *junitDetail `xml:"failure"`
	Skipped *junitDetail `xml:"skipped"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitDetail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a suite for each kernel and a case for each rule: failed with a finding of warning or error,
// skipped where it was not judged, else passed. Findings below a warning, and those that wait, stand in the output of
// their case.
func WriteJUnit(w io.Writer, res *rules.Result, opt Options) error {
	res = cleaned(res)
	doc := junitSuites{Name: "advisor"}
	for _, k := range byTime(res) {
		s := junitKernel(res, k, opt)
		doc.Tests, doc.Failures, doc.Skipped = doc.Tests+s.Tests, doc.Failures+s.Failures, doc.Skipped+s.Skipped
		doc.Suites = append(doc.Suites, s)
	}
	return writeXML(w, doc)
}

func writeXML(w io.Writer, doc any) error {
	b, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("writing XML: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(b)+"\n")
	return err
}

func junitKernel(res *rules.Result, k *rules.KernelResult, opt Options) junitSuite {
	s := junitSuite{Name: k.Kernel}
	if k.TotalNS != nil {
		s.Time = fmt.Sprintf("%.9f", *k.TotalNS/1e9)
	}
	skipped := map[string]rules.NotJudged{}
	if w := worst(res, k); w != nil {
		for _, n := range w.NotJudged {
			skipped[n.Rule] = n
		}
	}
	for _, id := range junitRules(k, skipped) {
		c := junitCase{Class: name(k), Name: id}
		if f := find(k.Findings, id); f != nil {
			c.File, c.Line = sourceOf(f, opt.Root)
			junitFinding(&c, k, f)
		} else if n, ok := skipped[id]; ok {
			c.Skipped = &junitDetail{Message: "not judged; collect with " + n.Collect}
		}
		s.Tests++
		if c.Failure != nil {
			s.Failures++
		}
		if c.Skipped != nil {
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// junitRules lists the checklist, and rules that only the result knows.
func junitRules(k *rules.KernelResult, skipped map[string]rules.NotJudged) []string {
	set := map[string]bool{}
	for _, r := range rules.All {
		set[r.ID] = true
	}
	for i := range k.Findings {
		set[k.Findings[i].Rule] = true
	}
	for id := range skipped {
		set[id] = true
	}
	return inOrder(set)
}

func junitFinding(c *junitCase, k *rules.KernelResult, f *rules.Finding) {
	text := price(k, f) + "\n"
	for _, l := range byLine(f.Locations) {
		text += "at " + where(&l) + "\n"
	}
	for _, a := range f.Advice {
		text += "change: " + a + "\n"
	}
	switch {
	case f.WaitsFor != "":
		c.Out = waits(f)
	case f.Severity < rules.Warning:
		c.Out = f.Message + "\n" + text
	default:
		c.Failure = &junitDetail{Message: f.Message, Type: f.Severity.String(), Text: strings.TrimSpace(text)}
	}
}

// find returns the finding of that rule, nil when there is none.
func find(fs []rules.Finding, rule string) *rules.Finding {
	for i := range fs {
		if fs[i].Rule == rule {
			return &fs[i]
		}
	}
	return nil
}
