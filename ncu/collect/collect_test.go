package collect

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"debug/elf"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestQuote hands quoted words to a shell and wants the same words back.
func TestQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(rapid.StringMatching(`[ -~\n]{0,12}`), 1, 4).Draw(t, "args")
		out, err := exec.Command("sh", "-c", "printf '%s\\0' "+Quote(args)).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, args) {
			t.Fatalf("%q came back as %q", args, got)
		}
	})
}

// TestFilters shows which launches ncu is told to profile.
func TestFilters(t *testing.T) {
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{}, "--filter-mode per-launch-config --kernel-id :::1|2|3"},
		{Options{Version: "2022.1.0"}, "--kernel-id :::1|2|3"},
		{Options{Kernel: "gemm"}, "--filter-mode per-launch-config --kernel-id ::gemm:1|2|3"},
		{Options{Kernel: "regex:a|b"}, "--filter-mode per-launch-config --kernel-id ::regex:a|b:1|2|3"},
		{Options{Kernel: "regex:std::sort"}, "-k regex:std::sort"}, // a kernel id is split at colons
		{Options{All: true}, ""},
		{Options{All: true, Kernel: "gemm"}, "-k gemm"},
		{Options{Count: 5}, "--launch-count 5"},
		{Options{Skip: 5}, "--launch-skip 5 --launch-count 100"},
		{Options{Skip: 5, Count: 2, Kernel: "gemm"}, "-k gemm --launch-skip 5 --launch-count 2"},
		{Options{NVTX: []string{"a/", "b"}}, "--nvtx --nvtx-include a/ --nvtx-include b --launch-count 100"},
		{Options{NVTX: []string{"a/"}, All: true}, "--nvtx --nvtx-include a/"},
	} {
		if got := strings.Join(c.opt.filters(), " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.opt, got, c.want)
		}
	}
}

// TestRank reads the rank variables of parallel launchers.
func TestRank(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, ""},
		{map[string]string{"SLURM_PROCID": "3"}, "3"},
		{map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "1"}, ""},
		// mpirun inside a batch job: Slurm counts one task, Open MPI four.
		{map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "1", "OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4"}, "2"},
		{map[string]string{"PMI_RANK": "1", "PMI_SIZE": "2"}, "1"},
		{map[string]string{"PMIX_RANK": "7"}, "7"},
		{map[string]string{"MV2_COMM_WORLD_RANK": "5"}, "5"},
		{map[string]string{"RANK": "gold"}, ""},
		{map[string]string{"RANK": "4", "WORLD_SIZE": "8", "LOCAL_RANK": "4"}, "4"},
	} {
		if got := Rank(func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%v: rank %q, want %q", c.env, got, c.want)
		}
	}
}

// TestRejected finds the metrics that ncu refused, as each version names them.
func TestRejected(t *testing.T) {
	metrics := []string{"sass__inst_executed_register_spilling", "sm__cycles_active.avg", "sm__cycles_active.sum", "sm__cycles_active_extra.sum"}
	for _, c := range []struct {
		errs []string
		want []string // what stays
	}{
		{nil, metrics},
		{[]string{"Failed to find metric sass__inst_executed_register_spilling"}, metrics[1:]},
		{[]string{`Failed to find metric regex:^sm__cycles_active\.(sum|min|max|avg)$`}, []string{metrics[0], metrics[3]}},
		{[]string{"Failed to access the following 2 metrics: sm__cycles_active.avg, sm__cycles_active_extra.sum"}, []string{metrics[0], metrics[2]}},
		{[]string{"Failed to find metric other__metric.sum"}, metrics},
	} {
		k := Case{Outcome: &Outcome{Log: &Log{Errors: c.errs}}, Options: Options{Metrics: metrics}}
		if d := cmp.Diff(c.want, k.Options.Without(k.Rejected()).Metrics); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.errs, d)
		}
	}
}

// TestCheckProgram looks at files that cannot be started, and at those that can.
func TestCheckProgram(t *testing.T) {
	here := machines["amd64"]
	if bin, err := os.Executable(); err == nil {
		if e, err := elf.Open(bin); err == nil {
			here = e.Machine
			e.Close()
		}
		if err := CheckProgram(bin); err != nil {
			t.Errorf("this test itself: %v", err)
		}
	}
	dir := t.TempDir()
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"lib.so", header(elf.ET_DYN, here), "is a shared library; give the program that loads it"},
		{"kernel.o", header(elf.ET_REL, here), "is an object file, not a program; link it, and give the program"},
		{"other", header(elf.ET_EXEC, elf.EM_SPARC), "is built for another processor (EM_SPARC); build it for this machine"},
		{"program", header(elf.ET_EXEC, here), ""},
		{"script", []byte("#!/bin/sh\n"), ""},
		{"empty-line", []byte("#!\n"), "names no interpreter in its first line; complete its first line (#!)"},
		{"data", []byte("hello\n"), "is neither a program nor a script with an interpreter in its first line; add a first line such as #!/usr/bin/env python3"},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, c.content, 0o755); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := CheckProgram(path); err != nil {
			got = strings.TrimPrefix(err.Error(), path+" ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// header makes the smallest ELF file of a type.
func header(kind elf.Type, m elf.Machine) []byte {
	var b bytes.Buffer
	h := elf.Header64{Type: uint16(kind), Machine: uint16(m), Version: 1, Ehsize: 64, Phentsize: 56, Shentsize: 64}
	copy(h.Ident[:], []byte{0x7f, 'E', 'L', 'F', 2, 1, 1})
	binary.Write(&b, binary.LittleEndian, h)
	return b.Bytes()
}

// TestFind searches in order: the flag, the variable, PATH, the newest of the usual folders.
func TestFind(t *testing.T) {
	root := t.TempDir()
	t.Setenv("PATH", filepath.Join(root, "path"))
	tool := func(path string) string {
		path = filepath.Join(root, path)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho Version 2025.3.1.0\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	find := func(flag, env string) string {
		got, err := Find(root, flag, func(string) string { return env })
		if err != nil {
			var f *Failure
			if !errors.As(err, &f) || f.Blame != OfMachine {
				t.Errorf("not a failure of the machine: %v", err)
			}
			return ""
		}
		if got.Version != "2025.3.1" {
			t.Errorf("version %q of %s", got.Version, got.Path)
		}
		return got.Path
	}
	steps := []struct{ made, flag, env string }{{}}
	for _, path := range []string{"usr/local/cuda-11.8/bin/ncu", "usr/local/cuda-12.4/bin/ncu", "usr/local/cuda/bin/ncu",
		"opt/nvidia/nsight-compute/2025.9.0/ncu", "opt/nvidia/nsight-compute/2025.10.0/ncu", "path/ncu"} {
		steps = append(steps, struct{ made, flag, env string }{made: path})
	}
	for _, s := range steps {
		want := ""
		if s.made != "" {
			want = tool(s.made)
		}
		if got := find("", ""); got != want {
			t.Errorf("after %q: found %q, want %q", s.made, got, want)
		}
	}
	old, older := filepath.Join(root, "usr/local/cuda/bin/ncu"), filepath.Join(root, "usr/local/cuda-11.8/bin/ncu")
	if got := find("", old); got != old {
		t.Errorf("with the variable: %q", got)
	}
	if got := find(older, old); got != older {
		t.Errorf("with the flag: %q", got)
	}
	if got := find(filepath.Join(root, "nowhere"), old); got != "" {
		t.Errorf("a flag that names nothing: %q", got)
	}
}
