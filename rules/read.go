package rules

import (
	"encoding/json"
	"fmt"
)

// ReadResult reads the JSON form of a result back, to write it in another form or to compare with it. What the form
// does not hold (source text, notes on accesses, charts' numbers) stays unknown.
func ReadResult(text []byte) (*Result, error) {
	res := &Result{}
	if err := json.Unmarshal(text, res); err != nil {
		return nil, fmt.Errorf("reading %s: %w", Schema, err)
	}
	if res.Schema != Schema {
		return nil, fmt.Errorf("reading %s: it has schema %q", Schema, res.Schema)
	}
	for i := range res.Launches {
		l := &res.Launches[i]
		if l.Input < 0 || l.Input >= len(res.Inputs) {
			return nil, fmt.Errorf("reading %s: launch %q names input %d of %d", Schema, l.ID, l.Input, len(res.Inputs))
		}
		l.Kind, l.DeviceID = "kernel", -1
		l.Stats.Counters = map[string]float64{}
		if l.DurationNS != nil {
			l.Stats.Counters["gpu__time_duration.sum"] = *l.DurationNS
		}
		for _, f := range l.Findings {
			for _, e := range f.Evidence {
				if e.Value != nil {
					l.Stats.Counters[e.Metric] = *e.Value
				}
			}
		}
	}
	res.Kernels = []KernelResult{}
	summarize(res)
	return res, nil
}
