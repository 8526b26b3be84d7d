package rules

import (
	"fmt"
	"path"

	"advisor/ncu/sass"
)

// StaticSchema names the JSON form of a StaticResult.
const StaticSchema = "advisor.sass/v1"

// A StaticResult is what machine code shows without running it. Its findings carry the ids and the advice of the rules,
// and no price: how often an instruction runs is not known.
type StaticResult struct {
	Schema    string           `json:"schema"`
	Advisor   string           `json:"advisor"` // version
	Inputs    []StaticInput    `json:"inputs"`
	Functions []StaticFunction `json:"functions"`
	Compared  bool             `json:"compared"` // the first input with the second
	Changes   []StaticChange   `json:"changes"`  // from the first to the second; empty when they are not compared
}

// A StaticInput is one file of code.
type StaticInput struct {
	Path      string   `json:"path"`
	Format    string   `json:"format"` // as in sass.Listing
	Functions int      `json:"functions"`
	Notes     []string `json:"notes"`
}

// A StaticFunction is one function of an input.
type StaticFunction struct {
	Input    int                `json:"input"`
	Name     string             `json:"name"`     // as in the code, mangled
	Function string             `json:"function"` // its source name, where it is plain
	Arch     string             `json:"arch"`     // "sm_90", "" unknown
	Opcodes  map[string]int     `json:"opcodes"`  // memory instructions
	Counts   map[string]float64 `json:"counts"`   // see sass.CountNames; one that is unknown is missing
	Findings []Finding          `json:"findings"`
}

// A static is one function in judgement.
type static struct {
	sass.Summary
	f        *sass.Function
	name     string
	findings []Finding
}

// A staticCheck is what one rule can tell from the code alone.
type staticCheck struct {
	rule  *Rule
	check func(*static, *Rule)
}

// staticChecks lists them in the order of the checklist.
var staticChecks = []staticCheck{
	{genericAddressing, staticGeneric},
	{registerSpill, staticSpill},
	{localArray, staticLocalArray},
	{constantDivergence, staticConstant},
	{narrowAccess, staticNarrow},
	{readOnlyPath, staticReload},
}

// Static judges one function by its code. A Warning is proven by the code; an Info depends on what the code does not
// tell, or costs little.
func Static(f *sass.Function) StaticFunction {
	s := &static{Summary: sass.Summarize(f), f: f, name: sass.ShortName(f.Name), findings: []Finding{}}
	for _, c := range staticChecks {
		c.check(s, c.rule)
	}
	out := StaticFunction{Name: f.Name, Function: s.name, Opcodes: s.Opcodes, Counts: s.Counts(), Findings: s.findings}
	if f.Arch > 0 {
		out.Arch = fmt.Sprintf("sm_%d", f.Arch)
	}
	return out
}

// A picker chooses instructions by saying what is known of one; "" leaves it out.
type picker func(i int, in *sass.Inst, fact *sass.Fact) string

// report adds a finding. evidence names the counts to show; pick chooses the instructions that take part, nil none.
func (s *static) report(r *Rule, sev Severity, message string, evidence []string, pick picker) *Finding {
	s.findings = append(s.findings, Finding{
		Rule: r.ID, Step: r.Step, Severity: sev, Message: message,
		Advice: []string{r.Doc.Change}, Caveats: append([]string{}, r.Doc.Caveats...), Evidence: []Evidence{}, Locations: []Location{},
	})
	f := &s.findings[len(s.findings)-1]
	for _, name := range evidence {
		if v, ok := s.Count(name); ok {
			f.Evidence = append(f.Evidence, Evidence{Metric: name, Value: &v, Unit: staticUnit(name)})
		}
	}
	if pick != nil {
		s.locate(f, pick)
	}
	return f
}

func staticUnit(count string) string {
	switch count {
	case sass.CountSpillLoadBytes, sass.CountSpillStoreBytes, sass.CountStackBytes, sass.CountSharedBytes:
		return "byte"
	case sass.CountRegisters:
		return "register"
	}
	return "inst"
}

// locate lists the instructions that pick chooses, each with an equal share: how often they run is not known.
func (s *static) locate(f *Finding, pick picker) {
	n := 0
	var unknown sass.Fact
	for i := range s.f.Insts {
		in, fact := &s.f.Insts[i], &unknown
		if s.f.Facts != nil {
			fact = &s.f.Facts[i]
		}
		note := pick(i, in, fact)
		if note == "" {
			continue
		}
		if n++; n > maxLocations {
			continue
		}
		f.Locations = append(f.Locations, s.location(in, note))
	}
	for i := range f.Locations {
		f.Locations[i].Share = 1 / float64(n)
	}
}

func (s *static) location(in *sass.Inst, note string) Location {
	at := Location{Function: s.name, SASS: in.Text, Note: note}
	if s.Traced { // PTX has no addresses
		at.PC = fmt.Sprintf("0x%04x", in.Offset)
	}
	frames := s.f.Frames(in.Offset)
	if len(frames) == 0 {
		return at
	}
	at.File, at.Line = path.Clean(frames[0].File), frames[0].Line
	for _, f := range frames[1:] {
		at.Callers = append(at.Callers, Caller{path.Clean(f.File), f.Line})
	}
	return at
}

// n returns a count, 0 when it is unknown.
func (s *static) n(name string) float64 {
	v, _ := s.Count(name)
	return v
}
