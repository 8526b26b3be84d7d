package ncu

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shared returns a path in the folder of facts and samples beside the repository, and skips the test without it.
func shared(t testing.TB, elem ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Skip("no go.mod above")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(append([]string{dir, "..", "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("no shared folder beside the repository")
	}
	return path
}

// corpus returns a file of the corpus of our own kernels: kind is "reports" or "exports". Some are in the repository.
func corpus(t testing.TB, kind, name string) string {
	t.Helper()
	path := filepath.Join("..", "testdata", kind, name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	return shared(t, "corpus", kind, name)
}

// readText returns a file, unpacked.
func readText(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if b, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// openBytes opens a text export from memory.
func openBytes(path string, text []byte, opt Options) (*Report, error) {
	r := &Report{Path: path}
	if err := openText(r, func() io.Reader { return bytes.NewReader(text) }, opt); err != nil {
		return nil, err
	}
	return r, nil
}

// allLaunches reads all launches of a text and returns them with the error at the end.
func allLaunches(path string, text []byte, opt Options) (*Report, []*Launch, error) {
	r, err := openBytes(path, text, opt)
	if err != nil {
		return nil, nil, err
	}
	var all []*Launch
	for l, err := range r.Launches() {
		if err != nil {
			return r, all, err
		}
		all = append(all, l)
	}
	return r, all, nil
}

// TestForms reads every sample text: the launches it gives, or the reason why it gives none.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		file     string
		format   string
		launches int
		refused  string // part of the error
	}{
		{"corpus/exports/graph-raw.csv.gz", "csv-raw", 1, ""},
		{"corpus/exports/nvtx-raw-renamed.csv.gz", "csv-raw", 2, ""},
		{"corpus/exports/nvtx-raw.csv.gz", "csv-raw", 2, ""},
		{"corpus/exports/pairs-basic-raw.csv.gz", "csv-raw", 42, ""},
		{"corpus/exports/pairs-checklist-raw.csv.gz", "csv-raw", 42, ""},
		{"corpus/exports/pairs-detailed-raw-base.csv.gz", "csv-raw", 9, ""},
		{"corpus/exports/pairs-detailed-raw-instances.csv.gz", "csv-raw", 9, ""},
		{"corpus/exports/pairs-full-raw.csv.gz", "csv-raw", 42, ""},
		{"corpus/exports/range-raw.csv.gz", "csv-raw", 1, ""},
		{"corpus/exports/torch-raw.csv.gz", "csv-raw", 51, ""},
		{"corpus/ncu-logs/live-raw-stdout.csv", "csv-raw", 2, ""},
		{"corpus/ncu-logs/two-processes-stdout.csv", "csv-raw", 4, ""},
		{"corpus/exports/graph-details.csv.gz", "csv-details", 1, ""},
		{"corpus/exports/nvtx-details.csv.gz", "csv-details", 2, ""},
		{"corpus/exports/pairs-basic-details.csv.gz", "csv-details", 42, ""},
		{"corpus/exports/pairs-checklist-details.csv.gz", "csv-details", 42, ""},
		{"corpus/exports/pairs-detailed-details-all.csv.gz", "csv-details", 9, ""},
		{"corpus/exports/pairs-detailed-details-names.csv.gz", "csv-details", 9, ""},
		{"corpus/exports/pairs-full-details.csv.gz", "csv-details", 42, ""},
		{"corpus/exports/range-details.csv.gz", "csv-details", 1, ""},
		{"corpus/exports/torch-details.csv.gz", "csv-details", 51, ""},
		{"corpus/ncu-logs/live-details-stdout.csv", "csv-details", 2, ""},
		{"public/AveryClapp+ESMM-Research/metrics.csv", "csv-details", 9, ""},
		{"public/SSnTi1111+KernelBench_main/test__output_nvtx.csv", "csv-details", 4, ""},
		{"public/SSnTi1111+KernelBench_main/test__output1.csv", "csv-details", 5, ""},
		{"public/NagusameCS+HyperTensor/docs__figures__paper-a__ncu__ncu_perm_test.csv", "csv-details", 5, ""},
		{"public/NagusameCS+HyperTensor/docs__figures__paper-a__expB_thrash__delta0_baseline_rep2.ncu.csv", "csv-details", 48, ""},
		{"public/NagusameCS+HyperTensor/docs__figures__paper-a__ncu__baseline_l2.csv", "csv-details", 100, ""},
		{"public/brycelelbach+nsightful/tests__copy_blocked.csv", "csv-details", 1, ""},
		{"public/Olajide-Badejo+GPU-Roofline-Profiler/results__sample_run__ncu__saxpy.csv", "csv-details", 1, ""},
		{"public/Olajide-Badejo+GPU-Roofline-Profiler/results__sample_run__ncu__transpose_naive.csv", "csv-details", 1, ""},
		{"corpus/exports/pairs-detailed-details.txt.gz", "text", 9, ""},
		{"corpus/exports/pairs-full-source-sass.csv.gz", "csv-source", 42, ""},
		{"corpus/exports/pairs-full-source-cuda.csv.gz", "csv-source", 42, ""},
		{"corpus/exports/pairs-basic-summary.csv.gz", "csv-summary", 42, ""},
		{"corpus/ncu-logs/badmetric.log", "text", 2, ""},
		{"public/SebastianKuckuk+ihpcss-gpu-perf/profiles__V100-SXM2-32GB__stencil-2d__stencil-2d-cuda-ncu-cl", "text", 1, ""},
		{"public/SebastianKuckuk+ihpcss-gpu-perf/profiles__V100-SXM2-32GB__stencil-2d__stencil-2d-cuda-ncu-metrics", "text", 1, ""},
		{"public/SebastianKuckuk+ihpcss-gpu-perf/profiles__V100-SXM2-32GB__stream-slow__stream-slow-cuda-ncu-cl", "text", 1, ""},
		{"public/SebastianKuckuk+ihpcss-gpu-perf/profiles__A100-SXM4-80GB__stream-slow__stream-slow-cuda-ncu-cl", "text", 1, ""},
		{"public/SebastianKuckuk+ihpcss-gpu-perf/profiles__A100-SXM4-80GB__fma__fma-cuda-ncu-metrics", "text", 1, ""},
		{"public/AveryClapp+ESMM-Research/summary.txt", "text", 30, ""},
		{"public/NagusameCS+HyperTensor/docs__figures__paper-a__ncu__k1024_raw.txt", "csv-summary", 200, ""},
		{"public/brycelelbach+nsightful/test_data__copy_blocked.txt", "text", 1, ""},
		{"public/boopdotpng+cuda-matmuls/profiles__tiled16x16.txt", "text", 8, ""},
		{"public/boopdotpng+cuda-matmuls/profiles__naive.txt", "text", 1, ""},
		{"public/gpu-mode+lectures/lecture_001__ncu_logs", "text", 17, ""},
		{"public/BobbyAl+cuda-kmer-counting/results__ncu__yeast_gpu_kmer_optimized_k12.txt", "text", 1, ""},
		{"public/KuangjuX+ncu-cli/experienments__exp_cute_csnippets.csv", "csv-gui", 1, ""},
		{"public/junstar92+cuda-kernel-study/07_sgemm__gemm_ncu_results_4096x4096x4096_a6000.csv", "csv-raw", 13, ""},
		{"corpus/ncu-logs/crash.log", "", 0, "the program failed"},
		{"corpus/ncu-logs/missing.log", "", 0, "the program was not found"},
		{"corpus/ncu-logs/nomatch.log", "", 0, "no kernel was profiled"},
		{"corpus/ncu-logs/none.log", "", 0, "no kernel was profiled"},
		{"corpus/ncu-logs/progress-checklist.log", "", 0, "no profile data"},
		{"corpus/ncu-logs/progress-torch.log", "", 0, "no profile data"},
		{"public/bwd29+self-join-MiSTIC/results__old__results5prof.out", "", 0, "the program failed"},
	} {
		t.Run(c.file, func(t *testing.T) {
			r, launches, err := allLaunches(c.file, readText(t, shared(t, c.file)), Options{})
			if c.refused != "" {
				var syntax *SyntaxError
				if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.refused) {
					t.Fatalf("got error %v, want one that says %q", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Format != c.format || len(launches) != c.launches {
				t.Errorf("got %d launches of %s, want %d of %s", len(launches), r.Format, c.launches, c.format)
			}
			for _, l := range launches {
				checkModel(t, l)
			}
		})
	}
}

// checkModel holds what is true of every launch.
func checkModel(t testing.TB, l *Launch) {
	t.Helper()
	if len(l.Metrics) == 0 {
		t.Errorf("launch %s of %s has no metrics", l.ID, l.Kernel)
	}
	for name, m := range l.Metrics {
		if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || !m.Known && m.Value != 0 {
			t.Errorf("%s of launch %s: bad value %+v", name, l.ID, m)
		}
		for _, in := range m.Instances() {
			if math.IsNaN(in.Value) || math.IsInf(in.Value, 0) {
				t.Errorf("%s of launch %s: bad instance %+v", name, l.ID, in)
			}
		}
	}
}
