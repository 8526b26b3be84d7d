package sass

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// summaries lists an input and sums up its functions by short name.
func summaries(t testing.TB, b []byte) (map[string]Summary, *Listing) {
	t.Helper()
	l, err := List(b)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Summary{}
	for f, err := range l.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		out[ShortName(f.Name)] = Summarize(f)
	}
	return out, l
}

// counts returns those counts that are asked for.
func counts(s Summary, names ...string) map[string]float64 {
	out := map[string]float64{}
	for _, n := range names {
		if v, ok := s.Count(n); ok {
			out[n] = v
		}
	}
	return out
}

func TestListCubinAsText(t *testing.T) {
	cubin, l := summaries(t, data(t, "pairs-sm90.cubin.gz"))
	if l.Format != "cubin" {
		t.Errorf("format %q", l.Format)
	}
	text, l := summaries(t, shared(t, "corpus/exports/pairs-sass.txt.gz"))
	if l.Format != "sass" || len(l.Notes) > 0 {
		t.Errorf("format %q, notes %v", l.Format, l.Notes)
	}
	if len(cubin) != len(text) {
		t.Errorf("%d functions in the cubin, %d in the text", len(cubin), len(text))
	}
	for name, c := range cubin {
		if !reflect.DeepEqual(c.Opcodes, text[name].Opcodes) {
			t.Errorf("%s: %v, the text has %v", name, c.Opcodes, text[name].Opcodes)
		}
		got := c.Counts()
		for _, n := range []string{CountRegisters, CountStackBytes, CountSharedBytes} { // not in the text
			delete(got, n)
		}
		if !maps.Equal(got, text[name].Counts()) {
			t.Errorf("%s: %v, the text has %v", name, got, text[name].Counts())
		}
	}
}

// TestListAddressSpaces is the picture that started it: one pointer lost its space on the way through an integer.
func TestListAddressSpaces(t *testing.T) {
	names := []string{"LD.E.128", "LDS.128", "ST.E.128", "STS.128"}
	for input, want := range map[string][2][4]int{
		"sass/pairs-sm90.cubin":        {{1, 0, 1, 0}, {0, 1, 0, 1}},
		"sass/pairs-sm100.sass.txt.gz": {{1, 0, 5, 0}, {0, 1, 0, 5}},
		"sass/pairs-sm120.sass.txt.gz": {{1, 0, 5, 0}, {0, 1, 0, 5}},
	} {
		fs, _ := summaries(t, shared(t, input))
		for i, kernel := range []string{"address_generic", "address_shared"} {
			for j, n := range names {
				if got := fs[kernel].Opcodes[n]; got != want[i][j] {
					t.Errorf("%s %s: %s %d, want %d", input, kernel, n, got, want[i][j])
				}
			}
			if !fs[kernel].UsesShared {
				t.Errorf("%s %s: shared memory not seen", input, kernel)
			}
		}
	}
}

// TestListLogAsCode holds that the compiler's log and the code agree: registers, stack, shared memory, and spills, which
// the log counts in bytes.
func TestListLogAsCode(t *testing.T) {
	code, _ := summaries(t, data(t, "pairs-sm90.cubin.gz"))
	log, l := summaries(t, shared(t, "corpus/exports/pairs-ptxas.txt"))
	if l.Format != "ptxas" || len(log) != len(code) {
		t.Errorf("format %q, %d functions, want %d", l.Format, len(log), len(code))
	}
	for name, s := range log {
		for _, n := range []string{CountRegisters, CountStackBytes, CountSharedBytes} {
			got, ok1 := s.Count(n)
			want, ok2 := code[name].counts[n]
			if !ok1 || !ok2 || got != want {
				t.Errorf("%s %s: log %v, code %v", name, n, got, want)
			}
		}
		if s.counts[CountSpillLoadBytes] != 4*code[name].counts[CountSpillLoads] ||
			s.counts[CountSpillStoreBytes] != 4*code[name].counts[CountSpillStores] {
			t.Errorf("%s: spills %v in the log, %v in the code", name, s.counts, code[name].counts)
		}
	}
}

func TestListPTX(t *testing.T) {
	fs, l := summaries(t, shared(t, "sass/pairs.ptx.gz"))
	if l.Format != "ptx" || len(fs) != 37 {
		t.Errorf("format %q, %d functions", l.Format, len(fs))
	}
	want := map[string]int{"ld.v4.u32": 1, "st.v4.u32": 1, "st.global.v4.u32": 1}
	if got := fs["address_generic"]; !maps.Equal(got.Opcodes, want) || !got.UsesShared || got.Arch != 90 {
		t.Errorf("address_generic: %+v", got)
	}
	if _, ok := fs["address_generic"].Count(CountSpillLoads); ok {
		t.Error("PTX knows spills")
	}
	got := counts(fs["readonly_restrict"], CountGlobalLoads, CountReadOnlyLoads)
	if got[CountGlobalLoads] != 18 || got[CountReadOnlyLoads] != 17 {
		t.Errorf("readonly_restrict: %v", got)
	}
}

