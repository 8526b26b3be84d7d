package sass

import (
	"testing"
)

func FuzzOpen(f *testing.F) {
	f.Add(data(f, "pairs-sm90.cubin.gz"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Open(b)
		if err != nil {
			return
		}
		for i, name := range m.Names() {
			fn, err := m.Function(name)
			if err != nil || i > 4 {
				continue
			}
			for _, in := range fn.Insts {
				fn.Frames(in.Offset)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	for i, s := range tableSamples(f, data(f, "encodings.tsv")) {
		if i%40 == 0 {
			f.Add(s.lo, s.hi, uint8(s.arch))
		}
	}
	f.Fuzz(func(t *testing.T, lo, hi uint64, arch uint8) {
		in := Decode(lo, hi, int(arch), 0)
		if in.Root == "" || in.Opcode == "" || in.Text == "" {
			t.Errorf("%#x %#x: an instruction without a name", lo, hi)
		}
		for _, r := range append(in.Dst, in.Src...) {
			if r.N == zeroReg {
				t.Errorf("%s: a zero register in a list", in.Text)
			}
		}
		if in.Text == in.Root || !memoryRoots[in.Root] {
			return
		}
		if _, err := ParseInst(in.Text); err != nil { // what is printed can be read
			t.Error(err)
		}
	})
}

func FuzzParseInst(f *testing.F) {
	for i, s := range tableSamples(f, data(f, "encodings.tsv")) {
		if i%20 == 0 {
			f.Add(s.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := ParseInst(text)
		if err == nil && in.Root == "" {
			t.Errorf("%q: an instruction without a name", text)
		}
	})
}
