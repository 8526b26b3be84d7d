package ncu

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// A page is one table of a text export while it is read. Rows come in file order.
type page interface {
	row(rec record) error // one row; the record's text is good until the next one
	end() error           // the table is over
}

// A pageKind is one kind of table: how its header is told and how it is read.
type pageKind struct {
	format string // of Report.Format
	is     func(header []string) bool
	open   func(t *textReader, header []string) page
}

// pageKinds are the tables that are known, told by the names in their header and never by their width.
var pageKinds = []pageKind{
	{"csv-gui", isGUIHeader, newGUIPage},
	{"csv-details", isDetailsHeader, newDetailsPage},
	{"csv-summary", isSummaryHeader, newSummaryPage},
	{"csv-source", isSourceHeader, newSourcePage}, // before raw: a kernel's name may look like that of a metric
	{"csv-raw", isRawHeader, newRawPage},
}

// A textReader reads text exports. One stream can hold several tables one after another, with the profiler's and the
// program's own output before, between and after them.
type textReader struct {
	report  *Report
	in      *recordReader
	numbers numberFormat
	decided bool // numbers is certain, or given by the user
	page    page
	plain   bool // the page's cells are quoted only where they need it
	console consoleReader
	source  sourceReader
	ready   []item
	made    int // launches so far
	foreign int // lines that belong to no table
	log     notes
	tool    toolLines
	done    error // io.EOF, or what ended the input
}

// isTextInput tells text of any encoding from a binary file.
func isTextInput(head []byte) bool {
	if len(head) >= 4 && (isUTF16(head[:4], 0xFF, 0xFE, 1) || isUTF16(head[:4], 0xFE, 0xFF, 0)) {
		return true
	}
	return len(head) > 0 && bytes.IndexByte(head[:min(len(head), 4096)], 0) < 0
}

func openTextSource(r *Report, src *source, opt Options) error { return openText(r, src.reader, opt) }

// openText opens a text export. open returns the whole text from its start each time it is called.
func openText(r *Report, open func() io.Reader, opt Options) error {
	first, err := newTextReader(r, open(), opt)
	if err != nil {
		return err
	}
	r.Format = ""
	if first.fill(); len(first.ready) == 0 {
		return first.ending()
	}
	r.items = func(yield func(item, error) bool) {
		t := first
		if first = nil; t == nil { // a second walk, whose notes have been told
			if t, err = newTextReader(&Report{Path: r.Path}, open(), opt); err != nil {
				yield(nil, err)
				return
			}
		}
		t.walk(yield)
	}
	return nil
}

func newTextReader(r *Report, in io.Reader, opt Options) (*textReader, error) {
	t := &textReader{report: r, in: newRecordReader(decodeText(in)), numbers: pointFormat}
	t.log.report, t.console.t, t.source.t = r, t, t
	switch opt.Decimal {
	case "":
		return t, nil
	case "point":
	case "comma":
		t.numbers = commaFormat
	default:
		return nil, fmt.Errorf("reading --decimal: unknown value %q; use comma or point", opt.Decimal)
	}
	t.decided = true
	return t, nil
}

// walk hands out the launches.
func (t *textReader) walk(yield func(item, error) bool) {
	for {
		t.fill()
		if len(t.ready) == 0 {
			if err := t.ending(); err != nil {
				yield(nil, err)
			}
			return
		}
		ready := t.ready
		t.ready = nil
		for _, it := range ready {
			if !yield(it, nil) {
				return
			}
		}
	}
}

// fill reads on until a launch is ready or the input ends.
func (t *textReader) fill() {
	for len(t.ready) == 0 && t.done == nil {
		rec, err := t.in.next(t.page != nil)
		if err == nil {
			err = t.take(rec)
		}
		if err != nil {
			t.finish(err)
		}
	}
}

// take puts one record where it belongs.
func (t *textReader) take(rec record) error {
	t.noteBroken()
	if bytes.HasPrefix(rec.text, toolMark) {
		t.tool.add(t, rec.text)
		return nil
	}
	if !t.isPlainRow(rec.text) {
		if header := headerOf(rec.text); header != nil {
			if opened, err := t.header(header, rec.text[0] != '"'); opened || err != nil {
				return err
			}
		}
	}
	if t.page != nil && len(rec.text) > 0 && (rec.text[0] == '"' || t.isPlainRow(rec.text)) {
		return t.page.row(rec)
	}
	if !t.console.line(rec.text) {
		t.foreign++
		if i := bytes.Index(rec.text, errorMark); i >= 0 {
			t.tool.add(t, rec.text[i:]) // the program's last line had no end
		}
	}
	return nil
}

// isPlainRow tells a row of a table without quotes by its commas.
func (t *textReader) isPlainRow(line []byte) bool {
	return t.page != nil && t.plain && bytes.IndexByte(line, ',') >= 0 &&
		!slices.ContainsFunc(plainStarts, func(s []byte) bool { return bytes.HasPrefix(line, s) })
}

// headerOf returns the cells of a line that could be the header of a table, nil when it cannot be one. Tables of the
// tool quote every cell; those that went through a notebook or the user interface quote what needs it.
func headerOf(line []byte) []string {
	if len(line) == 0 {
		return nil
	}
	if line[0] == '"' {
		if slices.ContainsFunc(quotedStarts, func(s []byte) bool { return bytes.HasPrefix(line, s) }) {
			return splitCells(line)
		}
		return nil
	}
	if bytes.IndexByte(line, ',') < 0 || line[0] == ' ' {
		return nil
	}
	if slices.ContainsFunc(plainStarts, func(s []byte) bool { return bytes.HasPrefix(line, s) }) || bytes.Contains(line, []byte("__")) {
		return splitCells(line)
	}
	return nil
}

