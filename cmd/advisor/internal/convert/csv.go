package convert

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"advisor/ncu"
)

// identityColumns are those of the raw page of ncu, so that what reads that page reads this.
var identityColumns = []string{"ID", "Process ID", "Process Name", "Host Name", "Domain:Push/Pop_Range", "Kernel Name",
	"Context", "Stream", "Block Size", "Grid Size", "Device", "CC"}

// writeCSV writes a row a launch and a column a metric, with a row of units below the header. Launches of one file may
// have different metrics, so it walks the profile twice.
func writeCSV(w io.Writer, r *ncu.Report, opt Options) error {
	units := map[string]string{}
	for l, err := range r.Launches() {
		if err != nil {
			break // the second walk meets it again, after the launches before it
		}
		for name, m := range l.Metrics {
			if opt.wanted(name) {
				units[name] = m.Unit
			}
		}
	}
	names := slices.Sorted(maps.Keys(units))
	row := quoteAll(identityColumns)
	second := quoteAll(make([]string, len(identityColumns)))
	for _, name := range names {
		row, second = append(row, quote(name)), append(second, quote(units[name]))
	}
	if _, err := fmt.Fprintf(w, "%s\n%s\n", strings.Join(row, ","), strings.Join(second, ",")); err != nil {
		return err
	}
	return each(w, ncu.Map(r, func(l *ncu.Launch) []byte { return csvRow(l, names, opt.Instances) }))
}

func csvRow(l *ncu.Launch, names []string, instances bool) []byte {
	row := quoteAll([]string{l.ID, known(l.Process.PID), l.Process.Name, l.Process.Host, ranges(l.NVTX), l.Kernel,
		l.Context, l.Stream, l.Block.String(), l.Grid.String(), known(l.Device.ID), l.Device.CC()})
	for _, name := range names {
		row = append(row, quote(csvCell(l.Metrics[name], instances)))
	}
	return []byte(strings.Join(row, ",") + "\n")
}

func csvCell(m ncu.Metric, instances bool) string {
	cell := m.Text
	if m.Known {
		cell = strconv.FormatFloat(m.Value, 'f', -1, 64)
	}
	if !instances || m.Text != "" {
		return cell
	}
	var parts []string
	for _, in := range m.Instances() {
		value := in.Text
		if in.Known {
			value = strconv.FormatFloat(in.Value, 'f', -1, 64)
		}
		parts = append(parts, instanceID(in)+": "+value)
	}
	if parts == nil {
		return cell
	}
	if cell == "" {
		cell = "n/a"
	}
	return cell + " (" + strings.Join(parts, "; ") + ")"
}

func instanceID(in ncu.Instance) string {
	if in.Name != "" {
		return in.Name
	}
	return strconv.FormatUint(in.ID, 10)
}

// ranges writes NVTX ranges as ncu does: each quoted, outermost first.
func ranges(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = `"` + strings.ReplaceAll(n, `"`, "'") + `"`
	}
	return strings.Join(quoted, " ")
}

func known(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

func quoteAll(cells []string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = quote(c)
	}
	return out
}
