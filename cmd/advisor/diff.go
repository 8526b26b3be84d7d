package main

import (
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"advisor/charts"
	"advisor/cmd/advisor/internal/report"
	"advisor/rules"
)

func newDiffCmd() *cobra.Command {
	d := &diffing{}
	cmd := &cobra.Command{
		Use:   "diff BASE HEAD",
		Short: "Say what changed between two profiles: findings, times, counters",
		Long: `Diff matches the launches of two profiles (files or folders) by kernel, launch shape and order, and says which findings are
new, fixed, better or worse, which kernels are slower or faster, and which counters changed. A time changed when it
moved by more than both --noise and --noise-ns, and by more than the launches spread; "~" marks noise. Counters that
repeat exactly have no such margin. For each fixed finding the predicted gain stands beside the one that came.

Profiles of different GPUs, major versions of Nsight Compute, or clock or cache control are refused; --force compares
them and says so. Kernels that one side lacks are listed, never compared.`,
		Example: `  advisor diff base.ncu-rep head.ncu-rep
  advisor diff base.ncu-rep head.ncu-rep --pair layout_aos=layout_soa
  advisor diff base/ head/ --format markdown=comment.md --format text`,
		Args: cobra.ExactArgs(2),
		RunE: d.run,
	}
	d.in.add(cmd)
	d.out.add(cmd, diffNames())
	cmd.Flags().IntVar(&d.out.top, "top", 20, "kernels that tables show; 0 shows all")
	cmd.Flags().StringArrayVar(&d.pairs, "pair", nil, "compare kernel `OLD=NEW` though its name changed, repeatable")
	cmd.Flags().BoolVar(&d.force, "force", false, "compare profiles made under different conditions")
	cmd.Flags().Float64Var(&d.relative, "noise", 100*rules.DefaultNoise.Relative, "change of a time in `percent` that counts as noise")
	cmd.Flags().Float64Var(&d.absolute, "noise-ns", rules.DefaultNoise.AbsoluteNS, "change of a time in `nanoseconds` that counts as noise")
	cmd.Flags().StringVar(&d.plots, "plots", "", "also write a chart of the differences to `folder`, as SVG and PNG")
	return cmd
}

// A diffing holds the flags of the command.
type diffing struct {
	in                 inputFlags
	out                outputFlags
	pairs              []string
	force              bool
	relative, absolute float64
	plots              string
}

func diffNames() []string { return slices.Sorted(maps.Keys(report.DiffFormats)) }

func (d *diffing) run(cmd *cobra.Command, args []string) error {
	ts, err := d.out.targets(diffNames())
	if err != nil {
		return err
	}
	renamed, err := renames(d.pairs)
	if err != nil {
		return err
	}
	base, err := d.in.judge(cmd, args[:1])
	if err != nil {
		return err
	}
	head, err := d.in.judge(cmd, args[1:])
	if err != nil {
		return err
	}
	for old, now := range renamed {
		if !hasFunction(base, old) || !hasFunction(head, now) {
			return usageError("--pair %s=%s: %s has no kernel %s, or %s no %s; give the short names that analyze shows", old, now, args[0], old, args[1], now)
		}
	}
	c := rules.Compare(base, head, renamed, rules.Noise{Relative: d.relative / 100, AbsoluteNS: d.absolute})
	if len(c.Unlike) > 0 && !d.force {
		return usageError("%s and %s cannot be compared: %s; --force compares them all the same", args[0], args[1], strings.Join(c.Unlike, "; "))
	}
	if d.plots != "" {
		if _, err := charts.WriteDiff(d.plots, base, head); err != nil {
			return err
		}
	}
	root, _ := os.Getwd() // without it, paths stay as the profile has them
	return write(cmd, ts, d.out.top, func(format string, w io.Writer, opt report.Options) error {
		opt.Root = root
		return report.DiffFormats[format](w, c, opt)
	})
}

// renames reads OLD=NEW.
func renames(pairs []string) (map[string]string, error) {
	m := map[string]string{}
	for _, p := range pairs {
		old, now, ok := strings.Cut(p, "=")
		if !ok || old == "" || now == "" {
			return nil, usageError("--pair %q: write OLD=NEW", p)
		}
		m[old] = now
	}
	return m, nil
}

func hasFunction(res *rules.Result, function string) bool {
	for i := range res.Launches {
		if res.Launches[i].Function == function {
			return true
		}
	}
	return false
}
