package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"advisor/rules"
)

// newExplainCmd explains a rule or a metric.
func newExplainCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE | METRIC",
		Short: "Say what a rule or a metric means, how it is judged, and what to change",
		Args:  cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, r := range rules.All {
				ids = append(ids, r.ID)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			if r := rules.Lookup(args[0]); r != nil {
				explainRule(out, r)
				return nil
			}
			if t, rollup, ok := rules.Explain(args[0]); ok {
				explainMetric(out, args[0], t, rollup)
				return nil
			}
			return fmt.Errorf("no rule or metric %q; advisor rules lists the rules", args[0])
		},
	}
}

// explainWidth is the width of explanations: they read well in a narrow terminal and in an issue.
const explainWidth = 80

// explainRule writes a rule's documentation.
func explainRule(w io.Writer, r *rules.Rule) {
	fmt.Fprintf(w, "%s (step: %s)\n%s\n", r.ID, r.Step, r.Doc.Title)
	paragraph(w, "Why", r.Doc.Why)
	paragraph(w, "How it is judged", r.Doc.Judged)
	paragraph(w, "What to change", r.Doc.Change)
	code(w, "Before", r.Doc.Before)
	code(w, "After", r.Doc.After)
	for i, c := range r.Doc.Caveats {
		if i == 0 {
			fmt.Fprint(w, "\nCaveats\n")
		}
		fmt.Fprintln(w, hang("  - ", c))
	}
	for i, s := range r.Doc.Sources {
		if i == 0 {
			fmt.Fprint(w, "\nSources\n")
		}
		fmt.Fprintln(w, hang("  - ", s))
	}
	fmt.Fprint(w, "\nNeeds\n")
	for _, n := range r.Needs {
		fmt.Fprintln(w, hang("  - ", needText(n)))
	}
}

// needText says what a rule cannot do without.
func needText(n rules.Need) string {
	text := strings.Join(n.AnyOf, " or ")
	switch {
	case text == "":
		return "the instructions with their counters"
	case n.Code:
		return text + ", or the instructions with their counters"
	}
	return text
}

// explainMetric writes what a metric means.
func explainMetric(w io.Writer, name string, t rules.Term, rollup string) {
	fmt.Fprintln(w, name)
	if t.Unit != "" {
		fmt.Fprintf(w, "  unit of the counter: %s\n", t.Unit)
	}
	fmt.Fprintln(w, hang("  ", t.Meaning))
	if rollup != "" {
		fmt.Fprintln(w, hang("  ", "here: "+rollup))
	}
}

func paragraph(w io.Writer, title, text string) {
	fmt.Fprintf(w, "\n%s\n%s\n", title, hang("  ", text))
}

func code(w io.Writer, title, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(w, "\n%s\n    %s\n", title, strings.ReplaceAll(text, "\n", "\n    "))
}

// hang wraps a text behind a prefix; further lines are indented as far.
func hang(prefix, text string) string {
	var b strings.Builder
	b.WriteString(prefix)
	column := len(prefix)
	for i, word := range strings.Fields(text) {
		if i > 0 && column+1+len(word) > explainWidth {
			b.WriteString("\n" + strings.Repeat(" ", len(prefix)))
			column = len(prefix)
		} else if i > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
