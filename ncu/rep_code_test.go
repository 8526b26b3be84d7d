package ncu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sourceBlocks splits a source page into one block a kernel: a function name and rows by column name. The page prints
// every block of the SASS view twice; the second is dropped.
type sourceBlock struct {
	kernel, file string
	header       map[string]int
	rows         [][]string
}

func sourceBlocks(rows [][]string) (blocks []*sourceBlock) {
	var b *sourceBlock
	for _, row := range rows {
		switch row[0] {
		case "Kernel Name":
			b = &sourceBlock{kernel: row[1]}
			blocks = append(blocks, b)
		case "File Path":
			b = &sourceBlock{file: row[1]}
			blocks = append(blocks, b)
		case "Function Name":
			b.kernel = row[1]
		case "Address", "Line No":
			b.header = map[string]int{}
			for i, h := range row {
				if _, twice := b.header[h]; !twice {
					b.header[h] = i
				}
			}
		default:
			b.rows = append(b.rows, row)
		}
	}
	return blocks
}

// sourceColumns are the columns of the source page that an instruction has a field for.
var sourceColumns = map[string]func(*Instruction) float64{
	"Instructions Executed":                      func(i *Instruction) float64 { return i.Executed },
	"Thread Instructions Executed":               func(i *Instruction) float64 { return i.ThreadExecuted },
	"Predicated-On Thread Instructions Executed": func(i *Instruction) float64 { return i.ThreadOn },
	"L1 Tag Requests Global":                     func(i *Instruction) float64 { return i.TagRequests },
	"L2 Theoretical Sectors Global":              func(i *Instruction) float64 { return i.Sectors },
	"L2 Theoretical Sectors Global Ideal":        func(i *Instruction) float64 { return i.IdealSectors },
	"L2 Theoretical Sectors Local":               func(i *Instruction) float64 { return i.LocalSectors },
	"L1 Wavefronts Shared":                       func(i *Instruction) float64 { return i.Wavefronts },
	"L1 Wavefronts Shared Ideal":                 func(i *Instruction) float64 { return i.IdealWavefronts },
	"Divergent Branches":                         func(i *Instruction) float64 { return i.DivergentBranch },
	"# Samples":                                  func(i *Instruction) float64 { return i.Samples },
	"stall_long_sb":                              func(i *Instruction) float64 { return i.Stalls["long_scoreboard"] },
	"stall_barrier":                              func(i *Instruction) float64 { return i.Stalls["barrier"] },
	"stall_lg":                                   func(i *Instruction) float64 { return i.Stalls["lg_throttle"] },
	"stall_mio":                                  func(i *Instruction) float64 { return i.Stalls["mio_throttle"] },
	"stall_selected":                             func(i *Instruction) float64 { return i.Stalls["selected"] },
}

// TestCodeCounters holds every instruction of every launch against the source page.
func TestCodeCounters(t *testing.T) {
	_, list := launches(t, shared(t, "corpus", "reports", "pairs-full.ncu-rep.zst"))
	blocks := sourceBlocks(readCSV(t, shared(t, "corpus", "exports", "pairs-full-source-sass.csv.gz")))
	if len(blocks) != 2*len(list) {
		t.Fatalf("%d blocks for %d launches", len(blocks), len(list))
	}
	compared := map[string]int{}
	strides := 0
	for n, l := range list {
		code := mustCode(t, l)
		b := blocks[2*n]
		if b.kernel != l.Kernel || len(b.rows) != len(code.Instructions) || !code.HasCounters || !code.HasSamples {
			t.Fatalf("launch %d: %d instructions of %s, counters %v, samples %v; the page has %d of %s", n,
				len(code.Instructions), l.Kernel, code.HasCounters, code.HasSamples, len(b.rows), b.kernel)
		}
		for k, row := range b.rows {
			in := &code.Instructions[k]
			if in.StrideKnown {
				strides++
			}
			if pc := fmt.Sprintf("0x%x", in.PC); pc != row[b.header["Address"]] {
				t.Fatalf("launch %d: instruction %d at %s, want %s", n, k, pc, row[b.header["Address"]])
			}
			for column, field := range sourceColumns {
				c, ok := b.header[column]
				if !ok {
					continue
				}
				if got := strconv.FormatFloat(field(in), 'f', -1, 64); got != row[c] {
					t.Errorf("launch %d at %x: %s is %s, want %s", n, in.PC, column, got, row[c])
				}
				compared[column]++
			}
			if got, want := seenText(in), row[b.header["Address Space"]]; got != want && (want != "-" || got != "") {
				t.Errorf("launch %d at %x: %s touched %q, want %q", n, in.PC, in.Text, got, want)
			}
		}
	}
	if strides == 0 {
		t.Error("no facts of the instruction stream")
	}
	for column := range sourceColumns {
		if compared[column] == 0 {
			t.Errorf("column %q was never compared", column)
		}
	}
}

