package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"advisor/rules"
)

// Marker is the hidden first line of Markdown output, by which a CI job finds its earlier comment to update it.
const Marker = "<!-- advisor-report -->"

// maxMarkdown is the most bytes of Markdown that are written: GitHub refuses comments over 65,536 characters.
const maxMarkdown = 60_000

// Room kept for the parts after the table and after the kernels.
const (
	maxTable = 20_000
	maxTail  = 6_000
	maxProse = 600 // characters of one text
)

// WriteMarkdown writes a comment for a pull request: the verdict, a table of what matters, and the rest folded.
func WriteMarkdown(w io.Writer, res *rules.Result, opt Options) error {
	res = cleaned(res)
	var b strings.Builder
	b.WriteString(Marker + "\n**" + prose(verdict(res)) + "**\n\n")
	if len(res.Launches) > 0 {
		markdownTable(&b, res, opt.Top)
		markdownKernels(&b, res)
	}
	var tail strings.Builder
	markdownQuiet(&tail, res)
	markdownGaps(&tail, res)
	markdownInputs(&tail, res)
	b.WriteString(tail.String())
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTable lists the kernels by time.
func markdownTable(b *strings.Builder, res *rules.Result, top int) {
	b.WriteString("| kernel | launches | time | share | limited by | first finding | saves | speedup |\n")
	b.WriteString("|:--|--:|--:|--:|:--|:--|--:|--:|\n")
	ks := byTime(res)
	n := 0
	for ; n < len(ks) && (top <= 0 || n < top) && b.Len() < maxTable; n++ {
		k := ks[n]
		limit, rule, saves, speedup := "", verdictOn(res, k), "", ""
		if w := worst(res, k); w != nil {
			limit = limiter(w)
		}
		if f := first(k); f != nil {
			rule, saves = cell(code(f.Rule, 40)), duration(f.SavedNS)
			if f.Gain != nil {
				speedup = factor(f.Gain.Expected)
			}
		}
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s | %s | %s |\n", cell(code(name(k), 60)), k.Launches,
			duration(k.TotalNS), percent(k.Share), cell(prose(limit)), rule, saves, speedup)
	}
	if rest := ks[n:]; len(rest) > 0 {
		var sum float64
		for _, k := range rest {
			if k.TotalNS != nil {
				sum += *k.TotalNS
			}
		}
		fmt.Fprintf(b, "\n%s of %s together not in the table.\n", plural(len(rest), "kernel", "kernels"), duration(&sum))
	}
	b.WriteString("\n")
}

// markdownKernels folds the findings of each kernel, the one that saves most first, as far as the room goes.
func markdownKernels(b *strings.Builder, res *rules.Result) {
	with, _ := bySaving(res)
	for i, k := range with {
		part := markdownKernel(res, k)
		if b.Len()+len(part)+maxTail > maxMarkdown {
			fmt.Fprintf(b, "%s with findings left out: a comment has room for %d characters. The text, HTML and JSON reports have all.\n\n",
				plural(len(with)-i, "kernel", "kernels"), maxMarkdown)
			return
		}
		b.WriteString(part)
	}
}

func markdownKernel(res *rules.Result, k *rules.KernelResult) string {
	var b strings.Builder
	summary := htmlCode(times(k), 80)
	if f := first(k); f != nil {
		summary += ": " + html.EscapeString(f.Rule)
		if f.Gain != nil {
			summary += ", " + html.EscapeString(price(k, f))
		}
	}
	fmt.Fprintf(&b, "<details><summary>%s</summary>\n\n", summary)
	if k.Kernel != name(k) {
		b.WriteString(code(k.Kernel, 400) + "\n\n")
	}
	if w := worst(res, k); w != nil {
		b.WriteString(prose(shape(k, w)) + "\n\n")
	}
	for i := range k.Findings {
		f := &k.Findings[i]
		if f.WaitsFor != "" {
			fmt.Fprintf(&b, "*Later:* %s\n\n", prose(waits(f)))
			continue
		}
		markdownFinding(&b, k, f)
	}
	b.WriteString("</details>\n\n")
	return b.String()
}

