package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newManCmd makes the command that packages are built with: it writes man pages and shell completions.
func newManCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write man pages and shell completions to a folder",
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
