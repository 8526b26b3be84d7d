package collect

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// perKernel is how often each kernel is profiled at each launch shape unless the user says otherwise: one launch can be a
// cold one, and three show the spread.
const perKernel = 3

// inRange is how many launches are profiled after --launch-skip or inside an NVTX range unless the user says otherwise.
// There the invocation filter would count launches that were skipped, so the total is limited instead.
const inRange = 100

// Options say what ncu is to do.
type Options struct {
	NCU      string // path
	Version  string // of ncu, "" unknown
	Metrics  []string
	Sections []string
	Set      string
	Kernel   string // ncu's -k expression: "name" or "regex:..."
	Skip     int
	Count    int // 0: limited per kernel
	NVTX     []string
	All      bool   // every launch
	Clock    string // ncu's --clock-control, "" leaves its default (base)
	Pass     []string
	Report   string // path without the extension
	Log      string
	Force    bool // overwrite; only for the line that is shown to people
	Program  []string
}

// Args returns the whole command line, ncu first. Whatever follows the program reaches it unchanged.
func (o Options) Args() []string {
	args := []string{o.NCU, "--target-processes", "all", "-o", literal(o.Report), "--log-file", literal(o.Log)}
	if o.Force {
		args = append(args, "--force-overwrite")
	}
	if o.Set != "" {
		args = append(args, "--set", o.Set)
	}
	if len(o.Metrics) > 0 {
		args = append(args, "--metrics", strings.Join(o.Metrics, ","))
	}
	for _, s := range o.Sections {
		args = append(args, "--section", s)
	}
	args = append(args, "--import-source", "yes")
	if o.Clock != "" {
		args = append(args, "--clock-control", o.Clock)
	}
	args = append(args, o.filters()...)
	args = append(args, o.Pass...)
	// ncu takes the first word that is no option for the program.
	return append(args, o.Program...)
}

// literal keeps ncu from expanding percent signs in a file name.
func literal(path string) string { return strings.ReplaceAll(path, "%", "%%") }

// filters limit what is profiled. Without a wish of the user it is the first launches of each kernel at each shape. ncu's
// kernel id counts the invocations of each kernel by name; the filter mode makes it count apart for each grid, block and
// shared memory. The mode with a launch count would not do: kernels that share a shape would push each other out. (Seen
// with ncu 2025.3.1: three launches of each of two kernels at each of two shapes.)
func (o Options) filters() []string {
	var args []string
	for _, expr := range o.NVTX {
		args = append(args, "--nvtx-include", expr)
	}
	if len(o.NVTX) > 0 {
		args = append([]string{"--nvtx"}, args...)
	}
	if o.limit() == byKernel {
		if hasShapeFilter(o.Version) {
			args = append(args, "--filter-mode", "per-launch-config")
		}
		return append(args, "--kernel-id", "::"+o.Kernel+":"+invocations(perKernel))
	}
	if o.Kernel != "" {
		args = append(args, "-k", o.Kernel)
	}
	if o.Skip > 0 {
		args = append(args, "--launch-skip", strconv.Itoa(o.Skip))
	}
	if n := o.total(); n > 0 {
		args = append(args, "--launch-count", strconv.Itoa(n))
	}
	return args
}

// hasShapeFilter reports whether this ncu knows the filter mode per launch shape; older ones count each kernel by name
// alone.
func hasShapeFilter(version string) bool {
	v := numbers(version)
	return len(v) == 0 || v[0] >= 2023
}

type limit uint8

const (
	byKernel limit = iota
	byTotal
	unlimited
)

func (o Options) limit() limit {
	switch {
	case o.All, o.filtersPassed():
		return unlimited
	case o.Count > 0 || o.Skip > 0 || len(o.NVTX) > 0:
		return byTotal
	case strings.Contains(strings.TrimPrefix(o.Kernel, "regex:"), ":"):
		return unlimited // a kernel id is split at colons, so such a name fits only -k
	}
	return byKernel
}

// ownFilters are options of ncu that choose what is profiled; one that the user passes on takes the place of the limit.
var ownFilters = []string{"--kernel-id", "--kernel-name", "-k", "--launch-count", "-c", "--launch-skip", "-s",
	"--launch-skip-before-match", "--filter-mode", "--range-filter", "range", "app-range"}

func (o Options) filtersPassed() bool {
	return slices.ContainsFunc(o.Pass, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return slices.Contains(ownFilters, name)
	})
}

func (o Options) total() int {
	if o.Count > 0 || o.limit() != byTotal {
		return o.Count
	}
	return inRange
}

// LimitNote says in one line which launches are profiled and how to ask for others; "" when there is no limit or the user
// set it.
func (o Options) LimitNote() string {
	switch {
	case o.limit() == byKernel:
		return fmt.Sprintf("profiling the first %d launches of each kernel at each shape; "+
			"-k NAME, --launch-skip N, --launch-count N or --nvtx RANGE choose others, --all takes every launch", perKernel)
	case o.limit() == byTotal && o.Count == 0:
		return fmt.Sprintf("profiling at most %d launches; --launch-count N takes another number, --all every launch", inRange)
	}
	return ""
}

// invocations is ncu's expression for the first n.
func invocations(n int) string {
	var s []string
	for i := range n {
		s = append(s, strconv.Itoa(i+1))
	}
	return strings.Join(s, "|")
}

// Without returns the options without the rejected metrics, each given as a whole name or as a name without its suffixes.
func (o Options) Without(rejected []string) Options {
	o.Metrics = slices.DeleteFunc(slices.Clone(o.Metrics), func(m string) bool {
		return slices.ContainsFunc(rejected, func(r string) bool { return m == r || strings.HasPrefix(m, r+".") })
	})
	return o
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Quote writes a command line so that a POSIX shell reads back the same words.
func Quote(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		if plainWord.MatchString(a) {
			words[i] = a
		} else {
			words[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
