package ncu

import (
	"bytes"
	"strings"
)

// toolMark begins the lines that the profiler itself writes between the program's: "==WARNING== ...".
var (
	toolMark  = []byte("==")
	errorMark = []byte("==ERROR== ")
)

// toolLines are the profiler's own messages in an export.
type toolLines struct {
	errors, warnings []string
}

const maxToolLines = 20 // a warning for each kernel of a long run says nothing new

func (l *toolLines) add(t *textReader, line []byte) {
	kind, text, ok := strings.Cut(string(bytes.TrimLeft(line, "=")), "==")
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	switch {
	case !ok || text == "":
	case kind == "ERROR" && len(l.errors) < maxToolLines:
		l.errors = append(l.errors, text)
	case kind == "WARNING" && strings.Contains(text, "unmodified GPU clocks"):
		t.report.ClockControl = "none"
	case kind == "WARNING" && len(l.warnings) < maxToolLines:
		l.warnings = append(l.warnings, text)
	}
}

// warning takes a warning that a console page shows under a kernel.
func (t *textReader) warning(text string) {
	if strings.Contains(text, "without fixed GPU frequencies") {
		t.report.ClockControl = "none" // which is told once, not below every kernel
		return
	}
	t.log.add("ncu warns: %s", text)
}

// notes repeats the messages for the reader of the advice.
func (l *toolLines) notes(t *textReader) {
	for _, e := range l.errors {
		t.log.add("ncu reports an error: %s", e)
	}
	for _, w := range l.warnings {
		t.log.add("ncu warns: %s", w)
	}
}

// causes explain an export without data by what the profiler said, the more telling message first.
var causes = []struct{ says, msg, hint string }{
	{"ERR_NVGPUCTRPERM", "no data: the driver did not let ncu read the performance counters",
		"profile as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0"},
	{"driver resource was unavailable", "no data: another tool held the performance counters",
		"pause it (dcgmi profile --pause) and profile again"},
	{"not compatible with Nsight Compute", "no data: the driver is not compatible with this version of ncu",
		"use an ncu of the driver's CUDA version"},
	{"is not supported", "no data: this version of ncu does not support the GPU", "use a version of ncu that does"},
	{"does not exist or is not an executable", "no data: the program was not found", "give the path to the program"},
	{"application returned an error code", "no data: the program failed under the profiler", "run it without ncu first"},
	{"No kernels were profiled", "no data: no kernel was profiled",
		"check the kernel filter, and that the program launches a kernel"},
}

// nothing explains an input without a launch.
func (t *textReader) nothing() error {
	e := &SyntaxError{Path: t.report.Path, Msg: "no profile data in this text",
		Hint: "give an export such as that of ncu --page raw --csv, or the .ncu-rep report"}
	said := append(t.tool.errors, t.tool.warnings...)
	for _, c := range causes {
		for _, s := range said {
			if strings.Contains(s, c.says) {
				e.Msg, e.Hint = c.msg, c.hint
				return e
			}
		}
	}
	switch {
	case t.in.line == 0:
		e.Msg, e.Hint = "the file is empty", "export the report again"
	case len(t.tool.errors) > 0:
		e.Msg, e.Hint = "no data: ncu reports "+t.tool.errors[0], "remove the cause and profile again"
	case t.report.Format != "":
		e.Msg, e.Hint = "the table has a header but no launch", "export the report again"
	}
	return e
}
