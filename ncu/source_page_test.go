package ncu

import (
	"slices"
	"testing"

	"advisor/ncu/sass"
)

// counters are what Code tells of an instruction, for comparison.
type counters struct {
	pc                                           uint64
	root                                         string
	space                                        sass.Space
	operation                                    sass.Operation
	width                                        int
	executed, threads, on, sectors, ideal, local float64
	wavefronts, idealWavefronts, samples         float64
	seen                                         sass.Space
}

func countersOf(i *Instruction) counters {
	return counters{i.PC, i.Root, i.Space, i.Operation, i.Width, i.Executed, i.ThreadExecuted, i.ThreadOn, i.Sectors,
		i.IdealSectors, i.LocalSectors, i.Wavefronts, i.IdealWavefronts, i.Samples, i.Seen}
}

// TestSourcePage holds the instructions of both source pages to those of the report.
func TestSourcePage(t *testing.T) {
	_, want := openAll(t, shared(t, "corpus", "reports", "pairs-full.ncu-rep.zst"))
	_, bySass := openAll(t, shared(t, "corpus", "exports", "pairs-full-source-sass.csv.gz"))
	_, byLine := openAll(t, shared(t, "corpus", "exports", "pairs-full-source-cuda.csv.gz"))
	bad, lines, sameInner := 0, 0, 0
	for i, w := range want {
		wantCode, err := w.Code()
		if err != nil {
			t.Fatal(err)
		}
		at := map[uint64]*Instruction{}
		for k := range wantCode.Instructions {
			at[wantCode.Instructions[k].PC] = &wantCode.Instructions[k]
		}
		for _, l := range []*Launch{bySass[i], byLine[i]} {
			code, err := l.Code()
			if err != nil {
				t.Fatal(err)
			}
			if l.Kernel != w.Kernel || !code.HasCounters || !code.HasSamples {
				t.Errorf("launch %d: %s, counters %v, samples %v", i, l.Kernel, code.HasCounters, code.HasSamples)
			}
			for k := range code.Instructions {
				got := &code.Instructions[k]
				ref := at[got.PC]
				if ref == nil {
					t.Fatalf("launch %d: no instruction at %x in the report", i, got.PC)
				}
				if g, w := countersOf(got), countersOf(ref); g != w && bad < 10 {
					bad++
					t.Errorf("launch %d: got %+v\nthe report has %+v", i, g, w)
				}
				if len(got.Frames) > 0 {
					lines++
					if slices.Contains(ref.Frames, sass.Frame{File: got.Frames[0].File, Line: got.Frames[0].Line, Function: ref.Frames[0].Function}) &&
						got.Frames[0].Line == ref.Frames[0].Line {
						sameInner++
					}
				}
			}
		}
		if n := len(bySass[i].Metrics["inst_executed"].Instances()); n == 0 {
			t.Errorf("launch %d: no instances", i)
		}
	}
	t.Logf("%d instructions with lines, innermost as in the report for %d", lines, sameInner)
}

// TestJoin gives the launches of a raw page the instructions of a source page of the same run.
func TestJoin(t *testing.T) {
	open := func(name string) *Report {
		r, err := Open(shared(t, "corpus", "exports", name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	joined := Join([]*Report{open("pairs-full-source-sass.csv.gz"), open("pairs-full-raw.csv.gz")})
	if len(joined) != 1 || joined[0].Format != "csv-raw" {
		t.Fatalf("got %d reports", len(joined))
	}
	r := joined[0]
	defer r.Close()
	n := 0
	for l, err := range r.Launches() {
		if err != nil {
			t.Fatal(err)
		}
		code, err := l.Code()
		if err != nil || code == nil || !code.HasCounters {
			t.Fatalf("launch %s: code %v, %v", l.ID, code != nil, err)
		}
		sum := 0.0
		for _, in := range code.Instructions {
			sum += in.Executed
		}
		if want, _ := l.Metrics.Value("smsp__inst_executed.sum"); sum != want || l.Metrics["inst_executed"].Instances() == nil {
			t.Errorf("launch %s: %v instructions executed, the raw page says %v", l.ID, sum, want)
		}
		n++
	}
	if n != 42 {
		t.Errorf("got %d launches", n)
	}
	t.Log(r.Notes)
}
