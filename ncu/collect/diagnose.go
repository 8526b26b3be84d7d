package collect

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Blame is whose failure it is; each has an exit status of its own.
type Blame uint8

// The blames.
const (
	OfMachine Blame = iota
	OfProgram
	OfTime
	OfUser
)

// A Failure is why a run gave no profile, or not a whole one, and what to do.
type Failure struct {
	ID    string // of the cause: "permission", "busy", ...
	Blame Blame
	Cause string   // one line
	Cure  []string // best first
	Said  []string // the words of ncu and of the program behind it
	Exits string   // exit codes of the program and of ncu, "" when nothing ran
}

// Error returns the cause and the first cure in one line.
func (f *Failure) Error() string {
	if len(f.Cure) == 0 {
		return f.Cause
	}
	return f.Cause + "; " + f.Cure[0]
}

// A Case is what there is to judge a run by.
type Case struct {
	*Outcome
	Machine *Machine
	Tool    Tool
	Options Options
	Wrote   bool // ncu wrote a report
}

// A cause is one known reason. Its text can use what the case holds.
type cause struct {
	id    string
	blame Blame
	match func(Case) bool
	say   func(Case) (cause string, cure []string)
}

// causes stand in order of precedence: when several match, the first explains the others. Refused or taken counters make
// programs crash, so they outrank the crash; a crash outranks the missing kernels that it leads to.
var causes = []cause{
	{"stalled", OfTime, func(c Case) bool { return c.End == Stalled }, sayStalled},
	{"timeout", OfTime, func(c Case) bool { return c.End == TimedOut }, sayTimeout},
	{"interrupted", OfUser, func(c Case) bool { return c.End == Interrupted }, sayInterrupted},
	{"killed", OfMachine, func(c Case) bool { return c.Signal != "" }, sayKilled},
	{"permission", OfMachine, says("ERR_NVGPUCTRPERM", "does not have permission to access NVIDIA GPU Performance Counters"), sayPermission},
	{"busy", OfMachine, says("driver resource was unavailable", "driver resource unavailable"), sayBusy},
	{"driver", OfMachine, says("not compatible with Nsight Compute", "Failed to load Nsight Compute CUDA modules"), sayDriver},
	{"library", OfMachine, says("LibraryNotLoaded"), sayLibrary},
	{"lock", OfMachine, says("nsight-compute-lock"), sayLock},
	{"disk", OfMachine, diskFull, sayDisk},
	{"wsl", OfMachine, says("uses the Windows Subsystem for Linux"), sayOldWSL},
	{"clocks", OfMachine, clocksRefused, sayClocks},
	{"no-gpu", OfMachine, prints("no CUDA-capable device is detected", "cudaErrorNoDevice", "Found no NVIDIA driver on your system"), sayNoGPU},
	{"second-profiler", OfProgram, prints("CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"), saySecondProfiler},
	{"replay", OfProgram, says("Failed to prepare kernel for profiling", "Unknown Error on device", "Failed to profile \""), sayReplay},
	{"metrics", OfMachine, func(c Case) bool { return len(c.Rejected()) > 0 }, sayMetrics},
	{"program", OfProgram, says("does not exist or is not an executable"), sayMissing},
	{"crash", OfProgram, func(c Case) bool { _, failed := c.ProgramExit(); return failed }, sayCrash},
	{"unsupported-gpu", OfMachine, says("Profiling is not supported on device", "is not supported by Nsight Compute", "compute capability"), sayUnsupported},
	{"nvtx", OfProgram, func(c Case) bool { return c.none() && len(c.Options.NVTX) > 0 }, sayNVTX},
	{"filter", OfProgram, func(c Case) bool { return c.none() && (c.Options.Kernel != "" || len(c.Log.Available) > 0) }, sayFilter},
	{"skip", OfProgram, func(c Case) bool { return c.none() && c.Options.Skip > 0 }, saySkip},
	{"children", OfProgram, func(c Case) bool { return c.none() && says("child processes")(c) }, sayChildren},
	{"no-gpu", OfMachine, func(c Case) bool { return c.none() && !c.Log.Connected && !c.Machine.Devices }, sayNoGPU},
	{"no-cuda", OfProgram, func(c Case) bool { return c.none() && !c.Log.Connected }, sayNoCUDA},
	{"no-kernels", OfProgram, func(c Case) bool { return c.none() }, sayNoKernels},
	{"exit", OfProgram, func(c Case) bool { return c.Exit != 0 && len(c.Log.Errors) == 0 && c.Log.Connected }, sayExit},
	{"unknown", OfMachine, func(c Case) bool { return c.Exit != 0 || c.Log.Launches == 0 && !c.Wrote }, sayUnknown},
}

// Diagnose names the failure of a run; nil when it went well, whatever the program printed.
func Diagnose(c Case) *Failure {
	if c.End == Finished && c.Exit == 0 && len(c.Log.Errors) == 0 && !c.none() {
		return nil
	}
	for _, k := range causes {
		if !k.match(c) {
			continue
		}
		text, cure := k.say(c)
		return &Failure{ID: k.id, Blame: k.blame, Cause: text, Cure: cure, Said: c.said(), Exits: c.exits()}
	}
	return nil
}

