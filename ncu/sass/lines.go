package sass

import (
	"cmp"
	"path"
	"slices"
	"sort"
)

// Opcodes of the line-number program (DWARF 2), and the two that CUDA adds for inlined calls.
const (
	lnsCopy = iota + 1
	lnsAdvancePC
	lnsAdvanceLine
	lnsSetFile
	lnsSetColumn
	lnsNegateStmt
	lnsSetBasicBlock
	lnsConstAddPC
	lnsFixedAdvancePC

	lneEndSequence   = 0x01
	lneSetAddress    = 0x02
	lneInlinedCall   = 0x90 // two numbers: the row of the call site, and the name of the inlined function
	lneSetFunction   = 0x91 // the name alone
	setAddressLength = 11   // 0, 9, lneSetAddress, eight bytes of address
)

// A lineTable finds the source positions of one function.
type lineTable struct {
	module *Module
	symbol *symbol
	rows   []row   // as the program made them: contexts count in this order
	order  []int32 // indices of rows by address
	read   bool
}

// A row is one row of the line table. Addresses are offsets in the function.
type row struct {
	addr     uint32
	unit     *lineUnit
	file     uint32
	line     int32
	context  uint32 // number of the call site's row in the same sequence, from 1; 0: not inlined
	name     uint32 // of the inlined function, an offset in .debug_str
	sequence int32  // index of the sequence's first row
}

// A lineIndex knows where the sequences of each function start, without having run the line-number program: each starts
// with an address that has a relocation.
type lineIndex struct {
	units []*lineUnit
	data  []byte
	names []byte           // .debug_str
	at    map[int][]uint64 // by symbol: offsets of its address operands
}

// A lineUnit is the header of one compilation unit.
type lineUnit struct {
	start, program, end uint64 // offsets in .debug_line
	minLength           uint32
	base                int8
	lineRange, opBase   byte
	lengths             []byte
	files               []string // cleaned paths; file numbers start at 1
}

// indexLines reads the unit headers and the relocations of the line table.
func indexLines(f *elfFile) *lineIndex {
	x := &lineIndex{data: f.data(".debug_line"), names: f.data(".debug_str"), at: map[int][]uint64{}}
	for off := uint64(0); off+15 <= uint64(len(x.data)); {
		u, ok := readUnit(x.data, off)
		if !ok {
			break
		}
		x.units = append(x.units, u)
		off = u.end
	}
	x.relocations(f.data(".rela.debug_line"), 24, len(f.symbols))
	x.relocations(f.data(".rel.debug_line"), 16, len(f.symbols))
	return x
}

func (x *lineIndex) relocations(b []byte, size, symbols int) {
	for ; len(b) >= size; b = b[size:] {
		if sym := le.Uint32(b[12:]); int64(sym) < int64(symbols) {
			x.at[int(sym)] = append(x.at[int(sym)], le.Uint64(b))
		}
	}
}

// readUnit reads one unit's header.
func readUnit(b []byte, off uint64) (*lineUnit, bool) {
	r := reader{b: b, at: off}
	length := uint64(r.u32())
	u := &lineUnit{start: off, end: r.at + length}
	if length > uint64(len(b))-r.at {
		return nil, false
	}
	version := r.u16()
	headerLength := uint64(r.u32())
	u.program = r.at + headerLength
	u.minLength = uint32(r.u8())
	if version >= 4 {
		r.u8()
	}
	r.u8()
	u.base, u.lineRange, u.opBase = int8(r.u8()), r.u8(), r.u8()
	if r.bad || version < 2 || version > 4 || u.program > u.end || u.lineRange == 0 || u.opBase == 0 {
		return nil, false
	}
	u.lengths = r.take(uint64(u.opBase) - 1)
	dirs := []string{""}
	for s := r.cstring(); s != "" && r.at < u.program; s = r.cstring() {
		dirs = append(dirs, s)
	}
	for s := r.cstring(); s != "" && r.at < u.program; s = r.cstring() {
		dir := r.uleb()
		r.uleb()
		r.uleb()
		if dir < uint64(len(dirs)) && !path.IsAbs(s) {
			s = path.Join(dirs[dir], s)
		}
		u.files = append(u.files, path.Clean(s))
	}
	return u, !r.bad
}

func (u *lineUnit) file(n uint32) string {
	if n == 0 || int64(n) > int64(len(u.files)) {
		return ""
	}
	return u.files[n-1]
}

// load runs the sequences of the function and sorts their rows by address. Not for concurrent use: a Function belongs to
// one goroutine.
func (t *lineTable) load() {
	t.read = true
	x := t.module.lines()
	for i := range t.module.elf.symbols {
		s := &t.module.elf.symbols[i]
		if s.section != t.symbol.section || x.at[i] == nil {
			continue
		}
		for _, off := range x.at[i] {
			t.rows = x.run(t.rows, off, s.value-t.symbol.value)
		}
	}
	t.order = make([]int32, len(t.rows))
	for i := range t.order {
		t.order[i] = int32(i)
	}
	slices.SortStableFunc(t.order, func(a, b int32) int { return cmp.Compare(t.rows[a].addr, t.rows[b].addr) })
}

