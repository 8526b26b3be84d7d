package sass

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A textReader reads the disassembly of cuobjdump or nvdisasm.
type textReader struct {
	functions []*Function
	f         *Function
	arch      int
	labels    map[string]uint64 // of the current function
	pending   []string          // labels whose instruction comes next
	place     int32             // index in f.places plus one
	at        Frame             // last source line that was named
	skipped   int               // lines that look like instructions and could not be read
	firstBad  int
}

// parseSASS reads a disassembly. Lines are: "Function : NAME" or a .text section for a function, "/*0010*/ TEXT ;" for an
// instruction, "//## File "x.cu", line 12" for its place, ".L_x_1:" for a label. Words in comments are left alone.
func parseSASS(b []byte) (*Listing, error) {
	r := &textReader{}
	n := 0
	for line := range bytes.Lines(b) {
		n++
		r.line(n, strings.TrimSpace(string(line)))
	}
	r.end()
	l := &Listing{Format: "sass"}
	if len(r.functions) == 0 {
		return nil, &InputError{Line: 1, Msg: "no function in this disassembly; make it with cuobjdump --dump-sass"}
	}
	if r.skipped > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf("lines not read as instructions: %d, the first is line %d", r.skipped, r.firstBad))
	}
	l.add(r.functions)
	return l, nil
}

func (r *textReader) line(n int, s string) {
	switch {
	case strings.HasPrefix(s, "/*"):
		r.instruction(n, s)
	case strings.HasPrefix(s, "Function : "):
		r.begin(strings.TrimSpace(strings.TrimPrefix(s, "Function : ")))
	case strings.HasPrefix(s, ".section") && strings.Contains(s, ".text."):
		_, name, _ := strings.Cut(s, ".text.")
		name, _, _ = strings.Cut(name, ",")
		r.begin(strings.Trim(name, `" `+"\t"))
	case strings.HasPrefix(s, ".section"):
		r.end()
	case strings.HasPrefix(s, "code for sm_"), strings.HasPrefix(s, ".target"):
		r.setArch(s)
	case strings.HasPrefix(s, ".headerflags"):
		r.setArch(s)
	case strings.HasPrefix(s, "//## File "):
		r.source(s)
	case strings.HasPrefix(s, ".L") && strings.HasSuffix(s, ":"):
		r.pending = append(r.pending, strings.TrimSuffix(s, ":"))
	}
}

// setArch takes the number behind "sm_" or "EF_CUDA_SM".
func (r *textReader) setArch(s string) {
	for _, mark := range []string{"EF_CUDA_SM", "sm_"} {
		_, rest, ok := strings.Cut(s, mark)
		if !ok {
			continue
		}
		end := 0
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		if v, err := strconv.Atoi(rest[:end]); err == nil && v < 1000 {
			r.arch = v
			if r.f != nil {
				r.f.Arch = v
			}
			return
		}
	}
}

func (r *textReader) begin(name string) {
	r.end()
	r.f = &Function{Name: name, Arch: r.arch, StackBytes: -1}
	r.labels = map[string]uint64{}
	r.place, r.at = 0, Frame{}
}

// end closes the function: jumps to labels get their targets.
func (r *textReader) end() {
	f := r.f
	r.f, r.pending = nil, nil
	if f == nil || len(f.Insts) == 0 {
		return
	}
	for i := range f.Insts {
		in := &f.Insts[i]
		if in.HasTarget {
			continue
		}
		if _, label, ok := strings.Cut(in.Text, "`("); ok {
			label, _, _ = strings.Cut(label, ")")
			in.Target, in.HasTarget = r.labels[label]
		}
	}
	r.functions = append(r.functions, f)
}

// instruction reads "/*0010*/ TEXT ; /* 0x... */".
func (r *textReader) instruction(n int, s string) {
	offset, rest, ok := strings.Cut(s[2:], "*/")
	if !ok || strings.HasPrefix(strings.TrimSpace(offset), "0x") {
		return // the second word of the instruction before
	}
	at, err := strconv.ParseUint(offset, 16, 32)
	text, _, ok := strings.Cut(rest, ";")
	if err != nil || !ok {
		return
	}
	if r.f == nil {
		r.begin("")
	}
	in, err := ParseInst(text)
	f := r.f
	if err != nil || len(f.Insts) > 0 && at <= f.Insts[len(f.Insts)-1].Offset {
		if r.skipped++; r.skipped == 1 {
			r.firstBad = n
		}
		return
	}
	in.Offset = at
	for _, label := range r.pending {
		r.labels[label] = at
	}
	r.pending = r.pending[:0]
	f.Insts = append(f.Insts, in)
	f.setPlace(len(f.Insts)-1, r.place)
}

// setPlace notes where the i-th instruction comes from; 0 is unknown.
func (f *Function) setPlace(i int, place int32) {
	if place == 0 && f.positions == nil {
		return
	}
	for len(f.positions) < i {
		f.positions = append(f.positions, 0)
	}
	f.positions = append(f.positions, place)
}

// source reads `//## File "x.cu", line 12`; what it says of inlined callers is left out.
func (r *textReader) source(s string) {
	if r.f == nil {
		return
	}
	_, rest, _ := strings.Cut(s, `"`)
	file, rest, ok := strings.Cut(rest, `"`)
	_, number, found := strings.Cut(rest, "line ")
	if !ok || !found {
		return
	}
	end := 0
	for end < len(number) && number[end] >= '0' && number[end] <= '9' {
		end++
	}
	line, err := strconv.Atoi(number[:end])
	if err != nil {
		return
	}
	if at := (Frame{File: file, Line: line}); at != r.at {
		r.at = at
		r.f.places = append(r.f.places, at)
		r.place = int32(len(r.f.places))
	}
}

// isWindow recognises a read of where the shared window lies in the generic address space: a special register from sm_90,
// a word of bank 0 before.
func isWindow(in *Inst) bool {
	if a := in.arith; a != nil {
		if a.op == arSpecial {
			return a.a.imm == srSwin
		}
		for _, o := range [...]operand{a.a, a.b, a.c} {
			if o.kind == bankOperand && o.imm == sharedWindow {
				return true
			}
		}
	}
	return in.Space == Constant && in.Addr.Bank == 0 && !in.Addr.HasBase && in.Addr.Offset == sharedWindow && in.Width == 8
}

// sharedWindow is the offset in bank 0 of the shared window's address, up to sm_89. Later ones have nothing there that
// code reads.
const sharedWindow = 0x18
