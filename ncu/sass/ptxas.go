package sass

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// parseLog reads the log of ptxas -v (nvcc -Xptxas -v): registers, stack, spills and shared memory of each function. Lines
// of other programs in between are passed over.
func parseLog(b []byte) (*Listing, error) {
	var l Listing
	l.Format = "ptxas"
	byName := map[string]*Function{}
	var functions []*Function
	var current *Function
	arch := 0
	get := func(name string) *Function {
		key := fmt.Sprint(name, " ", arch)
		f := byName[key]
		if f == nil {
			f = &Function{Name: name, Arch: arch, StackBytes: -1}
			byName[key] = f
			functions = append(functions, f)
		}
		return f
	}
	for raw := range bytes.Lines(b) {
		line := strings.TrimSpace(string(raw))
		switch {
		case strings.Contains(line, "Compiling entry function"):
			parts := strings.Split(line, "'")
			if len(parts) >= 4 {
				arch, _ = strconv.Atoi(strings.TrimRight(strings.TrimPrefix(parts[3], "sm_"), "af")) // sm_90a is sm_90
				current = get(parts[1])
			}
		case strings.Contains(line, "Function properties for "):
			_, name, _ := strings.Cut(line, "Function properties for ")
			current = get(strings.TrimSpace(name))
		case current == nil:
		case strings.Contains(line, "bytes stack frame"):
			current.StackBytes = before(line, " bytes stack frame", -1)
			current.Spills = &Spills{before(line, " bytes spill stores", 0), before(line, " bytes spill loads", 0)}
		case strings.Contains(line, "Used ") && strings.Contains(line, " registers"):
			current.Registers = before(line, " registers", 0)
			smem := before(line, " bytes smem", 0)
			current.Shared = &smem
		}
	}
	if len(functions) == 0 {
		return nil, &InputError{Line: 1, Msg: "no function in this log; make it with nvcc -Xptxas -v"}
	}
	l.add(functions)
	return &l, nil
}

// before returns the number in front of a mark, otherwise when there is none.
func before(line, mark string, otherwise int) int {
	i := strings.Index(line, mark)
	if i < 0 {
		return otherwise
	}
	start := i
	for start > 0 && line[start-1] >= '0' && line[start-1] <= '9' {
		start--
	}
	v, err := strconv.Atoi(line[start:i])
	if err != nil {
		return otherwise
	}
	return v
}
