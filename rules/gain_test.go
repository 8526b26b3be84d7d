package rules

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawDemand makes up a launch of any size with any load.
func drawDemand(t *rapid.T) *Demand {
	d := &Demand{Priced: true}
	d.GHz = rapid.Float64Range(0.5, 3).Draw(t, "GHz")
	d.DurationNS = math.Exp(rapid.Float64Range(math.Log(800), math.Log(1e10)).Draw(t, "log of ns"))
	d.Cycles = d.DurationNS * d.GHz
	d.SMs = float64(rapid.IntRange(1, 200).Draw(t, "SMs"))
	d.MaxWarps = rapid.SampledFrom([]float64{32, 48, 64}).Draw(t, "most warps")
	d.BlockWarps = float64(rapid.IntRange(1, 32).Draw(t, "warps of a block"))
	d.GridBlocks = float64(rapid.IntRange(1, 1<<24).Draw(t, "blocks"))
	d.Warps = d.GridBlocks * d.BlockWarps
	d.State.Resident = float64(rapid.IntRange(1, int(d.MaxWarps)).Draw(t, "resident"))
	d.State.Blocks, d.State.Spread, d.State.Shrink = d.GridBlocks, 1, 1
	d.State.Trips = rapid.Float64Range(0, 1e4).Draw(t, "trips")
	d.State.LocalTrips = rapid.Float64Range(0, 1e3).Draw(t, "local trips")
	d.State.SharedTrips = rapid.Float64Range(0, 1e3).Draw(t, "shared trips")
	d.State.PerWarp = rapid.Float64Range(1, 1e6).Draw(t, "instructions of a warp")
	d.L1Hit = rapid.Float64Range(0, 1).Draw(t, "L1 hits")
	d.DRAMShare = rapid.Float64Range(0, 1).Draw(t, "DRAM share")
	d.waited = rapid.Float64Range(0, 1).Draw(t, "waited")
	for u := range unitCount {
		if rapid.Bool().Draw(t, "known "+u.String()) {
			d.Set(u, rapid.Float64Range(0, 1).Draw(t, "busy "+u.String()))
		}
	}
	d.Explained = d.time(&d.State, expected)
	return d
}

// drawFix makes up a change that takes work away, never adds any.
func drawFix(t *rapid.T) fix {
	keep := [unitCount]float64{}
	for u := range keep {
		keep[u] = rapid.Float64Range(0, 1).Draw(t, "keep "+Unit(u).String())
	}
	trips := rapid.Float64Range(0, 1).Draw(t, "keep trips")
	spread := rapid.Float64Range(1, 1000).Draw(t, "spread")
	return func(s *State, b bound) {
		for u := range keep {
			s.Scale(math.Pow(keep[u], span{1, 0.5, 1.5}[b]), Unit(u))
		}
		s.Trips *= trips
		s.Spread *= spread
	}
}

// TestGainBounds holds that whatever the launch and the fix, a gain is a finite factor of at least 1 between its bounds.
func TestGainBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, f := drawDemand(t), drawFix(t)
		g := d.price(rapid.Float64Range(0, 1).Draw(t, "claim"), f)
		for name, v := range map[string]float64{"low": g.Low, "expected": g.Expected, "high": g.High} {
			if !isFinite(v) || v < 1 {
				t.Fatalf("%s is %v", name, v)
			}
		}
		if g.Low > g.Expected || g.Expected > g.High {
			t.Fatalf("low %v, expected %v, high %v are not in order", g.Low, g.Expected, g.High)
		}
	})
}

// TestNoFixNoGain holds that a change which changes nothing, and claims nothing, gains nothing.
func TestNoFixNoGain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if g := drawDemand(t).price(0, func(*State, bound) {}); g.Expected > 1+1e-9 {
			t.Fatalf("gain %v", g.Expected)
		}
	})
}

// TestMoreGainsMore holds that taking away more of a unit's work never gains less.
func TestMoreGainsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDemand(t)
		u := Unit(rapid.IntRange(0, int(unitCount)-1).Draw(t, "unit"))
		keep := rapid.Float64Range(0, 1).Draw(t, "keep")
		by := func(f float64) *Gain { return d.price(0.5, func(s *State, _ bound) { s.Scale(f, u) }) }
		if less, more := by(keep), by(keep/2); more.Expected < less.Expected*(1-1e-9) {
			t.Fatalf("%v kept %v: gain %v, half of that: %v", u, keep, less.Expected, more.Expected)
		}
	})
}

// TestGainByHand holds the model to launches that can be timed by hand.
func TestGainByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*Demand)
		fix  fix
		want float64
	}{
		// 88 % of DRAM's peak is all it gives; a quarter of the bytes is a quarter of the time, and 2 us stay.
		{"a quarter of the bytes", func(d *Demand) { d.Set(DRAM, 0.88) }, func(s *State, _ bound) { s.Scale(0.25, DRAM) }, 1.002 / 0.252},
		{"the next unit is the limit", func(d *Demand) { d.Set(DRAM, 0.88); d.Set(L2, 0.475) }, func(s *State, _ bound) { s.Scale(0.25, DRAM) }, 1.002 / 0.502},
		// 51,200 warps in 8 rounds of 6,400; 200 trips of 450 ns each are 0.72 of the millisecond.
		{"half the trips", func(d *Demand) { d.State.Trips, d.DRAMShare = 200, 1 }, func(s *State, _ bound) { s.Trips /= 2 }, 1 / (0.362 + 0.278)},
		{"nothing that limits", func(d *Demand) { d.Set(DRAM, 0.88); d.Set(ALU, 0.3) }, func(s *State, _ bound) { s.Scale(0.01, ALU) }, 1},
	} {
		d := sample()
		c.set(d)
		d.Explained = d.time(&d.State, expected)
		if got := d.price(0, c.fix).Expected; math.Abs(got/c.want-1) > 0.005 {
			t.Errorf("%s: gain %.4f, want %.4f", c.name, got, c.want)
		}
	}
}

// TestNoPriceWithoutCounters holds that nothing is made up where duration or units are unknown.
func TestNoPriceWithoutCounters(t *testing.T) {
	if g := (&Demand{}).price(1, func(*State, bound) {}); g != nil {
		t.Errorf("a price of %v for a launch without counters", g)
	}
}
