package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"advisor/cmd/advisor/internal/report"
	"advisor/ncu/collect"
	"advisor/rules"
)

func newProfileCmd() *cobra.Command {
	p := &profiling{}
	cmd := &cobra.Command{
		Use:   "profile [flags] [--] PROGRAM [ARGUMENT...]",
		Short: "Run a program under ncu with just the counters the rules need, then report",
		Long: `Profile runs a program under Nsight Compute (ncu) with just the counters that the rules need, and says what to change
first. Whatever follows the program reaches it unchanged. Its output stays where it goes; only when a report other than
text goes to stdout, the program's stdout goes to stderr.

Each kernel is profiled the first few times it is launched at each shape. -k, --launch-skip, --launch-count, --nvtx and
--all choose other launches. Ctrl-C, --timeout and --stall-timeout end the program and all it started; what is profiled by
then is reported.

The exit status is 3 when this machine cannot profile (see advisor doctor), 4 when the program failed or launched no
kernel that was profiled, 5 when a time-out ended it, 130 after Ctrl-C.`,
		Example: `  advisor profile ./app --size 4096
  advisor profile -o run -f text -f html=run.html python train.py
  advisor profile -k regex:gemm --launch-skip 10 --launch-count 5 ./app
  srun advisor profile -o run ./app        # run.rank0.ncu-rep, run.rank1.ncu-rep, ...
  advisor profile --dry-run ./app          # show the ncu line`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd, args) },
	}
	p.addFlags(cmd)
	return cmd
}

// A profiling holds the flags of the command.
type profiling struct {
	opt            collect.Options
	path, root     string
	output         string
	force, dryRun  bool
	checkAlone     bool
	stdout         io.Writer // of the program
	timeout, stall time.Duration
	metrics        []string
	in             inputFlags
	out            outputFlags
}

func (p *profiling) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SetInterspersed(false) // what follows the program is the program's
	addMachineFlags(cmd, &p.path, &p.root)
	f.StringVarP(&p.output, "output", "o", "", "keep the profile as `NAME`.ncu-rep, and reports beside it")
	f.BoolVar(&p.force, "force", false, "overwrite existing files")
	f.BoolVar(&p.dryRun, "dry-run", false, "print the ncu command line and run nothing")
	f.StringVarP(&p.opt.Kernel, "kernel-name", "k", "", "only kernels of this `NAME`, or regex:PATTERN")
	f.IntVarP(&p.opt.Skip, "launch-skip", "s", 0, "skip the first `N` launches")
	f.IntVarP(&p.opt.Count, "launch-count", "c", 0, "profile at most `N` launches")
	f.StringArrayVar(&p.opt.NVTX, "nvtx", nil, "only launches inside this NVTX `RANGE` (ncu's --nvtx-include), repeatable")
	f.BoolVar(&p.opt.All, "all", false, "profile every launch")
	f.StringVar(&p.opt.Set, "set", "", "collect a section `SET` of ncu as well: basic, detailed, full")
	f.StringSliceVar(&p.metrics, "metrics", nil, "collect these `METRICS` as well")
	f.StringArrayVar(&p.opt.Sections, "section", nil, "collect this `SECTION` of ncu as well, repeatable")
	f.StringVar(&p.opt.Clock, "clock-control", "", "ncu's clock control: base (its default) or none")
	f.StringArrayVar(&p.opt.Pass, "ncu-arg", nil, "one more `ARGUMENT` for ncu, repeatable")
	f.DurationVar(&p.timeout, "timeout", 0, "end the run after this `TIME`, as 10m")
	f.DurationVar(&p.stall, "stall-timeout", 10*time.Minute, "end the run when a kernel makes no progress for this `TIME`; 0 never")
	f.BoolVar(&p.checkAlone, "check-alone", false, "when the program fails, run it again without ncu to tell whether ncu is the reason")
	p.out.add(cmd, report.Names())
	p.out.addTop(cmd)
}

