package sass

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A dump is the functions of a disassembly twice: from the words, and from the text.
type dump struct{ words, texts map[string]*Function }

// analyzed caches the dumps: several tests look at them.
var analyzed = map[string]dump{}

func dumpFunctions(t testing.TB, name string) (words, texts map[string]*Function) {
	t.Helper()
	if d, ok := analyzed[name]; ok {
		return d.words, d.texts
	}
	words, texts = map[string]*Function{}, map[string]*Function{}
	for _, s := range dumpSamples(t, name, shared(t, name)) {
		fn := strings.Fields(s.where)[1]
		if words[fn] == nil {
			words[fn] = &Function{Name: fn, Arch: s.arch}
			texts[fn] = &Function{Name: fn, Arch: s.arch}
		}
		in, err := ParseInst(s.text)
		if err != nil {
			t.Fatal(err)
		}
		in.Offset = s.offset
		words[fn].Insts = append(words[fn].Insts, Decode(s.lo, s.hi, s.arch, s.offset))
		texts[fn].Insts = append(texts[fn].Insts, in)
	}
	for fn := range words {
		Analyze(words[fn])
		Analyze(texts[fn])
	}
	analyzed[name] = dump{words, texts}
	return words, texts
}

// TestAnalyzeTextAsWords holds that text gives the facts that the words give.
func TestAnalyzeTextAsWords(t *testing.T) {
	for _, d := range dumps {
		words, texts := dumpFunctions(t, d)
		for fn, w := range words {
			for i := range w.Facts {
				if got, want := texts[fn].Facts[i], w.Facts[i]; got != want {
					t.Errorf("%s %s %x %s: %+v, want %+v", d, fn, w.Insts[i].Offset, texts[fn].Insts[i].Text, got, want)
				}
			}
		}
	}
}

// A strideCase is what a kernel's global accesses must show: "bytes:stride" of each kind of load and store, "?" where
// the stride is not known.
type strideCase struct {
	kernel, loads, stores string
}

var strideCases = []strideCase{
	{"layout_aos", "4:16", "4:16"},
	{"layout_soa", "4:4", "4:4"},
	{"coalesce_chunked", "4:64", "4:64"},
	{"coalesce_gridstride", "4:4", "4:4"},
	{"vector_scalar", "4:4", "4:4"},
	{"vector_float4", "16:16", "16:16"},
	{"vector_bytes", "1:1", "1:1"},
	{"vector_uint4", "16:16", "16:16"},
	{"vector_fields", "4:16", "4:4"},
	{"align_offset1", "4:4", "4:4"},
	{"readonly_restrict", "4:0 4:4", "4:4"},
	{"readonly_alias", "4:0 4:4", "4:4"},
	{"transpose_naive", "4:4", "4:?"},
	{"gather_random", "4:4 4:?", "4:4"},
	{"constant_moved", "4:?", "4:4"},
}

func TestAnalyzeStrides(t *testing.T) {
	m := openPairs(t)
	for _, c := range strideCases {
		f := named(t, m, c.kernel)
		Analyze(f)
		checkStrides(t, "cubin", c, f)
	}
}

func TestAnalyzeStridesAll(t *testing.T) {
	for _, d := range dumps {
		words, _ := dumpFunctions(t, d)
		for _, c := range strideCases {
			if f := find(words, c.kernel); f != nil {
				checkStrides(t, d, c, f)
			}
		}
	}
}

// find returns the function whose mangled name holds a source name, nil when there is none.
func find(fs map[string]*Function, name string) *Function {
	for n, f := range fs {
		if strings.Contains(n, strconv.Itoa(len(name))+name) {
			return f
		}
	}
	return nil
}

func checkStrides(t *testing.T, where string, c strideCase, f *Function) {
	t.Helper()
	seen := map[Operation]map[string]bool{Load: {}, Store: {}}
	for i := range f.Insts {
		in, fact := &f.Insts[i], f.Facts[i]
		if in.Space != Global || seen[in.Operation] == nil {
			continue
		}
		stride := "?"
		if fact.StrideKnown {
			stride = strconv.FormatInt(fact.Stride, 10)
		}
		seen[in.Operation][fmt.Sprintf("%d:%s", in.Width, stride)] = true
	}
	for op, want := range map[Operation]string{Load: c.loads, Store: c.stores} {
		if got := strings.Join(slices.Sorted(maps.Keys(seen[op])), " "); got != want {
			t.Errorf("%s %s %s: %q, want %q", where, c.kernel, op, got, want)
		}
	}
}