func seenText(in *Instruction) string {
	var spaces []string
	for _, s := range []struct {
		seen bool
		name string
	}{{in.SeenGlobal, "Global"}, {in.SeenLocal, "Local"}, {in.SeenShared, "Shared"}} {
		if s.seen {
			spaces = append(spaces, s.name)
		}
	}
	return strings.Join(spaces, ",")
}

func mustCode(t *testing.T, l *Launch) *Code {
	t.Helper()
	code, err := l.Code()
	if err != nil {
		t.Fatalf("launch %s: %v", l.ID, err)
	}
	if code == nil {
		t.Fatalf("launch %s: no code", l.ID)
	}
	return code
}

// TestLines holds the source lines of every instruction against the source page, which lists an instruction under every
// line of its call chain that has a row of the line table at its address: the innermost always, callers not always.
func TestLines(t *testing.T) {
	_, list := launches(t, shared(t, "corpus", "reports", "pairs-full.ncu-rep.zst"))
	want := map[string]map[uint64][]string{} // by kernel and program counter
	for _, b := range sourceBlocks(readCSV(t, shared(t, "corpus", "exports", "pairs-full-source-cuda.csv.gz"))) {
		if want[b.kernel] == nil {
			want[b.kernel] = map[uint64][]string{}
		}
		line := ""
		for _, row := range b.rows {
			if row[0] != "" {
				line = b.file + ":" + row[0]
			}
			if pc, err := strconv.ParseUint(row[2], 0, 64); err == nil && !slices.Contains(want[b.kernel][pc], line) {
				want[b.kernel][pc] = append(want[b.kernel][pc], line)
			}
		}
	}
	memory := 0
	for _, l := range list {
		for _, in := range mustCode(t, l).Instructions {
			var got []string
			for _, f := range in.Frames {
				if line := fmt.Sprintf("%s:%d", f.File, f.Line); !slices.Contains(got, line) {
					got = append(got, line)
				}
			}
			page := want[l.Kernel][in.PC]
			if len(got) == 0 || !slices.Contains(page, got[0]) {
				t.Errorf("%s at %x: %s: the innermost of %q is not among %q", l.Function, in.PC, in.Text, got, page)
			}
			for _, line := range page {
				if !slices.Contains(got, line) {
					t.Errorf("%s at %x: %s: %q has no %s", l.Function, in.PC, in.Text, got, line)
				}
			}
			if in.IsMemory() {
				memory++
			}
		}
	}
	if memory < 500 {
		t.Errorf("only %d memory instructions compared", memory)
	}
}

// TestTwoProcesses puts two reports into one. Their sources have the same reference, as those of two processes do in a
// report of both, and must not be mixed up.
func TestTwoProcesses(t *testing.T) {
	whole := readText(t, testdata("reports", "nvtx.ncu-rep.gz"))
	more := readText(t, testdata("reports", "pairs-basic.ncu-rep.gz"))
	r, err := openReportBytes(append(whole, more[len(reportOf()):]...))
	if err != nil {
		t.Fatal(err)
	}
	processes := map[string]int{}
	for l, err := range r.Launches() {
		if err != nil {
			t.Fatal(err)
		}
		processes[l.Process.Name]++
		if l.Counted() {
			t.Errorf("launch %s of the basic set has counters of instructions", l.ID)
		}
		code := mustCode(t, l)
		if len(code.Instructions) == 0 || code.Instructions[0].Function != l.Mangled || code.Instructions[0].PC == 0 {
			t.Errorf("launch %s: %d instructions, not those of %s", l.ID, len(code.Instructions), l.Mangled)
		}
	}
	if processes["pairs2"] != 2 || processes["pairs"] != 42 || !slices.Contains(r.Notes, "results of 2 processes") {
		t.Errorf("processes %v, notes %q", processes, r.Notes)
	}
}

// TestRangeCode holds that a range has the instructions of all its kernels, each with its own counters.
func TestRangeCode(t *testing.T) {
	_, list := launches(t, testdata("reports", "range.ncu-rep.gz"))
	if len(list) != 1 || list[0].Kind != Range {
		t.Fatalf("%d launches", len(list))
	}
	executed := map[string]float64{}
	if !list[0].Counted() {
		t.Error("no counters of instructions")
	}
	for _, in := range mustCode(t, list[0]).Instructions {
		executed[in.Function] += in.Executed
	}
	total, _ := list[0].Metrics.Value("inst_executed")
	if len(executed) != 2 || executed["_Z6saxpy4P6float4PKS_fi"]+executed["_Z4tinyPfi"] != total || total == 0 {
		t.Errorf("executed %v, all together %v", executed, total)
	}
}