const smallPTX = `.version 8.0
.target sm_80
.address_size 64
.file 1 "/src/k.cu"
/* a comment
   over two lines: ld.global.f32 */
.visible .entry k( .param .u64 p )
{
	.shared .align 4 .b8 tile[256];
	.loc 1 7 3
$L: @%p1 ld.volatile.global.v2.f64 {%fd1, %fd2}, [%rd1+16]; // twice
	ld.const.u32 %r1, [%r2];
	ld.const.u32 %r1, [table+4];
	ld.param.u64 %rd1, [p];
	{ .reg .b32 t; st.shared::cta.u16 [%r3], %rs1; }
	cp.async.cg.shared.global [%r4], [%rd4], 16;
	atom.global.add.f32 %f1, [%rd1], %f2; ret;
}
.func (.param .b32 out) helper(.param .b64 a) { st.u8 [%rd1], %rs1; ret; }
`

func TestListPTXSmall(t *testing.T) {
	l, err := List([]byte(smallPTX))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for f := range l.Functions() {
		for _, in := range f.Insts {
			if in.IsMemory() {
				got = append(got, strings.Join([]string{f.Name, in.Root, in.Space.String(), in.Operation.String(), in.Order}, " "))
			}
			if in.Root == "ld" && in.Space == Global {
				if in.Width != 16 {
					t.Errorf("%s: width %d", in.Text, in.Width)
				}
				if at := f.Frames(in.Offset); len(at) != 1 || at[0].File != "/src/k.cu" || at[0].Line != 7 {
					t.Errorf("%s: at %v", in.Text, at)
				}
			}
		}
		if f.Name == "k" && (f.Shared == nil || *f.Shared != 256 || f.Arch != 80) {
			t.Errorf("k: shared %v, arch %d", f.Shared, f.Arch)
		}
	}
	want := []string{"k ld global load STRONG.SYS", "k ld constant load ", "k ld constant load ", "k st shared store ",
		"k cp global async-copy ", "k atom global atomic ", "helper st generic store "}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

const smallSASS = `
	.headerflags	@"EF_CUDA_SM80 EF_CUDA_PTX_SM(EF_CUDA_SM80)"
	.section	.text._Z1kPf,"ax",@progbits
_Z1kPf:
.text._Z1kPf:
	//## File "/src/k.cu", line 12
        /*0000*/                   S2R R0, SR_TID.X ;
        /*0010*/              @!P0 BRA ` + "`(.L_x_1)" + ` ;
	//## File "/src/k.h", line 3 inlined at "/src/k.cu", line 13
        /*0020*/                   LDG.E R2, [R2.64] ;  /* 0x0000000402027981 */
                                                        /* 0x000ea8000c1e1900 */
.L_x_1:
        /*0030*/                   EXIT ;
        /*0040*/                   ??? ;
.L_x_2:
        /*0050*/                   BRA ` + "`(.L_x_2)" + `;
	.section	.nv.shared,"aw",@nobits
`

func TestListSASSSmall(t *testing.T) {
	l, err := List([]byte(smallSASS))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Notes) != 1 || !strings.Contains(l.Notes[0], "line 14") {
		t.Errorf("notes %q", l.Notes)
	}
	n := 0
	for f := range l.Functions() {
		n++
		if f.Name != "_Z1kPf" || f.Arch != 80 || len(f.Insts) != 5 {
			t.Fatalf("function %q sm_%d with %d instructions", f.Name, f.Arch, len(f.Insts))
		}
		if in := f.Insts[1]; !in.HasTarget || in.Target != 0x30 {
			t.Errorf("%s: target %x %v", in.Text, in.Target, in.HasTarget)
		}
		if at := f.Frames(0x20); len(at) != 1 || at[0] != (Frame{File: "/src/k.h", Line: 3}) {
			t.Errorf("places %v", at)
		}
	}
	if n != 1 {
		t.Errorf("%d functions", n)
	}
}

