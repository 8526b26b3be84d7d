package ncu

import (
	"math"
	"sort"
)

// A Metric is one counter of one launch. A metric can have text instead of a number, or neither: what was not
// collected is unknown, never zero.
type Metric struct {
	Known bool    // Value holds a number
	Value float64 // in base units; never NaN or infinite
	Text  string  // of string metrics
	Unit  string  // base unit, "" for none or unknown

	instances func() []Instance
}

// An Instance is the part of a metric that belongs to one program counter, opcode, slot or time.
type Instance struct {
	ID    uint64 // program counter, index or time stamp
	Name  string // opcode, for string-correlated metrics
	Known bool
	Value float64
	Text  string
}

// Number makes a metric of a number; NaN and infinities make an unknown one.
func Number(v float64, unit string) Metric {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Metric{Unit: unit}
	}
	return Metric{Known: true, Value: v, Unit: unit}
}

// Instances returns the parts of the metric, in file order; nil when it has none.
func (m Metric) Instances() []Instance {
	if m.instances == nil {
		return nil
	}
	return m.instances()
}

// WithInstances returns the metric with the given parts.
func (m Metric) WithInstances(in []Instance) Metric {
	m.instances = func() []Instance { return in }
	return m
}

// Metrics are the counters of a launch by name.
type Metrics map[string]Metric

// Value returns the value of the first of the names that is known.
func (m Metrics) Value(names ...string) (float64, bool) {
	for _, n := range names {
		if x, ok := m[n]; ok && x.Known {
			return x.Value, true
		}
	}
	return 0, false
}

// Names returns all names, sorted.
func (m Metrics) Names() []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
