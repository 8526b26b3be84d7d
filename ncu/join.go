package ncu

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Join brings together what belongs together: a source page, which tells instructions but no times, and the raw or
// details page of the same run. The first source page goes to the first other page, and so on; its blocks are given to
// that page's launches by kernel name, in order. What is joined leaves the list. Reports hold their code themselves.
func Join(reports []*Report) []*Report {
	var sources, rest []*Report
	for _, r := range reports {
		if r.Format == "csv-source" {
			sources = append(sources, r)
		} else {
			rest = append(rest, r)
		}
	}
	for _, r := range rest {
		if len(sources) > 0 && r.Format != "ncu-rep" && r.Format != "csv-summary" {
			r.attach(sources[0])
			sources = sources[1:]
		}
	}
	return slices.Concat(rest, sources)
}

// attach gives the launches of the report the code of a source page.
func (r *Report) attach(source *Report) {
	items, closeReport := r.items, r.close
	r.items = func(yield func(item, error) bool) {
		next, stop := iter.Pull2(source.items)
		defer stop()
		a := attacher{report: r, source: source, next: next}
		for it, err := range items {
			if err == nil {
				it, err = a.join(it)
			}
			if !yield(it, err) || err != nil {
				return
			}
		}
		a.finish()
	}
	r.close = func() error {
		var err error
		if closeReport != nil {
			err = closeReport()
		}
		return errors.Join(err, source.Close())
	}
}

// An attacher walks a report and a source page side by side.
type attacher struct {
	report, source *Report
	next           func() (item, error, bool)
	block          *Launch // the next block of the source page
	ended          bool
	joined, left   int
}

// join gives one launch its block. The launch has to be made for its name, so this part of the work is not spread over
// the cores.
func (a *attacher) join(it item) (item, error) {
	l, err := it()
	if err != nil {
		return nil, err
	}
	if err := a.advance(); err != nil {
		return nil, err
	}
	if a.block != nil && sameKernel(a.block.Kernel, l.Kernel) {
		l.code = a.block.code
		for name, m := range a.block.Metrics {
			have, ok := l.Metrics[name]
			switch {
			case !ok:
				l.Metrics[name] = m
			case have.instances == nil:
				have.instances = m.instances
				l.Metrics[name] = have
			}
		}
		a.block = nil
		a.joined++
	}
	return func() (*Launch, error) { return l, nil }, nil
}

// advance reads the next block, unless one is waiting for its launch.
func (a *attacher) advance() error {
	if a.block != nil || a.ended {
		return nil
	}
	it, err, ok := a.next()
	if !ok {
		a.ended = true
		return nil
	}
	if err == nil {
		a.block, err = it()
	}
	return err
}

// finish tells what was not joined.
func (a *attacher) finish() {
	for a.advance() == nil && !a.ended {
		a.block = nil
		a.left++
	}
	note := fmt.Sprintf("instructions are from %s: launches joined: %d", a.source.Path, a.joined)
	if a.left > 0 {
		note += fmt.Sprintf("; blocks without a launch here: %d", a.left)
	}
	a.report.Notes = append(a.report.Notes, note)
}

// sameKernel compares names of two pages, of which blanks may differ.
func sameKernel(a, b string) bool {
	return a == b || strings.ReplaceAll(a, " ", "") == strings.ReplaceAll(b, " ", "")
}
