package rules

import (
	"fmt"
	"path"
	"sort"
	"strings"

	"advisor/ncu"
)

// A Pass is one rule looking at one launch.
type Pass struct {
	*Demand
	Rule   *Rule
	Launch *ncu.Launch

	drafts  []*draft
	missing []string
}

// A draft is a finding before its price is known.
type draft struct {
	Finding
	claim   float64 // share of the unexplained time that this cause may answer for
	fix     fix
	yields  bool         // gives up its claim when another cause already explains a large gain
	leads   bool         // stands before others of the same value, whatever the step
	unsure  bool         // the fix may not be possible: the low gain is 1
	touches map[int]bool // instructions that take part, by index
	counts  float64      // value in ranking: own gain, or what it unlocks
}

// Missing says that the rule cannot be judged for want of these metrics.
func (p *Pass) Missing(metrics ...string) { p.missing = append(p.missing, metrics...) }

// Report adds a finding with its message. Price and place follow by calls on what it returns.
func (p *Pass) Report(format string, args ...any) *draft {
	d := &draft{Finding: Finding{
		Rule: p.Rule.ID, Step: p.Rule.Step, Message: fmt.Sprintf(format, args...),
		Advice: []string{p.Rule.Doc.Change}, Caveats: p.Rule.Doc.Caveats,
		Evidence: []Evidence{}, Locations: []Location{},
	}, touches: map[int]bool{}}
	p.drafts = append(p.drafts, d)
	return d
}

// Costs gives the finding its price: what the fix does to the launch, and the share of the unexplained time that may
// be put down to the cause.
func (d *draft) Costs(claim float64, f fix) *draft {
	d.claim, d.fix = min(1, max(0, claim)), f
	return d
}

// Yields makes the finding give up its claim on unexplained time when another cause has a large gain.
func (d *draft) Yields() *draft {
	d.yields = true
	return d
}

// Shows adds a measured value and what it would be without the problem.
func (d *draft) Shows(metric string, value float64, unit string, ideal float64) *draft {
	d.Finding.Evidence = append(d.Finding.Evidence, Evidence{Metric: metric, Value: &value, Unit: unit, Ideal: &ideal})
	return d
}

// Counts adds a measured value of which no ideal is known.
func (d *draft) Counts(metric string, value float64, unit string) *draft {
	d.Finding.Evidence = append(d.Finding.Evidence, Evidence{Metric: metric, Value: &value, Unit: unit})
	return d
}

// Warns adds caveats of this launch in front of the rule's own.
func (d *draft) Warns(caveats ...string) *draft {
	d.Caveats = append(caveats, d.Caveats...)
	return d
}

// Advises puts advice for this launch in front of the rule's own.
func (d *draft) Advises(advice ...string) *draft {
	d.Advice = append(advice, d.Advice...)
	return d
}

// maxLocations bounds the places that a finding lists; the rest have smaller shares.
const maxLocations = 8

// Locates lists the instructions that take part, by their share of a weight, with a note on each. Those of one opcode on
// one source line are one place, of which the heaviest instruction is shown: unrolled loops have dozens.
func (p *Pass) Locates(d *draft, weight func(int, *ncu.Instruction) float64, note func(*ncu.Instruction) string) {
	if p.Code == nil {
		return
	}
	type place struct {
		file, function, root string
		line                 int
		pc                   uint64 // where no line is known each instruction is a place
	}
	var found []*located
	at := map[place]*located{}
	sum := 0.0
	for i := range p.Code.Instructions {
		in := &p.Code.Instructions[i]
		w := weight(i, in)
		if w <= 0 {
			continue
		}
		d.touches[i] = true
		sum += w
		key := place{function: in.Function, root: in.Root, pc: in.PC}
		if len(in.Frames) > 0 {
			key.file, key.line, key.pc = in.Frames[0].File, in.Frames[0].Line, 0
		}
		l := at[key]
		if l == nil {
			l = &located{in: in}
			at[key] = l
			found = append(found, l)
		}
		l.add(in, w)
	}
	sort.SliceStable(found, func(a, b int) bool { return found[a].weight > found[b].weight })
	for _, l := range found[:min(len(found), maxLocations)] {
		loc := locate(p.Code, l.in, p.Launch)
		loc.Share, loc.More = l.weight/sum, l.count-1
		if note != nil {
			loc.Note = note(l.in)
		}
		d.Locations = append(d.Locations, loc)
	}
}

// A located is the instructions of one place.
type located struct {
	in       *ncu.Instruction // the heaviest
	heaviest float64
	weight   float64 // of all
	count    int
}

func (l *located) add(in *ncu.Instruction, weight float64) {
	if weight > l.heaviest {
		l.in, l.heaviest = in, weight
	}
	l.weight += weight
	l.count++
}

// locate returns the source position of an instruction, with the callers of inlined code.
func locate(c *ncu.Code, in *ncu.Instruction, l *ncu.Launch) Location {
	loc := Location{Function: in.Function, PC: fmt.Sprintf("0x%04x", in.Offset), SASS: in.Text}
	if in.Function == l.Mangled || in.Function == "" {
		loc.Function = l.Function
	}
	if len(in.Frames) == 0 {
		return loc
	}
	loc.File, loc.Line = path.Clean(in.Frames[0].File), in.Frames[0].Line
	loc.Source = sourceLine(c.Files, loc.File, loc.Line)
	for _, f := range in.Frames[1:] {
		loc.Callers = append(loc.Callers, Caller{path.Clean(f.File), f.Line})
	}
	return loc
}

// sourceLine returns a line of an imported file, "" when the report did not import it.
func sourceLine(files map[string]string, file string, line int) string {
	text, ok := files[file]
	if !ok {
		return ""
	}
	for ; line > 1 && ok; line-- {
		_, text, ok = strings.Cut(text, "\n")
	}
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(first, "\r")
}

// Unsure makes the low end of the gain 1, and says why: the fix may not be possible at all.
func (d *draft) Unsure(why string) *draft {
	d.unsure = true
	return d.Warns(why)
}
