package ncu

import (
	"fmt"
	"iter"
)

// A SyntaxError is input that cannot be read: where, what is wrong and what to do, in one line.
type SyntaxError struct {
	Path   string
	Line   int   // from 1; 0 when the input has no lines
	Offset int64 // byte offset of the trouble in binary input; -1 unknown
	Msg    string
	Hint   string // what to do
}

// Error returns "FILE:LINE: what is wrong; what to do".
func (e *SyntaxError) Error() string {
	s := e.Path
	if e.Line > 0 {
		s += fmt.Sprintf(":%d", e.Line)
	} else if e.Offset > 0 {
		s += fmt.Sprintf(": byte %d", e.Offset)
	}
	s += ": " + e.Msg
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// A PartialError is an input that ended early, after whole launches.
type PartialError struct {
	Launches int // how many were read
	Err      error
}

// Error says what ended the input.
func (e *PartialError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *PartialError) Unwrap() error { return e.Err }

// Options say how to read.
type Options struct {
	Decimal string // "comma" or "point": for text exports whose number format is ambiguous; "" decides from the file
}

// Open opens one profile in any of the formats; path "-" reads stdin. The format is told by content, not by name.
func Open(path string, opt Options) (*Report, error) {
	return nil, &SyntaxError{Path: path, Msg: "unknown format", Hint: "give a .ncu-rep report or an export of one"}
}

// Map calls f on every launch of the report, on all cores, and yields what f returns in file order.
func Map[T any](r *Report, f func(*Launch) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for it, err := range r.items {
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			l, err := it()
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			if !yield(f(l), nil) {
				return
			}
		}
	}
}
