package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"advisor/rules"
)

// newRulesCmd lists the checklist in order.
func newRulesCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "rules",
		Short: "List the checklist in order",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, r := range rules.All {
				fmt.Fprintf(w, "%s\t%s\t%s\n", r.Step, r.ID, r.Doc.Title)
			}
			return w.Flush()
		},
	}
}