func markdownFinding(b *strings.Builder, k *rules.KernelResult, f *rules.Finding) {
	fmt.Fprintf(b, "**%s** %s: %s\n\n", f.Severity, code(f.Rule, 40), prose(price(k, f)))
	b.WriteString(prose(f.Message) + "\n\n")
	if minor(f) {
		return
	}
	locations := byLine(f.Locations)
	for i, at := range locations {
		if i == shown {
			fmt.Fprintf(b, "- and %s\n", plural(len(locations)-i, "more place", "more places"))
			break
		}
		fmt.Fprintf(b, "- at %s", code(where(&at), 160))
		if at.SASS != "" {
			b.WriteString(" " + code(at.SASS, 80))
		}
		if at.Note != "" {
			b.WriteString(" " + prose(at.Note))
		}
		b.WriteString("\n")
	}
	for _, e := range f.Evidence {
		fmt.Fprintf(b, "- measured %s: %s\n", code(e.Metric, 120), prose(beside(e)))
	}
	for _, a := range f.Advice {
		fmt.Fprintf(b, "- **change** %s\n", prose(a))
	}
	for _, c := range f.Caveats {
		fmt.Fprintf(b, "- caution: %s\n", prose(c))
	}
	b.WriteString("\n")
}

// markdownQuiet folds the kernels without a finding.
func markdownQuiet(b *strings.Builder, res *rules.Result) {
	_, rest := bySaving(res)
	if len(rest) == 0 {
		return
	}
	fmt.Fprintf(b, "<details><summary>%s without a finding</summary>\n\n", plural(len(rest), "kernel", "kernels"))
	for i, k := range rest {
		if b.Len() > maxTail/2 {
			fmt.Fprintf(b, "- and %d more\n", len(rest)-i)
			break
		}
		fmt.Fprintf(b, "- %s: %s\n", code(name(k), 80), prose(quietLine(res, k)))
	}
	b.WriteString("\n</details>\n\n")
}

// markdownGaps folds what could not be judged.
func markdownGaps(b *strings.Builder, res *rules.Result) {
	gs, collect := gaps(res)
	if len(gs) == 0 {
		return
	}
	seen := map[string]bool{}
	for _, g := range gs {
		for _, r := range g.Rules {
			seen[r] = true
		}
	}
	fmt.Fprintf(b, "<details><summary>%s not judged: neither a finding nor a clean bill</summary>\n\n", plural(len(seen), "rule", "rules"))
	for _, g := range gs {
		fmt.Fprintf(b, "- %s on %s\n", prose(strings.Join(g.Rules, ", ")), onKernels(g.Kernels, len(res.Kernels)))
	}
	fmt.Fprintf(b, "\nCollect with %s\n\n</details>\n\n", code(collect, 2000))
}

// markdownInputs says what was read and how it was measured.
func markdownInputs(b *strings.Builder, res *rules.Result) {
	for i := range res.Inputs {
		if i == 5 {
			fmt.Fprintf(b, "and %s.\n", plural(len(res.Inputs)-i, "more input", "more inputs"))
			break
		}
		in := &res.Inputs[i]
		parts := append([]string{plural(in.Launches, "launch", "launches")}, conditions(in)...)
		if d := devices(res, i); d != "" {
			parts = append(parts, d)
		}
		fmt.Fprintf(b, "- read %s: %s\n", code(in.Path, 120), prose(strings.Join(parts, ", ")))
	}
}

// code returns a text of at most n characters as a code span, in which no character means anything.
func code(s string, n int) string {
	s = elide(s, n)
	if s == "" {
		return ""
	}
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || strings.HasPrefix(s, " ") {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// cell makes a text fit into a table: a bar would end the cell, even inside a code span.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// htmlCode returns a text as an element of code, for places where Markdown is not read.
func htmlCode(s string, n int) string { return "<code>" + html.EscapeString(elide(s, n)) + "</code>" }

// proseEscapes takes the meaning from everything that Markdown or GitHub would act on. The comment behind an @ keeps
// GitHub from notifying someone of that name.
var proseEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;",
	"#", `\#`, "!", `\!`, "~", `\~`, "&", "&amp;", "@", "@<!-- -->", "://", ":&#47;&#47;",
)

// prose returns a text as plain text of Markdown.
func prose(s string) string { return proseEscapes.Replace(elide(s, maxProse)) }
