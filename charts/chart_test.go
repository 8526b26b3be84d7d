package charts

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/cmpimg"

	"advisor/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func num(v float64) *float64 { return &v }

// hostile is a name that tries to break out of XML, of a line and of the reading direction.
const hostile = "</text><script>alert(1)</script>\x00\x1b[31m\u202egnp.exe\n&amp;\"'<!--"

// fixture makes a result with n kernels that differ in every number that a chart shows. The same n gives the same.
func fixture(n int) *rules.Result {
	ids := []struct {
		rule string
		step rules.Step
	}{{"aos-layout", rules.Layout}, {"uncoalesced-access", rules.Coalescing}, {"narrow-access", rules.Vectorize}, {"register-spill", rules.Placement}, {"atomic-contention", rules.Beyond}}
	r := &rules.Result{Schema: rules.Schema, TotalNS: num(0)}
	for i := range n {
		ns := 2.4e6 / math.Pow(float64(i+1), 1.3)
		function := fmt.Sprintf("kernel_%02d", i)
		switch i % 6 {
		case 1:
			function = "void cutlass::gemm::kernel::DefaultGemmUniversal<cutlass::half_t, cutlass::layout::RowMajor, 128, 64, " + fmt.Sprint(i) + ">::run"
		case 4:
			function = hostile + fmt.Sprint(i)
		}
		l := rules.LaunchResult{ID: fmt.Sprint(i), Kernel: function + "(float *, int)", Function: function, Device: "NVIDIA H200", DurationNS: num(ns), Stats: numbers(i, ns)}
		if i%3 != 2 {
			g := 1.05 + 3*math.Abs(math.Sin(float64(3*i+1)))
			id := ids[i%len(ids)]
			f := rules.Finding{Rule: id.rule, Step: id.step, Severity: rules.Warning, Gain: &rules.Gain{Low: 1 + (g-1)*0.6, Expected: g, High: 1 + (g-1)*1.7}, SavedNS: num(ns * (1 - 1/g))}
			if g >= 1.5 {
				f.Severity = rules.Error
			}
			l.Findings = append(l.Findings, f)
			if i%4 == 0 {
				l.Findings = append(l.Findings, rules.Finding{Rule: "narrow-access", Step: rules.Vectorize, WaitsFor: id.rule, Gain: &rules.Gain{Low: 1, Expected: 1.2, High: 1.4}})
			}
		}
		r.Launches = append(r.Launches, l)
		r.Kernels = append(r.Kernels, rules.KernelResult{
			Kernel: l.Kernel, Function: function, Device: l.Device, Launches: 1 + i%3, Members: []int{i}, Worst: i,
			TotalNS: num(ns * float64(1+i%3)), MedianNS: num(ns), Findings: l.Findings,
		})
		*r.TotalNS += ns * float64(1+i%3)
	}
	return r
}

// numbers makes up the statistics of a launch.
func numbers(i int, ns float64) rules.Stats {
	wave := func(k int) float64 { return math.Abs(math.Sin(float64(i*7 + k))) }
	bytes := 4e12 * ns / 1e9 * (0.2 + 0.7*wave(1))
	s := rules.Stats{
		Flops: num(bytes * math.Pow(10, 3*wave(2)-1.5)), DRAMBytes: num(bytes),
		PeakFlops: num(66.9e12), PeakDRAM: num(4.81e12), PeakL2: num(7.4e12), PeakL1: num(33.5e12),
		Use:    []rules.Use{{Unit: "dram", Busy: 0.2 + 0.7*wave(1), After: 0.1 + 0.3*wave(3)}, {Unit: "l2", Busy: 0.5}},
		Stalls: map[string]float64{"long_scoreboard": 0.2 + wave(4), "lg_throttle": wave(5), "wait": 0.1, "selected": 0.2, "barrier": wave(6) / 4, "not_selected": 0.05, "math_pipe_throttle": wave(7) / 9, "branch_resolving": 0.02, "sleeping": 0.01},
		Spaces: map[string]float64{"global": 4e6 * (0.1 + wave(8)), "shared": 3e6 * wave(9), "local": 1e6 * wave(10), "constant": 2e5},
		Widths: map[int]float64{4: 3e6 * (0.1 + wave(11)), 16: 1e6 * wave(12)},
		Accesses: []rules.Access{
			{Location: rules.Location{File: "/home/dev/src/pairs.cu", Line: 40 + i, PC: "0x0090", SASS: "LDG.E.CONSTANT R4, [R2.64]"}, Sectors: 4 + 28*wave(13), Ideal: 4, Requests: 1e6},
			{Location: rules.Location{PC: "0x0120", SASS: "@!P0 STG.E [R4.64], R7"}, Sectors: 4, Ideal: 4, Requests: 1e6},
		},
	}
	if i%5 == 0 {
		s.Spaces["generic"], s.Widths[1] = 9e5, 8e5
	}
	if i%7 == 6 {
		s.Flops = num(0)
	}
	return s
}

