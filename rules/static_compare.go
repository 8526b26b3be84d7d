package rules

import (
	"maps"
	"slices"

	"advisor/ncu/sass"
)

// A StaticChange is what is different in one function between two inputs.
type StaticChange struct {
	Name     string `json:"name"`
	Function string `json:"function"`
	Arch     string `json:"arch"`   // of the second input, of the first when it is gone
	Status   string `json:"status"` // "changed", "added", "removed"

	Counts  []CountChange `json:"counts"`  // those that are known on both sides and differ
	Opcodes []CountChange `json:"opcodes"` // empty when the two are not of the same kind of code
	New     []Finding     `json:"new"`     // findings of the second input that the first has not
	Fixed   []Finding     `json:"fixed"`   // findings of the first input that are gone
}

// A CountChange is one number before and after.
type CountChange struct {
	Name   string  `json:"name"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// CompareStatic lists what is different, function by function, in the order of the second input; functions that are gone
// come last. Functions are matched by name and architecture, and by name alone where one side has no such architecture.
// Functions that are the same are left out.
func CompareStatic(before, after []StaticFunction) []StaticChange {
	changes := []StaticChange{}
	used := map[int]bool{}
	partners := make([]int, len(after))
	for i := range after {
		partners[i] = partner(before, used, func(b *StaticFunction) bool { return b.Name == after[i].Name && b.Arch == after[i].Arch })
	}
	for i := range after {
		a := &after[i]
		if partners[i] < 0 {
			partners[i] = partner(before, used, func(b *StaticFunction) bool { return b.Name == a.Name })
		}
		if partners[i] < 0 {
			changes = append(changes, StaticChange{Name: a.Name, Function: a.Function, Arch: a.Arch, Status: "added",
				Counts: []CountChange{}, Opcodes: []CountChange{}, New: a.Findings, Fixed: []Finding{}})
			continue
		}
		if c, differs := changeOf(&before[partners[i]], a); differs {
			changes = append(changes, c)
		}
	}
	for i := range before {
		if b := &before[i]; !used[i] {
			changes = append(changes, StaticChange{Name: b.Name, Function: b.Function, Arch: b.Arch, Status: "removed",
				Counts: []CountChange{}, Opcodes: []CountChange{}, New: []Finding{}, Fixed: b.Findings})
		}
	}
	return changes
}

// partner returns the first function that is not used yet and fits, -1 when there is none.
func partner(fs []StaticFunction, used map[int]bool, fits func(*StaticFunction) bool) int {
	for i := range fs {
		if !used[i] && fits(&fs[i]) {
			used[i] = true
			return i
		}
	}
	return -1
}

func changeOf(b, a *StaticFunction) (StaticChange, bool) {
	c := StaticChange{Name: a.Name, Function: a.Function, Arch: a.Arch, Status: "changed",
		Counts: []CountChange{}, Opcodes: []CountChange{}, New: without(a.Findings, b.Findings), Fixed: without(b.Findings, a.Findings)}
	same := codeKind(a) == codeKind(b)
	for _, name := range sass.CountNames() {
		if name == sass.CountInstructions && !same {
			continue
		}
		x, ok1 := b.Counts[name]
		y, ok2 := a.Counts[name]
		if ok1 && ok2 && x != y {
			c.Counts = append(c.Counts, CountChange{name, x, y})
		}
	}
	if same {
		all := maps.Clone(b.Opcodes)
		maps.Copy(all, a.Opcodes)
		for _, op := range slices.Sorted(maps.Keys(all)) {
			if x, y := b.Opcodes[op], a.Opcodes[op]; x != y {
				c.Opcodes = append(c.Opcodes, CountChange{op, float64(x), float64(y)})
			}
		}
	}
	only := len(c.Counts) == 1 && c.Counts[0].Name == sass.CountInstructions // arithmetic was moved about
	return c, len(c.Counts) > 0 && !only || len(c.Opcodes)+len(c.New)+len(c.Fixed) > 0
}

// codeKind tells a compiler's log, PTX and machine code apart: opcodes of one kind only can be compared.
func codeKind(f *StaticFunction) int {
	_, traced := f.Counts[sass.CountSpillLoads]
	_, code := f.Counts[sass.CountInstructions]
	switch {
	case traced:
		return 2
	case code:
		return 1
	}
	return 0
}

// without returns the findings of a of which b has no finding of the same rule and severity.
func without(a, b []Finding) []Finding {
	out := []Finding{}
	for _, f := range a {
		if !slices.ContainsFunc(b, func(g Finding) bool { return g.Rule == f.Rule && g.Severity == f.Severity }) {
			out = append(out, f)
		}
	}
	return out
}
