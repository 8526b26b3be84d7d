package sass

import (
	"errors"
	"strconv"
	"strings"
)

// A textClass is what the name of a memory operation says.
type textClass struct {
	space Space
	op    Operation
	dst   bool // the first register is a destination
}

var textClasses = map[string]textClass{
	"LDG": {Global, Load, true}, "STG": {Global, Store, false}, "LD": {Generic, Load, true}, "ST": {Generic, Store, false},
	"LDS": {Shared, Load, true}, "STS": {Shared, Store, false}, "LDL": {Local, Load, true}, "STL": {Local, Store, false},
	"LDC": {Constant, Load, true}, "ULDC": {Constant, Load, true}, "LDCU": {Constant, Load, true},
	"ATOMG": {Global, Atomic, true}, "ATOM": {Generic, Atomic, true}, "ATOMS": {Shared, Atomic, true},
	"RED": {Global, Reduce, false}, "REDG": {Global, Reduce, false}, "LDGSTS": {Global, AsyncCopy, false},
	"LDSM": {Shared, Load, true}, "STSM": {Shared, Store, false}, "LDGMC": {Global, Load, true},
	"STAS": {Shared, Store, false}, "REDAS": {Shared, Reduce, false},
	"UTMALDG": {Global, BulkCopy, false}, "UTMASTG": {Global, BulkCopy, false}, "UTMAREDG": {Global, Reduce, false},
	"UTMAPF": {Global, Prefetch, false}, "UBLKCP": {Global, BulkCopy, false}, "UBLKRED": {Global, Reduce, false},
	"UBLKPF": {Global, Prefetch, false},
}

// memory reads the operands of a memory operation.
func (p *parser) memory(c textClass) error {
	in := p.in
	in.Space, in.Operation = c.space, c.op
	p.modifiers()
	if strings.HasPrefix(in.Root, "UTMA") || strings.HasPrefix(in.Root, "UBLK") {
		if p.has("S") && !p.has("G") {
			in.Space = Shared
		}
		in.Width = 0
		return p.bulk()
	}
	o := memOperands{dst: c.dst, n: min(4, registers(in.Width))} // 256 bits are two groups of four
	for i, op := range p.ops {
		if err := p.memOperand(&o, i, op); err != nil {
			return err
		}
	}
	if o.addresses == 0 {
		return errors.New("no address")
	}
	in.Src = append(append(append(in.Src, addressList(&in.Addr)...), o.data...), o.shared...)
	if len(in.Src) == 0 {
		in.Src = nil
	}
	return nil
}

// memOperands collects the operands of a memory operation.
type memOperands struct {
	dst       bool  // a destination is still to come
	n         uint8 // registers of one operand
	addresses int   // seen so far
	data      []Reg // stored
	shared    []Reg // of the shared side of LDGSTS
}

// memOperand reads the i-th operand.
func (p *parser) memOperand(o *memOperands, i int, op string) (err error) {
	in := p.in
	if q, uniform, ok := predicate(op); ok {
		if o.addresses > 0 {
			in.predSrc.add(q, uniform)
			return nil
		}
		in.predDst.add(q, uniform)
		o.dst = o.dst && in.Root != "ATOMS" // CAST.SPIN with a predicate result has no register one
		return nil
	}
	if strings.Contains(op, "[") {
		o.addresses++
		if in.Operation == AsyncCopy && o.shared == nil && isSharedSide(op) && (i == 0 || o.addresses == 2) {
			o.shared, err = sharedRegs(op)
			return err
		}
		return p.address(op)
	}
	r, _, ok := register(op)
	switch {
	case ok && o.dst && o.addresses == 0:
		in.Dst = appendRegs(in.Dst, r, o.n)
	case ok:
		o.data = appendRegs(o.data, r, o.n)
	}
	return nil
}

// addressList returns the registers of an address.
func addressList(a *Address) []Reg {
	var list []Reg
	if a.HasBase {
		list = appendRegs(list, a.Base, 1+flag(a.Wide))
	}
	if a.HasUniform {
		list = appendRegs(list, a.Uniform, 1+flag(a.UniformWide))
	}
	return list
}

