package report

import (
	"fmt"
	"io"
	"strings"

	"advisor/rules"
)

func writeDiffMarkdown(w io.Writer, c *rules.Comparison, opt Options) error {
	c = cleaned(c)
	var b strings.Builder
	b.WriteString("<!-- advisor-diff -->\n**" + prose(diffVerdict(c)) + "**\n\n")
	for _, u := range c.Unlike {
		b.WriteString("- unlike: " + prose(u) + "\n")
	}
	if len(c.Pairs) > 0 {
		b.WriteString("\n| kernel | base | head | time | findings |\n|:--|--:|--:|--:|:--|\n")
	}
	n := 0
	for ; n < len(c.Pairs) && (opt.Top <= 0 || n < opt.Top) && b.Len() < maxTable; n++ {
		p := &c.Pairs[n]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(code(pairName(p), 60)), spread(p.Base), spread(p.Head), timeChange(p), cell(findingList(p)))
	}
	if n < len(c.Pairs) {
		fmt.Fprintf(&b, "\n%s not in the table.\n", plural(len(c.Pairs)-n, "kernel", "kernels"))
	}
	b.WriteString("\n")
	for i := range c.Pairs {
		p := &c.Pairs[i]
		if !eventful(p) {
			continue
		}
		part := markdownPair(p)
		if b.Len()+len(part)+maxTail > maxMarkdown {
			b.WriteString("More kernels changed than a comment has room for: the text and JSON formats have all.\n\n")
			break
		}
		b.WriteString(part)
	}
	markdownLone(&b, "removed", c.Removed)
	markdownLone(&b, "added", c.Added)
	_, err := io.WriteString(w, b.String())
	return err
}

// findingList lists the findings of a pair that changed.
func findingList(p *rules.Pair) string {
	var parts []string
	for _, f := range p.Findings {
		if f.Change != rules.Same && f.Change != rules.Unjudged {
			parts = append(parts, string(f.Change)+" "+code(f.Rule, 40))
		}
	}
	return strings.Join(parts, ", ")
}

func markdownPair(p *rules.Pair) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s: %s</summary>\n\n", htmlCode(pairName(p), 80), timeChange(p))
	if p.Reshaped {
		b.WriteString("- the launch shape differs: now grid " + prose(p.Grid) + ", block " + prose(p.Block) + "\n")
	}
	for _, f := range p.Findings {
		if f.Change != rules.Same {
			fmt.Fprintf(&b, "- %s %s\n", code(f.Rule, 40), prose(findingChange(&f)))
		}
	}
	for _, k := range p.Counters {
		fmt.Fprintf(&b, "- %s is %s, was %s\n", code(k.Metric, 120), count(k.Head), count(k.Base))
	}
	b.WriteString("\n</details>\n\n")
	return b.String()
}

func markdownLone(b *strings.Builder, what string, ks []rules.Lone) {
	for i, k := range ks {
		if i == 20 {
			fmt.Fprintf(b, "- and %d more %s\n", len(ks)-i, what)
			break
		}
		fmt.Fprintf(b, "- %s, so not compared: %s, %s\n", what, code(k.Function, 80), duration(k.TotalNS))
	}
}
