package ncu

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"advisor/ncu/sass"
)

// A sourceTable is the instructions of a launch as its source page has them.
type sourceTable struct {
	pcs    []uint64
	text   map[uint64]string
	frames map[uint64][]sass.Frame
	lines  map[string]map[int]string    // text of source lines by file
	values map[string]map[uint64]string // cells by metric and program counter
}

// sourceLaunch makes a launch of its blocks: metrics with an instance for each program counter, as a report has them.
func sourceLaunch(kernel string, number int, blocks []pageBlock) *Launch {
	id := identity{ID: strconv.Itoa(number), PID: "-1", Kernel: kernel}
	l := id.launch()
	t := &sourceTable{text: map[uint64]string{}, frames: map[uint64][]sass.Frame{}, lines: map[string]map[int]string{},
		values: map[string]map[uint64]string{}}
	for _, b := range blocks {
		t.addBlock(b)
	}
	t.pcs = slices.Sorted(maps.Keys(t.text))
	l.Metrics = t.metrics()
	if len(t.pcs) > 0 {
		l.code = func() (*Code, error) { return t.code(l, blocks[0].file) }
	}
	return l
}

// addBlock takes the rows of a block. In a page with source lines an instruction stands in several rows: twice below
// each line, and below every line of a chain of inlined calls.
func (t *sourceTable) addBlock(b pageBlock) {
	address := slices.Index(b.header, "Address")
	lineNo := slices.Index(b.header, "Line No")
	metrics := make([]string, len(b.header))
	for i := address + 2; i < len(b.header); i++ {
		if !slices.Contains(b.header[:i], b.header[i]) { // old pages have a column twice
			metrics[i] = metricOfLabel("Source Counters", "", b.header[i], "", 0)
		}
	}
	line := 0
	for row := range strings.SplitSeq(string(b.rows), string(rune(rowEnd))) {
		cells := splitCells([]byte(row))
		if len(cells) <= address+1 {
			continue
		}
		if lineNo >= 0 && cells[lineNo] != "" {
			line = atoiOr(cells[lineNo], 0)
			t.addLine(b.file, line, cells[lineNo+1])
		}
		pc, err := strconv.ParseUint(strings.TrimPrefix(cells[address], "0x"), 16, 64)
		if err != nil {
			continue // a line of source, or a gap between instructions
		}
		t.addInstruction(pc, cells, address+1, metrics)
		if frame := (sass.Frame{File: b.file, Line: line}); line > 0 && !slices.Contains(t.frames[pc], frame) {
			t.frames[pc] = append(t.frames[pc], frame)
		}
	}
}

const maxLine = 1 << 20 // a line number beyond it is damage

func (t *sourceTable) addLine(file string, line int, text string) {
	if line < 1 || line > maxLine {
		return
	}
	if t.lines[file] == nil {
		t.lines[file] = map[int]string{}
	}
	t.lines[file][line] = text
}

func (t *sourceTable) addInstruction(pc uint64, cells []string, source int, metrics []string) {
	if _, have := t.text[pc]; have {
		return
	}
	t.text[pc] = strings.TrimSpace(cells[source])
	for i, name := range metrics {
		if name == "" || i >= len(cells) || cells[i] == "" || cells[i] == "-" || cells[i] == "0" {
			continue
		}
		if t.values[name] == nil {
			t.values[name] = map[uint64]string{}
		}
		t.values[name][pc] = cells[i]
	}
}

// codedCells are the values of a report for the words of a source page.
var codedCells = map[string]map[string]float64{
	"memory_type":             {"Global": 4, "Local": 8, "Shared": 16},
	"memory_access_type":      {"Load": 2, "Store": 4, "Atomic": 8},
	"memory_access_size_type": {"8": 2, "16": 8, "32": 32, "64": 64, "128": 128},
}

// metrics returns what the columns count. A kernel's value is the sum, except of averages and codes, which have none.
func (t *sourceTable) metrics() Metrics {
	m := Metrics{}
	for name, cells := range t.values {
		var in []Instance
		sum := 0.0
		for _, pc := range t.pcs {
			cell, ok := cells[pc]
			if !ok {
				continue
			}
			if v, known := cellValue(name, cell); known {
				in = append(in, Instance{ID: pc, Known: true, Value: v})
				sum += v
			}
		}
		x := Number(sum, UnitOf(name))
		if codedCells[name] != nil || strings.HasPrefix(name, "derived__") {
			x = Metric{Unit: UnitOf(name)}
		}
		m[name] = x.WithInstances(in)
	}
	// The tool sums the same counter for the kernel under another name.
	if x, ok := m[executedMetric]; ok {
		m["smsp__inst_executed.sum"] = Number(x.Value, "inst")
	}
	return m
}

// cellValue reads a number, or a list of words such as "Global,Shared" as the sum of their bits.
func cellValue(name, cell string) (v float64, known bool) {
	codes := codedCells[name]
	if codes == nil {
		v, kind := pointFormat.parse([]byte(cell), 0)
		return v, kind == cellNumber
	}
	for word := range strings.SplitSeq(cell, ",") {
		code, ok := codes[strings.TrimSpace(word)]
		if !ok {
			return 0, false
		}
		v += code
	}
	return v, true
}

// code makes the instructions of the launch. Offsets and branch targets count from the first instruction.
func (t *sourceTable) code(l *Launch, ownFile string) (*Code, error) {
	j := &join{launch: l, code: &Code{Files: t.files()}, at: map[uint64]int{}}
	f := &sass.Function{Name: l.Kernel, StackBytes: -1}
	for _, pc := range t.pcs {
		in, err := sass.ParseInst(t.text[pc])
		if err != nil {
			in = sass.Inst{Text: t.text[pc], Guard: -1} // said to be unknown, not guessed
		}
		in.Offset = pc - t.pcs[0]
		if in.HasTarget && in.Target >= t.pcs[0] {
			in.Target -= t.pcs[0]
		}
		f.Insts = append(f.Insts, in)
	}
	sass.Analyze(f)
	for i, pc := range t.pcs {
		j.at[pc] = i
		j.code.Instructions = append(j.code.Instructions,
			Instruction{Inst: f.Insts[i], Fact: f.Facts[i], PC: pc, Function: f.Name, Frames: orderFrames(t.frames[pc], ownFile)})
	}
	j.code.HasLines = len(t.frames) > 0
	j.count(perPCMetrics(l.Metrics))
	return j.code, nil
}

// orderFrames puts the innermost position first. The page does not tell the order, but what is inlined comes from
// another file, or from further up in the same one, since it is declared before it is called.
func orderFrames(frames []sass.Frame, ownFile string) []sass.Frame {
	slices.SortStableFunc(frames, func(a, b sass.Frame) int {
		switch aOwn, bOwn := a.File == ownFile, b.File == ownFile; {
		case aOwn && !bOwn:
			return 1
		case bOwn && !aOwn:
			return -1
		}
		return cmp.Compare(a.Line, b.Line)
	})
	return frames
}

// files returns the text of the source files as far as the page shows it: lines without instructions are empty.
func (t *sourceTable) files() map[string]string {
	files := map[string]string{}
	for file, lines := range t.lines {
		var text strings.Builder
		for n, last := 1, slices.Max(slices.Collect(maps.Keys(lines))); n <= last; n++ {
			text.WriteString(lines[n] + "\n")
		}
		files[file] = text.String()
	}
	return files
}
