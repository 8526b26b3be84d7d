package report

import (
	"fmt"
	"sort"
	"strings"

	"advisor/rules"
)

// place returns "file.cu:12" for the first location with a source line, "" when there is none.
func place(f *rules.Finding) string {
	file, line := f.Place()
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", base(file), line)
}

// base returns the last element of a path of either kind of system: profiles travel between them.
func base(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// byLine merges the locations of one source line: a line makes many instructions, and is changed once.
func byLine(locations []rules.Location) []rules.Location {
	type line struct {
		file, function string
		n              int
	}
	var out []rules.Location
	at := map[line]int{}
	for _, l := range locations {
		l = own(l)
		key := line{l.File, l.Function, l.Line}
		i, ok := at[key]
		if !ok || l.File == "" || l.Line == 0 {
			at[key] = len(out)
			out = append(out, l)
			continue
		}
		out[i].Share += l.Share
		out[i].More += 1 + l.More
	}
	for i := range out {
		if l := &out[i]; l.More > 0 {
			l.SASS += fmt.Sprintf(" and %d more", l.More)
			l.PC = ""
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Share > out[j].Share })
	return out
}

// own moves a location out of a header of the toolkit to the program's line that led there.
func own(l rules.Location) rules.Location {
	file, line := l.Own()
	if file == l.File && line == l.Line {
		return l
	}
	note := fmt.Sprintf("in %s:%d", base(l.File), l.Line)
	if l.Note != "" {
		note += ": " + l.Note
	}
	for i, c := range l.Callers {
		if c.File == file && c.Line == line {
			l.Callers = l.Callers[i+1:]
			break
		}
	}
	l.File, l.Line, l.Source, l.Note = file, line, "", note
	return l
}
