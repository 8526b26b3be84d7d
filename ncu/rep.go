package ncu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/encoding/protowire"
)

// A report file is a magic, a header, and blocks until the end. A block is a header message and a payload of sources
// and results. Names of metrics are numbers of strings that can stand in a later block than their use, so a report is
// walked twice: over the block headers and the lengths of the items, then over the results, one by one.

// reportMagic begins every report.
var reportMagic = []byte("NVR\x00")

// reportVersion is the container's version in every report from 2018 to 2026.
const reportVersion = 7

// Limits that no real report comes near (the largest seen: 2,300 strings, 105 results). They bound memory when
// damaged lengths would ask for more.
const (
	maxStrings = 1 << 19
	maxResults = 1 << 19
	maxParts   = 1 << 16 // sections, rule results, table rows and the like, of one result

	maxProcesses = 1 << 12
	maxSources   = 1 << 18
	maxFunctions = 1 << 18 // of one source
)

// A rep is a report file in reading.
type rep struct {
	*Report
	src       *source
	names     []string // the string table, global over all blocks
	units     []string // of the metric with that name
	processes []Process
	process   int // index of the process of the block in reading, -1 for none
	results   []place
	sources   *sourceIndex
	session   session
	metrics   int          // how many the first result has: the others have about as many
	unnamed   atomic.Int64 // metrics whose name is not in the string table
	unmapped  atomic.Int64 // program counters of counters that lie in no known function
	former    bool         // some metrics have names that they had before
	lateNotes sync.Map     // lines that results added while they were read, in any order
	end       error        // why the walk ended early, nil at the end of the file
}

// A place is where one result lies in the file. There can be many.
type place struct {
	off     int64
	size    uint32
	process int16 // index, -1 for none
	layout  uint8 // index
}

// isReport tells a report by its magic.
func isReport(head []byte) bool { return bytes.HasPrefix(head, reportMagic) }

// openReport reads everything but the results.
func openReport(r *Report, src *source, _ Options) error {
	p := &rep{Report: r, src: src, sources: newSourceIndex(src), process: -1}
	p.end = p.walk()
	switch {
	case len(p.results) == 0 && p.end != nil:
		return p.end
	case len(p.results) == 0:
		return &SyntaxError{Path: src.name, Offset: -1, Msg: "the report holds no results", Hint: "did a kernel match the filter of ncu?"}
	case len(p.names) == 0 && p.end != nil:
		return p.end
	case len(p.names) == 0:
		return p.damaged(-1, "no block names the metrics")
	}
	p.units = make([]string, len(p.names))
	for i, n := range p.names {
		p.units[i] = UnitOf(n)
		p.former = p.former || currentName(n) != ""
	}
	if err := p.describe(); err != nil {
		return err
	}
	r.items, r.finish, r.modules = p.each, sync.OnceFunc(p.finish), p.sources.modules
	return nil
}

// each yields the results in file order.
func (p *rep) each(yield func(item, error) bool) {
	for i := range p.results {
		if !yield(func() (*Launch, error) { return p.launch(i) }, nil) {
			return
		}
	}
	if p.end != nil {
		yield(nil, p.end)
	}
}

// finish notes what was found out while the results were read.
func (p *rep) finish() {
	if n := p.unnamed.Load(); n > 0 {
		p.note("%d values of metrics whose name is missing were left out", n)
	}
	if n := p.unmapped.Load(); n > 0 {
		p.note("%d instructions with counters lie in no function that the report holds", n)
	}
	var late []string
	p.lateNotes.Range(func(line, _ any) bool {
		late = append(late, line.(string))
		return true
	})
	slices.Sort(late)
	for _, line := range late {
		p.note("%s", line)
	}
}

// damaged is the error of a report whose bytes make no sense at the given place.
func (p *rep) damaged(off int64, msg string) error {
	return &SyntaxError{Path: p.src.name, Offset: off, Msg: "damaged report: " + msg, Hint: "copy it again or profile again"}
}

// cut is the error of a report that ends before what it announces.
func (p *rep) cut(off, need, left int64) error {
	msg := fmt.Sprintf("the report ends early: %d bytes belong here, %d are left", need, left)
	return &SyntaxError{Path: p.src.name, Offset: off, Msg: msg, Hint: "copy it again, or profile again if ncu was stopped"}
}

// slice returns a part of the file.
func (p *rep) slice(off, size int64) ([]byte, error) {
	b, err := p.src.slice(off, size)
	if err != nil {
		return nil, &SyntaxError{Path: p.src.name, Offset: off, Msg: fmt.Sprintf("reading: %v", err), Hint: "check the file"}
	}
	return b, nil
}

// walk finds all blocks and items.
func (p *rep) walk() error {
	off := int64(len(reportMagic))
	off, size, err := p.chunk(off, p.src.size)
	if err != nil {
		return err
	}
	if err := p.fileHeader(off, size); err != nil {
		return err
	}
	for off += size; off < p.src.size; {
		if off, err = p.block(off); err != nil {
			return err
		}
	}
	return nil
}

