package sass

import (
	"bytes"
	"encoding/csv"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func openPairs(t testing.TB) *Module {
	t.Helper()
	m, err := Open(data(t, "pairs-sm90.cubin.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// named returns the function whose mangled name holds the given source name.
func named(t testing.TB, m *Module, name string) *Function {
	t.Helper()
	tag := strconv.Itoa(len(name)) + name
	for _, n := range m.Names() {
		if strings.Contains(n, tag) {
			f, err := m.Function(n)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

var (
	ptxasName  = regexp.MustCompile(`Function properties for (\S+)`)
	ptxasStack = regexp.MustCompile(`(\d+) bytes stack frame`)
	ptxasRegs  = regexp.MustCompile(`Used (\d+) registers`)
)

func TestModuleResources(t *testing.T) {
	m := openPairs(t)
	if m.Arch != 90 {
		t.Errorf("architecture %d, want 90", m.Arch)
	}
	name, checked := "", 0
	for _, line := range strings.Split(string(shared(t, "corpus/exports/pairs-ptxas.txt")), "\n") {
		if g := ptxasName.FindStringSubmatch(line); g != nil {
			name = g[1]
			continue
		}
		f, err := m.Function(name)
		if err != nil {
			continue
		}
		if g := ptxasStack.FindStringSubmatch(line); g != nil {
			if want, _ := strconv.Atoi(g[1]); f.StackBytes != want {
				t.Errorf("%s: stack %d, want %d", name, f.StackBytes, want)
			}
			checked++
		}
		if g := ptxasRegs.FindStringSubmatch(line); g != nil {
			if want, _ := strconv.Atoi(g[1]); f.Registers != want {
				t.Errorf("%s: registers %d, want %d", name, f.Registers, want)
			}
			checked++
		}
	}
	if want := 2 * len(m.Names()); checked != want {
		t.Errorf("checked %d values, want %d", checked, want)
	}
}

// TestRowsAsProfiler compares the (file, line, address) triples of every kernel with those that ncu itself shows.
func TestRowsAsProfiler(t *testing.T) {
	m := openPairs(t)
	want := profilerRows(t, shared(t, "corpus/exports/pairs-full-source-cuda.csv.gz"))
	kernels := 0
	for fn, rows := range want {
		f := named(t, m, fn)
		kernels++
		got := map[string]bool{}
		for i := range f.Insts {
			for _, r := range f.Rows(f.Insts[i].Offset) {
				if r.Line > 0 {
					got[path.Base(r.File)+":"+strconv.Itoa(r.Line)+"@"+strconv.FormatUint(f.Insts[i].Offset, 16)] = true
				}
			}
		}
		missing, extra := diff(rows, got), diff(got, rows)
		if len(missing)+len(extra) > 0 {
			t.Errorf("%s: missing %d %.300v, extra %d %.300v", fn, len(missing), missing, len(extra), extra)
		}
	}
	if kernels < 20 {
		t.Errorf("%d kernels compared", kernels)
	}
}

func diff(a, b map[string]bool) (out []string) {
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if !b[k] {
			out = append(out, k)
		}
	}
	return out
}

// profilerRows reads the source page: blocks of a file and a kernel, in which lines of source are followed by their
// instructions.
func profilerRows(t *testing.T, b []byte) map[string]map[string]bool {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(b))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	type at struct {
		file, line string
		pc         uint64
	}
	rows := map[string][]at{}
	file, fn, line := "", "", ""
	seen := map[string]bool{}
	skip := false
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case rec[0] == "File Path":
			file = rec[1]
		case rec[0] == "Function Name":
			fn, _, _ = strings.Cut(rec[1], "(")
			fn, _, _ = strings.Cut(strings.TrimPrefix(fn, "void "), "<")
			skip = seen[fn+" "+file]
			seen[fn+" "+file] = true
		case rec[0] == "Line No" || len(rec) < 4:
		case rec[0] != "":
			line = rec[0]
		case !skip && strings.HasPrefix(rec[2], "0x"):
			rows[fn] = append(rows[fn], at{path.Base(file), line, hexWord(t, rec[2])})
		}
	}
	out := map[string]map[string]bool{}
	for fn, list := range rows {
		base := list[0].pc
		for _, a := range list {
			base = min(base, a.pc)
		}
		out[fn] = map[string]bool{}
		for _, a := range list {
			out[fn][a.file+":"+a.line+"@"+strconv.FormatUint(a.pc-base, 16)] = true
		}
	}
	return out
}

func TestModuleRefuses(t *testing.T) {
	good := data(t, "pairs-sm90.cubin.gz")
	for name, change := range map[string]func(b []byte) []byte{
		"empty":               func(b []byte) []byte { return nil },
		"header only":         func(b []byte) []byte { return b[:64] },
		"no CUDA":             func(b []byte) []byte { b[18] = 62; return b },
		"32-bit":              func(b []byte) []byte { b[4] = 1; return b },
		"old architecture":    func(b []byte) []byte { b[7], b[48], b[49] = 0x33, 61, 0; return b },
		"sections far away":   func(b []byte) []byte { b[47] = 0x7f; return b },
		"many sections":       func(b []byte) []byte { b[60], b[61] = 0xff, 0xff; return b },
		"names out of range":  func(b []byte) []byte { b[62], b[63] = 0xff, 0xff; return b },
		"odd section headers": func(b []byte) []byte { b[58] = 40; return b },
	} {
		if _, err := Open(change(slices.Clone(good))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := openPairs(t).Function("nobody"); err == nil {
		t.Error("a function that is not there: no error")
	}
}
