package ncu

import (
	"fmt"
	"strings"
)

// scales are the steps from a printed unit to its base unit. Prefixes are decimal: Nsight Compute never means 1024.
// Units of both generations of the tool are here: "msecond" until 2023, "ms" since.
var scales = map[string]struct {
	base  string
	power int // of ten
}{
	"ns": {"ns", 0}, "us": {"ns", 3}, "ms": {"ns", 6}, "s": {"ns", 9},
	"nsecond": {"ns", 0}, "usecond": {"ns", 3}, "msecond": {"ns", 6}, "second": {"ns", 9},
	"hz": {"hz", 0}, "Khz": {"hz", 3}, "Mhz": {"hz", 6}, "Ghz": {"hz", 9},
	"Hz": {"hz", 0}, "KHz": {"hz", 3}, "MHz": {"hz", 6}, "GHz": {"hz", 9},
	"byte": {"byte", 0}, "Kbyte": {"byte", 3}, "Mbyte": {"byte", 6}, "Gbyte": {"byte", 9},
	"Tbyte": {"byte", 12}, "Pbyte": {"byte", 15},
}

// perTime are the denominators of rates: a count per nanosecond is 10^9 per second.
var perTime = map[string]int{
	"s": 0, "ms": 3, "us": 6, "ns": 9,
	"second": 0, "msecond": 3, "usecond": 6, "nsecond": 9,
}

// counted are the things that are counted: never scaled.
var counted = map[string]bool{
	"": true, "%": true, "inst": true, "warp": true, "thread": true, "block": true, "cluster": true, "cycle": true,
	"sector": true, "sectors": true, "request": true, "branches": true, "sample": true, "pass": true, "SM": true,
	"register": true, "instruction": true, "instructions": true, "warps": true, "threads": true, "blocks": true,
	"requests": true, "samples": true, "cycles": true, "bytes": true, "wavefront": true, "wavefronts": true, "op": true,
	"node": true, "link": true, "transaction": true, "register/thread": true,
}

// baseUnit returns the base unit of a printed unit and the power of ten that brings a printed value there.
func baseUnit(printed string) (base string, power int, ok bool) {
	if counted[printed] {
		return printed, 0, true
	}
	if s, ok := scales[printed]; ok {
		return s.base, s.power, true
	}
	num, den, ratio := strings.Cut(printed, "/")
	if !ratio {
		return "", 0, false
	}
	base, power = num, 0
	if s, ok := scales[num]; ok {
		base, power = s.base, s.power
	} else if !counted[num] {
		return "", 0, false
	}
	if per, ok := perTime[den]; ok {
		if base == "cycle" {
			return "hz", power + per, true
		}
		return base + "/s", power + per, true
	}
	if s, ok := scales[den]; ok && num == "%" {
		// Occupancy per byte of shared memory is printed as "%/Kbyte" after a division by 1000, where a
		// multiplication would be right: bringing it back multiplies as well.
		return num + "/" + s.base, s.power, true
	}
	if counted[den] || den == "byte" {
		return base + "/" + den, power, true
	}
	return "", 0, false
}

// unitOf returns the base unit of a metric and the power of ten from the printed unit to it. The metric's name tells
// its unit: the printed one gives the power only, since the tool derives some from words that happen to stand in the
// name. A printed unit that is not known leaves a count as it is, but makes a time or an amount of bytes useless.
func unitOf(metric, printed string) (unit string, power int, known, usable bool) {
	unit = UnitOf(metric)
	base, power, known := baseUnit(printed)
	if strings.Contains(metric, " ") {
		unit = base // a label whose metric is not known
	}
	scaled := unit == "ns" || unit == "hz" || strings.HasPrefix(unit, "byte") || strings.HasSuffix(unit, "/s")
	return unit, power, known, known || !scaled
}

// unknownUnit says what became of the values of a metric whose printed unit is not known.
func unknownUnit(unit, metric string, usable bool) string {
	what := "as text and not judged"
	if usable {
		what = "as printed"
	}
	return fmt.Sprintf("the unit %q of %s is not known: its values are kept %s", unit, metric, what)
}
