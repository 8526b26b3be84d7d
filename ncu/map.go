package ncu

import (
	"errors"
	"iter"
	"runtime"
	"sync"
)

// Map calls f on every launch of the report, on all cores, and yields what f returns in file order. At most four
// launches a core are in work or waiting, so memory does not grow with the report. An error ends the sequence; after
// launches have been yielded it is a *PartialError.
func Map[T any](r *Report, f func(*Launch) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		p := startPipeline(r, f)
		defer p.stop()
		n := 0
		for s := range p.ordered {
			<-s.done
			if s.err != nil {
				r.finished()
				yield(s.value, partial(n, s.err))
				return
			}
			if !yield(s.value, nil) {
				return
			}
			n++
		}
		r.finished()
	}
}

// finished completes what is said about the whole.
func (r *Report) finished() {
	if r.finish != nil {
		r.finish()
	}
}

// partial marks an error that comes after n good launches.
func partial(n int, err error) error {
	var p *PartialError
	if n == 0 || errors.As(err, &p) {
		return err
	}
	return &PartialError{Launches: n, Err: err}
}

// A slot is the place of one launch in the output.
type slot[T any] struct {
	item  item
	value T
	err   error
	done  chan struct{} // closed when value and err are set
}

// A pipeline reads items on one goroutine and makes launches of them on several. The channel of slots in file order
// bounds how far reading runs ahead.
type pipeline[T any] struct {
	ordered chan *slot[T]
	work    chan *slot[T]
	quit    chan struct{}
	running sync.WaitGroup
}

func startPipeline[T any](r *Report, f func(*Launch) T) *pipeline[T] {
	workers := runtime.GOMAXPROCS(0)
	p := &pipeline[T]{
		ordered: make(chan *slot[T], 4*workers),
		work:    make(chan *slot[T], 4*workers),
		quit:    make(chan struct{}),
	}
	for range workers {
		p.running.Go(func() {
			for s := range p.work {
				s.value, s.err = makeOne(s.item, r.rank, f)
				close(s.done)
			}
		})
	}
	p.running.Go(func() { p.read(r) })
	return p
}

// makeOne makes one launch and what f says of it.
func makeOne[T any](it item, rank string, f func(*Launch) T) (v T, err error) {
	l, err := it()
	if err != nil {
		return v, err
	}
	if l.Process.Rank == "" {
		l.Process.Rank = rank
	}
	return f(l), nil
}

// read hands out the items until they end, fail, or nobody wants more.
func (p *pipeline[T]) read(r *Report) {
	defer close(p.ordered)
	defer close(p.work)
	for it, err := range r.items {
		s := &slot[T]{item: it, err: err, done: make(chan struct{})}
		select {
		case p.ordered <- s:
		case <-p.quit:
			return
		}
		if err != nil {
			close(s.done)
			return
		}
		p.work <- s
	}
}

// stop ends the goroutines and waits for them.
func (p *pipeline[T]) stop() {
	close(p.quit)
	p.running.Wait()
}
