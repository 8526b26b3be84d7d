package report

import (
	"fmt"
	"io"
	"strings"

	"advisor/ncu/sass"
	"advisor/rules"
)

// writeSassMarkdown writes a comment for a pull request: the sum, a table, and the findings folded.
func writeSassMarkdown(w io.Writer, res *rules.StaticResult, opt Options) error {
	res = cleaned(res)
	var b strings.Builder
	b.WriteString(Marker + "\n**" + prose(sassHeadline(res)) + "**\n\n")
	if res.Compared {
		markdownChanges(&b, res)
	} else {
		markdownFunctions(&b, res, opt.Top)
	}
	for i := range res.Inputs {
		in := &res.Inputs[i]
		fmt.Fprintf(&b, "- read %s: %s, %s\n", code(in.Path, 120), prose(in.Format), plural(in.Functions, "function", "functions"))
		for _, n := range in.Notes {
			fmt.Fprintf(&b, "  - %s\n", prose(n))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownFunctions(b *strings.Builder, res *rules.StaticResult, top int) {
	zeros := anyGeneric(res)
	b.WriteString("| function | registers | stack | memory instructions | findings |\n|:--|--:|--:|:--|:--|\n")
	n := 0
	for ; n < len(res.Functions) && (top <= 0 || n < top) && b.Len() < maxTable; n++ {
		f := &res.Functions[n]
		var found []string
		for _, x := range f.Findings {
			found = append(found, x.Severity.String()+" "+code(x.Rule, 40))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell(code(f.Function, 60)), known(f, sass.CountRegisters), known(f, sass.CountStackBytes),
			cell(code(opcodes(f, zeros), 400)), cell(strings.Join(found, ", ")))
	}
	if rest := len(res.Functions) - n; rest > 0 {
		fmt.Fprintf(b, "\n%s not in the table.\n", plural(rest, "function", "functions"))
	}
	b.WriteString("\n")
	for i := range res.Functions {
		if f := &res.Functions[i]; len(f.Findings) > 0 && !markdownStatic(b, f.Function, "", f.Findings) {
			return
		}
	}
}

func markdownChanges(b *strings.Builder, res *rules.StaticResult) {
	if len(res.Changes) == 0 {
		return
	}
	b.WriteString("| function | | code | counts |\n|:--|:--|:--|:--|\n")
	for i := range res.Changes {
		if b.Len() > maxTable {
			fmt.Fprintf(b, "\n%s not in the table.\n", plural(len(res.Changes)-i, "change", "changes"))
			break
		}
		c := &res.Changes[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", cell(code(c.Function, 60)), c.Status, cell(prose(changesOf(c.Opcodes))), cell(prose(changesOf(c.Counts))))
	}
	b.WriteString("\n")
	for i := range res.Changes {
		c := &res.Changes[i]
		for _, f := range c.Fixed {
			fmt.Fprintf(b, "- fixed in %s: %s\n", code(c.Function, 60), prose(f.Rule+": "+f.Message))
		}
	}
	b.WriteString("\n")
	for i := range res.Changes {
		if c := &res.Changes[i]; len(c.New) > 0 && !markdownStatic(b, c.Function, "new in ", c.New) {
			return
		}
	}
}

// known returns a count, "" when it is unknown.
func known(f *rules.StaticFunction, name string) string {
	if v, ok := f.Counts[name]; ok {
		return digits(v)
	}
	return ""
}

// markdownStatic folds the findings of a function; it reports false when there is no more room.
func markdownStatic(b *strings.Builder, function, before string, findings []rules.Finding) bool {
	if b.Len() > maxMarkdown-maxTail {
		b.WriteString("More findings are left out: a comment has no room for them.\n\n")
		return false
	}
	fmt.Fprintf(b, "<details><summary>%s%s</summary>\n\n", before, htmlCode(function, 80))
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(b, "**%s** %s: %s\n\n", f.Severity, code(f.Rule, 40), prose(f.Message))
		locations := byLine(f.Locations)
		for j, at := range locations {
			if j == shown {
				fmt.Fprintf(b, "- and %s\n", plural(len(locations)-j, "more place", "more places"))
				break
			}
			at.Share = 0 // instructions are not equal in how often they run
			fmt.Fprintf(b, "- at %s %s %s\n", code(where(&at), 160), code(at.SASS, 80), prose(at.Note))
		}
		for _, a := range f.Advice {
			fmt.Fprintf(b, "- **change** %s\n", prose(a))
		}
		for _, c := range f.Caveats {
			fmt.Fprintf(b, "- caution: %s\n", prose(c))
		}
		b.WriteString("\n")
	}
	b.WriteString("</details>\n\n")
	return true
}
