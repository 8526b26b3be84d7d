package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"advisor/ncu"
	"advisor/rules"
)

// newScoreCmd compares findings with labels.
func newScoreCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "score LABELS.tsv REPORT",
		Short: "Compare the findings with labelled launches: cause and measured speedup",
		Long: "Compare the findings with labelled launches. LABELS.tsv has the columns launch, kernel, cause, fix, duration_ns and\n" +
			"speedup, separated by tabs: the cause is a rule id, several joined by |, healthy, or unscored; the speedup is what\n" +
			"the fix measured.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			labels, err := rules.ReadLabels(args[0], f)
			if err != nil {
				return err
			}
			r, err := ncu.Open(args[1], ncu.Options{})
			if err != nil {
				return err
			}
			defer r.Close()
			res, err := rules.Run(version(), r)
			if err != nil {
				return err
			}
			score, err := rules.ScoreResult(res, labels)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return writeScore(cmd.OutOrStdout(), score)
		},
	}
}

// writeScore prints predicted beside measured for each label, and the sums.
func writeScore(out io.Writer, s *rules.Score) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "launch\tkernel\tcause\tfirst finding\tpredicted\tmeasured\tratio\t")
	for _, l := range s.Lines {
		if l.Causes == nil && !l.Healthy {
			continue
		}
		cause, mark := strings.Join(l.Causes, " or "), ""
		if l.Healthy {
			cause = "healthy"
		}
		if !l.OK {
			mark = "wrong"
		}
		first := l.First
		if first == "" || l.Healthy && l.OK {
			first = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Launch, l.Kernel, cause, first, factor(l.Predicted), factor(l.Speedup), ratio(l), mark)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nright cause first: %d of %d\nhealthy launches urged: %d of %d\n", s.Right, s.Labeled, s.Urged, s.Healthy)
	if s.Median > 0 {
		fmt.Fprintf(out, "gain, factor between predicted and measured: median %.2f, worst %.2f\n", s.Median, s.Worst)
	}
	if len(s.Missing) > 0 {
		fmt.Fprintf(out, "labels without a launch: %s\n", strings.Join(s.Missing, ", "))
	}
	return nil
}

func factor(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2fx", v)
}

func ratio(l rules.ScoreLine) string {
	if l.Error == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", l.Predicted/l.Speedup)
}
