package ncu

import (
	"errors"
	"fmt"
	"math"
)

// attributePrefix begins the names of metrics that are properties of the device.
const attributePrefix = "device__attribute_"

// maxInstances bounds the parts of one metric: more than any kernel has instructions or a sampling buffer has slots.
const maxInstances = 1 << 20

// A value is one value as a report stores it.
type value struct {
	number float64
	text   string
	isText bool
	set    bool
}

// readValue reads a value message: exactly one of string, float, double, and two sizes of integers. None at all is a
// value that was not collected.
func readValue(b []byte) (v value, err error) {
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			v.text, v.isText = m.text(), true
		case 2, 3:
			v.number = m.float()
		case 4, 5:
			v.number = float64(m.uint())
		default:
			continue
		}
		v.set = true
	}
	return v, m.err
}

// metric makes the model's metric of a value. What is not a finite number is unknown.
func (v value) metric(unit string) Metric {
	switch {
	case v.isText:
		return Metric{Text: v.text, Unit: unit}
	case !v.set:
		return Metric{Unit: unit}
	case math.IsNaN(v.number):
		return Metric{Text: "nan", Unit: unit}
	}
	return Number(v.number, unit)
}

// readMetric reads one metric of a result. The parts of it are decoded when somebody asks for them.
func (p *rep) readMetric(b []byte, into Metrics) error {
	var id uint64
	var v value
	var err error
	parts := 0
	m := walk(b)
	for m.next() && err == nil {
		switch m.num {
		case 1:
			id = m.uint()
		case 2:
			v, err = readValue(m.bytes())
		case 3:
			m.bytes()
			parts++
		}
	}
	if err == nil {
		err = m.err
	}
	if err != nil {
		return fmt.Errorf("metric: %w", err)
	}
	if id >= uint64(len(p.names)) {
		return errNoName
	}
	name := p.names[id]
	if _, twice := into[name]; twice {
		return nil // equal values, as far as seen
	}
	metric := v.metric(p.units[id])
	if parts > 0 {
		metric.instances = func() []Instance { return readInstances(b, min(parts, maxInstances)) }
	}
	into[name] = metric
	return nil
}

// errNoName is a metric whose name is not in the string table.
var errNoName = errors.New("reading metric: its name is missing")

// readInstances reads the parts of a metric, n at most.
func readInstances(b []byte, n int) []Instance {
	list := make([]Instance, 0, n)
	for m := walk(b); len(list) < n && m.next(); {
		if m.num != 3 {
			continue
		}
		in, err := readInstance(m.bytes())
		if err != nil {
			return nil
		}
		list = append(list, in)
	}
	return list
}

func readInstance(b []byte) (in Instance, err error) {
	m := walk(b)
	for m.next() && err == nil {
		var v value
		switch m.num {
		case 1:
			if in.ID, v, err = readCorrelation(m.bytes()); v.isText {
				in.Name = v.text
			}
		case 2:
			v, err = readValue(m.bytes())
			x := v.metric("")
			in.Known, in.Value, in.Text = x.Known, x.Value, x.Text
		}
	}
	if err == nil {
		err = m.err
	}
	return in, err
}

// readCorrelation reads what a part belongs to. Program counters need all 64 bits, which a float64 has not.
func readCorrelation(b []byte) (id uint64, v value, err error) {
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			v.text, v.isText = m.text(), true
		case 2, 3:
			if f := m.float(); f >= 0 && f < math.MaxInt64 {
				id = uint64(f)
			}
		case 4, 5:
			id = m.uint()
		}
	}
	return id, v, m.err
}
