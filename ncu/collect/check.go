package collect

import (
	"errors"
	"fmt"
	"strings"
)

// A Check is one thing that profiling needs.
type Check struct {
	Name  string
	State Verdict
	Says  string
	Cure  string // "" when there is nothing to do
}

// A Verdict is what a check came to.
type Verdict uint8

// The verdicts. Not known is no obstacle: profiling may work.
const (
	Fine Verdict = iota
	Problem
	NotKnown
)

// String returns "ok", "problem" or "unknown".
func (v Verdict) String() string { return [...]string{"ok", "problem", "unknown"}[v] }

// leastFree is the space below which a report may not fit: a full set of a few hundred kernels takes some hundred MiB.
const leastFree = 256 << 20

// Checks judges whether a machine can profile. findErr is what Find returned, dir is where reports would be written.
func Checks(m *Machine, tool Tool, findErr error, dir string) []Check {
	return []Check{
		checkTool(tool, findErr),
		checkDriver(m, tool),
		checkGPU(m, tool),
		checkCounters(m),
		checkPlace(m),
		checkMonitors(m),
		checkLock(m),
		checkDisk(dir),
	}
}

func checkTool(tool Tool, err error) Check {
	c := Check{Name: "ncu", Says: tool.String()}
	var f *Failure
	switch {
	case errors.As(err, &f):
		c.State, c.Says, c.Cure = Problem, f.Cause, f.Cure[0]
	case tool.Version == "":
		c.State, c.Cure = NotKnown, "ncu --version says nothing that is understood: run it by hand"
	}
	return c
}

func checkDriver(m *Machine, tool Tool) Check {
	c := Check{Name: "driver", Says: "version " + m.Driver}
	have, want := numbers(m.Driver), branches[release(tool.Version)]
	switch {
	case m.Driver == "" && m.WSL:
		c.State, c.Says, c.Cure = NotKnown, "the driver is that of Windows, and nvidia-smi does not tell its version", "look at nvidia-smi on Windows"
	case m.Driver == "":
		c.State, c.Says, c.Cure = Problem, "no NVIDIA driver is loaded", "install or load it: nvidia-smi must list a GPU; in a container start it with --gpus all"
	case want > 0 && have[0] < want:
		c.State, c.Says = NotKnown, fmt.Sprintf("version %s is older than ncu %s, which came with %d", m.Driver, tool.Version, want)
		c.Cure = fmt.Sprintf("if ncu calls the driver not compatible, update it to %d or newer, or use an older ncu with --ncu PATH", want)
	}
	return c
}

func checkGPU(m *Machine, tool Tool) Check {
	c := Check{Name: "gpu"}
	var names []string
	for _, g := range m.GPUs {
		name := g.Name
		if g.Major > 0 {
			name += fmt.Sprintf(" (compute capability %d.%d)", g.Major, g.Minor)
		}
		names = append(names, name)
		if g.Major > 0 && g.Major < 7 {
			c.State, c.Cure = Problem, "Nsight Compute needs compute capability 7.0 (Volta) or newer: profile on such a GPU"
		}
		if g.MIG && c.Cure == "" {
			c.Cure = "this GPU is sliced (MIG): use --clock-control none; counters of shared units are missing"
		}
	}
	c.Says = strings.Join(names, ", ")
	switch {
	case len(names) == 0 && m.Devices:
		c.State, c.Says = NotKnown, "there is a GPU, but nvidia-smi does not tell which"
	case len(names) == 0:
		c.State, c.Says, c.Cure = Problem, "no NVIDIA GPU", "in a container start it with --gpus all, in a batch job ask for a GPU"
	}
	return c
}

// checkCounters judges who may read the counters. The driver's word is the last one; whether a container's host lets them
// through shows only in a run.
func checkCounters(m *Machine) Check {
	c := Check{Name: "counters"}
	refused := &Outcome{Log: &Log{}}
	_, cure := sayPermission(Case{Outcome: refused, Machine: m, Options: Options{Program: []string{"./app"}}})
	switch {
	case m.Sandbox:
		c.State, c.Says, c.Cure = Problem, "this sandbox (gVisor) passes no GPU counters", "profile on a machine or container that is not sandboxed"
	case m.WSL:
		c.State, c.Says, c.Cure = NotKnown, "the Windows driver decides", cure[0]
	case m.Restricted == No:
		c.Says = "open to all users (RmProfilingAdminOnly: 0)"
	case m.Admin() && m.Container == "":
		c.Says = "this user may read them"
	case m.Admin():
		c.State, c.Says, c.Cure = NotKnown, "this container has the capability; the host's driver decides", cure[0]
	case m.Restricted == Yes:
		c.State, c.Says, c.Cure = Problem, "kept to administrators (RmProfilingAdminOnly: 1), and this user is none", cure[0]
	default:
		c.State, c.Says, c.Cure = NotKnown, "the driver's parameters cannot be read, and this user is no administrator", cure[0]
	}
	return c
}

func checkPlace(m *Machine) Check {
	c := Check{Name: "container", Says: "none"}
	switch {
	case m.Container != "":
		c.Says = m.Container
	case m.WSL:
		c.Says = "Windows Subsystem for Linux"
	}
	return c
}

func checkMonitors(m *Machine) Check {
	c := Check{Name: "profilers", Says: "none that is known to hold the counters runs here"}
	if len(m.Monitors) > 0 {
		c.State, c.Says = NotKnown, strings.Join(m.Monitors, ", ")+" runs here and may hold the counters"
		c.Cure = "if ncu finds the counters taken: dcgmi profile --pause before, dcgmi profile --resume after, or stop it"
	}
	return c
}

func checkLock(m *Machine) Check {
	c := Check{Name: "lock", Says: "free"}
	if m.Lock != "" {
		c.State, c.Says = Problem, m.Lock+" belongs to another user"
		c.Cure = "give ncu a folder of its own: mkdir -p ~/.cache/ncu && export TMPDIR=~/.cache/ncu"
	}
	return c
}

func checkDisk(dir string) Check {
	c := Check{Name: "disk"}
	left := free(dir)
	c.Says = fmt.Sprintf("%d MiB free", left>>20)
	switch {
	case left < 0:
		c.State, c.Says = NotKnown, "free space cannot be read"
	case left < leastFree:
		c.State, c.Cure = Problem, "free space, or write elsewhere with -o"
	}
	return c
}
