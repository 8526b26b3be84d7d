package rules

import (
	"fmt"
	"strconv"
)

// count writes a number of things in three significant digits: 950, 1.2 million.
func count(v float64) string {
	switch {
	case v >= 1e9:
		return strconv.FormatFloat(v/1e9, 'g', 3, 64) + " billion"
	case v >= 1e6:
		return strconv.FormatFloat(v/1e6, 'g', 3, 64) + " million"
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// percent writes a share as a percentage.
func percent(share float64) string {
	if share < 0.1 {
		return fmt.Sprintf("%.1f%%", 100*share)
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// ofAll writes the share of a number of instructions in all: " (8 % of all instructions)", "" when that is unknown.
func (d *Demand) ofAll(n float64) string {
	if d.Inst == 0 {
		return ""
	}
	return " (" + percent(n/d.Inst) + " of all instructions)"
}