// fat makes a fat binary of one entry.
func fat(kind uint16, flags uint64, payload []byte, unpacked int) []byte {
	padded := (len(payload) + 7) &^ 7
	b := make([]byte, fatHeaderSize+fatEntrySize+padded)
	binary.LittleEndian.PutUint32(b, fatMagic)
	binary.LittleEndian.PutUint16(b[4:], 1)
	binary.LittleEndian.PutUint16(b[6:], fatHeaderSize)
	binary.LittleEndian.PutUint64(b[8:], uint64(fatEntrySize+padded))
	e := b[fatHeaderSize:]
	binary.LittleEndian.PutUint16(e, kind)
	binary.LittleEndian.PutUint32(e[4:], fatEntrySize)
	binary.LittleEndian.PutUint64(e[8:], uint64(padded))
	binary.LittleEndian.PutUint32(e[16:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(e[28:], 90)
	binary.LittleEndian.PutUint64(e[40:], flags)
	binary.LittleEndian.PutUint64(e[56:], uint64(unpacked))
	copy(e[fatEntrySize:], payload)
	return b
}

// literals is the simplest LZ4 block: one sequence of literals, then a match of zeros at the end.
func literals(b []byte) []byte {
	var out []byte
	n := len(b)
	out = append(out, 0xf0)
	for n -= 15; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	out = append(out, byte(n))
	return append(out, b...)
}

func TestListFat(t *testing.T) {
	cubin := data(t, "pairs-sm90.cubin.gz")
	want, _ := summaries(t, cubin)
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	program := append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 100)...) // some executable
	for name, b := range map[string][]byte{
		"stored":    fat(fatCubin, 0, cubin, 0),
		"lz4":       fat(fatCubin, fatLZ4, literals(cubin), len(cubin)),
		"zstandard": fat(fatCubin, fatZstd, e.EncodeAll(cubin, nil), len(cubin)),
	} {
		got, l := summaries(t, append(bytes.Clone(program), b...))
		if l.Format != "fatbin" || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: format %q, %d functions, want %d", name, l.Format, len(got), len(want))
		}
	}
	if got, l := summaries(t, append(bytes.Clone(program), fat(fatPTX, 0, []byte(smallPTX), 0)...)); l.Format != "ptx" || len(got) != 2 {
		t.Errorf("PTX: format %q, %d functions", l.Format, len(got))
	}
}

func TestLZ4(t *testing.T) {
	for name, c := range map[string]struct {
		block string
		want  string
		limit int
	}{
		"literals":        {"\x30abc", "abc", 100},
		"match":           {"\x31abc\x03\x00\x10d", "abcabcabd", 100},
		"overlap":         {"\x14a\x01\x00\x10b", "aaaaaaaaab", 100},
		"long match":      {"\x1fa\x01\x00\x05\x10b", "a" + strings.Repeat("a", 24) + "b", 100},
		"offset too far":  {"\x10a\x02\x00\x00", "", 100},
		"offset of zero":  {"\x10a\x00\x00\x00", "", 100},
		"over the limit":  {"\x1fa\x01\x00\xff\xff\xff\x05\x10b", "", 100},
		"cut in literals": {"\x50abc", "", 100},
		"cut in length":   {"\xf0\xff\xff", "", 100},
	} {
		got, err := unpackLZ4([]byte(c.block), c.limit)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func TestListRefuses(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"empty":           {"", "empty"},
		"prose":           {"hello\nworld\n", "1: neither SASS"},
		"binary":          {"\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 200), "cuobjdump -xelf all"},
		"old cubin":       {"\x7fELF\x02\x01\x01\x33" + strings.Repeat("\x00", 8) + "\x02\x00\xbe\x00" + strings.Repeat("\x00", 200), "section headers"},
		"PTX, no kernel":  {".version 8.0\n.target sm_80\n", "1: no function in this PTX"},
		"log, no kernel":  {"ptxas info    : 0 bytes gmem\n", "1: no function in this log"},
		"SASS, no kernel": {"\tcode for sm_90\n", "1: no function in this disassembly"},
	} {
		_, err := List([]byte(c.in))
		var in *InputError
		if !errors.As(err, &in) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	l, err := List(fat(fatCubin, fatZstd, []byte("what is this?"), 99))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range l.Functions() {
		if err == nil || !strings.Contains(err.Error(), "cuobjdump -xelf all") {
			t.Errorf("unknown compression: %v", err)
		}
	}
}

func TestShortName(t *testing.T) {
	for in, want := range map[string]string{
		"_Z15address_genericP5uint4ji":  "address_generic",
		"_ZN2at6native3fooEv":           "at::native::foo",
		"_ZN12_GLOBAL__N_13barEv":       "(anonymous)::bar",
		"plain":                         "plain",
		"_Z":                            "_Z",
		"_Z99short":                     "_Z99short",
		"_Z99999999999999999999999999x": "_Z99999999999999999999999999x",
	} {
		if got := ShortName(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add([]byte(smallPTX))
	f.Add([]byte(smallSASS))
	f.Add([]byte("ptxas info    : Compiling entry function 'k' for 'sm_90'\nptxas info    : Used 12 registers, 400 bytes smem\n"))
	f.Add(fat(fatPTX, fatLZ4, literals([]byte(smallPTX)), len(smallPTX)))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := List(b)
		if err != nil {
			return
		}
		for fn, err := range l.Functions() {
			if err != nil {
				continue
			}
			s := Summarize(fn)
			for n, v := range s.Counts() {
				if v < 0 {
					t.Errorf("%s: %s is %v", fn.Name, n, v)
				}
			}
		}
	})
}
