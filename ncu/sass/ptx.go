package sass

import (
	"bytes"
	"strconv"
	"strings"
)

// A ptxReader reads PTX statement by statement.
type ptxReader struct {
	functions []*Function
	f         *Function
	arch      int
	files     map[int]string
	place     int32
	depth     int
}

// parsePTX reads the memory instructions of each function. Offsets count statements: PTX has no addresses. What registers
// hold is not followed, so facts of the instructions are unknown.
func parsePTX(b []byte) (*Listing, error) {
	r := &ptxReader{files: map[int]string{}}
	var statement strings.Builder
	comment := false
	for raw := range bytes.Lines(b) {
		line := string(raw)
		line, comment = stripComments(line, comment)
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, ".file") || strings.HasPrefix(trimmed, ".loc") || strings.HasPrefix(trimmed, ".target") {
			r.directive(trimmed)
			continue
		}
		for line != "" {
			i := strings.IndexAny(line, ";{}")
			if i < 0 {
				statement.WriteString(line)
				break
			}
			if line[i] == '{' && r.f != nil && r.depth > 0 { // a vector operand, or a block of its own
				if strings.TrimSpace(statement.String()+line[:i]) != "" {
					end := strings.IndexByte(line[i:], '}')
					if end < 0 {
						end = len(line) - i - 1
					}
					statement.WriteString(line[:i+end+1])
					line = line[i+end+1:]
					continue
				}
			}
			statement.WriteString(line[:i])
			r.statement(strings.TrimSpace(statement.String()), line[i])
			statement.Reset()
			line = line[i+1:]
		}
	}
	if len(r.functions) == 0 {
		return nil, &InputError{Line: 1, Msg: "no function in this PTX; is it the output of nvcc -ptx?"}
	}
	l := &Listing{Format: "ptx"}
	l.add(r.functions)
	return l, nil
}

// stripComments removes comments of one line; inside tells whether it starts, and the result whether it ends, in one.
func stripComments(line string, inside bool) (string, bool) {
	var out strings.Builder
	for {
		if inside {
			_, rest, ok := strings.Cut(line, "*/")
			if !ok {
				return out.String() + "\n", true
			}
			line, inside = rest, false
		}
		i := strings.Index(line, "//")
		j := strings.Index(line, "/*")
		switch {
		case j >= 0 && (i < 0 || j < i):
			out.WriteString(line[:j])
			line, inside = line[j+2:], true
		case i >= 0:
			return out.String() + line[:i] + "\n", false
		default:
			return out.String() + line, false
		}
	}
}

// directive reads the lines that end without a semicolon.
func (r *ptxReader) directive(s string) {
	fields := strings.Fields(strings.ReplaceAll(s, ",", " "))
	switch {
	case fields[0] == ".target" && len(fields) > 1:
		r.arch, _ = strconv.Atoi(strings.TrimRight(strings.TrimPrefix(fields[1], "sm_"), "af"))
	case fields[0] == ".file" && len(fields) > 2:
		if n, err := strconv.Atoi(fields[1]); err == nil {
			r.files[n] = strings.Trim(fields[2], `"`)
		}
	case fields[0] == ".loc" && len(fields) > 2 && r.f != nil:
		file, err1 := strconv.Atoi(fields[1])
		line, err2 := strconv.Atoi(fields[2])
		if err1 == nil && err2 == nil {
			r.f.places = append(r.f.places, Frame{File: r.files[file], Line: line})
			r.place = int32(len(r.f.places))
		}
	}
}

// statement takes what stands before a semicolon or a brace.
func (r *ptxReader) statement(s string, end byte) {
	if r.depth == 0 {
		if name := functionName(s); name != "" && end == '{' {
			r.f = &Function{Name: name, Arch: r.arch, StackBytes: -1}
			r.place = 0
			r.functions = append(r.functions, r.f)
		}
	}
	if r.f != nil && end != '{' && s != "" {
		r.instruction(s)
	}
	switch end {
	case '{':
		r.depth++
	case '}':
		r.depth = max(0, r.depth-1)
		if r.depth == 0 {
			r.f = nil
		}
	}
}

// functionName returns the name in ".visible .entry NAME(" or ".func (.param ...) NAME(".
func functionName(s string) string {
	_, rest, ok := strings.Cut(s, ".entry")
	if !ok {
		if _, rest, ok = strings.Cut(s, ".func"); !ok {
			return ""
		}
		if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "(") { // what it returns
			_, rest, _ = strings.Cut(rest, ")")
		}
	}
	name, _, _ := strings.Cut(strings.TrimSpace(rest), "(")
	if fields := strings.Fields(name); len(fields) > 0 {
		return fields[0]
	}
	return ""
}

