package sass

import (
	"strings"
	"testing"
)

// memoryRoots are the operations whose text is rebuilt.
var memoryRoots = map[string]bool{
	"LD": true, "LDG": true, "LDS": true, "LDL": true, "LDC": true, "LDCU": true, "ULDC": true, "ST": true, "STG": true,
	"STS": true, "STL": true, "ATOM": true, "ATOMG": true, "ATOMS": true, "RED": true, "REDG": true, "LDGSTS": true,
	"LDSM": true, "STSM": true, "UTMALDG": true, "UTMASTG": true, "UTMAREDG": true, "UTMAPF": true, "UBLKCP": true,
	"UBLKRED": true, "UBLKPF": true,
}

// rootOf returns the operation of a disassembled line.
func rootOf(text string) string {
	if strings.HasPrefix(text, "@") {
		_, text, _ = strings.Cut(text, " ")
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), " ")
	text, _, _ = strings.Cut(text, ".")
	return text
}

func TestDecodeMemoryText(t *testing.T) {
	checkMemoryText(t, tableSamples(t, data(t, "encodings.tsv")))
}

func TestDecodeMemoryTextAll(t *testing.T) {
	checkMemoryText(t, allSamples(t))
}

func checkMemoryText(t *testing.T, samples []sample) {
	memory, wrong := 0, 0
	for _, s := range samples {
		in := Decode(s.lo, s.hi, s.arch, s.offset)
		root := rootOf(s.text)
		if in.Root != root {
			t.Errorf("%s: %s: decoded as %s", s.where, s.text, in.Root)
		}
		if !memoryRoots[root] {
			continue
		}
		memory++
		want := strings.ReplaceAll(s.text, ".reuse", "")
		if in.Text != want || !in.IsMemory() {
			if wrong++; wrong < 30 {
				t.Errorf("%s: got %q, want %q", s.where, in.Text, want)
			}
		}
	}
	if memory == 0 || wrong > 0 {
		t.Errorf("%d of %d memory instructions differ", wrong, memory)
	}
	t.Logf("%d memory instructions of %d", memory, len(samples))
}

// TestCubinAsDump holds that the cubin gives the instructions of its disassembly, function by function.
func TestCubinAsDump(t *testing.T) {
	m := openPairs(t)
	byFunction := map[string][]sample{}
	for _, s := range dumpSamples(t, "dump", shared(t, "corpus/exports/pairs-sass.txt.gz")) {
		name := strings.Fields(s.where)[1]
		byFunction[name] = append(byFunction[name], s)
	}
	if len(byFunction) != len(m.Names()) {
		t.Errorf("%d functions, want %d", len(m.Names()), len(byFunction))
	}
	for name, want := range byFunction {
		f, err := m.Function(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(f.Insts) != len(want) {
			t.Errorf("%s: %d instructions, want %d", name, len(f.Insts), len(want))
			continue
		}
		for i := range want {
			if in := f.Insts[i]; in.Root != rootOf(want[i].text) || in.Offset != want[i].offset {
				t.Errorf("%s at %x: %s, want %s", name, in.Offset, in.Root, want[i].text)
			}
		}
	}
}