var (
	quotedStarts = [][]byte{[]byte(`"ID",`), []byte(`"Process ID",`), []byte(`"Kernel Name",`), []byte(`"File Path",`)}
	plainStarts  = [][]byte{[]byte(`ID,`), []byte(`,ID,`), []byte(`Process ID,`), []byte(`Kernel Name,`)}
)

// header starts a new table if the record is the header of one.
func (t *textReader) header(header []string, plain bool) (bool, error) {
	for _, kind := range pageKinds {
		if !kind.is(header) {
			continue
		}
		t.console.end()
		if err := t.endPage(); err != nil {
			return true, err
		}
		if kind.format != "csv-source" {
			t.source.flush()
		}
		t.decideTable()
		t.page, t.plain = kind.open(t, header), plain
		t.opened(kind.format)
		return true, nil
	}
	return false, nil
}

// opened names the form of the report after its first table.
func (t *textReader) opened(format string) {
	if t.report.Format == "" {
		t.report.Format = format
	}
}

// decideTable looks at what lies ahead for numbers that can be read in one way only.
func (t *textReader) decideTable() {
	if !t.decided {
		var votes numberVotes
		votes.voteTable(t.in.peek())
		t.settle(votes)
	}
}

// decideConsole does the same for a console page.
func (t *textReader) decideConsole() {
	if !t.decided {
		var votes numberVotes
		votes.voteConsole(t.in.peek())
		t.settle(votes)
	}
}

func (t *textReader) settle(votes numberVotes) {
	var sure bool
	t.numbers, sure = votes.format()
	switch {
	case votes.point > 0 && votes.comma > 0:
		t.log.add("numbers have a decimal point in some cells and a decimal comma in others: give --decimal comma or point")
	case !sure:
		t.log.add("numbers like 1,234 are read as one thousand and more, 1.234 as about one: give --decimal comma if that is wrong")
	}
	t.decided = votes.point+votes.comma > 0
}

func (t *textReader) endPage() error {
	if t.page == nil {
		return nil
	}
	p := t.page
	t.page = nil
	return p.end()
}

// maxCopies bounds how many launches the average of a summary stands for.
const maxCopies = 10000

// emitCopies hands out the average of n launches n times, so that a kernel's share of the time is right.
func (t *textReader) emitCopies(l *Launch, n int) {
	if n > 1 {
		t.log.add("the file holds averages, not launches: how launches of a kernel differ cannot be judged")
	}
	if n > maxCopies {
		t.log.add("%s stands for %d launches; only %d are counted", l.Function, n, maxCopies)
		n = maxCopies
	}
	for range n {
		one := *l
		one.ID = strconv.Itoa(t.made)
		t.emit(func() (*Launch, error) { return &one, nil })
	}
}

// emit hands out a launch.
func (t *textReader) emit(it item) {
	t.ready = append(t.ready, it)
	t.made++
}

func (t *textReader) noteBroken() {
	for _, line := range t.in.broken {
		t.log.add("line %d: a quote is never closed; the row is skipped", line)
	}
	t.in.broken = nil
}

// tooLong reports a row with more cells than its header has, and says so in the notes.
func (t *textReader) tooLong(rec record, columns int) bool {
	if rec.fits(columns) {
		return false
	}
	n := rec.cells()
	if rec.text[len(rec.text)-1] == ',' {
		n-- // what a comma at the end leaves is no cell
	}
	if n <= columns {
		return false
	}
	t.log.add("line %d: the row has %d cells, its header %d; the row is skipped", rec.line, n, columns)
	return true
}

// finish closes the open table and remembers how the input ended.
func (t *textReader) finish(err error) {
	if end := t.console.cut(); end != nil && errors.Is(err, io.EOF) {
		err = end
	}
	t.console.end()
	if end := t.endPage(); end != nil && errors.Is(err, io.EOF) {
		err = end
	}
	t.source.flush()
	t.noteBroken()
	if t.foreign > 0 {
		t.log.add("other output in the file is ignored: %s", count(t.foreign, "line"))
	}
	t.tool.notes(t)
	t.done = err
}

// ending returns the error that the stream ends with, nil for a good end.
func (t *textReader) ending() error {
	err := t.done
	var syntax *SyntaxError
	switch {
	case errors.Is(err, io.EOF) && t.made > 0:
		return nil
	case errors.Is(err, io.EOF):
		return t.nothing()
	case !errors.As(err, &syntax):
		err = &SyntaxError{Path: t.report.Path, Line: t.in.line, Msg: err.Error(), Hint: "check the file"}
	}
	if t.made > 0 {
		return &PartialError{Launches: t.made, Err: err}
	}
	return err
}

// cutOff is the error of an input that ends inside the rows of a launch.
func (t *textReader) cutOff(rec record, kernel string) error {
	what := "a launch"
	if kernel != "" {
		what = "the launch of " + kernel
	}
	return &SyntaxError{Path: t.report.Path, Line: rec.line, Msg: "the file ends inside " + what + ", which is left out",
		Hint: "export it again, or give --allow-partial"}
}
