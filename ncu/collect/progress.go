package collect

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keepLines bounds what is kept of each sort of line: a failing run can print the same error for every launch.
const keepLines = 200

// A Log is what ncu's log says so far. It is written to as the log grows.
type Log struct {
	Connected bool     // ncu saw at least one process that uses CUDA
	Launches  int      // profiled to the end
	Current   string   // kernel being profiled, "" between kernels
	Percent   int      // of the current kernel
	Passes    int      // of the kernel profiled last
	Kernels   []string // distinct names of these, in order of appearance
	Report    string   // path of the report that ncu says it wrote
	Shutdown  bool     // ncu ended the program itself
	NoKernels bool     // ncu says that it profiled none
	Available []string // kernels that ncu saw but that no filter matched
	Errors    []string
	Warnings  []string
	Other     []string // lines that carry none of ncu's marks

	size int64  // bytes read
	line []byte // unfinished
}

var (
	// With a kernel id among the filters ncu names the launch by one: "1:7:scale:3" for context, stream, name, invocation.
	profilingLine = regexp.MustCompile(`^==PROF== Profiling "(?:\d+:\d+:)?(.*?)(?::\d+)?"(?: - \d+)?:`)
	passesPart    = regexp.MustCompile(`- (\d+) pass(?:es)?\s*$`)
	percentPart   = regexp.MustCompile(`(\d+)%`)
	availableLine = regexp.MustCompile(`^\d+\. (.+)$`)
)

// Write takes the next piece of the log. It never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.size += int64(len(p))
	l.line = append(l.line, p...)
	for {
		i := bytes.IndexByte(l.line, '\n')
		if i < 0 {
			break
		}
		l.take(strings.TrimRight(string(l.line[:i]), "\r"))
		l.line = l.line[i+1:]
	}
	if len(l.line) > 1<<16 { // not a line of ncu's
		l.line = l.line[:0]
	}
	l.peek()
	return len(p), nil
}

// take reads one whole line.
func (l *Log) take(s string) {
	switch {
	case strings.HasPrefix(s, "==PROF== Connected to process"):
		l.Connected = true
	case profilingLine.MatchString(s):
		l.Current, l.Percent = "", 0
		// A kernel that failed has an error in the place of its passes.
		if m := passesPart.FindStringSubmatch(s); m != nil {
			l.Launches++
			l.Passes, _ = strconv.Atoi(m[1])
			if name := profilingLine.FindStringSubmatch(s)[1]; !slices.Contains(l.Kernels, name) {
				l.Kernels = append(l.Kernels, name)
			}
		}
	case strings.HasPrefix(s, "==PROF== Trying to shutdown"):
		l.Shutdown = true
	case strings.HasPrefix(s, "==PROF== Report:"):
		l.Report = strings.TrimSpace(strings.TrimPrefix(s, "==PROF== Report:"))
	case strings.HasPrefix(s, "==ERROR=="):
		l.Errors = keep(l.Errors, strings.TrimSpace(strings.TrimPrefix(s, "==ERROR==")))
	case strings.HasPrefix(s, "==WARNING=="):
		l.Warnings = keep(l.Warnings, strings.TrimSpace(strings.TrimPrefix(s, "==WARNING==")))
		l.NoKernels = l.NoKernels || strings.Contains(s, "No kernels were profiled")
	case l.NoKernels && availableLine.MatchString(s):
		l.Available = keep(l.Available, availableLine.FindStringSubmatch(s)[1])
	case strings.TrimSpace(s) != "" && !strings.HasPrefix(s, "=="):
		l.Other = keep(l.Other, s)
	}
}

// peek reads the unfinished line: while a kernel is replayed, ncu adds its progress to it bit by bit.
func (l *Log) peek() {
	m := profilingLine.FindStringSubmatch(string(l.line))
	if m == nil {
		return
	}
	l.Current, l.Percent = m[1], 0
	if p := percentPart.FindAllStringSubmatch(string(l.line[len(m[0]):]), -1); p != nil {
		l.Percent, _ = strconv.Atoi(p[len(p)-1][1])
	}
}

// Close takes what is left of an unfinished last line. A kernel whose replay did not end stays the current one.
func (l *Log) Close() {
	if s := string(l.line); s != "" && (l.Current == "" || passesPart.MatchString(s)) {
		l.take(s)
	}
	l.line = nil
}

// used reports whether ncu has written to this log.
func (l *Log) used() bool {
	return l.Connected || l.NoKernels || l.Current != "" || l.Launches+len(l.Errors)+len(l.Warnings) > 0
}

func keep(lines []string, s string) []string {
	if len(lines) == keepLines {
		return lines
	}
	return append(lines, s)
}
