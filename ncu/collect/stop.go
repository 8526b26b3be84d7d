package collect

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A stopper ends a run step by step, mildest first: the program alone, so that ncu sees it end and writes the report of the
// kernels that are done; ncu and the program as Ctrl-C does; then with what cannot be ignored.
type stopper struct {
	group int           // of ncu and the program; its first process is ncu or a wrapper around it
	grace time.Duration // for each step
	steps int           // taken
	at    time.Time     // of the last step
	known []process     // what came from the group, also in groups of its own
}

// next takes the next step.
func (s *stopper) next() {
	s.known = append(s.known, descendants(s.group)...)
	switch s.steps {
	case 0:
		for _, p := range program(s.group) {
			p.kill(syscall.SIGINT)
		}
	case 1:
		signalGroup(s.group, syscall.SIGINT)
	case 2:
		signalGroup(s.group, syscall.SIGTERM)
	default:
		s.finish()
	}
	s.steps++
	s.at = time.Now()
}

// tick takes the next step when the last one has had its time.
func (s *stopper) tick(now time.Time) {
	if now.Sub(s.at) >= s.grace {
		s.next()
	}
}

// finish kills what is left, also the processes that left the group, as the workers of a parallel launcher do.
func (s *stopper) finish() {
	signalGroup(s.group, syscall.SIGKILL)
	for _, p := range s.known {
		if p.pid != s.group {
			p.kill(syscall.SIGKILL)
		}
	}
}

// program returns the processes of the program: what came from ncu, which a wrapper may have started, and is no part of it.
func program(wrapper int) []process {
	profiler := wrapper
	for _, p := range descendants(wrapper) {
		if p.name == "ncu" {
			profiler = p.pid
		}
	}
	return slices.DeleteFunc(descendants(profiler), func(p process) bool {
		return p.name == "ncu" || strings.HasPrefix(p.name, "TreeLauncher")
	})
}

// A process is one that runs. Its id may be given to another one later, its id and start time are its own.
type process struct {
	pid, parent int
	name        string // at most 15 bytes of it
	started     string
}

// kill sends a signal, unless the id belongs to another process by now.
func (p process) kill(sig syscall.Signal) {
	if now, ok := readProcess(p.pid); ok && now.started == p.started {
		signalProcess(p.pid, sig)
	}
}

// descendants returns the processes that came from pid and still run.
func descendants(pid int) []process {
	children := map[int][]process{}
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, f := range folders {
		id, _ := strconv.Atoi(filepath.Base(f))
		if p, ok := readProcess(id); ok {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	all := children[pid]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i].pid]...)
	}
	return all
}

// readProcess reads /proc/PID/stat. Its second field, the command, may hold anything, so fields count from its closing
// parenthesis: state, parent, and 18 further on the start time.
func readProcess(pid int) (process, bool) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return process{}, false
	}
	open, close := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || close < open {
		return process{}, false
	}
	fields := strings.Fields(string(b[close+1:]))
	if len(fields) < 20 {
		return process{}, false
	}
	parent, _ := strconv.Atoi(fields[1])
	return process{pid: pid, parent: parent, name: string(b[open+1 : close]), started: fields[19]}, true
}