func (p *profiling) run(cmd *cobra.Command, program []string) error {
	p.opt.Program = program
	if p.opt.All && (p.opt.Skip > 0 || p.opt.Count > 0) {
		return usageError("--all and --launch-skip or --launch-count contradict each other; give one of them")
	}
	p.opt.Metrics = append(rules.Collect(), p.metrics...)
	p.opt.Sections = append(append([]string{}, rules.Sections...), p.opt.Sections...)
	if p.output != "" {
		p.output = collect.OutputName(strings.TrimSuffix(p.output, ".ncu-rep"), os.Getenv)
	}
	targets, err := p.targets()
	if err != nil {
		return err
	}
	tool, findErr := collect.Find(p.root, p.path, os.Getenv)
	if p.dryRun {
		return p.printLine(cmd, tool)
	}
	if err := collect.CheckProgram(program[0]); err != nil {
		return explain(cmd, err)
	}
	if findErr != nil {
		return explain(cmd, findErr)
	}
	if err := p.refuseExisting(targets); err != nil {
		return err
	}
	cmd.PrintErrf("advisor: using %s\n", tool)
	warnSudo(cmd, program)
	return p.profile(cmd, tool, targets)
}

// printLine shows the line that would run, so that it can be pasted into a shell elsewhere.
func (p *profiling) printLine(cmd *cobra.Command, tool collect.Tool) error {
	opt := p.opt
	opt.NCU, opt.Report, opt.Force = "ncu", "advisor", p.force
	if tool.Path != "" {
		opt.NCU, opt.Version = tool.Path, tool.Version
	}
	if p.output != "" {
		opt.Report = p.output
	}
	opt.Log = opt.Report + ".ncu.log"
	fmt.Fprintln(cmd.OutOrStdout(), collect.Quote(opt.Args()))
	return nil
}

// extensions name the files of formats beside NAME.ncu-rep; a format without one is named by itself.
var extensions = map[string]string{"text": "txt", "markdown": "md", "junit": "xml"}

// targets reads the formats. With -o, a format that was asked for without a path goes beside the profile.
func (p *profiling) targets() ([]target, error) {
	if p.output == "" || len(p.out.formats) == 0 {
		return p.out.targets(report.Names())
	}
	flags := p.out
	flags.formats = nil
	for _, f := range p.out.formats {
		if !strings.Contains(f, "=") {
			ext := f
			if e, ok := extensions[f]; ok {
				ext = e
			}
			f += "=" + p.output + "." + ext
		}
		flags.formats = append(flags.formats, f)
	}
	return flags.targets(report.Names())
}

// refuseExisting fails, before the program runs, when a file to be written exists.
func (p *profiling) refuseExisting(targets []target) error {
	if p.force {
		return nil
	}
	var paths []string
	if p.output != "" {
		paths = append(paths, p.output+".ncu-rep")
	}
	for _, t := range targets {
		if t.path != "" {
			paths = append(paths, t.path)
		}
	}
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			return usageError("%s: exists already; give another name, or --force to overwrite it", path)
		}
	}
	return nil
}

// profile runs ncu, reports what it profiled, and explains what went wrong.
func (p *profiling) profile(cmd *cobra.Command, tool collect.Tool, targets []target) error {
	p.stdout = cmd.OutOrStdout()
	if forMachines(targets) {
		p.stdout = cmd.ErrOrStderr()
	}
	// Beside the output, so that the finished profile is renamed into place.
	parent := os.TempDir()
	if p.output != "" {
		parent = filepath.Dir(p.output)
	}
	dir, err := os.MkdirTemp(parent, ".advisor-*")
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", parent, cause(err))
	}
	defer os.RemoveAll(dir)
	p.opt.NCU, p.opt.Version = tool.Path, tool.Version
	p.opt.Report, p.opt.Log = filepath.Join(dir, "profile"), filepath.Join(dir, "ncu.log")

	c, err := p.collect(cmd, tool)
	if err != nil {
		return explain(cmd, err)
	}
	failure := collect.Diagnose(c)
	if failure == nil {
		for _, e := range c.Log.Errors {
			cmd.PrintErrf("advisor: warning: ncu said: %s\n", e)
		}
	}
	p.keepLog()
	if p.checkAlone && failure != nil && failure.ID == "crash" {
		failure.Alone(p.runAlone(cmd))
	}
	if err := p.report(cmd, c, failure, targets); err != nil {
		return err
	}
	if failure != nil {
		return explain(cmd, failure)
	}
	return nil
}

// forMachines reports whether stdout takes a report that a program reads: then it holds that alone, and the output of the
// program under profile goes to stderr.
func forMachines(targets []target) bool {
	for _, t := range targets {
		if t.path == "" && t.format != "text" {
			return true
		}
	}
	return false
}

