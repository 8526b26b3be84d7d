package sass

import "testing"

func FuzzOpen(f *testing.F) {
	f.Add(smallCubin())
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
			Analyze(fn)
			for _, in := range fn.Insts {
				fn.Frames(in.Offset)
			}
		}
	})
}

// FuzzCubinParts reaches behind the headers: the parts of a cubin change, the frame around them is whole.
func FuzzCubinParts(f *testing.F) {
	p := smallParts()
	f.Add(p.code, p.info, p.lines, p.rela)
	m := openPairs(f)
	for i, n := range m.Names() {
		if c, _ := m.code(m.byName[n]); i%5 == 0 && len(c) < 4000 {
			f.Add(c, p.info, p.lines, p.rela)
		}
	}
	f.Fuzz(func(t *testing.T, code, info, lines, rela []byte) {
		m, err := Open(cubinOf(cubinParts{code, info, lines, rela, nil}))
		if err != nil {
			t.Fatal(err)
		}
		fn, err := m.Function("k")
		if err != nil {
			t.Fatal(err)
		}
		Analyze(fn)
		for i := range fn.Insts {
			fn.Frames(fn.Insts[i].Offset)
			if r := fn.Facts[i].RunHead; r < 0 || r >= len(fn.Insts) {
				t.Errorf("instruction %d: run starts at %d", i, r)
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
