package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"advisor/ncu/collect"
)

func newDoctorCmd() *cobra.Command {
	var path string
	var root string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say whether this machine can profile",
		Long: `Doctor looks at what profiling needs - ncu, the driver, a GPU, the right to read its counters - without running a
program. Each line is ok, a problem with its cure, or unknown: only a run will tell.

The exit status is 0 when nothing stands in the way, else 3.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			tool, findErr := collect.Find(root, path, os.Getenv)
			checks := collect.Checks(collect.Probe(root, os.Getenv), tool, findErr, ".")
			problems := 0
			for _, c := range checks {
				fmt.Fprintf(cmd.OutOrStdout(), "%-8s %-10s %s\n", c.State, c.Name, c.Says)
				if c.Cure != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "%-8s %-10s -> %s\n", "", "", c.Cure)
				}
				if c.State == collect.Problem {
					problems++
				}
			}
			if problems == 0 {
				return nil
			}
			return &exitError{exitMachine, fmt.Sprintf("this machine cannot profile: %s; see above for the cure", count(problems, "problem"))}
		},
	}
	addMachineFlags(cmd, &path, &root)
	return cmd
}

// addMachineFlags defines what profile and doctor have in common. The folder of --sysroot stands for the root of the file
// system where the machine is looked at, for a chroot and for tests.
func addMachineFlags(cmd *cobra.Command, path, root *string) {
	cmd.Flags().StringVar(path, "ncu", "", "`path` of ncu (default: ADVISOR_NCU, PATH, then the usual folders)")
	cmd.Flags().StringVar(root, "sysroot", "/", "`folder` below which /proc, /dev and the usual folders are read")
	cmd.Flags().MarkHidden("sysroot")
}

// count returns "1 problem" or "2 problems".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
