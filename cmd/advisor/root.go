package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"advisor/cmd/advisor/internal/report"
)

// Exit statuses: a contract with scripts and CI jobs.
const (
	exitDone     = 0
	exitGate     = 1 // a gate failed: findings at or above the level, or a limit broken
	exitUsage    = 2 // wrong use, or input that cannot be read
	exitMachine  = 3 // this machine cannot profile
	exitProgram  = 4 // the program under profile failed, or launched no kernel that was profiled
	exitTimedOut = 5
)

// An exitError is an error with an exit status. An empty message prints nothing: what is to be said has been said.
type exitError struct {
	status int
	msg    string
}

func (e *exitError) Error() string { return e.msg }

// run is the whole program: main without the process.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCmd()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return exitDone
	}
	status := exitUsage
	var e *exitError
	if errors.As(err, &e) {
		status = e.status
	}
	if err.Error() != "" {
		fmt.Fprintf(stderr, "advisor: %s\n", oneLine(err.Error()))
	}
	return status
}

// oneLine makes a message one line, as scripts read it, without characters that would drive the terminal.
func oneLine(s string) string { return report.Clean(strings.Join(strings.Fields(s), " ")) }

// newRootCmd lists the commands; each stands in a file of its own.
func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "advisor",
		Short: "What to change first in a slow CUDA kernel, where, and how much time it saves",
		Long: `Advisor reads profiles made by NVIDIA Nsight Compute and says what to change first in a slow CUDA kernel, where in the
source, how much time it should save, and why the other advice can wait. It needs no NVIDIA software, but for profile.

Exit statuses: 0 done; 1 a gate failed (--fail-on, check); 2 wrong use, or input that cannot be read; 3 this machine
cannot profile; 4 the program under profile failed, or launched no kernel; 5 timed out.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(
		newAnalyzeCmd(),
		newCheckCmd(),
		newSassCmd(),
		newDiffCmd(),
		newConvertCmd(),
		newProfileCmd(),
		newDoctorCmd(),
		newExplainCmd(),
		newRulesCmd(),
		newScoreCmd(),
		newManCmd(),
	)
	return root
}
