package main

import (
	"regexp"

	"github.com/spf13/cobra"

	"advisor/charts"
	"advisor/cmd/advisor/internal/report"
	"advisor/rules"
)

func newAnalyzeCmd() *cobra.Command {
	a := &analysis{}
	cmd := &cobra.Command{
		Use:   "analyze FILE...",
		Short: "Say what to change first, from profiles",
		Long: `Analyze reads profiles (.ncu-rep reports, and CSV, JSON and console text exports of them; folders of these; - for
stdin) and says what to change first, where, and how much time it saves.

The exit status is 0 whatever was found, unless --fail-on asks otherwise.`,
		Example: `  advisor analyze report.ncu-rep
  ncu --import report.ncu-rep --page raw --csv | advisor analyze -
  advisor analyze report.ncu-rep --format text --format html=report.html --format sarif=report.sarif
  advisor analyze report.ncu-rep --kernel 'gemm|softmax' --fail-on error`,
		Args: cobra.MinimumNArgs(1),
		RunE: a.run,
	}
	a.in.add(cmd)
	a.out.add(cmd, report.Names())
	a.out.addTop(cmd)
	cmd.Flags().StringVar(&a.kernel, "kernel", "", "only kernels whose name matches the regular `expression`")
	cmd.Flags().StringVar(&a.minSeverity, "min-severity", "info", "leave out findings below this `severity`: info, warning, error")
	cmd.Flags().StringVar(&a.failOn, "fail-on", "", "exit with 1 when a finding has this `severity` or more")
	for _, flag := range []string{"min-severity", "fail-on"} {
		cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions([]string{"info", "warning", "error"}, cobra.ShellCompDirectiveNoFileComp))
	}
	cmd.Flags().StringVar(&a.plots, "plots", "", "also write charts to `folder`, as SVG and PNG")
	return cmd
}

// An analysis holds the flags of the command.
type analysis struct {
	in                                 inputFlags
	out                                outputFlags
	kernel, minSeverity, failOn, plots string
}

func (a *analysis) run(cmd *cobra.Command, args []string) error {
	ts, err := a.out.targets(report.Names())
	if err != nil {
		return err
	}
	match, err := kernelPattern(a.kernel)
	if err != nil {
		return err
	}
	least, err := severity("min-severity", a.minSeverity)
	if err != nil {
		return err
	}
	fail, err := severity("fail-on", a.failOn)
	if err != nil {
		return err
	}
	res, partial := a.in.judge(cmd, args)
	if res == nil {
		return partial
	}
	res = res.Only(match)
	if err := writeResult(cmd, ts, res.From(least), a.out.top); err != nil {
		return err
	}
	if a.plots != "" {
		if _, err := charts.WriteAll(a.plots, res.From(least)); err != nil {
			return err
		}
	}
	if partial != nil || a.failOn == "" {
		return partial
	}
	return failAt(res, fail)
}

// failAt fails when a kernel has a finding of the severity or more.
func failAt(res *rules.Result, least rules.Severity) error {
	for _, k := range res.From(least).Kernels {
		if len(k.Findings) > 0 {
			return errGate("findings of severity %s or above, the first is %s in %s; --fail-on makes that exit status 1",
				least, k.Findings[0].Rule, report.Short(&k))
		}
	}
	return nil
}

// kernelPattern compiles the pattern of --kernel; an empty one matches every kernel.
func kernelPattern(pattern string) (func(string) bool, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, usageError("--kernel %q: %v", pattern, err)
	}
	return re.MatchString, nil
}

// severity reads the value of a flag; "" is the lowest.
func severity(flag, name string) (rules.Severity, error) {
	if name == "" {
		return rules.Info, nil
	}
	s, err := rules.ParseSeverity(name)
	if err != nil {
		return 0, usageError("--%s: %v", flag, err)
	}
	return s, nil
}
