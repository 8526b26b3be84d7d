package sass

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// ParseInst reads one instruction as nvdisasm, cuobjdump and the source page of ncu print it, and gives the same Inst as
// Decode does for its bits, but for Offset and for targets that are labels. An operation that is not known is no error:
// its operands are taken as sources after a destination.
func ParseInst(text string) (Inst, error) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), ";"))
	in := Inst{Guard: -1, Text: text}
	in.Addr.Bank = -1
	p := parser{in: &in}
	rest, err := p.guard(text)
	if err != nil {
		return Inst{}, fmt.Errorf("parsing instruction %.80q: %w", text, err)
	}
	opcode, operands, _ := strings.Cut(rest, " ")
	if opcode == "" || opcode[0] < 'A' || opcode[0] > 'Z' {
		return Inst{}, fmt.Errorf("parsing instruction %.80q: no operation", text)
	}
	in.Opcode = opcode
	mods := strings.Split(opcode, ".")
	in.Root, p.mods = mods[0], mods[1:]
	p.ops = splitOperands(operands)
	if in.Guard >= 0 {
		in.predSrc.add(uint8(in.Guard), in.Root[0] == 'U' || in.Root == "LDCU" || p.guardUniform)
	}
	if c, ok := textClasses[in.Root]; ok {
		err = p.memory(c)
	} else {
		p.plain()
		in.surface()
	}
	if err != nil {
		return Inst{}, fmt.Errorf("parsing instruction %.80q: %w", text, err)
	}
	return in, nil
}

// A parser holds one instruction in pieces.
type parser struct {
	in           *Inst
	guardUniform bool
	mods         []string
	ops          []string
	arithOps     []operand // sources of an operation outside the memory classes
	half         bool      // the first of two halves of an immediate was read
}

// guard reads "@!P0 " and returns what follows.
func (p *parser) guard(s string) (string, error) {
	if !strings.HasPrefix(s, "@") {
		return s, nil
	}
	g, rest, ok := strings.Cut(s[1:], " ")
	if !ok {
		return "", errors.New("a guard without an instruction")
	}
	g, p.in.GuardNot = strings.CutPrefix(g, "!")
	n, uniform, ok := predicate(g)
	if !ok {
		return "", errors.New("bad guard")
	}
	p.guardUniform = uniform
	if n < 7 {
		p.in.Guard = int8(n)
	}
	return strings.TrimSpace(rest), nil
}

// predicate reads P0 to P6, PT, UP0 to UP6 or UPT, negated or not; PT is 7.
func predicate(s string) (n uint8, uniform, ok bool) {
	s = strings.TrimPrefix(s, "!")
	s, uniform = strings.CutPrefix(s, "U")
	if len(s) != 2 || s[0] != 'P' {
		return 0, false, false
	}
	if s[1] == 'T' {
		return 7, uniform, true
	}
	return s[1] - '0', uniform, s[1] >= '0' && s[1] <= '6'
}

// splitOperands splits at commas and blanks outside brackets, and drops the marks that say nothing about operands.
func splitOperands(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s), depth == 0 && (s[i] == ',' || s[i] == ' '):
			if op := strings.TrimSuffix(strings.TrimSpace(s[from:i]), ".reuse"); op != "" {
				out = append(out, strings.ReplaceAll(op, ".reuse", ""))
			}
			from = i + 1
		case s[i] == '[' || s[i] == '(':
			depth++
		case s[i] == ']' || s[i] == ')':
			depth--
		}
	}
	return out
}

// register reads R0, RZ, UR0 or URZ with a suffix such as .64 or .H0_H0; zero registers are zeroReg.
func register(s string) (r Reg, suffix string, ok bool) {
	s, suffix, _ = strings.Cut(s, ".")
	s, r.Uniform = strings.CutPrefix(s, "U")
	if len(s) < 2 || s[0] != 'R' {
		return Reg{}, "", false
	}
	if s[1:] == "Z" {
		r.N = zeroReg
		return r, suffix, true
	}
	n, err := strconv.ParseUint(s[1:], 10, 8)
	if err != nil || n >= zeroReg {
		return Reg{}, "", false
	}
	r.N = uint8(n)
	return r, suffix, true
}

