package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"advisor/rules"
)

// unknown stands for a number that was not measured.
const unknown = "?"

// duration returns nanoseconds as a person reads them: three digits and a unit.
func duration(ns *float64) string {
	if ns == nil {
		return unknown
	}
	units := []string{"ns", "µs", "ms", "s"}
	v, i := *ns, 0
	for math.Abs(v) >= 999.5 && i < len(units)-1 {
		v, i = v/1000, i+1
	}
	switch a := math.Abs(v); {
	case i == 0 || a >= 99.95:
		return fmt.Sprintf("%.0f %s", v, units[i])
	case a >= 9.995:
		return fmt.Sprintf("%.1f %s", v, units[i])
	}
	return fmt.Sprintf("%.2f %s", v, units[i])
}

// percent returns a share (0 to 1) in percent; a small part is never rounded to nothing.
func percent(share *float64) string {
	if share == nil {
		return unknown
	}
	p := *share * 100
	switch {
	case p != 0 && math.Abs(p) < 0.1:
		return "<0.1%"
	case math.Abs(p) < 9.95:
		return fmt.Sprintf("%.1f%%", p)
	}
	return fmt.Sprintf("%.0f%%", p)
}

// factor returns a speedup: "2.6x".
func factor(f float64) string {
	switch {
	case f < 1.095:
		return fmt.Sprintf("%.2fx", f)
	case f < 9.95:
		return fmt.Sprintf("%.1fx", f)
	}
	return fmt.Sprintf("%.0fx", f)
}

// gainRange returns the expected speedup with its range: "2.6x (1.9x to 2.9x)".
func gainRange(g *rules.Gain) string {
	if g == nil {
		return "gain unknown"
	}
	return fmt.Sprintf("%s (%s to %s)", factor(g.Expected), factor(g.Low), factor(g.High))
}

// beside returns a measured value with the ideal one: "16 sector/request (ideal 4)".
func beside(e rules.Evidence) string {
	s := quantity(e.Value, e.Unit)
	if e.Ideal == nil {
		return s
	}
	ideal := quantity(e.Ideal, e.Unit)
	if strings.HasSuffix(s, " "+e.Unit) {
		ideal = strings.TrimSuffix(ideal, " "+e.Unit)
	}
	return s + " (ideal " + ideal + ")"
}

// quantity returns a measured value with its unit.
func quantity(v *float64, unit string) string {
	if v == nil {
		return unknown
	}
	switch unit {
	case "ns":
		return duration(v)
	case "%", "pct":
		return digits(*v) + "%"
	case "byte", "bytes":
		return scaled(*v, 1000, []string{"B", "kB", "MB", "GB", "TB"}) // decimal, as Nsight Compute prints them
	case "byte/s", "bytes/s":
		return scaled(*v, 1000, []string{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"})
	case "hz", "Hz":
		return scaled(*v, 1000, []string{"Hz", "kHz", "MHz", "GHz"})
	case "":
		return count(*v)
	}
	return count(*v) + " " + unit
}

func scaled(v, base float64, units []string) string {
	i := 0
	for math.Abs(v) >= base && i < len(units)-1 {
		v, i = v/base, i+1
	}
	return digits(v) + " " + units[i]
}

// count returns a number with thousands separators when whole, else with three digits.
func count(v float64) string {
	if math.Abs(v) < 1000 || math.Abs(v) >= 1e15 {
		return digits(v)
	}
	s := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return sign + b.String()
}

// digits returns three significant digits, whole numbers as they are, never an exponent below 1e15.
func digits(v float64) string {
	a := math.Abs(v)
	switch {
	case a >= 1e15 || a != 0 && a < 0.001:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case v == math.Trunc(v) || a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return trimZeros(strconv.FormatFloat(v, 'f', 1, 64))
	case a >= 1:
		return trimZeros(strconv.FormatFloat(v, 'f', 2, 64))
	}
	return trimZeros(strconv.FormatFloat(v, 'f', 3, 64))
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// plural returns "1 launch", "2 launches".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(float64(n)) + " " + many
}

// dims returns a launch shape: "4096", "64 x 32", "?" when unknown.
func dims(d *[3]int) string {
	if d == nil {
		return unknown
	}
	s := strconv.Itoa(d[0])
	if d[1] > 1 || d[2] > 1 {
		s += " x " + strconv.Itoa(d[1])
	}
	if d[2] > 1 {
		s += " x " + strconv.Itoa(d[2])
	}
	return s
}
