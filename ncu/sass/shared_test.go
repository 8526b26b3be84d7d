package sass

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A sample is one instruction whose text a disassembler printed.
type sample struct {
	where  string
	arch   int
	offset uint64
	text   string
	lo, hi uint64
	placed bool // offset is known
}

// shared returns the bytes of a file of ../shared (from the repository's root), unpacked; it skips the test when there
// is no such folder.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("no %s here", name)
	}
	return unpack(t, name, b)
}

// data returns the bytes of a file in testdata, unpacked.
func data(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return unpack(t, name, b)
}

func unpack(t testing.TB, name string, b []byte) []byte {
	t.Helper()
	if !strings.HasSuffix(name, ".gz") {
		return b
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	return b
}

// tableSamples reads a table of arch, anything, text, low and high word.
func tableSamples(t testing.TB, b []byte) []sample {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []sample
	for _, row := range rows[1:] {
		arch, err := strconv.Atoi(strings.TrimPrefix(row[0], "sm_"))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sample{row[0] + " " + row[1], arch, 0, row[2], hexWord(t, row[3]), hexWord(t, row[4]), false})
	}
	return out
}

func hexWord(t testing.TB, s string) uint64 {
	t.Helper()
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var (
	lineLow  = regexp.MustCompile(`^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;\s*/\* (0x[0-9a-f]{16}) \*/`)
	lineHigh = regexp.MustCompile(`^\s+/\* (0x[0-9a-f]{16}) \*/`)
	lineArch = regexp.MustCompile(`code for sm_(\d+)`)
)

// samplesOf caches what dumpSamples read.
var samplesOf = map[string][]sample{}

// dumpSamples reads the text of cuobjdump with its words, by a way of its own.
func dumpSamples(t testing.TB, name string, b []byte) []sample {
	t.Helper()
	if out, ok := samplesOf[name]; ok {
		return out
	}
	var out []sample
	defer func() { samplesOf[name] = out }()
	arch, function := 0, ""
	s := bufio.NewScanner(bytes.NewReader(b))
	for s.Scan() {
		line := s.Text()
		if m := lineArch.FindStringSubmatch(line); m != nil {
			arch, _ = strconv.Atoi(m[1])
		} else if i := strings.Index(line, "Function : "); i >= 0 {
			function = line[i+len("Function : "):]
		} else if m := lineLow.FindStringSubmatch(line); m != nil {
			out = append(out, sample{name + " " + function + " " + m[1], arch, hexWord(t, m[1]), m[2], hexWord(t, m[3]), 0, true})
		} else if m := lineHigh.FindStringSubmatch(line); m != nil && len(out) > 0 {
			out[len(out)-1].hi = hexWord(t, m[1])
		}
	}
	return out
}

// dumps are the disassemblies of our kernels.
var dumps = []string{
	"sass/pairs-sm75.sass.txt.gz", "sass/pairs-sm80.sass.txt.gz", "sass/pairs-sm89.sass.txt.gz",
	"sass/pairs-sm100.sass.txt.gz", "sass/pairs-sm120.sass.txt.gz", "corpus/exports/pairs-sass.txt.gz",
}

// allSamples is every sample there is.
func allSamples(t testing.TB) []sample {
	out := tableSamples(t, shared(t, "sass/encodings.tsv"))
	out = append(out, tableSamples(t, shared(t, "sass/probes.tsv"))...)
	for _, d := range dumps {
		out = append(out, dumpSamples(t, d, shared(t, d))...)
	}
	return out
}