// TestAnalyzeLocal tells spills from arrays, on every architecture.
func TestAnalyzeLocal(t *testing.T) {
	type count struct{ stack, spill, indexed int }
	for _, d := range dumps {
		words, _ := dumpFunctions(t, d)
		got := map[string]count{}
		for fn, f := range words {
			var c count
			for i := range f.Facts {
				switch f.Facts[i].Local {
				case LocalStack:
					c.stack++
				case LocalSpill:
					c.spill++
				case LocalIndexed:
					c.indexed++
				}
			}
			if c != (count{}) {
				got[fn] = c
			}
		}
		for fn, c := range got {
			switch {
			case strings.Contains(fn, "spill_capped"):
				if marked := lastUse(words[fn]); marked && (c.spill < 500 || c.stack > 0) || c.indexed > 0 {
					t.Errorf("%s spill_capped: %+v", d, c)
				}
			case strings.Contains(fn, "local_indexed"):
				if c.indexed < 15 || c.stack != 16 || c.spill > 0 {
					t.Errorf("%s local_indexed: %+v", d, c)
				}
			default:
				t.Errorf("%s %s: local accesses %+v", d, fn, c)
			}
		}
		if find(words, "local_indexed") == nil || len(got) == 0 {
			t.Errorf("%s: no local accesses", d)
		}
	}
}

func lastUse(f *Function) bool {
	return slices.ContainsFunc(f.Insts, func(in Inst) bool { return in.Root == "LDL" && in.Evict == "LU" })
}

// TestAnalyzeReloads counts the loads that stores made the compiler repeat: 15 in one kernel, none elsewhere.
func TestAnalyzeReloads(t *testing.T) {
	for _, d := range dumps {
		words, _ := dumpFunctions(t, d)
		for fn, f := range words {
			want := 0
			if strings.Contains(fn, "readonly_alias") {
				want = 15
			}
			got := 0
			for i := range f.Facts {
				if f.Facts[i].Reload > 0 {
					got++
				}
			}
			if got != want {
				t.Errorf("%s %s: %d reloads, want %d", d, fn, got, want)
			}
		}
	}
}

// TestAnalyzeConstant tells an index that differs between lanes from one that does not: the LDC lines are the same.
func TestAnalyzeConstant(t *testing.T) {
	for _, d := range dumps {
		words, _ := dumpFunctions(t, d)
		for kernel, want := range map[string]Tri{"constant_divergent": Yes, "constant_uniform": No} {
			f := find(words, kernel)
			for i := range f.Insts {
				in := &f.Insts[i]
				if in.Root != "LDC" || !in.Addr.HasBase {
					continue
				}
				if got := f.Facts[i].PerLane; got != want {
					t.Errorf("%s %s %x: per lane %d, want %d", d, kernel, in.Offset, got, want)
				}
			}
		}
	}
}

// TestAnalyzeRuns finds the groups that could be one access, and none where the compiler or the program forbids it.
func TestAnalyzeRuns(t *testing.T) {
	m := openPairs(t)
	for kernel, want := range map[string]string{
		"readonly_restrict": "4x4 aligned 2 16",
		"vector_fields":     "", // volatile
		"coalesce_chunked":  "", // each under its own guard
		"layout_soa":        "",
	} {
		f := named(t, m, kernel)
		Analyze(f)
		got, n := "", 0
		for i := range f.Facts {
			if fact := f.Facts[i]; fact.Run > 0 {
				n++
				got = fmt.Sprintf("%dx%d aligned %d %d", fact.Run, fact.RunWidth/fact.Run, fact.RunAligned, n)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", kernel, got, want)
		}
	}
}

// TestAnalyzeAsMeasured compares the sectors that strides predict with those the profiler derived from the addresses at
// run time, for every executed global access with full warps: none may differ.
func TestAnalyzeAsMeasured(t *testing.T) {
	m := openPairs(t)
	r := csv.NewReader(bytes.NewReader(shared(t, "corpus/exports/pairs-full-source-sass.csv.gz")))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	var f *Function
	var base uint64
	col := map[string]int{}
	equal, unknown := 0, 0
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch rec[0] {
		case "Kernel Name":
			name, _, _ := strings.Cut(rec[1], "(")
			f = named(t, m, name)
			Analyze(f)
			base = 0
			continue
		case "Address":
			for i, h := range rec {
				col[h] = i
			}
			continue
		}
		pc := hexWord(t, rec[0])
		if base == 0 {
			base = pc
		}
		i := int(pc-base) / instSize
		in, fact := &f.Insts[i], f.Facts[i]
		num := func(h string) float64 { v, _ := strconv.ParseFloat(rec[col[h]], 64); return v }
		runs := num("Instructions Executed")
		if in.Space != Global || in.Operation != Load && in.Operation != Store || runs == 0 {
			continue
		}
		if num("Predicated-On Thread Instructions Executed") != 32*runs {
			continue
		}
		if !fact.StrideKnown {
			unknown++
			continue
		}
		if got, want := sectors(fact.Stride, in), num("L2 Theoretical Sectors Global")/runs; got != want {
			t.Errorf("%s %s: stride %d gives %v sectors, measured %v", f.Name, in.Text, fact.Stride, got, want)
		} else {
			equal++
		}
	}
	t.Logf("%d equal, %d not predicted", equal, unknown)
	if equal < 150 {
		t.Errorf("%d predictions compared", equal)
	}
}

