package ncu

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const (
	peekBytes = 256 << 10 // how far the number format is looked for
	maxRecord = 64 << 20  // bytes of one row: a row of 100,000 columns with instances stays below
)

// errTooLong is a row beyond maxRecord.
var errTooLong = errors.New("row is longer than 64 MiB")

// A record is one line of text or, in a table, one row: quoted cells may hold line breaks.
type record struct {
	text    []byte // without the line end; good until the next record is read
	line    int    // of its first line, from 1
	quotes  int    // how many; -1 when not counted
	cut     bool   // the input ends inside a quoted cell
	unended bool   // the input ends without a line end here
}

// A recordReader splits text into records.
type recordReader struct {
	in      *bufio.Reader
	line    int // lines read so far
	long    []byte
	pending []byte // a line read ahead that belongs to the next record
	ended   bool   // pending had no line end
	limit   int    // bytes of one record
	broken  []int  // lines of rows given up because a quote was never closed
}

func newRecordReader(r io.Reader) *recordReader {
	return &recordReader{in: bufio.NewReaderSize(r, peekBytes), limit: maxRecord}
}

// peek returns what lies ahead, up to peekBytes, without taking it.
func (r *recordReader) peek() []byte {
	b, _ := r.in.Peek(peekBytes)
	return b
}

// readLine returns the next line without its end, and whether it had one.
func (r *recordReader) readLine() (line []byte, ended bool, err error) {
	b, err := r.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = r.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) && len(r.long) <= r.limit {
			r.long = append(r.long, b...)
			b, err = r.in.ReadSlice('\n')
		}
		r.long = append(r.long, b...)
		b = r.long
	}
	if len(b) == 0 && err != nil {
		return nil, false, err
	}
	r.line++
	if len(b) > r.limit {
		return nil, false, errTooLong
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	ended = b[len(b)-1] == '\n'
	if ended {
		b = b[:len(b)-1]
	}
	return bytes.TrimSuffix(b, []byte{'\r'}), ended, nil
}

// next returns the next record. Only in a table does a quoted cell continue over line ends: elsewhere a stray quote
// in a program's output would swallow the rest.
func (r *recordReader) next(inTable bool) (record, error) {
	line, ended := r.pending, r.ended
	at := r.line
	r.pending = nil
	if line == nil {
		var err error
		if line, ended, err = r.readLine(); err != nil {
			return record{}, err
		}
		at = r.line
	}
	rec := record{text: line, line: at, quotes: -1, unended: !ended}
	if !inTable || len(line) == 0 || line[0] != '"' {
		return rec, nil
	}
	if rec.quotes = bytes.Count(line, quote); rec.quotes%2 == 0 {
		return rec, nil
	}
	return r.join(rec)
}

var quote = []byte{'"'}

// join adds lines to a row until its quotes are closed.
func (r *recordReader) join(rec record) (record, error) {
	text := bytes.Clone(rec.text)
	for {
		line, ended, err := r.readLine()
		if errors.Is(err, io.EOF) {
			return record{text: text, line: rec.line, quotes: -1, cut: true, unended: true}, nil
		}
		if err != nil {
			return record{}, err
		}
		if startsRow(line) {
			r.broken = append(r.broken, rec.line)
			r.pending, r.ended = bytes.Clone(line), ended
			return r.next(true)
		}
		text = append(append(text, '\n'), line...)
		if len(text) > r.limit {
			return record{}, errTooLong
		}
		if bytes.Count(line, quote)%2 == 1 {
			return record{text: text, line: rec.line, quotes: -1, unended: !ended}, nil
		}
	}
}

// startsRow tells a new row from the rest of a quoted cell: there, a quote is doubled or ends the cell.
func startsRow(line []byte) bool {
	return len(line) > 1 && line[0] == '"' && line[1] != '"' && line[1] != ','
}

// nextCell returns the first cell of a row, unquoted, and what follows it; more is false after the last cell.
func nextCell(row []byte) (cell, rest []byte, more bool) {
	if len(row) == 0 || row[0] != '"' {
		i := bytes.IndexByte(row, ',')
		if i < 0 {
			return row, nil, false
		}
		return row[:i], row[i+1:], true
	}
	row = row[1:]
	i := bytes.IndexByte(row, '"')
	if i < 0 {
		return row, nil, false
	}
	if i+1 < len(row) && row[i+1] == '"' {
		return doubledCell(row, i)
	}
	return afterQuote(row[:i], row[i+1:])
}

// doubledCell finishes a cell with doubled quotes, the first of them at i.
func doubledCell(row []byte, i int) (cell, rest []byte, more bool) {
	out := append([]byte(nil), row[:i+1]...)
	row = row[i+2:]
	for {
		i = bytes.IndexByte(row, '"')
		if i < 0 {
			return append(out, row...), nil, false
		}
		if i+1 < len(row) && row[i+1] == '"' {
			out = append(out, row[:i+1]...)
			row = row[i+2:]
			continue
		}
		return afterQuote(append(out, row[:i]...), row[i+1:])
	}
}

// afterQuote skips from a closing quote to behind the comma.
func afterQuote(cell, rest []byte) ([]byte, []byte, bool) {
	if len(rest) > 0 && rest[0] == ',' {
		return cell, rest[1:], true
	}
	i := bytes.IndexByte(rest, ',')
	if i < 0 {
		return cell, nil, false
	}
	return cell, rest[i+1:], true
}

// splitCells returns all cells of a row as strings.
func splitCells(row []byte) []string {
	var cells []string
	for more := true; more; {
		var cell []byte
		cell, row, more = nextCell(row)
		cells = append(cells, string(cell))
	}
	return cells
}

// rowCells appends all cells of a row. Cells without doubled quotes are parts of the row.
func rowCells(into [][]byte, row []byte) [][]byte {
	for more := true; more; {
		var cell []byte
		cell, row, more = nextCell(row)
		into = append(into, cell)
	}
	return into
}

// cells returns the number of cells of a row.
func (r *record) cells() int {
	row, n := r.text, 0
	for more := true; more; n++ {
		_, row, more = nextCell(row)
	}
	return n
}

// short reports whether a row surely has fewer cells than that: it is a line of other output that begins with a quote.
func (r *record) short(columns int) bool {
	if r.quotes >= 0 {
		return r.quotes < 2*columns
	}
	return r.cells() < columns
}

// fits reports whether a row has at most so many cells. Every cell has two quotes at least, save an empty one behind a
// comma at the end, so cells need to be counted in rare cases only.
func (r *record) fits(columns int) bool {
	return r.quotes >= 0 && r.quotes <= 2*columns || r.cells() <= columns
}
