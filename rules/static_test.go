package rules

import (
	"compress/gzip"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"advisor/ncu/sass"

	"github.com/google/go-cmp/cmp"
)

// staticOf judges every function of a piece of code.
func staticOf(t *testing.T, code []byte) []StaticFunction {
	t.Helper()
	l, err := sass.List(code)
	if err != nil {
		t.Fatal(err)
	}
	var out []StaticFunction
	for f, err := range l.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, Static(f))
	}
	return out
}

func cubin(t *testing.T) []byte {
	t.Helper()
	f, err := os.Open("../ncu/sass/testdata/pairs-sm90.cubin.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestStaticCorpus holds what the code alone proves of forty kernels: five have a cause that can be seen there, and none
// of the others is accused.
func TestStaticCorpus(t *testing.T) {
	want := map[string][]string{
		"address_generic":    {"warning generic-addressing"},
		"spill_capped":       {"warning register-spill"},
		"local_indexed":      {"warning local-array"},
		"constant_divergent": {"warning constant-divergence"},
		"readonly_alias":     {"warning read-only-path"},
		"readonly_restrict":  {"info narrow-access"}, // broadcasts
	}
	got := map[string][]string{}
	for _, f := range staticOf(t, cubin(t)) {
		for _, x := range f.Findings {
			got[f.Function] = append(got[f.Function], x.Severity.String()+" "+x.Rule)
			checkStatic(t, f.Function, x)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// checkStatic holds what every finding must have, and must not.
func checkStatic(t *testing.T, function string, f Finding) {
	t.Helper()
	if f.Gain != nil || f.SavedNS != nil {
		t.Errorf("%s %s has a price", function, f.Rule)
	}
	if len(f.Advice) == 0 || f.Message == "" || len(f.Evidence) == 0 || len(f.Locations) == 0 {
		t.Errorf("%s %s lacks advice, message, evidence or places: %+v", function, f.Rule, f)
	}
	for _, at := range f.Locations {
		if at.File == "" || at.Line == 0 || at.PC == "" || at.SASS == "" || at.Note == "" || at.Share <= 0 || at.Share > 1 {
			t.Errorf("%s %s: place %+v", function, f.Rule, at)
		}
	}
}

// A staticCase is a few lines of code and the findings that they must give.
type staticCase struct{ name, code, want string }

var staticCases = []staticCase{
	{"generic, pointers to shared memory", "S2UR UR4, SR_SWINHI\nLD.E.64 R2, [R4.64]", "warning generic-addressing"},
	{"generic, pointers to shared memory, before sm_90", "ULDC.64 UR4, c[0x0][0x18]\nLD.E.64 R2, [R4.64]", "warning generic-addressing"},
	{"generic, shared memory in use", "LD.E.64 R2, [R4.64]\nSTS [R0], R2", "info generic-addressing"},
	{"generic, no shared memory", "LD.E.64 R2, [R4.64]", "info generic-addressing"},
	{"generic atomic", "ATOM.E.ADD.STRONG.GPU PT, R9, [R8.64], R4\nLDS R0, [R2]", "info generic-addressing"},
	{"direct", "LDS R2, [R4]\nLDG.E R3, [R6.64]\nSTG.E [R6.64], R2", ""},
	{"spill", "STL [R1+0x4], R2\nLDL.LU R2, [R1+0x4]", "warning register-spill"},
	{"local, spill or array", "STL [R1+0x4], R2\nLDL R2, [R1+0x4]", "info register-spill"},
	{"arguments of a call", "STL [R1+0x4], R2\nSTL [R1], R3", ""},
	{"array", "IMAD.IADD R4, R1, 0x1, R3\nLDL R2, [R4]", "warning local-array"},
	{"array beside fixed places", "STL [R1], R5\nIMAD.IADD R4, R1, 0x1, R3\nLDL R2, [R4]", "warning local-array"},
	{"index by lane", "S2R R0, SR_LANEID\nLDC R2, c[0x3][R0]", "warning constant-divergence"},
	{"index by block", "S2R R0, SR_CTAID.X\nLDC R2, c[0x3][R0]", ""},
	{"index by row", "S2R R0, SR_TID.Y\nLDC R2, c[0x3][R0]", "info constant-divergence"},
	{"indexed parameters", "S2R R0, SR_TID.Y\nLDC R2, c[0x0][R0+0x160]", ""},
	{"parameters", "LDC R2, c[0x0][0x210]\nULDC.64 UR4, c[0x0][0x208]", ""},
	{"run", "S2R R0, SR_TID.X\nIMAD.WIDE R2, R0, 0x8, c[0x0][0x160]\nLDG.E R4, [R2.64]\nLDG.E R5, [R2.64+0x4]", "warning narrow-access"},
	{"run of volatile loads", "S2R R0, SR_TID.X\nIMAD.WIDE R2, R0, 0x8, c[0x0][0x160]\nLDG.E.STRONG.SYS R4, [R2.64]\nLDG.E.STRONG.SYS R5, [R2.64+0x4]", ""},
	{"stencil", "S2R R0, SR_TID.X\nIMAD.WIDE R2, R0, 0x4, c[0x0][0x160]\nLDG.E R4, [R2.64]\nLDG.E R5, [R2.64+0x4]", ""},
	{"wide already", "S2R R0, SR_TID.X\nIMAD.WIDE R2, R0, 0x10, c[0x0][0x160]\nLDG.E.128 R4, [R2.64]", ""},
	{"reload", "LDG.E R4, [R2.64]\nSTG.E [R6.64], R4\nLDG.E R5, [R2.64]", "warning read-only-path"},
	{"reload of volatile", "LDG.E.STRONG.SYS R4, [R2.64]\nSTG.E [R6.64], R4\nLDG.E.STRONG.SYS R5, [R2.64]", ""},
}

func TestStaticCases(t *testing.T) {
	for _, c := range staticCases {
		var b strings.Builder
		b.WriteString("\tcode for sm_80\n\t\tFunction : k\n")
		for i, line := range strings.Split(c.code+"\nEXIT", "\n") {
			b.WriteString("        /*00" + string("0123456789abcdef"[i]) + "0*/ " + line + " ;\n")
		}
		var got []string
		for _, f := range staticOf(t, []byte(b.String())) {
			for _, x := range f.Findings {
				got = append(got, x.Severity.String()+" "+x.Rule)
			}
		}
		if g := strings.Join(got, ", "); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
	}
}

func TestCompareStatic(t *testing.T) {
	all := staticOf(t, cubin(t))
	if c := CompareStatic(all, all); len(c) != 0 {
		t.Errorf("changes from one build to the same: %+v", c)
	}
	i := slices.IndexFunc(all, func(f StaticFunction) bool { return f.Function == "address_generic" })
	fixed := slices.Clone(all)
	fixed[i].Opcodes = maps.Clone(all[i].Opcodes)
	delete(fixed[i].Opcodes, "LD.E.128")
	fixed[i].Opcodes["LDS.128"] = 1
	fixed[i].Counts = maps.Clone(all[i].Counts)
	fixed[i].Counts[sass.CountGenericLoads] = 0
	fixed[i].Findings = []Finding{}
	want := []StaticChange{{
		Name: all[i].Name, Function: "address_generic", Arch: "sm_90", Status: "changed",
		Counts:  []CountChange{{sass.CountGenericLoads, 1, 0}},
		Opcodes: []CountChange{{"LD.E.128", 1, 0}, {"LDS.128", 0, 1}},
		New:     []Finding{}, Fixed: all[i].Findings,
	}}
	if d := cmp.Diff(want, CompareStatic(all, fixed)); d != "" {
		t.Error(d)
	}
	if c := CompareStatic(all, slices.Delete(slices.Clone(all), i, i+1)); len(c) != 1 || c[0].Status != "removed" || len(c[0].Fixed) != 1 {
		t.Errorf("a function that is gone: %+v", c)
	}
	if c := CompareStatic(nil, all[i:i+1]); len(c) != 1 || c[0].Status != "added" || len(c[0].New) != 1 {
		t.Errorf("a new function: %+v", c)
	}
}

// TestCompareStaticKinds compares only what both sides know.
func TestCompareStaticKinds(t *testing.T) {
	ptx := []byte(".version 8.0\n.target sm_90\n.visible .entry k(.param .u64 p)\n{ ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1]; ret; }\n")
	text := []byte("\tcode for sm_90\n\t\tFunction : k\n        /*0000*/ LDG.E.128 R4, [R2.64] ;\n        /*0010*/ EXIT ;\n")
	if c := CompareStatic(staticOf(t, ptx), staticOf(t, text)); len(c) != 0 {
		t.Errorf("PTX and its machine code: %+v", c)
	}
}

func TestStaticResult(t *testing.T) {
	fs := staticOf(t, cubin(t))
	res := &StaticResult{Inputs: []StaticInput{{Path: "k.cubin", Format: "cubin", Functions: len(fs)}}, Functions: fs}
	r := res.Result()
	if len(r.Kernels) != len(fs) || len(r.Launches) != len(fs) {
		t.Fatalf("%d kernels, %d launches, want %d", len(r.Kernels), len(r.Launches), len(fs))
	}
	for i := range r.Kernels {
		if d := cmp.Diff(fs[i].Counts, r.Launches[r.Kernels[i].Worst].Stats.Counters); d != "" {
			t.Errorf("%s: %s", r.Kernels[i].Function, d)
		}
		if r.Launches[i].DurationNS != nil || r.Kernels[i].TotalNS != nil {
			t.Errorf("%s has a time", r.Kernels[i].Function)
		}
	}
	if sev, f, _ := res.Worst(); f == nil || sev != Warning {
		t.Errorf("worst finding: %v %v", sev, f)
	}
	res.Compared, res.Changes = true, []StaticChange{}
	res.Inputs = append(res.Inputs, StaticInput{Path: "k2.cubin"})
	if _, f, _ := res.Worst(); f != nil {
		t.Errorf("a comparison without changes has a finding: %+v", f)
	}
}
