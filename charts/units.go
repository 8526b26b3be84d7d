package charts

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// A scale is a unit in which an axis or a value is written.
type scale struct {
	unit string
	size float64 // base units in one of it
}

var (
	times = []scale{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}
	rates = []scale{{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}}
)

// fit returns the largest unit in which a value is at least 1, else the smallest.
func fit(v float64, scales []scale) scale {
	s := scales[0]
	for _, o := range scales[1:] {
		if math.Abs(v) >= 0.9995*o.size {
			s = o
		}
	}
	return s
}

// duration writes nanoseconds: "503 µs".
func duration(ns float64) string {
	s := fit(ns, times)
	return digits(ns/s.size) + " " + s.unit
}

// rate writes a value a second: "4.8 TB/s".
func rate(v float64, unit string) string {
	s := fit(v, rates)
	return digits(v/s.size) + " " + s.unit + unit
}

// factor writes a speedup: "2.5x".
func factor(f float64) string {
	if f < 1.095 {
		return fmt.Sprintf("%.2fx", f)
	}
	return digits(f) + "x"
}

// percent writes a share from 0 to 1.
func percent(share float64) string {
	if p := 100 * share; p > 0 && p < 0.95 {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// digits writes three significant digits at most, without an exponent.
func digits(v float64) string {
	places := 0
	switch a := math.Abs(v); {
	case a < 9.995:
		places = 2
	case a < 99.95:
		places = 1
	}
	s := strconv.FormatFloat(v, 'f', places, 64)
	if places > 0 {
		for s[len(s)-1] == '0' {
			s = s[:len(s)-1]
		}
		if s[len(s)-1] == '.' {
			s = s[:len(s)-1]
		}
	}
	return s
}

// scaledTicks are the default ticks with values written in another unit.
type scaledTicks struct{ scale scale }

// Ticks implements plot.Ticker.
func (t scaledTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low/t.scale.size, high/t.scale.size)
	for i := range ticks {
		ticks[i].Value *= t.scale.size
	}
	return ticks
}

// factorTicks are those of a logarithmic axis of factors.
type factorTicks struct{ write func(float64) string }

// Ticks implements plot.Ticker: the finest of some regular series whose ticks stand apart.
func (t factorTicks) Ticks(low, high float64) []plot.Tick {
	for _, mantissas := range [][]float64{{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.7, 2, 2.5, 3, 4, 5, 7}, {1, 1.5, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}} {
		var ticks []plot.Tick
		apart := true
		for decade := math.Pow(10, math.Floor(math.Log10(low))); decade <= high; decade *= 10 {
			for _, m := range mantissas {
				v := m * decade
				if v < low*0.999 || v > high*1.001 {
					continue
				}
				if n := len(ticks); n > 0 && math.Log(v/ticks[n-1].Value) < math.Log(high/low)/12 {
					apart = false
				}
				ticks = append(ticks, plot.Tick{Value: v, Label: t.write(v)})
			}
		}
		if apart || len(mantissas) == 1 {
			return ticks
		}
	}
	return nil
}

// decadeTicks are powers of ten with a prefix, "10 G", and what lies between where they are few.
type decadeTicks struct{}

// Ticks implements plot.Ticker: labels on as many as fit.
func (decadeTicks) Ticks(low, high float64) []plot.Tick {
	first, last := int(math.Floor(math.Log10(low))), int(math.Floor(math.Log10(high)+1e-9))
	between := []float64{1}
	if last-first <= 2 {
		between = []float64{1, 2, 5}
	}
	every := (last-first)/8 + 1
	var ticks []plot.Tick
	for e := first; e <= last; e++ {
		for _, m := range between {
			v := m * math.Pow(10, float64(e))
			if v < low || v > high*1.001 {
				continue
			}
			tick := plot.Tick{Value: v}
			if (e-first)%every == 0 {
				tick.Label = prefixed(v)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// prefixed writes a round number: "0.2", "50 G".
func prefixed(v float64) string {
	if v < 1 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := fit(v, rates)
	return strings.TrimSpace(fmt.Sprintf("%.0f %s", v/s.size, s.unit))
}
