package collect

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// keepOutput is how much is kept of what the program writes: a traceback fits.
const keepOutput = 64 << 10

// An outputCopy passes on what the program writes, keeps the end of it, and looks for ncu's log in it.
type outputCopy struct {
	read, write *os.File // of a pipe; nil when the program writes to a terminal itself
	to          io.Writer
	done        chan struct{}
	kept        []byte
	log         *Log

	mu  sync.Mutex
	new []byte // not yet taken
}

// copyOutput directs an output of a command. On a terminal the program gets the terminal itself: it may look for one. Else
// it gets a pipe, and not the one that package exec makes: that would keep Wait waiting for every process that holds it,
// and those left behind are to be ended only once ncu has.
func copyOutput(of *io.Writer, to io.Writer) (*outputCopy, error) {
	c := &outputCopy{to: to, done: make(chan struct{}), log: &Log{}}
	if f, ok := to.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		*of = f
		return c, nil
	}
	var err error
	if c.read, c.write, err = os.Pipe(); err != nil {
		return nil, err
	}
	*of = c.write
	return c, nil
}

// start begins the copying, once the command has its end of the pipe or could not be started.
func (c *outputCopy) start() {
	if c.read == nil {
		return
	}
	c.write.Close()
	go func() {
		io.Copy(c, c.read)
		close(c.done)
	}()
}

// Write takes a piece of output.
func (c *outputCopy) Write(p []byte) (int, error) {
	c.kept = append(c.kept, p...)
	if len(c.kept) > 2*keepOutput {
		c.kept = append(c.kept[:0], c.kept[len(c.kept)-keepOutput:]...)
	}
	c.mu.Lock()
	if len(c.new) < 1<<20 { // what a program prints in masses is not ncu's log
		c.new = append(c.new, p...)
	}
	c.mu.Unlock()
	return c.to.Write(p)
}

// take returns what is new.
func (c *outputCopy) take() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.new
	c.new = nil
	return p
}

// end waits for the rest of the output. A daemon that the program left behind on purpose may hold the pipe, so the wait is
// short.
func (c *outputCopy) end() {
	if c.read == nil {
		return
	}
	c.read.SetReadDeadline(time.Now().Add(2 * time.Second))
	<-c.done
	c.read.Close()
}
