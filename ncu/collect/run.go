package collect

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/term"
)

// A Run is one run of ncu with the program under it.
type Run struct {
	Args   []string
	Log    string // ncu's log file
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	Timeout time.Duration // of the whole run; 0 for none
	Stall   time.Duration // of one kernel whose replay makes no progress; 0 for none
	Grace   time.Duration // between asking to end, asking again, and killing; 0 means 30 seconds

	Interrupt <-chan os.Signal // a signal here ends the run; a second one ends it sooner
	Progress  func(*Log)       // called while the log grows and a few times a second
}

// An End is why a run ended.
type End uint8

// The ends of a run.
const (
	Finished End = iota
	Interrupted
	TimedOut
	Stalled
)

// An Outcome is what is known after a run.
type Outcome struct {
	Log     *Log
	Stderr  string // the end of what the program wrote there
	Exit    int    // ncu's exit code, -1 when a signal ended it
	Signal  string // that signal, "" for none
	End     End
	Elapsed time.Duration
}

// poll is how often the log and the clock are looked at.
const poll = 200 * time.Millisecond

// Do runs ncu to its end and follows its log. ncu and the program get a process group of their own, so that a time-out or
// an interrupt ends both and whatever they started. The error is one of starting ncu.
func (r *Run) Do() (*Outcome, error) {
	tail := &tail{to: r.Stderr, keep: 64 << 10}
	cmd := exec.Command(r.Args[0], r.Args[1:]...)
	cmd.Stdout, cmd.Stderr = r.Stdout, tail
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 2 * time.Second // a daemon that the program left behind may hold its stderr
	feedStdin(cmd, r.Stdin)

	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()

	out := &Outcome{Log: &Log{}}
	follow := &follower{path: r.Log, log: out.Log}
	defer follow.close()
	out.End = r.watch(cmd.Process.Pid, follow, done, start)
	follow.read()
	out.Log.Close()
	out.Stderr = tail.String()
	out.Elapsed = time.Since(start)
	out.Exit, out.Signal = exitOf(cmd.ProcessState)
	return out, nil
}

// watch waits for the run to end, and ends it when it must.
func (r *Run) watch(group int, follow *follower, done <-chan error, start time.Time) End {
	stop := &stopper{group: group, grace: r.Grace}
	if stop.grace == 0 {
		stop.grace = 30 * time.Second
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	end := Finished
	grown := start
	for {
		select {
		case <-done:
			if end != Finished {
				stop.finish()
			}
			return end
		case <-r.Interrupt:
			if end == Finished {
				end = Interrupted
			}
			stop.next()
		case now := <-tick.C:
			if follow.read() {
				grown = now
			}
			if r.Progress != nil {
				r.Progress(follow.log)
			}
			switch {
			case end != Finished:
				stop.tick(now)
			case r.Timeout > 0 && now.Sub(start) >= r.Timeout:
				end = TimedOut
				stop.next()
			case r.Stall > 0 && follow.log.Current != "" && now.Sub(grown) >= r.Stall:
				end = Stalled
				stop.next()
			}
		}
	}
}

// feedStdin gives the program its input. From a terminal it goes through a pipe: the program's group is in the background
// there, and would be stopped for reading the terminal itself.
func feedStdin(cmd *exec.Cmd, in io.Reader) {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		if ok {
			cmd.Stdin = f
		}
		return
	}
	if w, err := cmd.StdinPipe(); err == nil {
		go func() {
			io.Copy(w, f)
			w.Close()
		}()
	}
}

// exitOf returns the exit code, or -1 and the name of the signal that ended the process.
func exitOf(s *os.ProcessState) (int, string) {
	if s == nil {
		return -1, ""
	}
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, ws.Signal().String()
	}
	return s.ExitCode(), ""
}

// A follower reads a file as it grows.
type follower struct {
	path string
	file *os.File
	log  *Log
}

// read takes what is new and reports whether there was any.
func (f *follower) read() bool {
	if f.file == nil {
		file, err := os.Open(f.path)
		if err != nil {
			return false // ncu has not made it yet
		}
		f.file = file
	}
	n, _ := io.Copy(f.log, f.file)
	return n > 0
}

func (f *follower) close() {
	if f.file != nil {
		f.file.Close()
	}
}

// A tail passes on what is written and keeps the end of it.
type tail struct {
	to   io.Writer
	keep int
	buf  []byte
}

// Write passes p on.
func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*t.keep {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.keep:]...)
	}
	if t.to == nil {
		return len(p), nil
	}
	return t.to.Write(p)
}

// String returns the end of what was written.
func (t *tail) String() string {
	if len(t.buf) > t.keep {
		return string(t.buf[len(t.buf)-t.keep:])
	}
	return string(t.buf)
}
