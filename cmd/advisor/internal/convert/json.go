package convert

import (
	"bytes"
	"encoding/json"
	"io"

	"advisor/ncu"
)

// A launch is the JSON form of a launch. Units are told by the metric's name: advisor explain METRIC.
type launch struct {
	ID          string              `json:"id"`
	Kind        string              `json:"kind"`
	Process     *int                `json:"process"`
	ProcessName string              `json:"process_name"`
	Host        string              `json:"host"`
	Kernel      string              `json:"kernel"`
	Function    string              `json:"function"`
	Device      string              `json:"device"`
	DeviceID    *int                `json:"device_id"`
	CC          string              `json:"cc"`
	Grid        *ncu.Dim3           `json:"grid"`
	Block       *ncu.Dim3           `json:"block"`
	Context     string              `json:"context"`
	Stream      string              `json:"stream"`
	NVTX        []string            `json:"nvtx"`
	Metrics     map[string]any      `json:"metrics"`             // a number, a text, or null
	Instances   map[string][][2]any `json:"instances,omitempty"` // pairs of id or name, and value
}

// writeJSON writes an array of launches.
func writeJSON(w io.Writer, r *ncu.Report, opt Options) error {
	first := true
	if _, err := io.WriteString(w, "["); err != nil {
		return err
	}
	launches := func(yield func([]byte, error) bool) {
		for text, err := range ncu.Map(r, func(l *ncu.Launch) []byte { return marshal(l, opt) }) {
			if text != nil && !first {
				text = append([]byte(",\n"), text...)
			}
			first = false
			if !yield(text, err) {
				return
			}
		}
	}
	err := each(w, launches)
	if _, e := io.WriteString(w, "]\n"); err == nil {
		err = e
	}
	return err
}

// writeNDJSON writes a launch a line.
func writeNDJSON(w io.Writer, r *ncu.Report, opt Options) error {
	return each(w, ncu.Map(r, func(l *ncu.Launch) []byte { return append(marshal(l, opt), '\n') }))
}

func marshal(l *ncu.Launch, opt Options) []byte {
	out := launch{
		ID: l.ID, Kind: l.Kind.String(), Process: number(l.Process.PID), ProcessName: l.Process.Name, Host: l.Process.Host,
		Kernel: l.Kernel, Function: l.Function, Device: l.Device.Name, DeviceID: number(l.Device.ID), CC: l.Device.CC(),
		Grid: shape(l.Grid), Block: shape(l.Block), Context: l.Context, Stream: l.Stream, NVTX: append([]string{}, l.NVTX...),
		Metrics: map[string]any{},
	}
	for name, m := range l.Metrics {
		if !opt.wanted(name) {
			continue
		}
		out.Metrics[name] = value(m.Known, m.Value, m.Text)
		if !opt.Instances {
			continue
		}
		for _, in := range m.Instances() {
			if out.Instances == nil {
				out.Instances = map[string][][2]any{}
			}
			out.Instances[name] = append(out.Instances[name], [2]any{id(in), value(in.Known, in.Value, in.Text)})
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // kernel names are full of angle brackets
	e.Encode(out)          // numbers are finite, so nothing can fail
	return bytes.TrimRight(b.Bytes(), "\n")
}

func value(known bool, v float64, text string) any {
	switch {
	case known:
		return v
	case text != "":
		return text
	}
	return nil
}

func id(in ncu.Instance) any {
	if in.Name != "" {
		return in.Name
	}
	return in.ID
}

func number(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

func shape(d ncu.Dim3) *ncu.Dim3 {
	if d == (ncu.Dim3{}) {
		return nil
	}
	return &d
}
