package collect

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// stops are the signals that end a run, mildest first. SIGINT is what Ctrl-C sends: the program ends, and ncu writes the
// report of the kernels that are done.
var stops = [...]syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL}

// A stopper ends a process group and all that came from it, step by step.
type stopper struct {
	group int
	grace time.Duration // for each step
	sent  int           // steps taken
	at    time.Time     // of the last step
	known []process     // what came from the group, also in groups of its own
}

// next takes the next step: SIGINT, SIGTERM, SIGKILL.
func (s *stopper) next() {
	s.known = append(s.known, descendants(s.group)...)
	sig := stops[min(s.sent, len(stops)-1)]
	syscall.Kill(-s.group, sig)
	if sig == syscall.SIGKILL {
		s.killKnown()
	}
	s.sent++
	s.at = time.Now()
}

// tick takes the next step when the last one has had its time.
func (s *stopper) tick(now time.Time) {
	if now.Sub(s.at) >= s.grace {
		s.next()
	}
}

// finish kills what is left once ncu itself has ended.
func (s *stopper) finish() {
	syscall.Kill(-s.group, syscall.SIGKILL)
	s.killKnown()
}

// killKnown kills the processes that left the group, as the workers of a parallel launcher do.
func (s *stopper) killKnown() {
	for _, p := range s.known {
		if now, ok := readProcess(p.pid); ok && now.started == p.started {
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
}

// A process is one that runs. Its id may be given to another one later, its id and start time are its own.
type process struct {
	pid, parent int
	started     string
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
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(fields) < 20 {
		return process{}, false
	}
	parent, _ := strconv.Atoi(fields[1])
	return process{pid: pid, parent: parent, started: fields[19]}, true
}