// chunk reads the length word at off and returns where the bytes that it announces begin and how many they are. They
// lie before end.
func (p *rep) chunk(off, end int64) (body, size int64, err error) {
	if off+4 > end {
		return 0, 0, p.cut(off, 4, end-off)
	}
	word, err := p.slice(off, 4)
	if err != nil {
		return 0, 0, err
	}
	body, size = off+4, int64(binary.LittleEndian.Uint32(word))
	if body+size > end {
		return 0, 0, p.cut(body, size, end-body)
	}
	return body, size, nil
}

func (p *rep) fileHeader(off, size int64) error {
	b, err := p.slice(off, size)
	if err != nil {
		return err
	}
	m := walk(b)
	for m.next() {
		if v := m.word; m.num == 1 && v != reportVersion {
			p.note("container version %d, not %d: some of it may be misread", v, reportVersion)
		}
	}
	if m.err != nil {
		return p.damaged(off, "file header: "+m.err.Error())
	}
	return nil
}

// note adds a line to the report's notes.
func (p *rep) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// A blockHeader says what a block's payload holds.
type blockHeader struct {
	payload int64
	sources int
	counts  [len(layouts)]int // results of each kind
}

// block reads the block at off and returns the end of it.
func (p *rep) block(off int64) (next int64, err error) {
	body, size, err := p.chunk(off, p.src.size)
	if err != nil {
		return 0, err
	}
	b, err := p.slice(body, size)
	if err != nil {
		return 0, err
	}
	h, err := p.blockHeader(b)
	if err != nil {
		return 0, p.damaged(body, fmt.Sprintf("block header: %v", err))
	}
	off = body + size
	end := off + h.payload
	whole := min(end, p.src.size)
	for range h.sources {
		if off, size, err = p.chunk(off, whole); err != nil {
			return 0, err
		}
		if err := p.sources.add(off, size, p.process); err != nil {
			return 0, p.damaged(off, err.Error())
		}
		off += size
	}
	for i, n := range h.counts {
		for range n {
			if off, size, err = p.chunk(off, whole); err != nil {
				return 0, err
			}
			if len(p.results) == maxResults {
				return 0, p.damaged(off, fmt.Sprintf("more than %d results", maxResults))
			}
			p.results = append(p.results, place{off, uint32(size), int16(p.process), uint8(i)})
			off += size
		}
	}
	if end > p.src.size {
		return 0, p.cut(off, end-off, p.src.size-off)
	}
	if off != end {
		p.note("%d bytes of a block at byte %d are of an unknown kind and were left out", end-off, off)
	}
	return end, nil
}

func (p *rep) blockHeader(b []byte) (h blockHeader, err error) {
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			h.sources = m.int()
		case 3:
			err = p.session.add(m.bytes())
		case 4:
			err = p.addStrings(m.bytes())
		case 5:
			h.payload = int64(min(m.uint(), math.MaxUint32))
		case 6:
			err = p.addProcess(m.bytes())
		default:
			for i := range layouts {
				if layouts[i].count == m.num {
					h.counts[i] = m.int()
				}
			}
		}
		if err != nil {
			return h, err
		}
	}
	return h, m.err
}

func (p *rep) addStrings(b []byte) error {
	m := walk(b)
	for m.next() {
		if m.num != 1 {
			continue
		}
		if len(p.names) == maxStrings {
			return fmt.Errorf("more than %d strings", maxStrings)
		}
		p.names = append(p.names, m.text())
	}
	return m.err
}

// addProcess takes the process that the results of this block, and of later ones without process, belong to.
func (p *rep) addProcess(b []byte) error {
	proc := Process{PID: -1}
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			proc.PID = m.int()
		case 2:
			proc.Host = m.text()
		case 3:
			proc.Name = lastElement(m.text())
		}
	}
	if p.process = slices.Index(p.processes, proc); p.process < 0 {
		if len(p.processes) == maxProcesses {
			return fmt.Errorf("more than %d processes", maxProcesses)
		}
		p.process = len(p.processes)
		p.processes = append(p.processes, proc)
	}
	return m.err
}

// A layout says under which field numbers a kind of result keeps its parts; 0 for parts that it does not have.
type layout struct {
	kind  Kind
	count protowire.Number // in the block header: how many there are

	thread, metrics, source, sections, rules, nvtx, context, stream, clock, driver protowire.Number
}

// layouts lists the kinds in the order in which a block's payload holds them.
var layouts = [...]layout{
	{Kernel, 2, 1, 13, 15, 17, 19, 21, 22, 23, 25, 35},
	{Range, 7, 1, 4, 15, 7, 20, 10, 11, 0, 12, 21},
	{CommandList, 8, 1, 4, 17, 7, 21, 10, 11, 12, 13, 25},
	{Graph, 9, 1, 4, 17, 7, 22, 10, 11, 12, 13, 23},
}
