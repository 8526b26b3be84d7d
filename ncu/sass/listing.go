package sass

import (
	"bytes"
	"fmt"
	"iter"
)

// A Listing is the functions of one input, whatever its form. They are decoded one by one, so that a library of many
// kernels takes little memory.
type Listing struct {
	Format string   // "cubin", "fatbin", "sass", "ptx", "ptxas"
	Notes  []string // what a reader should know about the input, one line each
	parts  []iter.Seq2[*Function, error]
}

// An InputError says what is wrong with an input, and where.
type InputError struct {
	Line int    // of a text; 0 for none
	Msg  string // "what is wrong; what to do"
}

func (e *InputError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%d: %s", e.Line, e.Msg)
	}
	return e.Msg
}

// Functions yields the functions, analyzed where there are instructions of the machine. An error belongs to one function
// or one embedded cubin; the others follow.
func (l *Listing) Functions() iter.Seq2[*Function, error] {
	return func(yield func(*Function, error) bool) {
		for _, part := range l.parts {
			for f, err := range part {
				if f != nil && l.Format != "ptx" && f.Facts == nil {
					Analyze(f)
				}
				if !yield(f, err) {
					return
				}
			}
		}
	}
}

// each yields the functions of a cubin.
func (m *Module) each(yield func(*Function, error) bool) {
	for _, name := range m.Names() {
		f, err := m.Function(name)
		if !yield(f, err) {
			return
		}
	}
}

// add adds functions that are decoded already.
func (l *Listing) add(fs []*Function) {
	l.parts = append(l.parts, func(yield func(*Function, error) bool) {
		for _, f := range fs {
			if !yield(f, nil) {
				return
			}
		}
	})
}

// ListModules makes a listing of cubins that are open already: those in a report. The same function for the same
// architecture is listed once.
func ListModules(modules iter.Seq2[*Module, error]) *Listing {
	type key struct {
		name string
		arch int
	}
	return &Listing{Format: "cubin", parts: []iter.Seq2[*Function, error]{func(yield func(*Function, error) bool) {
		seen := map[key]bool{}
		for m, err := range modules {
			if err != nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			for _, name := range m.Names() {
				if k := (key{name, m.Arch}); !seen[k] {
					seen[k] = true
					if f, err := m.Function(name); !yield(f, err) {
						return
					}
				}
			}
		}
	}}}
}

// List recognises what b is by its content and lists its functions: a cubin, a file with fat binaries in it (an
// executable, a library, an object), the text of cuobjdump or nvdisasm, PTX, or the log of ptxas -v. Errors are
// *InputError.
func List(b []byte) (*Listing, error) {
	switch {
	case len(b) == 0:
		return nil, &InputError{Msg: "the file is empty; " + accepted}
	case isCubin(b):
		m, err := Open(b)
		if err != nil {
			return nil, &InputError{Msg: err.Error() + "; make one with nvcc -cubin, or cuobjdump -xelf all"}
		}
		return &Listing{Format: "cubin", parts: []iter.Seq2[*Function, error]{m.each}}, nil
	case bytes.IndexByte(b[:min(len(b), sniffed)], 0) >= 0 || bytes.HasPrefix(b, []byte("!<arch>")):
		return listFat(b)
	}
	return listText(b)
}

// accepted names the inputs.
const accepted = "give a cubin, an executable or library with CUDA code, an .ncu-rep report, cuobjdump or nvdisasm text, PTX, or the log of ptxas -v"

// sniffed is how many bytes are looked at to tell text from binary data.
const sniffed = 4096

// IsCode tells code from profiles by the beginning of a file, unpacked.
func IsCode(head []byte) bool {
	for _, magic := range []string{"\x7fELF", "MZ", "!<arch>\n", "\x50\xed\x55\xba"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return textKind(head) != ""
}

func isCubin(b []byte) bool {
	return len(b) >= 20 && string(b[:4]) == "\x7fELF" && le.Uint16(b[18:]) == machineCUDA
}

// listText lists the functions of a text.
func listText(b []byte) (*Listing, error) {
	switch textKind(b) {
	case "sass":
		return parseSASS(b)
	case "ptx":
		return parsePTX(b)
	case "ptxas":
		return parseLog(b)
	}
	return nil, &InputError{Line: 1, Msg: "neither SASS, PTX nor a log of ptxas -v; " + accepted}
}

// textKind tells texts apart by the first line that only one of them has.
func textKind(b []byte) string {
	for line := range bytes.Lines(b) {
		line = bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(line, []byte("Function : ")), bytes.HasPrefix(line, []byte("code for sm_")),
			bytes.HasPrefix(line, []byte(".headerflags")), bytes.HasPrefix(line, []byte(".section\t.text.")),
			bytes.HasPrefix(line, []byte("/*0000*/")):
			return "sass"
		case bytes.HasPrefix(line, []byte(".version ")), bytes.HasPrefix(line, []byte(".address_size")):
			return "ptx"
		case bytes.Contains(line, []byte("ptxas info")):
			return "ptxas"
		}
	}
	return ""
}
