package ncu

import (
	"bufio"
	"io"
	"sort"
)

// A finiteReader replaces NaN, Infinity and -Infinity outside of strings by null: Python writes them, JSON has no word
// for them, and here they mean unknown.
type finiteReader struct {
	in       *bufio.Reader
	inString bool
	escaped  bool
	out      []byte // replaced text that is waiting
}

func (f *finiteReader) Read(p []byte) (int, error) {
	for i := range p {
		if len(f.out) > 0 {
			p[i], f.out = f.out[0], f.out[1:]
			continue
		}
		c, err := f.in.ReadByte()
		if err != nil {
			if i > 0 {
				return i, nil
			}
			return 0, err
		}
		p[i] = f.next(c)
	}
	return len(p), nil
}

// next returns what stands for a byte.
func (f *finiteReader) next(c byte) byte {
	switch {
	case f.escaped:
		f.escaped = false
	case f.inString && c == '\\':
		f.escaped = true
	case c == '"':
		f.inString = !f.inString
	case !f.inString && (c == 'N' || c == 'I' || c == '-'):
		return f.word(c)
	}
	return c
}

func (f *finiteReader) word(c byte) byte {
	for _, word := range [...]string{"NaN", "Infinity", "-Infinity"} {
		rest, _ := f.in.Peek(len(word) - 1)
		if string(c)+string(rest) == word {
			f.in.Discard(len(rest))
			f.out = []byte("ull")
			return 'n'
		}
	}
	return c
}

// A lineCounter remembers where lines begin, so that an offset can be told as a line.
type lineCounter struct {
	in     io.Reader
	offset int64
	starts []int64 // of the lines from the second on; of the first million
}

const maxLines = 1 << 20

func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	for i, c := range p[:n] {
		if c == '\n' && len(l.starts) < maxLines {
			l.starts = append(l.starts, l.offset+int64(i)+1)
		}
	}
	l.offset += int64(n)
	return n, err
}

// lineAt returns the line of an offset, from 1.
func (l *lineCounter) lineAt(offset int64) int {
	return 1 + sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > offset })
}
