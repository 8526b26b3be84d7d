package ncu

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// unpacked writes a report of the corpus to a plain file.
func unpacked(b *testing.B, name string) string {
	in, err := os.Open(shared(b, "corpus", "reports", name))
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	z, err := zstd.NewReader(in, zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	path := filepath.Join(b.TempDir(), "x.ncu-rep")
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	n, err := io.Copy(out, z)
	if err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(n)
	return path
}

// readAll reads all metrics of all launches.
func readAll(b *testing.B, path string) (metrics int) {
	r, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for l, err := range r.Launches() {
		if err != nil {
			b.Fatal(err)
		}
		metrics += len(l.Metrics)
	}
	return metrics
}

func benchmarkRead(b *testing.B, name string) {
	path := unpacked(b, name)
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			readAll(b, path)
		}
	})
	b.Run("zst", func(b *testing.B) {
		for b.Loop() {
			readAll(b, shared(b, "corpus", "reports", name))
		}
	})
	b.Run("code", func(b *testing.B) {
		for b.Loop() {
			r, err := Open(path, Options{})
			if err != nil {
				b.Fatal(err)
			}
			for n, err := range Map(r, func(l *Launch) int { c, _ := l.Code(); return len(c.Instructions) }) {
				if n == 0 || err != nil {
					b.Fatal(n, err)
				}
			}
			r.Close()
		}
	})
}

// BenchmarkReadPairsFull reads a 55 MB report of the full set, 42 launches.
func BenchmarkReadPairsFull(b *testing.B) { benchmarkRead(b, "pairs-full.ncu-rep.zst") }

// BenchmarkReadTorch reads a 115 MB report that is mostly machine code, 51 launches.
func BenchmarkReadTorch(b *testing.B) { benchmarkRead(b, "torch.ncu-rep.zst") }

// BenchmarkReadRepeated reads a report whose blocks are repeated: time must grow with the repeats, memory must not.
func BenchmarkReadRepeated(b *testing.B) {
	whole := readText(b, testdata("reports", "pairs-basic.ncu-rep.gz"))
	head := len(reportOf())
	for _, repeats := range []int{1, 10, 100} {
		b.Run(map[int]string{1: "x1", 10: "x10", 100: "x100"}[repeats], func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "x.ncu-rep")
			f, err := os.Create(path)
			if err != nil {
				b.Fatal(err)
			}
			f.Write(whole)
			for range repeats - 1 {
				f.Write(whole[head:])
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(whole) * repeats))
			var peak uint64
			for b.Loop() {
				peak = max(peak, peakHeap(b, path, 42*repeats))
			}
			b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
			if peak > 200<<20 {
				b.Errorf("the heap grew to %d MiB", peak>>20)
			}
		})
	}
}

// peakHeap reads a report and its code and returns the largest heap seen.
func peakHeap(b *testing.B, path string, want int) (peak uint64) {
	r, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	n := 0
	for l, err := range r.Launches() {
		if err != nil {
			b.Fatal(err)
		}
		if _, err := l.Code(); err != nil {
			b.Fatal(err)
		}
		if n++; n%20 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
	}
	if n != want {
		b.Fatalf("%d launches, want %d", n, want)
	}
	return peak
}
