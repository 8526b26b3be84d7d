package report

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"strings"

	"advisor/rules"
)

// The part of SARIF 2.1.0 that is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
		// ColumnKind is required by some readers even where no columns are given.
		ColumnKind string `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID       string       `json:"id"`
		Short    sarifText    `json:"shortDescription"`
		Full     sarifText    `json:"fullDescription"`
		Help     sarifMessage `json:"help"`
		Defaults sarifDefault `json:"defaultConfiguration"`
		Tags     sarifTags    `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifTags struct {
		Tags []string `json:"tags"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    *int              `json:"ruleIndex,omitempty"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		ID       *int           `json:"id,omitempty"`
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name string `json:"name"`
		Full string `json:"fullyQualifiedName,omitempty"`
		Kind string `json:"kind"`
	}
)

// maxSARIF is the most results written: GitHub shows no more of a run.
const maxSARIF = 5000

// WriteSARIF writes SARIF 2.1.0 for code scanning: one result for each finding of a kernel, at its source line, or at
// the first line of the report that it was found in.
func WriteSARIF(w io.Writer, res *rules.Result, opt Options) error {
	res = cleaned(res)
	run := newSARIF(res.Advisor)
	seen := map[string]int{}
	with, _ := bySaving(res)
	for _, k := range with {
		for i := range k.Findings {
			if len(run.Results) == maxSARIF {
				break
			}
			f := &k.Findings[i]
			r := sarifResultOf(res, k, f, opt)
			// By rule, kernel and source file, not by line or measured value, which change with every edit.
			file := ""
			if own, _ := f.Place(); own != "" {
				file = base(own)
			}
			print := fingerprint(f.Rule, k.Kernel, k.Rank, file)
			seen[print]++
			r.Fingerprints = sarifPrint(print, seen[print])
			run.Results = append(run.Results, r)
		}
	}
	return writeSARIF(w, run)
}

// newSARIF returns a run without results, with the rules described.
func newSARIF(version string) *sarifRun {
	run := &sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "advisor", Version: version, Rules: []sarifRule{}}},
		Results:    []sarifResult{},
		ColumnKind: "unicodeCodePoints",
	}
	for _, r := range rules.All {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(r))
	}
	return run
}

func writeSARIF(w io.Writer, run *sarifRun) error {
	return writeJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{*run}})
}

// sarifPlain returns a message; "[a](b)" is a link in the plain text of SARIF, too.
func sarifPlain(text string) sarifText { return sarifText{strings.ReplaceAll(text, "](", `\](`)} }

// sarifPrint tells the n-th result of the same fingerprint apart.
func sarifPrint(print string, n int) map[string]string {
	return map[string]string{"advisorFinding/v1": fmt.Sprintf("%s:%d", print, n)}
}

func sarifRuleOf(r *rules.Rule) sarifRule {
	parts := []string{r.Doc.Why, "How it is judged: " + r.Doc.Judged, "What to change: " + r.Doc.Change}
	marked := append([]string{}, parts...)
	if r.Doc.Before != "" && r.Doc.After != "" {
		marked = append(marked, "Before:\n```cuda\n"+r.Doc.Before+"\n```\nAfter:\n```cuda\n"+r.Doc.After+"\n```")
	}
	return sarifRule{
		ID: r.ID, Short: sarifText{r.Doc.Title}, Full: sarifText{r.Doc.Why},
		Help:     sarifMessage{Text: strings.Join(parts, "\n\n"), Markdown: strings.Join(marked, "\n\n")},
		Defaults: sarifDefault{"warning"}, Tags: sarifTags{[]string{"performance", r.Step.String()}},
	}
}

func sarifResultOf(res *rules.Result, k *rules.KernelResult, f *rules.Finding, opt Options) sarifResult {
	text := elide(name(k), 120) + ": " + f.Message + "; " + price(k, f)
	if f.WaitsFor != "" {
		text += "; waits for " + f.WaitsFor
	}
	for _, a := range f.Advice {
		text += "\n" + a
	}
	out := sarifResult{RuleID: f.Rule, RuleIndex: ruleIndex(f.Rule), Level: sarifLevel(f.Severity), Message: sarifPlain(text)}
	kernel := []sarifLogical{{Name: name(k), Full: k.Kernel, Kind: "function"}}
	for i := range f.Locations {
		l := &f.Locations[i]
		file, line := l.Own()
		if file == "" || line <= 0 {
			continue
		}
		at := sarifLocation{Physical: sarifPhysical{sarifArtifact{fileURI(relative(file, opt.Root))}, sarifRegion{line}}}
		if out.Locations == nil {
			at.Logical = kernel
			out.Locations = []sarifLocation{at}
		} else if len(out.Related) < 10 {
			id := len(out.Related)
			at.ID, at.Message = &id, &sarifText{where(l)}
			out.Related = append(out.Related, at)
		}
	}
	if out.Locations == nil {
		out.Locations = []sarifLocation{{Physical: sarifPhysical{sarifArtifact{fileURI(relative(inputOf(res, k), opt.Root))}, sarifRegion{1}}, Logical: kernel}}
	}
	return out
}

// inputOf returns the path of the input that the kernel stands in.
func inputOf(res *rules.Result, k *rules.KernelResult) string {
	if w := worst(res, k); w != nil && w.Input < len(res.Inputs) {
		return res.Inputs[w.Input].Path
	}
	return "report"
}

func sarifLevel(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "error"
	case rules.Warning:
		return "warning"
	}
	return "note"
}

// fingerprint identifies a result from run to run.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return fmt.Sprintf("%x", sum[:16])
}

// fileURI returns a path as a URI: absolute paths as file:, relative ones as they are, both percent-encoded.
func fileURI(path string) string {
	if path == "-" || path == "" {
		path = "stdin"
	}
	u := url.URL{Path: path}
	if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	} else if len(path) > 2 && path[1:3] == ":/" {
		u = url.URL{Scheme: "file", Path: "/" + path}
	}
	return u.String()
}
