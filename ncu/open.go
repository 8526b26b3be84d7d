package ncu

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
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

// Error says what ended the input and how much was read.
func (e *PartialError) Error() string {
	return fmt.Sprintf("%v (%d launches before it are good)", e.Err, e.Launches)
}

// Unwrap returns the cause.
func (e *PartialError) Unwrap() error { return e.Err }

// Options say how to read.
type Options struct {
	Decimal string // "comma" or "point": for text exports whose number format is ambiguous; "" decides from the file
}

// A format is one form that a profile travels in.
type format struct {
	name  string                                          // as in Report.Format
	match func(head []byte) bool                          // tells by the first headSize bytes, decompressed
	open  func(r *Report, src *source, opt Options) error // fills the report and its items
}

// formats lists every form that Open reads, the surest to tell first.
var formats = []format{
	{"ncu-rep", isReport, openReport},
	{"json", isJSON, openJSON},
	{"text", isTextInput, openTextSource}, // the format's own name replaces this once it is told
}

// headSize is how much of an input a format may look at: exports captured from a terminal begin with the program's
// own output.
const headSize = 256 << 10

// Open opens one profile in any of the formats; path "-" reads stdin. The format is told by content, not by name;
// gzip and zstd are seen through. An input that cannot be read gives a *SyntaxError.
func Open(path string, opt Options) (*Report, error) {
	src, err := openSource(path)
	if err != nil {
		return nil, err
	}
	r := &Report{Path: path, rank: rankOf(path), close: src.Close}
	if err := r.read(src, opt); err != nil {
		src.Close()
		return nil, err
	}
	return r, nil
}

// read finds the format of the source and opens it.
func (r *Report) read(src *source, opt Options) error {
	head, err := src.head()
	if err != nil {
		return &SyntaxError{Path: src.name, Offset: -1, Msg: fmt.Sprintf("reading: %v", err), Hint: "check the file"}
	}
	for _, f := range formats {
		if f.match(head) {
			r.Format = f.name
			return f.open(r, src, opt)
		}
	}
	return unknownFormat(src.name, head)
}

// unknownFormat says what the bytes look like and what to give instead.
func unknownFormat(name string, head []byte) error {
	e := &SyntaxError{Path: name, Offset: -1, Hint: "give a .ncu-rep report or an export of one"}
	zip := bytes.HasPrefix(head, []byte("PK\x03\x04"))
	switch {
	case len(head) == 0:
		e.Msg, e.Hint = "the file is empty", "profile again: did ncu end before it wrote the report?"
	case zip || strings.HasSuffix(name, ".ncu-repz"):
		e.Msg, e.Hint = "a packed report (.ncu-repz), which only Nsight Compute can open", "export it: ncu -i FILE --page raw --csv"
	case bytes.HasPrefix(head, []byte("SQLite format 3")):
		e.Msg = "an SQLite database, not a profile of Nsight Compute"
	case isText(head):
		e.Msg = "no profile in this text"
	case strings.HasSuffix(name, ".ncu-rep"):
		e.Msg = fmt.Sprintf("not a report: it starts with bytes % x", head[:min(4, len(head))])
		e.Hint = "profile again: the writing was interrupted"
	default:
		e.Msg = fmt.Sprintf("unknown format: it starts with bytes % x", head[:min(4, len(head))])
	}
	return e
}

// isText reports whether the bytes look like text of any encoding that exports have.
func isText(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return true
	}
	sample := head[:min(len(head), 4096)]
	return !bytes.ContainsRune(sample, 0) && utf8.Valid(sample[:max(0, len(sample)-utf8.UTFMax)])
}