// says matches when ncu wrote one of the texts to its log.
func says(texts ...string) func(Case) bool {
	return func(c Case) bool {
		return slices.ContainsFunc(texts, func(t string) bool { return c.Log.quote(t) != "" })
	}
}

// prints matches when ncu or the program printed one of the texts.
func prints(texts ...string) func(Case) bool {
	return func(c Case) bool {
		return says(texts...)(c) || slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(c.Stderr, t) })
	}
}

// quote returns the first line that holds the text, "" when there is none.
func (l *Log) quote(text string) string {
	for _, lines := range [][]string{l.Errors, l.Warnings, l.Other} {
		for _, s := range lines {
			if strings.Contains(s, text) {
				return s
			}
		}
	}
	return ""
}

// none reports that ncu profiled nothing. With application replay its log does not count launches, so a report counts, too.
func (c Case) none() bool {
	return c.Log.Launches == 0 && (c.Log.NoKernels || c.Exit == 0 && !c.Wrote)
}

var returned = regexp.MustCompile(`The application returned an error code \((-?\d+)\)`)

// ProgramExit returns the program's exit code as ncu tells it, and whether it is a failure.
func (c Case) ProgramExit() (code int, failed bool) {
	if m := returned.FindStringSubmatch(c.Log.quote("The application returned an error code")); m != nil {
		code, _ = strconv.Atoi(m[1])
		return code, true
	}
	return 0, false
}

// exits shows both exit codes.
func (c Case) exits() string {
	program := "not known"
	if code, failed := c.ProgramExit(); failed {
		program = strconv.Itoa(code)
		if c.Log.Shutdown {
			program += " (ended by ncu)"
		}
	} else if c.End != Finished {
		program = "ended by advisor"
	} else if c.Exit == 0 {
		program = "0"
	}
	own := strconv.Itoa(c.Exit)
	if c.Signal != "" {
		own = "none, ended by signal: " + c.Signal
	}
	return fmt.Sprintf("exit codes: program %s, ncu %s", program, own)
}

// said returns the words behind a failure: ncu's errors, then the program's last line.
func (c Case) said() []string {
	var out []string
	for _, e := range c.Log.Errors {
		if line := "ncu: " + e; !slices.Contains(out, line) && len(out) < 6 {
			out = append(out, line)
		}
	}
	lines := strings.FieldsFunc(c.Stderr, func(r rune) bool { return r == '\n' || r == '\r' })
	for _, l := range slices.Backward(lines) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "==") {
			return append(out, "program: "+l)
		}
	}
	return out
}

var metricWord = regexp.MustCompile(`[a-z][a-z0-9]*__[A-Za-z0-9_]+(?:\.[A-Za-z0-9_.]+)?`)

// Rejected returns the metrics for which ncu refused the whole run, as it names them. Newer versions only mark them n/a.
func (c Case) Rejected() []string {
	var out []string
	for _, e := range c.Log.Errors {
		// A metric in a pattern of ncu's own comes as "name\.(sum|max)" or "name.(sum|max)".
		e, _, _ = strings.Cut(strings.ReplaceAll(e, `\.`, "."), "(")
		for _, w := range metricWord.FindAllString(e, -1) {
			w = strings.TrimRight(w, ".")
			if c.asked(w) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

func (c Case) asked(metric string) bool {
	return slices.ContainsFunc(c.Options.Metrics, func(m string) bool {
		return m == metric || strings.HasPrefix(m, metric+".")
	})
}

// diskFull matches also when ncu only fails to write and does not say why.
func diskFull(c Case) bool {
	if prints("No space left on device", "Disk quota exceeded")(c) {
		return true
	}
	left := free(filepath.Dir(c.Options.Report))
	return !c.Wrote && len(c.Log.Errors) > 0 && left >= 0 && left < 1<<20
}

// clocksRefused matches a GPU whose clocks ncu may not fix: a MIG slice, a virtual GPU.
func clocksRefused(c Case) bool {
	return says("Cannot lock GPU clock", "lock GPU clock frequencies")(c)
}

// Again returns options for another try when the run failed for a reason that other options avoid, and says what is
// different.
func Again(c Case) (Options, string, bool) {
	opt := c.Options
	if c.End != Finished || c.Log.Launches > 0 {
		return opt, "", false
	}
	if clocksRefused(c) && opt.Clock != "none" {
		opt.Clock = "none"
		return opt, "the clocks of this GPU cannot be fixed, so it is profiled with --clock-control none: times vary from run to run", true
	}
	if bad := c.Rejected(); len(bad) > 0 {
		opt = opt.Without(bad)
		if len(opt.Metrics) < len(c.Options.Metrics) {
			return opt, "this ncu does not know " + strings.Join(bad, ", ") + "; profiling without it", true
		}
	}
	return opt, "", false
}
