package rules

import "strings"

// Own returns the innermost source position that is in code of the program rather than in a header of the CUDA
// toolkit or the system, where nobody can change anything; the innermost of all where each is in such a header. The
// file is "" when the position is unknown.
func (l *Location) Own() (file string, line int) {
	if !isToolkit(l.File) {
		return l.File, l.Line
	}
	for _, c := range l.Callers {
		if !isToolkit(c.File) {
			return c.File, c.Line
		}
	}
	return l.File, l.Line
}

// Place returns the program's own source position of the first location that has a line, "" and 0 when none has.
func (f *Finding) Place() (file string, line int) {
	for i := range f.Locations {
		if file, line := f.Locations[i].Own(); file != "" && line > 0 {
			return file, line
		}
	}
	return "", 0
}

// isToolkit reports whether a source file came with the toolkit, a compiler or the system.
func isToolkit(file string) bool {
	file = strings.ToLower(strings.ReplaceAll(file, `\`, "/"))
	if !strings.Contains(file, "/include/") {
		return false
	}
	for _, home := range []string{"/usr/", "/cuda", "/nvidia", "nvidia gpu computing toolkit"} {
		if strings.Contains(file, home) {
			return true
		}
	}
	return false
}
