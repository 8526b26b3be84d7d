// Package rules judges launches: which cause slows a kernel, where, what it costs, and what can wait. Rules are values
// in All, one a file; they read a launch through a Pass and report findings. Nothing here reads files or prints.
package rules

import (
	"encoding/json"
	"fmt"
)

// A Rule is one cause of slow kernels.
type Rule struct {
	ID    string // kebab-case: file name, doc anchor and name of the test cases
	Step  Step
	Doc   Doc
	Needs []Need
	Reads []string // counters that sharpen the judgement or the price: collected, but not needed
	Check func(*Pass)
}

// Doc explains a rule to its reader.
type Doc struct {
	Title   string   // at most 60 letters, no full stop
	Why     string   // what the hardware does, and why it costs time
	Judged  string   // formulas and units
	Change  string   // what to change
	Before  string   // a short example with the problem
	After   string   // the same without
	Caveats []string // when the advice does not hold
	Sources []string // where thresholds and formulas come from
}

// A Need is a quantity that a rule cannot judge without. It is met when one of its alternatives is there.
type Need struct {
	AnyOf []string // metric names, best first: names differ by chip and by version of ncu
	Code  bool     // the instructions with their counters are an alternative, too
	Sure  bool     // the instructions are what to collect: the metrics do not decide every launch
}

// A Step is a place in the checklist. Earlier steps are worth fixing first.
type Step uint8

// The steps in order.
const (
	Placement Step = iota
	Layout
	Coalescing
	Vectorize
	ReadOnly
	Beyond
)

var stepNames = [...]string{"placement", "layout", "coalescing", "vectorize", "read-only", "beyond"}

// String returns the name of the step as it stands in JSON.
func (s Step) String() string { return stepNames[s] }

// MarshalJSON writes the step's name.
func (s Step) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// UnmarshalJSON reads a step's name.
func (s *Step) UnmarshalJSON(b []byte) error { return unmarshalName(b, stepNames[:], s) }

// A Severity says how much a finding matters.
type Severity uint8

// The severities: Error for an expected gain of 1.5x or more, Warning from 1.1x, Info below, when the finding waits for
// another, or when its price is unknown.
const (
	Info Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"info", "warning", "error"}

// String returns "info", "warning" or "error".
func (s Severity) String() string { return severityNames[s] }

// MarshalJSON writes the severity's name.
func (s Severity) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// UnmarshalJSON reads a severity's name.
func (s *Severity) UnmarshalJSON(b []byte) error { return unmarshalName(b, severityNames[:], s) }

// ParseSeverity returns the severity of that name.
func ParseSeverity(name string) (Severity, error) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q; use info, warning or error", name)
}

func unmarshalName[T ~uint8](b []byte, names []string, to *T) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	for i, n := range names {
		if n == s {
			*to = T(i)
			return nil
		}
	}
	return fmt.Errorf("unknown name %q, want one of %v", s, names)
}

// Lookup returns the rule of that id, nil when there is none.
func Lookup(id string) *Rule {
	for _, r := range All {
		if r.ID == id {
			return r
		}
	}
	return nil
}