// collect runs ncu, again with other options when it refused the first ones.
func (p *profiling) collect(cmd *cobra.Command, tool collect.Tool) (collect.Case, error) {
	if note := p.opt.LimitNote(); note != "" {
		cmd.PrintErrf("advisor: %s\n", note)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	defer signal.Stop(signals)
	machine := collect.Probe(p.root, os.Getenv)
	for {
		show := newProgress(cmd.ErrOrStderr(), p.opt.Count)
		run := &collect.Run{
			Args: p.opt.Args(), Log: p.opt.Log, Stdin: cmd.InOrStdin(), Stdout: p.stdout, Stderr: show,
			Timeout: p.timeout, Stall: p.stall, Interrupt: signals, Progress: show.update, Ending: show.ending,
		}
		out, err := run.Do()
		if err != nil {
			return collect.Case{}, &collect.Failure{ID: "no-ncu", Blame: collect.OfMachine,
				Cause: fmt.Sprintf("%s cannot be started (%v)", tool.Path, cause(err)), Cure: []string{"name another ncu with --ncu PATH"}}
		}
		show.end(out)
		_, missing := os.Stat(p.opt.Report + ".ncu-rep")
		c := collect.Case{Outcome: out, Machine: machine, Tool: tool, Options: p.opt, Wrote: missing == nil}
		again, note, ok := collect.Again(c)
		if !ok {
			return c, nil
		}
		cmd.PrintErrf("advisor: %s\n", note)
		p.opt = again
		os.Remove(p.opt.Log)
		os.Remove(p.opt.Report + ".ncu-rep")
	}
}

// keepLog keeps ncu's log beside the profile.
func (p *profiling) keepLog() {
	if p.output == "" {
		return
	}
	if os.Rename(p.opt.Log, p.output+".ncu.log") == nil {
		giveBack(p.output + ".ncu.log")
	}
}

// report analyses what was profiled, which after a failure may be a part. Without a single launch there is nothing to
// keep or to say.
func (p *profiling) report(cmd *cobra.Command, c collect.Case, failure *collect.Failure, targets []target) error {
	path := p.opt.Report + ".ncu-rep"
	if !c.Wrote || failure != nil && c.Log.Launches == 0 {
		if failure == nil {
			return &exitError{exitMachine, "ncu ended well but wrote no report; run `advisor doctor`, or try another ncu with --ncu PATH"}
		}
		if c.Log.Launches > 0 {
			cmd.PrintErrf("advisor: warning: what was profiled is lost: ncu ended before it wrote the report\n")
		}
		return nil
	}
	if p.output != "" {
		kept := p.output + ".ncu-rep"
		if err := os.Rename(path, kept); err != nil {
			return fmt.Errorf("%s: cannot be written: %w", kept, cause(err))
		}
		path = kept
		giveBack(kept)
		cmd.PrintErrf("advisor: profile kept as %s\n", kept)
	}
	res, err := p.in.judge(cmd, []string{path})
	if res == nil {
		if failure != nil {
			cmd.PrintErrf("advisor: warning: what ncu wrote before it ended cannot be read: %v\n", err)
			return nil
		}
		return err
	}
	p.annotate(res, failure, err)
	if e := writeResult(cmd, targets, res, p.out.top); e != nil {
		return e
	}
	for _, t := range targets {
		giveBack(t.path)
	}
	if failure == nil {
		return err // the report ended early, though ncu did not say so
	}
	return nil
}

// annotate adds to the result what only the run knows.
func (p *profiling) annotate(res *rules.Result, failure *collect.Failure, readErr error) {
	in := &res.Inputs[0]
	if p.output == "" {
		in.Path = collect.Quote(p.opt.Program) // the temporary file's name would say nothing
	}
	if failure != nil {
		in.Partial = true
		in.Notes = append(in.Notes, "partial: "+failure.Cause)
	} else if readErr != nil {
		in.Partial = true
	}
}

// runAlone runs the program without ncu.
func (p *profiling) runAlone(cmd *cobra.Command) error {
	program := p.opt.Program
	cmd.PrintErrf("advisor: running %s without ncu\n", collect.Quote(program))
	alone := exec.Command(program[0], program[1:]...)
	alone.Stdin, alone.Stdout, alone.Stderr = cmd.InOrStdin(), p.stdout, cmd.ErrOrStderr()
	return alone.Run()
}