// modifiers takes width, order and eviction from the opcode's parts.
func (p *parser) modifiers() {
	in := p.in
	in.Width = 4
	types := ""
	for i, m := range p.mods {
		switch m {
		case "EF", "EL", "LU", "EU", "NA":
			in.Evict = m
		case "CONSTANT", "STRONG", "MMIO":
			in.Order = orderClass(strings.Join(trimmed(p.mods[i:]), "."))
		case "U8", "S8":
			in.Width = 1
		case "U16", "S16":
			in.Width = 2
		case "64", "S64":
			in.Width = 8
		case "128":
			in.Width = 16
		case "256":
			in.Width = 32
		}
		if t := widthOfType(m); t > 0 {
			types = m
			in.Width = t
		}
	}
	switch {
	case in.Root == "LDSM" || in.Root == "STSM":
		in.Width = 4
		if last := p.mods[max(0, len(p.mods)-1):]; len(last) == 1 && (last[0] == "2" || last[0] == "4") {
			in.Width, _ = strconv.Atoi(last[0])
			in.Width *= 4
		}
	case in.Root == "LDGMC" || in.Root == "STAS" || in.Root == "REDAS":
		in.Width, in.Order = 0, ""
	case types == "" && in.Operation == Atomic && p.has("64"):
		in.Width = 8
	}
}

// trimmed drops what is printed after the order.
func trimmed(mods []string) []string {
	for len(mods) > 0 {
		if last := mods[len(mods)-1]; last != "ZD" && last != "ZFILL" {
			break
		}
		mods = mods[:len(mods)-1]
	}
	return mods
}

// widthOfType returns the bytes of a float type of atomics, 0 when it is none.
func widthOfType(m string) int {
	for _, t := range floatTypes {
		if name, _, _ := strings.Cut(t.name, "."); name == m && m != "" {
			return t.bytes
		}
	}
	return 0
}

// isSharedSide tells the shared address of LDGSTS from the global one. The disassembler prints it first, the source page
// of ncu second.
func isSharedSide(op string) bool {
	return !strings.Contains(op, "desc[") && !strings.Contains(op, ".64")
}

// sharedRegs returns the registers of the shared side of LDGSTS: [R7+UR4+0x10].
func sharedRegs(op string) ([]Reg, error) {
	var list []Reg
	for _, part := range strings.Split(strings.Trim(op, "[]"), "+") {
		if r, _, ok := register(part); ok {
			list = appendRegs(list, r, 1)
		} else if _, ok := number(part); !ok {
			return nil, errors.New("bad shared address")
		}
	}
	return list, nil
}

// address reads the operand with brackets: [R2.64+UR4+0x40], desc[UR4][R2.64], c[0x3][R4+0x10], cx[UR4][0x8].
func (p *parser) address(op string) error {
	in := p.in
	a := &in.Addr
	open := strings.LastIndexByte(op, '[')
	if !strings.HasSuffix(op, "]") || open < 0 {
		return errors.New("bad address")
	}
	inner := op[open+1 : len(op)-1]
	before := op[:open]
	wideByDefault := p.has("E")
	switch {
	case strings.HasPrefix(before, "cx["):
		if r, _, ok := register(strings.Trim(before[2:], "[]")); ok {
			in.Src = appendRegs(in.Src, r, 1)
		}
	case strings.HasPrefix(before, "c["):
		v, ok := number(strings.Trim(before[1:], "[]"))
		if !ok || v < 0 || v > 31 {
			return errors.New("bad constant bank")
		}
		a.Bank = int(v)
	}
	a.Scale = 1
	for _, part := range strings.Split(inner, "+") {
		if err := a.part(part, in.Space == Constant, &wideByDefault); err != nil {
			return err
		}
	}
	a.Wide = a.HasBase && wideByDefault && in.Space != Constant
	a.UniformWide = a.HasUniform && p.has("E")
	return nil
}

// part reads one summand of an address.
func (a *Address) part(s string, constant bool, wide *bool) error {
	if r, suffix, ok := register(s); ok {
		if suffix != "" {
			*wide = suffix == "64"
		}
		if n, ok := strings.CutPrefix(suffix, "X"); ok {
			if v, err := strconv.ParseUint(n, 10, 8); err == nil {
				a.Scale = uint8(v)
			}
		}
		if r.N == zeroReg {
			return nil
		}
		if r.Uniform && !constant {
			a.HasUniform, a.Uniform = true, r
		} else {
			a.HasBase, a.Base = true, r
		}
		return nil
	}
	v, ok := number(s)
	if !ok {
		return errors.New("bad address")
	}
	a.Offset += v
	return nil
}

// bulk reads the operands of a bulk copy: uniform registers.
func (p *parser) bulk() error {
	for _, op := range p.ops {
		if strings.HasPrefix(op, "desc") {
			continue
		}
		r, _, ok := register(strings.Trim(op, "[]"))
		if !ok {
			return errors.New("bad operand of a bulk copy")
		}
		p.in.Src = appendRegs(p.in.Src, r, 1)
	}
	return nil
}
