package report

import (
	"bytes"
	"os"
	"testing"

	"advisor/ncu/sass"
	"advisor/rules"
)

// staticSample is two functions, one with a finding.
func staticSample() *rules.StaticResult {
	finding := rules.Finding{
		Rule: "generic-addressing", Severity: rules.Warning, Message: "1 generic load in a function that uses shared memory",
		Advice: []string{"keep the pointer a descendant of the shared array"}, Caveats: []string{"no test finds it"},
		Evidence: []rules.Evidence{},
		Locations: []rules.Location{{
			File: "/src/k.cu", Line: 12, Function: "bad", PC: "0x0870", SASS: "LD.E.128 R8, desc[UR8][R2.64]", Share: 1,
			Note: "generic load", Callers: []rules.Caller{{File: "/src/k.cu", Line: 40}},
		}},
	}
	return &rules.StaticResult{
		Schema: rules.StaticSchema, Advisor: "test",
		Inputs: []rules.StaticInput{{Path: "k.cubin", Format: "cubin", Functions: 2, Notes: []string{"a note"}}},
		Functions: []rules.StaticFunction{
			{
				Name: "_Z3badPf", Function: "bad", Arch: "sm_100", Opcodes: map[string]int{"LD.E.128": 1, "ST.E.128": 5},
				Counts:   map[string]float64{sass.CountGenericLoads: 1, sass.CountGenericStores: 5, sass.CountRegisters: 22, sass.CountStackBytes: 0, sass.CountInstructions: 80},
				Findings: []rules.Finding{finding},
			},
			{
				Name: "_Z4goodPf", Function: "good", Arch: "sm_100", Opcodes: map[string]int{"LDS.128": 1, "STS.128": 5},
				Counts:   map[string]float64{sass.CountSharedLoads: 1, sass.CountSharedStores: 5, sass.CountInstructions: 80},
				Findings: []rules.Finding{},
			},
		},
	}
}

// staticComparison is a build in which the bad function became the good one.
func staticComparison() *rules.StaticResult {
	res := staticSample()
	before, after := res.Functions[:1], res.Functions[1:]
	after[0].Name, after[0].Input = before[0].Name, 1
	res.Inputs = append(res.Inputs, rules.StaticInput{Path: "k2.cubin", Format: "cubin", Functions: 1})
	res.Inputs[0].Functions = 1
	res.Compared, res.Changes = true, rules.CompareStatic(before, after)
	return res
}

func TestSass(t *testing.T) {
	text, err := os.ReadFile("schema/advisor.sass.v1.json")
	if err != nil {
		t.Fatal(err)
	}
	schema := compile(t, "advisor.sass.v1.json", text)
	sarif, err := os.ReadFile("testdata/sarif-2.1.0-part.json")
	if err != nil {
		t.Fatal(err)
	}
	sarifSchema := compile(t, "sarif", sarif)
	for name, res := range map[string]*rules.StaticResult{
		"sass": staticSample(), "sass-diff": staticComparison(), "sass-empty": {Schema: rules.StaticSchema},
	} {
		for format, write := range SassFormats {
			var b bytes.Buffer
			if err := write(&b, res, Options{Width: 90}); err != nil {
				t.Fatal(err)
			}
			switch format {
			case "json":
				validate(t, schema, name, b.Bytes())
			case "sarif":
				validate(t, sarifSchema, name, b.Bytes())
			}
			golden(t, name+"."+format, b.Bytes())
			for attack, text := range attacks {
				b.Reset()
				if err := write(&b, poison(t, res, text), Options{}); err != nil {
					t.Fatal(err)
				}
				inert(t, attack+"/"+name+"/"+format, format, b.String())
			}
		}
	}
}

func TestSpacePair(t *testing.T) {
	for op, want := range map[string]string{
		"LD.E.128": "LDS.128", "LD.E.64.SYS": "LDS.64", "ST.E.U8.STRONG.SYS": "STS.U8", "LDS.U.128": "LD.E.128", "STS": "ST.E",
		"LDG.E.128": "", "ld.v4.u32": "ld.shared.v4.u32", "st.shared.f32": "st.f32", "ld.global.nc.f32": "",
	} {
		if got := spacePair(op); got != want {
			t.Errorf("%s: %q, want %q", op, got, want)
		}
	}
}