// figures are all charts and the diff of a result with n kernels.
func figures(t *testing.T, n int, theme Theme) map[string]*Figure {
	t.Helper()
	r := fixture(n)
	all := map[string]*Figure{}
	for _, c := range All {
		f, err := c.Draw(r, theme)
		if err != nil {
			t.Fatalf("%s with %d kernels: %v", c.Name, n, err)
		}
		all[c.Name] = f
	}
	f, err := Diff(fixture(n+2), changed(fixture(n)), theme)
	if err != nil {
		t.Fatalf("diff with %d kernels: %v", n, err)
	}
	all["diff"] = f
	return all
}

// changed speeds some kernels up, slows some down, leaves some and renames one.
func changed(r *rules.Result) *rules.Result {
	for i := range r.Kernels {
		k := &r.Kernels[i]
		f := []float64{0.4, 1.3, 1.005, 0.85}[i%4]
		k.MedianNS, k.TotalNS = num(*k.MedianNS*f), num(*k.TotalNS*f)
		if i == 4 {
			k.Kernel = "renamed"
		}
	}
	return r
}

func TestGolden(t *testing.T) {
	for name, f := range figures(t, 5, Light) {
		got, err := f.SVG("A title", Light)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".svg")
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := cmpimg.Equal("svg", got, want); err != nil || !same {
			t.Errorf("%s differs from its golden file (%v); look at it, then run with -update", name, err)
		}
	}
}

// TestSVG holds what pages rely on: well-formed, the same every time, nothing that a strict Content-Security-Policy
// forbids, nothing of a name that acts.
func TestSVG(t *testing.T) {
	for _, n := range []int{1, 5, 60} {
		again := figures(t, n, Dark)
		for name, f := range figures(t, n, Dark) {
			got, err := f.SVG(hostile, Dark)
			if err != nil {
				t.Fatal(err)
			}
			if same, err := again[name].SVG(hostile, Dark); err != nil || !bytes.Equal(got, same) {
				t.Errorf("%s with %d kernels is not the same twice (%v)", name, n, err)
			}
			wellFormed(t, name, got)
			wellFormed(t, name, standalone(got))
			for _, bad := range []string{"<script", "style=", "href", "\u202e", "NaN", "Inf"} {
				if bytes.Contains(got, []byte(bad)) {
					t.Errorf("%s with %d kernels contains %q", name, n, bad)
				}
			}
			for _, role := range Dark.roles() {
				if role != "grid" && !bytes.Contains(got, []byte("f-"+role+`"`)) {
					t.Errorf("%s has no fill of class %s", name, role)
				}
			}
		}
	}
}

func wellFormed(t *testing.T, name string, doc []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%s is not well-formed: %v", name, err)
		}
	}
}

func TestNothing(t *testing.T) {
	unknown := fixture(3) // launches of which only the names are known
	for i := range unknown.Launches {
		unknown.Launches[i].DurationNS, unknown.Launches[i].Findings, unknown.Launches[i].Stats = nil, nil, rules.Stats{}
		unknown.Kernels[i].TotalNS, unknown.Kernels[i].MedianNS, unknown.Kernels[i].Findings = nil, nil, nil
	}
	for _, r := range []*rules.Result{{}, unknown} {
		for _, c := range All {
			if _, err := SVG(c, r, Light); !errors.Is(err, ErrNothing) {
				t.Errorf("%s: %v, want ErrNothing", c.Name, err)
			}
		}
		if _, err := Diff(r, r, Light); !errors.Is(err, ErrNothing) {
			t.Errorf("diff: %v, want ErrNothing", err)
		}
	}
}

func TestWriteAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "plots")
	paths, err := WriteAll(dir, fixture(2))
	if err != nil {
		t.Fatal(err)
	}
	more, err := WriteDiff(dir, fixture(2), changed(fixture(2)))
	if err != nil {
		t.Fatal(err)
	}
	paths = append(paths, more...)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) != 2*len(All)+2 || len(files) != len(paths) {
		t.Fatalf("paths %v, files %v", paths, files)
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(p, ".svg") {
			wellFormed(t, p, data)
		} else if img, err := png.Decode(bytes.NewReader(data)); err != nil || img.Bounds().Dx() < 1000 {
			t.Errorf("%s: %v", p, err)
		}
	}
	if leftover, _ := filepath.Glob(filepath.Join(dir, ".chart-*")); leftover != nil {
		t.Errorf("left behind: %v", leftover)
	}
}

func TestWriteAllNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteAll(filepath.Join(file, "plots"), fixture(1)); err == nil {
		t.Error("no error for a folder inside a file")
	}
}
