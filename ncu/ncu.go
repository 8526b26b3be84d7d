// Package ncu reads profiles made by NVIDIA Nsight Compute: reports (.ncu-rep) and every text export of them. All
// readers give the same model, in base units: nanoseconds, bytes, hertz, plain counts, percent as 0 to 100.
package ncu

import (
	"fmt"
	"iter"

	"advisor/ncu/sass"
)

// A Report is one profile. Its launches are streamed, so that a report of any size is read in bounded memory; what
// is said about the whole (Notes, Versions) is complete once the stream has ended.
type Report struct {
	Path   string // as given by the caller; "-" is stdin
	Format string // "ncu-rep", "csv-raw", "csv-details", "csv-summary", "csv-source", "text", "json"

	Version string // of Nsight Compute; "" unknown
	Driver  string // "" unknown
	Command string // the profiler's command line; "" unknown

	ClockControl string // "base", "none", ...; "" unknown
	CacheControl string // "all", "none"; "" unknown
	ReplayMode   string // "kernel", "application", "range", "app-range"; "" unknown

	Notes []string // what a reader of the advice should know about the input, one line each

	items  func(yield func(item, error) bool)
	finish func() // completes Notes once all items are made; can be nil
	close  func() error
	rank   string // told by the file name, "" when it does not

	modules iter.Seq2[*sass.Module, error] // nil when the format holds no machine code
}

// An item makes one launch. Making it can be costly, so Map calls it on any goroutine, once.
type item func() (*Launch, error)

// A Kind is what a result covers.
type Kind uint8

// The kinds of results. Ranges, graphs and command lists have no kernel name and no launch shape of their own.
const (
	Kernel Kind = iota
	Range
	CommandList
	Graph
)

// String returns "kernel", "range", "command-list" or "graph".
func (k Kind) String() string { return [...]string{"kernel", "range", "command-list", "graph"}[k] }

// A Dim3 is a launch shape. Zero means unknown.
type Dim3 [3]int

// Count returns the product of the three, 0 when unknown.
func (d Dim3) Count() int { return d[0] * d[1] * d[2] }

// String returns "(x, y, z)", "" when unknown.
func (d Dim3) String() string {
	if d == (Dim3{}) {
		return ""
	}
	return fmt.Sprintf("(%d, %d, %d)", d[0], d[1], d[2])
}

// A Process is the program that launched.
type Process struct {
	PID  int    // -1 unknown
	Name string // last path element of the executable
	Host string
	Rank string // "" unless the file name of the report tells a rank
}

// A Launch is one profiled result: mostly one launch of one kernel.
type Launch struct {
	Kind     Kind
	ID       string // as ncu numbers it in the report
	Process  Process
	Kernel   string // full demangled name; "range" or "graph" for those
	Function string // short name: no arguments, no template parameters
	Mangled  string // "" unknown
	Device   Device
	Grid     Dim3
	Block    Dim3
	Context  string
	Stream   string
	NVTX     []string // ranges around the launch, "domain:name", outermost first

	Metrics  Metrics
	Sections []Section // empty when the input does not tell
	Advice   []Advice  // what Nsight Compute's own rules say

	code      func() (*Code, error) // nil: the input holds no instructions
	uncounted bool                  // it does, but nothing was counted on them
}

// A Device is the GPU of a launch.
type Device struct {
	ID           int // -1 unknown
	Name         string
	Major, Minor int // compute capability; 0, 0 unknown
}

// CC returns the compute capability as "9.0", "" when unknown.
func (d Device) CC() string {
	if d.Major == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d", d.Major, d.Minor)
}

// A Section is a group of metrics that was collected.
type Section struct {
	ID   string // "SpeedOfLight"; "" unknown
	Name string // "GPU Speed Of Light Throughput"
}

// Advice is one message of Nsight Compute's own rules.
type Advice struct {
	Rule    string // identifier, "UncoalescedGlobalAccess"
	Section string // identifier or name, as the input has it
	Type    string // "INF", "OPT", "WRN", "ERR", "OK"
	Title   string
	Text    string
	// Speedup is ncu's estimate in percent of the launch time (Scope "global") or of the section's own quantity
	// (Scope "local"); Scope is "" when there is no estimate.
	Speedup float64
	Scope   string
	Tables  []Table
}

// A Table belongs to an Advice.
type Table struct {
	Title  string
	Header []string
	Rows   [][]string
}

// Launches yields the results in file order, decoded one by one on all cores. An error that concerns the whole input
// ends the stream; launches before it are good. See Map to do work on each launch on all cores as well.
func (r *Report) Launches() iter.Seq2[*Launch, error] {
	return Map(r, func(l *Launch) *Launch { return l })
}

// Close releases the input.
func (r *Report) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}
