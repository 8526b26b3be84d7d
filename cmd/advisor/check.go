package main

import (
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"advisor/cmd/advisor/internal/gate"
	"advisor/cmd/advisor/internal/report"
	"advisor/ncu/sass"
	"advisor/rules"
)

func newCheckCmd() *cobra.Command {
	c := &checking{}
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Gate a build: limits from .advisor.yaml, and no worse than a baseline",
		Long: `Check reads profiles and fails, with exit status 1 and every broken limit named, when

  - a finding has a severity of fail-on or more (error unless set),
  - a metric or a predicted gain is beyond its limit, or cannot be told,
  - with --baseline: a finding is new or worse, a kernel is slower by more than noise, or a counter of waste grew.

Limits stand in .advisor.yaml, or the file that --config names:

  fail-on: error                      # info, warning or error
  rules:                              # severity of a rule's findings: off, info, warning, error
    narrow-access: off
    register-spill: error
  limits:
    - kernel: '^gemm'                 # a regular expression; all kernels without it
      metric: dram__bytes_read.sum    # in base units: ns, bytes
      max: 2.5e9
    - rule: bank-conflict             # no finding that promises more than this speedup
      max-gain: 1.2
      severity: warning
  ignore:
    - rule: aos-layout
      kernel: '^load_particles'
      reason: the layout is part of the file format
      until: 2027-06-30
  noise:                              # a time changed when it moved by more than both
    percent: 5
    ns: 1000

Files of code (see advisor sass) are checked by what the code alone shows; limits can name these counts, too:
` + countList() + `.

A baseline that is missing, or was made on another GPU, by another major version of Nsight Compute or under other clock
control is an error with exit status 2, never a pass.`,
		Example: `  advisor check report.ncu-rep
  advisor check base.ncu-rep --write-baseline .advisor-baseline.json
  advisor check head.ncu-rep --baseline .advisor-baseline.json --format text --format sarif=advisor.sarif`,
		Args: cobra.MinimumNArgs(1),
		RunE: c.run,
	}
	c.in.add(cmd)
	c.out.add(cmd, checkNames())
	cmd.Flags().StringVar(&c.config, "config", "", "`file` of limits (default "+gate.DefaultConfig+", where there is one)")
	cmd.Flags().StringVar(&c.baseline, "baseline", "", "`file` to compare with: written by --write-baseline, or a profile")
	cmd.Flags().StringVar(&c.write, "write-baseline", "", "write a baseline to `file` instead of checking")
	cmd.MarkFlagsMutuallyExclusive("baseline", "write-baseline")
	return cmd
}

// countList lists the counts of machine code, a few to a line.
func countList() string {
	var b strings.Builder
	for i, n := range sass.CountNames() {
		switch {
		case i > 0 && i%5 == 0:
			b.WriteString(",\n")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(n)
	}
	return b.String()
}

// A checking holds the flags of the command.
type checking struct {
	in                      inputFlags
	out                     outputFlags
	config, baseline, write string
}

func checkNames() []string { return slices.Sorted(maps.Keys(report.CheckFormats)) }

func (c *checking) run(cmd *cobra.Command, args []string) error {
	ts, err := c.out.targets(checkNames())
	if err != nil {
		return err
	}
	config, err := gate.Load(c.config)
	if err != nil {
		return err
	}
	base, err := c.readBaseline(cmd)
	if err != nil {
		return err
	}
	res, isCode, err := judgeCode(cmd, args)
	if !isCode {
		res, err = c.in.judge(cmd, args)
	}
	if err != nil {
		return err
	}
	if c.write != "" {
		if err := writeFile(c.write, func(w io.Writer) error { return gate.WriteBaseline(w, res) }); err != nil {
			return err
		}
		cmd.PrintErrf("advisor: wrote %s: baseline of %d launches\n", c.write, len(res.Launches))
		return nil
	}
	if base != nil {
		if why := gate.Unlike(base, res); why != "" {
			return usageError("%s: cannot be compared with: %s; write a baseline under the same conditions", c.baseline, why)
		}
	}
	outcome := gate.Evaluate(config, res, base, time.Now())
	err = write(cmd, ts, 0, func(format string, w io.Writer, opt report.Options) error {
		return report.CheckFormats[format](w, outcome, opt)
	})
	if err == nil && !outcome.Passed {
		return &exitError{status: exitGate} // the report has said why
	}
	return err
}

// readBaseline returns the baseline, nil when none is asked for.
func (c *checking) readBaseline(cmd *cobra.Command) (*rules.Result, error) {
	if c.baseline == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.baseline)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usageError("%s: no such baseline, so nothing was compared; write one with advisor check FILE --write-baseline %s",
			c.baseline, c.baseline)
	}
	if err == nil {
		res, ok, err := gate.ReadBaseline(text)
		if err != nil {
			return nil, usageError("%s: %v", c.baseline, err)
		}
		if ok {
			return res, nil
		}
	}
	return c.in.judge(cmd, []string{c.baseline})
}