// sectors counts the 32-byte sectors that a full warp touches from an aligned pointer.
func sectors(stride int64, in *Inst) float64 {
	touched := map[int64]bool{}
	for lane := int64(0); lane < 32; lane++ {
		at := in.Addr.Offset + lane*stride + 1<<20
		for b := at; b < at+int64(in.Width); b++ {
			touched[b/32] = true
		}
	}
	return float64(len(touched))
}

// TestAnalyzeSmall holds single facts on a few lines each.
func TestAnalyzeSmall(t *testing.T) {
	for _, c := range smallCases {
		t.Run(c.name, func(t *testing.T) {
			f := &Function{Name: c.name, Arch: 80}
			for i, line := range strings.Split(strings.TrimSpace(c.code), "\n") {
				in, err := ParseInst(line)
				if err != nil {
					t.Fatal(err)
				}
				in.Offset = uint64(i) * instSize
				f.Insts = append(f.Insts, in)
			}
			Analyze(f)
			if got := f.Facts[c.at]; !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

var smallCases = []struct {
	name, code string
	at         int
	want       Fact
}{
	{"mask of the lane", `
		S2R R0, SR_TID.X
		LOP3.LUT R0, R0, 0x1f, RZ, 0xc0, !PT
		LDC R2, c[0x3][R0]
		EXIT`, 2, Fact{PerLane: Yes, Indirect: No}},
	{"times a parameter", `
		S2R R0, SR_TID.X
		IMAD R0, R0, c[0x0][0x168], RZ
		LDS R2, [R0]
		EXIT`, 2, Fact{PerLane: Yes, Indirect: No}},
	{"block index times a parameter", `
		S2R R0, SR_CTAID.X
		IMAD R0, R0, c[0x0][0x168], RZ
		LDS R2, [R0+0x10]
		EXIT`, 2, Fact{StrideKnown: true, PerLane: No, Indirect: No}},
	{"scaled base", `
		S2R R0, SR_TID.X
		LDS R2, [R0.X4]
		EXIT`, 1, Fact{StrideKnown: true, Stride: 4, PerLane: Yes, Indirect: No}},
	{"guarded definition", `
		S2R R0, SR_TID.X
		ISETP.GE.AND P0, PT, R0, 0x10, PT
		MOV R2, 0x4
		@P0 MOV R2, 0x8
		LDC R4, c[0x3][R2]
		EXIT`, 4, Fact{StrideKnown: true, PerLane: Unknown, Indirect: No}},
	{"guarded definition, guarded use", `
		S2R R0, SR_TID.X
		ISETP.GE.AND P0, PT, R0, 0x10, PT
		MOV R2, R0
		@P0 IMAD.SHL.U32 R2, R0, 0x8, RZ
		@P0 LDS R4, [R2]
		EXIT`, 4, Fact{StrideKnown: true, Stride: 8, PerLane: Yes, Indirect: No}},
	{"index from memory", `
		S2R R0, SR_TID.X
		IMAD.SHL.U32 R0, R0, 0x4, RZ
		LDS R2, [R0]
		LDS R4, [R2]
		EXIT`, 3, Fact{PerLane: Yes, Indirect: Yes}},
	{"index from one place in memory", `
		LDS R2, [0x100]
		LDC R4, c[0x3][R2]
		EXIT`, 1, Fact{StrideKnown: true, PerLane: No, Indirect: Yes}},
	{"behind a call", `
		S2R R0, SR_TID.X
		CALL.ABS.NOINC R2
		LDS R4, [R0]
		EXIT`, 2, Fact{PerLane: Unknown, Indirect: Unknown}},
	{"behind a call that leaves it alone", `
		S2R R0, SR_TID.X
		CALL.REL.NOINC 0x40
		LDS R4, [R0]
		EXIT
		MOV R3, 0x1
		RET.REL.NODEC R20 0x0`, 2, Fact{StrideKnown: true, Stride: 1, PerLane: Yes, Indirect: No}},
	{"in a loop", `
		S2R R0, SR_TID.X
		IMAD.SHL.U32 R0, R0, 0x4, RZ
		MOV R3, RZ
		LDS R4, [R0]
		IADD3 R0, R0, 0x80, RZ
		IADD3 R3, R3, 0x1, RZ
		ISETP.LT.AND P0, PT, R3, 0x10, PT
		@P0 BRA 0x30
		EXIT`, 3, Fact{StrideKnown: true, Stride: 4, PerLane: Yes, Indirect: No, Loop: 8, Advance: 0x80, AdvanceKnown: true, LoopInvariant: No}},
	{"in a loop that grows the stride", `
		S2R R0, SR_TID.X
		MOV R3, RZ
		LDS R4, [R0]
		IADD3 R0, R0, R0, RZ
		IADD3 R3, R3, 0x1, RZ
		ISETP.LT.AND P0, PT, R3, 0x10, PT
		@P0 BRA 0x20
		EXIT`, 2, Fact{PerLane: Yes, Indirect: No, Loop: 7, LoopInvariant: No}},
	{"reload across a barrier", `
		LDS R4, [0x100]
		STS [0x200], R4
		BAR.SYNC 0x0
		LDS R4, [0x100]
		EXIT`, 3, Fact{StrideKnown: true, PerLane: No, Indirect: No}},
	{"reload across a store", `
		LDS R4, [0x100]
		STS [0x200], R4
		LDS R4, [0x100]
		EXIT`, 2, Fact{StrideKnown: true, PerLane: No, Indirect: No, Reload: 1}},
	{"stencil is no run", `
		S2R R0, SR_TID.X
		LDS R4, [R0.X4]
		LDS R5, [R0.X4+0x4]
		EXIT`, 1, Fact{StrideKnown: true, Stride: 4, PerLane: Yes, Indirect: No}},
	{"run", `
		S2R R0, SR_TID.X
		LDS R4, [R0.X8+0x4]
		LDS R5, [R0.X8]
		EXIT`, 1, Fact{StrideKnown: true, Stride: 8, PerLane: Yes, Indirect: No, Run: 2, RunWidth: 8, RunAligned: Yes, RunHead: 1}},
	{"run broken by a store", `
		S2R R0, SR_TID.X
		LDS R4, [R0.X8+0x4]
		STS [0x1000], R4
		LDS R5, [R0.X8]
		EXIT`, 1, Fact{StrideKnown: true, Stride: 8, PerLane: Yes, Indirect: No}},
	{"array on the stack", `
		S2R R0, SR_TID.X
		IMAD R2, R0, 0x4, R1
		LDL R4, [R2]
		EXIT`, 2, Fact{PerLane: Yes, Indirect: Unknown, Local: LocalIndexed}},
	{"copy of the stack pointer", `
		IADD3 R2, R1, 0x10, RZ
		LDL R4, [R2]
		EXIT`, 1, Fact{PerLane: Unknown, Indirect: Unknown, Local: LocalStack}},
}

func BenchmarkAnalyze(b *testing.B) {
	m := openPairs(b)
	code := []byte{}
	for len(code) < 100_000*instSize { // a function of 100,000 instructions, made of the corpus
		for _, n := range m.Names() {
			c, _ := m.code(m.byName[n])
			code = append(code, c...)
		}
	}
	code = code[:100_000*instSize]
	b.ReportAllocs()
	for b.Loop() {
		f := &Function{Arch: 90, Insts: decodeAll(code, 90)}
		Analyze(f)
	}
}
