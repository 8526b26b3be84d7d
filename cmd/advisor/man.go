package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"advisor/cmd/advisor/internal/report"
)

// newManCmd makes the command that packages are built with: it writes man pages, shell completions and the JSON Schema of
// reports.
func newManCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write man pages, shell completions and the schema of reports to a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true // a date would change the pages from day to day
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("%s: cannot be made: %w", args[0], cause(err))
			}
			if err := doc.GenManTree(root, &doc.GenManHeader{Title: "ADVISOR", Section: "1", Source: "advisor"}, args[0]); err != nil {
				return fmt.Errorf("writing man pages: %w", err)
			}
			schema := filepath.Join(args[0], "advisor.report.v1.json")
			if err := writeFile(schema, func(w io.Writer) error { _, err := w.Write(report.Schema()); return err }); err != nil {
				return err
			}
			return writeCompletions(root, args[0])
		},
	}
}

// writeCompletions writes a completion script for each shell.
func writeCompletions(root *cobra.Command, dir string) error {
	for _, shell := range []struct {
		file  string
		write func(path string) error
	}{
		{"advisor.bash", func(p string) error { return root.GenBashCompletionFileV2(p, true) }},
		{"_advisor", root.GenZshCompletionFile},
		{"advisor.fish", func(p string) error { return root.GenFishCompletionFile(p, true) }},
		{"advisor.ps1", root.GenPowerShellCompletionFileWithDesc},
	} {
		if err := shell.write(filepath.Join(dir, shell.file)); err != nil {
			return fmt.Errorf("writing completions: %w", err)
		}
	}
	return nil
}