// number reads 0x10, -0x10 or a decimal.
func number(s string) (int64, bool) {
	v, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		if u, err := strconv.ParseUint(s, 0, 64); err == nil {
			return int64(u), true
		}
	}
	return v, err == nil
}

// appendRegs appends n consecutive registers; a zero register is none.
func appendRegs(list []Reg, r Reg, n uint8) []Reg {
	for i := range n {
		if int(r.N)+int(i) >= zeroReg {
			break
		}
		list = append(list, Reg{r.Uniform, r.N + i})
	}
	return list
}

// byName are the opcodes by the names that texts have.
var byName = sync.OnceValue(func() map[string]*opcode {
	m := map[string]*opcode{
		iadd64.name: &iadd64, "IADD": {"IADD", 1, 1, 1, 0, 0, 0}, clusterErrbar.name: &clusterErrbar,
	}
	for i := range opcodes {
		if o := &opcodes[i]; o.name != "" && m[o.name] == nil {
			m[o.name] = o
		}
	}
	return m
})

// unknownOp is an operation of which nothing is known but that it has operands.
var unknownOp = opcode{"", 1, 1, 1, 1, 0, 0}

// opcode finds the operand counts of an operation outside the memory classes.
func (p *parser) opcode() *opcode {
	root := p.in.Root
	if root == "CALL" && p.has("REL") {
		return &opcode{"CALL", 0, 0, 0, 0, 0, branch}
	}
	for _, m := range p.mods {
		if o := byName()[root+"."+m]; o != nil {
			return o
		}
	}
	if o := byName()[root]; o != nil {
		return o
	}
	return &unknownOp
}

func (p *parser) has(mod string) bool {
	for _, m := range p.mods {
		if m == mod {
			return true
		}
	}
	return false
}

// widths returns the register counts of destination and sources, with the 64-bit types among the modifiers.
func (p *parser) widths(o *opcode) (d uint8, src []uint8) {
	d, a, b, c := o.d, o.a, o.b, o.c
	first, second := "", "" // types, in printed order
	for _, m := range p.mods {
		if len(m) == 3 && (m[0] == 'F' || m[0] == 'S' || m[0] == 'U') && m[1] >= '0' && m[1] <= '9' {
			if first == "" {
				first = m
			} else {
				second = m
			}
		}
	}
	is64 := func(t string) uint8 { return flag(len(t) == 3 && t[1:] == "64") }
	switch p.in.Root {
	case "F2F":
		d, b = 1+is64(first), 1+is64(second)
	case "FRND":
		d, b = 1+is64(first), 1+is64(first)
	case "F2I":
		d, b = conversion(first, second, 'F')
		d, b = b, d
	case "I2F":
		d, b = conversion(first, second, 'F')
	case "ISETP", "IMNMX":
		if is64(first) == 1 {
			d, a, b = 2*d, 2*a, 2*b
		}
	case "CS2R":
		d = 2 - flag(p.has("32"))
	case "SEL", "MOV", "UMOV":
		if p.has("64") {
			d, a, b = 2*d, 2*a, 2*b
		}
	}
	for _, n := range []uint8{a, b, c} {
		if n > 0 {
			src = append(src, n)
		}
	}
	return d, src
}

// conversion tells the registers of the float side and of the integer side from the types that are printed.
func conversion(first, second string, kind byte) (float, integer uint8) {
	float, integer = 1, 1
	for _, t := range []string{first, second} {
		if len(t) == 3 && t[1:] == "64" {
			if t[0] == kind {
				float = 2
			} else {
				integer = 2
			}
		}
	}
	return float, integer
}

