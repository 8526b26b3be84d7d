package ncu

import (
	"path/filepath"
	"testing"
)

// TestPublicReports reads reports of many versions and architectures that people have published.
func TestPublicReports(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared(t, "public"), "*", "*.ncu-rep"))
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d reports, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			r, list := launches(t, path)
			if len(list) == 0 {
				t.Fatal("no launches")
			}
			if r.Version == "" || r.ClockControl == "" {
				t.Errorf("version %q, clock control %q", r.Version, r.ClockControl)
			}
			for _, l := range list {
				checkLaunch(t, l)
			}
		})
	}
}

// checkLaunch holds what is true of every launch of a kernel.
func checkLaunch(t *testing.T, l *Launch) {
	if l.Kernel == "" || l.Function == "" || l.Device.Name == "" || l.Device.CC() == "" {
		t.Errorf("launch %s: kernel %q, function %q, device %v", l.ID, l.Kernel, l.Function, l.Device)
	}
	for name, d := range map[string]Dim3{"launch__grid_size": l.Grid, "launch__block_size": l.Block} {
		if v, ok := l.Metrics.Value(name); ok && int(v) != d.Count() { // a launch that failed has neither
			t.Errorf("launch %s: %v, %s is %v", l.ID, d, name, v)
		}
	}
	if len(l.Sections) == 0 {
		t.Errorf("launch %s: no sections", l.ID)
	}
	code, err := l.Code()
	if err != nil {
		t.Errorf("launch %s: %v", l.ID, err)
		return
	}
	if code == nil {
		return
	}
	sum := 0.0
	for i := range code.Instructions {
		sum += code.Instructions[i].Executed
	}
	if total, ok := l.Metrics.Value("inst_executed"); ok && code.HasCounters && sum != total {
		t.Errorf("launch %s: the instructions executed %v times, all together %v", l.ID, sum, total)
	}
}
