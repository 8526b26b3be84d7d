package ncu

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
)

// csvMegabytes is the size of the exports that the benchmarks read: go test ./ncu -bench CSV -csvmb 1024
var csvMegabytes = flag.Int("csvmb", 32, "size in MB of the exports that benchmarks read")

// Reading is measured as the command runs: see main.
const gcPercent = 400

// repeatExport writes an export with its launches repeated, under new IDs, until it has the size.
func repeatExport(b *testing.B, name string, headLines int) string {
	text := readText(b, corpus(b, "exports", name))
	body := text
	for range headLines {
		_, body, _ = bytes.Cut(body, []byte{'\n'})
	}
	path := filepath.Join(b.TempDir(), "big.csv")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	size, _ := f.Write(text[:len(text)-len(body)])
	for n := 0; size < *csvMegabytes<<20; n++ {
		for line := range bytes.Lines(body) {
			k, err := fmt.Fprintf(f, "\"%d0%s", n, line[1:])
			if err != nil {
				b.Fatal(err)
			}
			size += k
		}
	}
	return path
}

func benchmarkExport(b *testing.B, name string, headLines int) {
	path := repeatExport(b, name, headLines)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	b.ReportAllocs()
	var peak uint64
	launches := 0
	for b.Loop() {
		r, err := Open(path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range Map(r, func(l *Launch) int { return len(l.Metrics) }) {
			if err != nil {
				b.Fatal(err)
			}
			if launches++; launches%256 == 0 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapSys)
			}
		}
		r.Close()
	}
	b.ReportMetric(float64(peak)/(1<<20), "heapMiB")
}

func BenchmarkRawCSV(b *testing.B)     { benchmarkExport(b, "pairs-checklist-raw.csv.gz", 2) }
func BenchmarkDetailsCSV(b *testing.B) { benchmarkExport(b, "pairs-checklist-details.csv.gz", 1) }