// plain reads the operands of an operation outside the memory classes: predicates written stand before the sources,
// then the destination, then the sources in order.
func (p *parser) plain() {
	in := p.in
	o := p.opcode()
	d, widths := p.widths(o)
	written := bitCount(o.preds & (pd81 | pd84))
	dests := int(flag(o.d > 0))
	if o.flags&texture != 0 {
		dests = 2
	}
	for _, op := range p.ops {
		if n, uniform, ok := predicate(op); ok {
			if written > 0 && len(p.arithOps) == 0 {
				written--
				in.predDst.add(n, uniform)
			} else {
				in.predSrc.add(n, uniform)
			}
			continue
		}
		r, neg, isReg := sourceRegister(op)
		if isReg && dests > 0 && len(p.arithOps) == 0 && !strings.Contains(op, "[") {
			dests--
			in.Dst = appendRegs(in.Dst, r, d)
			continue
		}
		if handle := isReg && r.Uniform && o.flags&(texture|direct|branch) != 0 && o.flags&uniform == 0 && in.Root != "SYNCS"; !handle {
			widths = p.source(op, r, neg, isReg, widths)
		}
	}
	if o.preds&pdAll != 0 {
		in.predDst |= 0x7f
	}
	if o.preds&psAll != 0 {
		in.predSrc |= 0x7f
	}
	if o.flags&(branch|barrier) != 0 && len(p.ops) > 0 {
		if v, ok := number(p.ops[len(p.ops)-1]); ok && v >= 0 {
			in.Target, in.HasTarget = uint64(v), true
		}
	}
	in.arith = p.arith()
}

// source takes one source; widths are the register counts of those that are still to come.
func (p *parser) source(op string, r Reg, neg, isReg bool, widths []uint8) []uint8 {
	pair := p.in.Root[0] == 'H' && isHalf(op)
	if pair && p.half {
		p.half = false
		return widths
	}
	p.half = pair
	p.arithOps = append(p.arithOps, operandOf(op, r, neg, isReg))
	if len(widths) == 0 {
		return nil
	}
	if isReg {
		p.in.Src = appendRegs(p.in.Src, r, widths[0])
	}
	return widths[1:]
}

// isHalf recognises one half of an immediate of packed halves, which is printed as two numbers.
func isHalf(op string) bool {
	_, err := strconv.ParseFloat(strings.TrimPrefix(op, "+"), 64)
	return err == nil || strings.HasSuffix(op, "QNAN") || strings.HasSuffix(op, "SNAN")
}

func bitCount(p predField) (n int) {
	for ; p != 0; p &= p - 1 {
		n++
	}
	return n
}

// sourceRegister reads a register operand with its signs: -R1, |R1|, ~R1, [R12].
func sourceRegister(op string) (r Reg, neg, ok bool) {
	op, neg = strings.CutPrefix(op, "-")
	op, _, _ = strings.Cut(strings.Trim(strings.TrimPrefix(op, "gdesc"), "|~[]"), "+")
	r, _, ok = register(op)
	return r, neg, ok
}

// operandOf makes an operand of a printed one.
func operandOf(op string, r Reg, neg, isReg bool) operand {
	if isReg {
		return regOf(r.N, r.Uniform).negated(neg)
	}
	if v, ok := number(op); ok {
		return imm(int64(int32(v)))
	}
	op, neg = strings.CutPrefix(op, "-")
	bank, off, ok := bankOf(op)
	if !ok {
		return operand{}
	}
	return operand{kind: bankOperand, imm: int64(bank)<<32 | off, neg: neg}
}

// bankOf reads c[0x0][0x160].
func bankOf(op string) (bank int, off int64, ok bool) {
	inner, found := strings.CutPrefix(op, "c[")
	if !found {
		return 0, 0, false
	}
	b, o, found := strings.Cut(inner, "][")
	if !found || !strings.HasSuffix(o, "]") {
		return 0, 0, false
	}
	bv, ok1 := number(b)
	ov, ok2 := number(strings.TrimSuffix(o, "]"))
	return int(bv), ov, ok1 && ok2 && bv >= 0 && bv < 32 && ov >= 0 && ov < 1<<16
}