// instruction reads one statement of a body.
func (r *ptxReader) instruction(s string) {
	for { // labels
		label, rest, ok := strings.Cut(s, ":")
		if !ok || strings.ContainsAny(label, " \t.,[%") || strings.HasPrefix(rest, ":") {
			break
		}
		s = strings.TrimSpace(rest)
	}
	if strings.HasPrefix(s, "@") {
		_, s, _ = strings.Cut(s, " ")
		s = strings.TrimSpace(s)
	}
	s = strings.Join(strings.Fields(s), " ")
	opcode, operands, _ := strings.Cut(s, " ")
	if opcode == "" || opcode[0] == '.' {
		if strings.HasPrefix(opcode, ".shared") {
			r.sharedArray(s)
		}
		return
	}
	in := Inst{Offset: uint64(len(r.f.Insts)) * instSize, Opcode: opcode, Text: s, Guard: -1}
	in.Addr.Bank = -1
	parts := strings.Split(opcode, ".")
	in.Root = parts[0]
	ptxMemory(&in, parts[1:], operands)
	r.f.Window = r.f.Window || strings.HasPrefix(opcode, "cvta.shared")
	r.f.Insts = append(r.f.Insts, in)
	r.f.setPlace(len(r.f.Insts)-1, r.place)
}

// sharedArray adds the size of ".shared .align 4 .b8 name[1024]".
func (r *ptxReader) sharedArray(s string) {
	_, size, ok := strings.Cut(s, "[")
	n, err := strconv.Atoi(strings.TrimSpace(strings.SplitN(size, "]", 2)[0]))
	if !ok || err != nil || n < 0 || n > maxShared {
		return
	}
	for _, p := range strings.FieldsFunc(s, func(c rune) bool { return c == '.' || c == ' ' }) {
		if w := ptxTypes[p]; w > 0 {
			n *= w
			break
		}
	}
	if r.f.Shared != nil {
		n += *r.f.Shared
	}
	r.f.Shared = &n
}

// ptxTypes are the types of PTX with their bytes.
var ptxTypes = map[string]int{
	"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "b32": 4, "u32": 4, "s32": 4, "f32": 4,
	"f16x2": 4, "bf16x2": 4, "b64": 8, "u64": 8, "s64": 8, "f64": 8, "f32x2": 8, "b128": 16,
}

// ptxSpaces are the state spaces; an instruction without one is generic.
var ptxSpaces = map[string]Space{
	"global": Global, "shared": Shared, "shared::cta": Shared, "shared::cluster": Shared, "local": Local, "const": Constant,
}

// ptxOps are the memory instructions.
var ptxOps = map[string]Operation{"ld": Load, "ldu": Load, "st": Store, "atom": Atomic, "red": Reduce, "prefetch": Prefetch}

// ptxMemory fills space, operation, width and order of a PTX instruction. Parameters are no memory access: the driver
// puts them where the kernel finds them.
func ptxMemory(in *Inst, mods []string, operands string) {
	switch in.Root {
	case "cp":
		ptxCopy(in, mods, operands)
	case "ldmatrix":
		in.Space, in.Operation = Shared, Load
	case "stmatrix":
		in.Space, in.Operation = Shared, Store
	case "tex", "tld4":
		in.Space, in.Operation = Texture, Load
	case "suld":
		in.Space, in.Operation = Surface, Load
	case "sust":
		in.Space, in.Operation = Surface, Store
	default:
		if op, ok := ptxOps[in.Root]; ok {
			ptxAccess(in, op, mods, operands)
		}
	}
}

// ptxCopy reads asynchronous copies; their size is the third operand.
func ptxCopy(in *Inst, mods []string, operands string) {
	switch {
	case len(mods) < 2 || mods[0] != "async":
	case mods[1] == "bulk":
		in.Space, in.Operation = Global, BulkCopy
	case strings.Contains(operands, ","):
		in.Space, in.Operation = Global, AsyncCopy
		if f := strings.Split(operands, ","); len(f) > 2 {
			in.Width, _ = strconv.Atoi(strings.TrimSpace(f[2])) // a register is no number: unknown
		}
	}
}

// ptxAccess reads loads, stores and atomics.
func ptxAccess(in *Inst, op Operation, mods []string, operands string) {
	space, width, vector, order := Generic, 0, 1, ""
	for _, m := range mods {
		if s, ok := ptxSpaces[m]; ok && space == Generic {
			space = s
		}
		if w := ptxTypes[m]; w > 0 {
			width = w
		}
		switch m {
		case "param", "param::entry", "param::func":
			return
		case "v2", "v4", "v8":
			vector = int(m[1] - '0')
		case "nc":
			order = "CONSTANT"
		case "volatile":
			order = "STRONG.SYS"
		case "relaxed", "acquire", "release":
			order = "STRONG"
		}
	}
	in.Space, in.Operation, in.Width, in.Order = space, op, width*vector, order
	in.Addr.HasBase = strings.Contains(operands, "[%")
}
