package main

import (
	"errors"

	"github.com/spf13/cobra"

	"advisor/ncu/collect"
)

// exitInterrupted is what a shell shows for a program that Ctrl-C ended.
const exitInterrupted = 130

// explain prints a failure - the cause and the first cure in one line, then what else there is to know - and returns its
// exit status.
func explain(cmd *cobra.Command, err error) error {
	var f *collect.Failure
	if !errors.As(err, &f) {
		return err
	}
	cmd.PrintErrf("advisor: %s\n", oneLine(f.Error()))
	for _, cure := range f.Cure[min(1, len(f.Cure)):] {
		cmd.PrintErrf("  %s\n", cure)
	}
	for _, s := range f.Said {
		cmd.PrintErrf("  %s\n", s)
	}
	if f.Exits != "" {
		cmd.PrintErrf("  %s\n", f.Exits)
	}
	return &exitError{blamed[f.Blame], ""}
}

var blamed = map[collect.Blame]int{
	collect.OfMachine: exitMachine, collect.OfProgram: exitProgram, collect.OfTime: exitTimedOut, collect.OfUser: exitInterrupted,
}
