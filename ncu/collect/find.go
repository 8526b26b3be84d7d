// Package collect runs Nsight Compute: it finds ncu, builds its command line, runs it with the program under it, follows
// its log, and says in plain words why a run failed and what to do.
package collect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Tool is an ncu that was found.
type Tool struct {
	Path    string
	Version string // "2025.3.1"; "" when ncu --version does not say
	From    string // where it was found: "--ncu", "ADVISOR_NCU", "PATH" or the folder
}

// String names the tool as it is shown to people.
func (t Tool) String() string {
	v := t.Version
	if v == "" {
		v = "version unknown"
	}
	return fmt.Sprintf("%s (%s, from %s)", t.Path, v, t.From)
}

// folders are where NVIDIA's installers put ncu, below the root of the file system; a pattern's matches are tried newest
// first.
var folders = []string{
	"opt/nvidia/nsight-compute/*/ncu",
	"usr/local/NVIDIA-Nsight-Compute*/ncu",
	"usr/local/cuda/bin/ncu",
	"usr/local/cuda-*/bin/ncu",
	"opt/nvidia/hpc_sdk/Linux_*/*/profilers/Nsight_Compute/ncu",
	"opt/cuda/bin/ncu",
	"usr/lib/nsight-compute/ncu",
}

// Find returns the ncu to use: flag (the value of --ncu), ADVISOR_NCU, PATH, then the usual folders below root. A path
// that was asked for by name must work; the error is a *Failure.
func Find(root, flag string, getenv func(string) string) (Tool, error) {
	for _, named := range []struct{ from, path string }{{"--ncu", flag}, {"ADVISOR_NCU", getenv("ADVISOR_NCU")}} {
		if named.path == "" {
			continue
		}
		path, err := exec.LookPath(named.path)
		if err != nil {
			return Tool{}, &Failure{ID: "no-ncu", Blame: OfMachine,
				Cause: fmt.Sprintf("%s names %s, which cannot be run (%v)", named.from, named.path, unwrapExec(err)),
				Cure:  []string{"give the path of the ncu executable, or leave it out to search the usual folders"}}
		}
		return newTool(path, named.from), nil
	}
	if path, err := exec.LookPath("ncu"); err == nil {
		return newTool(path, "PATH"), nil
	}
	for _, pattern := range folders {
		for _, path := range newestFirst(filepath.Join(root, pattern)) {
			if info, err := os.Stat(path); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
				return newTool(path, filepath.Dir(path)), nil
			}
		}
	}
	return Tool{}, &Failure{ID: "no-ncu", Blame: OfMachine,
		Cause: "Nsight Compute (ncu) is not installed, or not where it is looked for",
		Cure: []string{
			"install it with the CUDA toolkit or from developer.nvidia.com/nsight-compute, or name it with --ncu PATH or ADVISOR_NCU",
			"profile on another machine with the line that `advisor profile --dry-run` prints, and give the report to `advisor analyze`",
		},
		Said: []string{"searched: PATH, /" + strings.Join(folders, ", /")}}
}

func newTool(path, from string) Tool {
	return Tool{Path: path, From: from, Version: version(path)}
}

var versionPattern = regexp.MustCompile(`Version (\d+\.\d+\.\d+)`)

// version asks ncu for its version. A wrapper that hangs or fails makes it unknown: the run itself will tell more.
func version(path string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out, _ := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	if m := versionPattern.FindSubmatch(out); m != nil {
		return string(m[1])
	}
	return ""
}

// newestFirst expands the pattern and sorts by the numbers in the paths, so that 2025.10 stands before 2025.9.
func newestFirst(pattern string) []string {
	paths, _ := filepath.Glob(pattern)
	slices.SortFunc(paths, func(a, b string) int { return slices.Compare(numbers(b), numbers(a)) })
	return paths
}

var digits = regexp.MustCompile(`\d+`)

func numbers(s string) []int {
	var ns []int
	for _, d := range digits.FindAllString(s, -1) {
		n, _ := strconv.Atoi(d)
		ns = append(ns, n)
	}
	return ns
}

// unwrapExec drops names from an error: the message around it has them already.
func unwrapExec(err error) error {
	if e := (*exec.Error)(nil); errors.As(err, &e) {
		err = e.Err
	}
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return err
}
