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
	Grace   time.Duration // between the steps that end a run; 0 means 15 seconds

	Interrupt <-chan os.Signal // a signal here ends the run; a second one ends it sooner
	Progress  func(*Log)       // called a few times a second
	Ending    func(End)        // called once when the run is about to be ended; may be nil
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
	cmd := exec.Command(r.Args[0], r.Args[1:]...)
	ownGroup(cmd)
	feedStdin(cmd, r.Stdin)
	stdout, err := copyOutput(&cmd.Stdout, r.Stdout)
	if err != nil {
		return nil, err
	}
	stderr, err := copyOutput(&cmd.Stderr, r.Stderr)
	if err != nil {
		stdout.start()
		stdout.end()
		return nil, err
	}
	start := time.Now()
	err = cmd.Start()
	stdout.start()
	stderr.start()
	if err != nil {
		stdout.end()
		stderr.end()
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()

	logs := &follower{path: r.Log, log: &Log{}, output: []*outputCopy{stderr, stdout}}
	defer logs.close()
	out := &Outcome{}
	out.End = r.watch(cmd.Process.Pid, logs, done, start)
	out.Elapsed = time.Since(start)
	out.Exit, out.Signal = exitOf(cmd.ProcessState)
	stdout.end()
	stderr.end()
	logs.read()
	out.Log, out.Stderr = logs.current(), string(stderr.kept)
	if out.Log == stdout.log {
		out.Stderr = string(stdout.kept)
	}
	out.Log.Close()
	return out, nil
}

// watch waits for the run to end, and ends it when it must.
func (r *Run) watch(group int, follow *follower, done <-chan error, start time.Time) End {
	stop := &stopper{group: group, grace: r.Grace}
	if stop.grace == 0 {
		stop.grace = 15 * time.Second
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
				r.show(follow)
				end = r.ending(Interrupted)
			}
			stop.next()
		case now := <-tick.C:
			if r.show(follow) {
				grown = now
			}
			switch {
			case end != Finished:
				stop.tick(now)
			case r.Timeout > 0 && now.Sub(start) >= r.Timeout:
				end = r.ending(TimedOut)
				stop.next()
			case r.Stall > 0 && follow.current().Current != "" && now.Sub(grown) >= r.Stall:
				end = r.ending(Stalled)
				stop.next()
			}
		}
	}
}

// show takes what is new in the log, and reports whether there was any.
func (r *Run) show(follow *follower) bool {
	before := follow.current().size
	follow.read()
	if r.Progress != nil {
		r.Progress(follow.current())
	}
	return follow.current().size != before
}

// ending tells that the run is about to be ended.
func (r *Run) ending(e End) End {
	if r.Ending != nil {
		r.Ending(e)
	}
	return e
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

// A follower reads ncu's log as it grows.
type follower struct {
	path   string
	file   *os.File
	log    *Log
	output []*outputCopy // where the log is when a wrapper around ncu drops --log-file
}

// read takes what is new.
func (f *follower) read() {
	if f.file == nil {
		f.file, _ = os.Open(f.path) // ncu may not have made it yet
	}
	if f.file != nil {
		io.Copy(f.log, f.file)
	}
	for _, o := range f.output {
		o.log.Write(o.take())
	}
}

// current returns the log that ncu writes to.
func (f *follower) current() *Log {
	for _, o := range f.output {
		if !f.log.used() && o.log.used() {
			return o.log
		}
	}
	return f.log
}

func (f *follower) close() {
	if f.file != nil {
		f.file.Close()
	}
}
