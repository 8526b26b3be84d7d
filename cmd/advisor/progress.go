package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"advisor/ncu/collect"
)

// everySoOften is the time between plain progress lines.
const everySoOften = 5 * time.Second

// namedKernels bounds the lines that only name a kernel.
const namedKernels = 8

// A progress shows people how a run gets on: a bar on a terminal, else lines. The program's own error output goes through
// it, so that the two don't mix.
type progress struct {
	mu      sync.Mutex
	to      io.Writer
	bar     *progressbar.ProgressBar // nil off a terminal
	width   int                      // of the bar's text
	now     func() time.Time
	first   time.Time // when the first kernel was seen
	last    time.Time // when the last line was printed
	printed int       // kernels named so far
}

// newProgress shows progress on w. most is the number of launches when it is known, else 0.
func newProgress(w io.Writer, most int) *progress {
	p := &progress{to: w, now: time.Now, last: time.Now()}
	if f, ok := w.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return p
	}
	if most == 0 {
		most = -1 // a spinner
	}
	columns, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		columns = 80
	}
	p.width = max(20, columns-40) // a line that wraps cannot be taken away
	p.bar = progressbar.NewOptions(most, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("starting"),
		progressbar.OptionSetWidth(10), progressbar.OptionSetElapsedTime(true), progressbar.OptionSetPredictTime(most > 0),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	return p
}

// Write passes on what the program writes, above the bar.
func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Clear()
	}
	return p.to.Write(b)
}

// update shows the state of the log.
func (p *progress) update(l *collect.Log) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first.IsZero() && (l.Current != "" || l.Launches > 0) {
		p.first = p.now()
	}
	if p.bar != nil {
		p.bar.Set(l.Launches)
		p.bar.Describe(fmt.Sprintf("%.*s", p.width, p.describe(l)))
		return
	}
	for ; p.printed < len(l.Kernels) && p.printed < namedKernels; p.printed++ {
		fmt.Fprintf(p.to, "advisor: profiled %s\n", l.Kernels[p.printed])
	}
	if !p.first.IsZero() && p.now().Sub(p.last) >= everySoOften {
		p.last = p.now()
		fmt.Fprintf(p.to, "advisor: %s; Ctrl-C ends and reports what is done\n", p.describe(l))
	}
}

// describe says where the run is, and after the first kernels how long others would take.
func (p *progress) describe(l *collect.Log) string {
	s := launches(l.Launches) + passes(l)
	if l.Launches >= 3 {
		each := p.now().Sub(p.first) / time.Duration(l.Launches)
		s += fmt.Sprintf(", %.1f s a launch (100 more: %v)", each.Seconds(), (100 * each).Round(time.Second))
	}
	if l.Current != "" {
		s += fmt.Sprintf(", now %.24s %d%%", l.Current, l.Percent)
	}
	return s
}

// ending says that the run is being ended: ncu may need a while to write what it has.
func (p *progress) ending(collect.End) {
	fmt.Fprintln(p, "advisor: ending the program and keeping what is profiled; Ctrl-C again ends it at once")
}

// end takes the bar away and sums up.
func (p *progress) end(out *collect.Outcome) {
	p.update(out.Log)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Clear()
	}
	l := out.Log
	if l.Launches == 0 {
		return
	}
	s := fmt.Sprintf("advisor: %s of %s profiled%s", launches(l.Launches), count(len(l.Kernels), "kernel"), passes(l))
	// Short runs are not timed: the figure would be that of starting ncu.
	if out.Elapsed >= 10*time.Second {
		s += fmt.Sprintf(", in %v", out.Elapsed.Round(time.Second))
	}
	fmt.Fprintln(p.to, s)
}

func launches(n int) string {
	if n == 1 {
		return "1 launch"
	}
	return fmt.Sprintf("%d launches", n)
}

func passes(l *collect.Log) string {
	switch l.Passes {
	case 0:
		return ""
	case 1:
		return ", 1 pass each"
	}
	return fmt.Sprintf(", %d passes each", l.Passes)
}