// run appends the rows of the sequence whose address operand stands at off. The sequence's first address becomes base:
// where relocations have no addend, the address in place may be any.
func (x *lineIndex) run(rows []row, off, base uint64) []row {
	i := sort.Search(len(x.units), func(i int) bool { return x.units[i].end > off })
	if i == len(x.units) || off < x.units[i].program+3 || off+8 > x.units[i].end {
		return rows
	}
	u := x.units[i]
	p := program{
		reader: reader{b: x.data[:u.end], at: off + 8}, unit: u, rows: rows,
		row: row{addr: uint32(base), unit: u, file: 1, line: 1, sequence: int32(len(rows))},
	}
	for !p.bad && !p.done && p.at < u.end && len(p.rows) <= len(x.data) { // a row takes a byte at least
		p.step()
	}
	return p.rows
}

// A program is a line-number program in execution.
type program struct {
	reader
	unit *lineUnit
	rows []row
	row  row
	done bool
}

func (p *program) emit() { p.rows = append(p.rows, p.row) }

func (p *program) step() {
	u := p.unit
	op := p.u8()
	if op >= u.opBase {
		n := op - u.opBase
		p.row.addr += uint32(n/u.lineRange) * u.minLength
		p.row.line += int32(u.base) + int32(n%u.lineRange)
		p.emit()
		return
	}
	switch op {
	case 0:
		p.extended()
	case lnsCopy:
		p.emit()
	case lnsAdvancePC:
		p.row.addr += uint32(p.uleb()) * u.minLength
	case lnsAdvanceLine:
		p.row.line += int32(p.sleb())
	case lnsSetFile:
		p.row.file = uint32(p.uleb())
	case lnsConstAddPC:
		p.row.addr += uint32((255-u.opBase)/u.lineRange) * u.minLength
	case lnsFixedAdvancePC:
		p.row.addr += uint32(p.u16())
	default: // column, statement and basic-block marks, and whatever a newer version adds
		for range u.lengths[op-1] {
			p.uleb()
		}
	}
}

func (p *program) extended() {
	n := p.uleb()
	next := p.at + n
	switch sub := p.u8(); sub {
	case lneEndSequence:
		p.done = true
	case lneInlinedCall:
		p.row.context, p.row.name = uint32(p.uleb()), uint32(p.uleb())
	case lneSetFunction:
		p.row.name = uint32(p.uleb())
	}
	if next < p.at-1 || next > uint64(len(p.b)) {
		p.bad = true
		return
	}
	p.at = next
}

// Rows returns every row of the line table at the instruction's address, in file order: the frames that a profiler lists
// the instruction under. It is nil when there is no line table.
func (f *Function) Rows(offset uint64) []Frame {
	var frames []Frame
	for _, i := range f.rowsAt(offset) {
		frames = append(frames, f.lines.frame(f.lines.rows[i]))
	}
	return frames
}

// Frames returns the source positions of an instruction, innermost first, with the whole chain of inlined calls. It is
// nil when there is no line table.
func (f *Function) Frames(offset uint64) []Frame {
	if f.positions != nil {
		return f.place(offset)
	}
	at := f.rowsAt(offset)
	if len(at) == 0 {
		return nil
	}
	r := f.lines.rows[at[len(at)-1]]
	frames := []Frame{f.lines.frame(r)}
	for r.context != 0 && len(frames) < maxInline {
		site := int64(r.sequence) + int64(r.context) - 1
		if site >= int64(len(f.lines.rows)) {
			break
		}
		r = f.lines.rows[site]
		frames = append(frames, f.lines.frame(r))
	}
	return frames
}

// place returns what a text says about the instruction's line.
func (f *Function) place(offset uint64) []Frame {
	if i := f.indexOf(offset); i >= 0 && f.positions[i] > 0 {
		return f.places[f.positions[i]-1 : f.positions[i]]
	}
	return nil
}

// maxInline bounds the call chain, should contexts run in a circle. The deepest seen is 12.
const maxInline = 256

func (t *lineTable) frame(r row) Frame {
	f := Frame{File: r.unit.file(r.file), Line: int(r.line)}
	if r.context != 0 {
		f.Function = cstring(t.module.lines().names, uint64(r.name))
	}
	return f
}

// rowsAt returns the indices of the rows with the greatest address that is not beyond offset.
func (f *Function) rowsAt(offset uint64) []int32 {
	t := f.lines
	if t == nil {
		return nil
	}
	if !t.read {
		t.load()
	}
	addr := func(i int) uint64 { return uint64(t.rows[t.order[i]].addr) }
	end := sort.Search(len(t.order), func(i int) bool { return addr(i) > offset })
	start := end
	for start > 0 && addr(start-1) == addr(end-1) {
		start--
	}
	return t.order[start:end]
}
