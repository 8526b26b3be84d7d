package ncu

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// fuzzText feeds a reader with the inputs of testdata and the given texts, and checks what every input must give: a
// model without NaN, or an error that says where and what.
func fuzzText(f *testing.F, glob string, texts ...string) {
	paths, _ := filepath.Glob("../testdata/inputs/" + glob)
	for _, p := range paths {
		if b, err := os.ReadFile(p); err == nil {
			f.Add(b)
		}
	}
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src := &source{name: "fuzz", data: text, size: int64(len(text))}
		r := &Report{Path: "fuzz"}
		err := r.read(src, Options{})
		if err == nil {
			for l, e := range r.Launches() {
				if err = e; err != nil {
					break
				}
				checkFuzzed(t, l)
			}
		}
		var syntax *SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Errorf("error of another kind: %T %v", err, err)
		}
	})
}

func checkFuzzed(t *testing.T, l *Launch) {
	for name, m := range l.Metrics {
		if m.Known != (Number(m.Value, "").Known) && m.Known {
			t.Errorf("%s: %v", name, m.Value)
		}
		for _, in := range m.Instances() {
			if in.Known && !Number(in.Value, "").Known {
				t.Errorf("%s: instance %v", name, in.Value)
			}
		}
	}
	if code, err := l.Code(); err == nil && code != nil && len(code.Instructions) == 0 {
		t.Errorf("code without instructions")
	}
}

const rawFuzz = "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"inst_executed\"\n\"\",\"\",\"us\",\"inst\"\n" +
	"\"0\",\"k(int, \"\"x\"\")\",\"1,234.50\",\"33,554,432 (0x7f60: 2,097; 0x7f70: 1)\"\n\"1\",\"b\",\"n/a\",\"no data\"\n"

const sourceFuzz = "\"Kernel Name\",\"k(int)\",\n\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\",\"Address Space\"\n" +
	"\"0x7f00\",\"      LDG.E R0, desc[UR4][R2.64]\",\"16\",\"2097152\",\"Global\"\n\"0x7f10\",\"@P0   BRA 0x7f00\",\"1\",\"5\",\"-\"\n" +
	"\"Kernel Name\",\"k(int)\",\n\"Address\",\"Source\",\"# Samples\"\n\"0x7f00\",\"      EXIT\",\"16\"\n"

const lineFuzz = "\"File Path\",\"/a.cu\"\n\"Function Name\",\"k(int)\"\n\"Line No\",\"Source\",\"Address\",\"Source\",\"# Samples\",\"stall_wait\"\n" +
	"\"21\",\"x = 1;\",\"-\",\"-\",\"133\",\"1\"\n\"\",\"\",\"0x7f00\",\"      LDC R1, c[0x0][0x28]\",\"133\",\"1\"\n\"\",\"\",\"...\",\"...\",\"-\",\"-\"\n" +
	"\"\",\"\",\"0x7f00\",\"      LDC R1, c[0x0][0x28]\",\"133\",\"1\"\n"

func FuzzRawCSV(f *testing.F) {
	fuzzText(f, "B06*.csv", rawFuzz, ",a__b (us),c__d (%)\n\"(0, 'k')\",1.5,2\n", "ID,0\nGrid Size,\"1, 2, 3\"\ngpu__time_duration.sum [us],5 {3}\n")
}

func FuzzDetailsCSV(f *testing.F) { fuzzText(f, "B0[1-5]*.csv") }

func FuzzText(f *testing.F) { fuzzText(f, "*.md") }

func FuzzSource(f *testing.F) { fuzzText(f, "none", sourceFuzz, lineFuzz, rawFuzz+sourceFuzz) }

func FuzzJSON(f *testing.F) {
	fuzzText(f, "none", `[{"ID": 0, "Kernel Name": "k", "a__b.sum": 1e3, "c__d": NaN}]`, `{"a__b": {"0": 1, "1": null}}`,
		`{"k": {"a__b": {"value": 1, "unit": "us"}}}`, `{"metrics": {"a__b": 1}, "instances": {"a__b": [[1, 2], ["LDC", 3]]}}`,
		`{"columns": ["a__b"], "data": [[1], [2, 3], []]}`)
}
