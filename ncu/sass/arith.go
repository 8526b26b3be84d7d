package sass

// An arithOp is an operation that makes addresses, as far as a linear form can follow it.
type arithOp uint8

const (
	arMove   arithOp = iota // a
	arMulAdd                // a*b + c, the low word of a wide one as well
	arAdd                   // a + b + c
	arShift                 // (a << n) + b
	arSpecial
)

// specialReg is what S2R reads, by the number of the register.
type specialReg = int64

// The special registers that matter here.
const (
	srLane specialReg = 0x00
	srTidX specialReg = 0x21
	srTidY specialReg = 0x22
	srTidZ specialReg = 0x23
	srCtaX specialReg = 0x25
	srCtaY specialReg = 0x26
	srCtaZ specialReg = 0x27
	srSwin specialReg = 0x2f // high half of the shared window's address
	srRank specialReg = 0x88 // of the block in its cluster
)

// knownSpecial returns the number when it is one of those above, else -1.
func knownSpecial(n int64) specialReg {
	switch n {
	case srLane, srTidX, srTidY, srTidZ, srCtaX, srCtaY, srCtaZ, srSwin, srRank:
		return n
	}
	return -1
}

// An operandKind says what an operand is.
type operandKind uint8

const (
	noOperand operandKind = iota
	regOperand
	immOperand
	bankOperand // constant bank: imm is bank<<32 | offset
)

// An operand is one source of an arithmetic operation. Zero registers are immediates of 0.
type operand struct {
	kind operandKind
	neg  bool
	reg  Reg
	imm  int64
}

// arith is one operation with its sources.
type arith struct {
	op      arithOp
	a, b, c operand
	n       uint8 // shift
}

func imm(v int64) operand { return operand{kind: immOperand, imm: v} }

func (o operand) negated(neg bool) operand {
	if neg && o.kind == immOperand {
		o.imm = -o.imm
		return o
	}
	o.neg = neg
	return o
}

func regOf(n uint8, uniform bool) operand {
	if n == zeroReg {
		return imm(0)
	}
	return operand{kind: regOperand, reg: Reg{uniform, n}}
}

// A sourceReader reads the sources of one instruction.
type sourceReader struct {
	w    word
	arch int
	uni  bool
}

func (s sourceReader) reg(p uint) operand {
	if s.uni {
		return regOf(s.w.ureg(p, s.arch), true)
	}
	return regOf(s.w.reg(p), false)
}

// other returns the source that is not a register of the operation's own kind: immediate, constant or uniform register.
func (s sourceReader) other() operand {
	switch s.w.form() {
	case 2, 4:
		return imm(int64(int32(s.w.bits(32, 32))))
	case 6, 7:
		return regOf(s.w.ureg(32, s.arch), true)
	}
	if s.w.bit(91) { // bindless
		return operand{}
	}
	return operand{kind: bankOperand, imm: int64(s.w.bits(54, 5)<<32 | s.w.bits(40, 14)*4)}
}

// bc returns the second and the third source.
func (s sourceReader) bc() (operand, operand) {
	switch s.w.form() {
	case 1:
		return s.reg(32), s.reg(64)
	case 4, 5, 6:
		return s.other(), s.reg(64)
	case 2, 3, 7:
		return s.reg(64), s.other()
	}
	return operand{}, operand{}
}

// arithOf returns the arithmetic of an instruction; ok is false when it is none that linear forms follow: anything with a carry
// or a high half counts as that.
func arithOf(root string, w word, arch int) (a arith, ok bool) {
	s := sourceReader{w: w, arch: arch, uni: root[0] == 'U'}
	b, c := s.bc()
	negB, extended := w.bit(63) && w.form() != 4 && w.form() != 2, w.bit(74)
	switch root {
	case "MOV", "UMOV":
		if w.form() == 2 {
			return arith{}, false
		}
		return arith{op: arMove, a: b}, true
	case "R2UR":
		return arith{op: arMove, a: s.reg(24)}, true
	case "IMAD", "UIMAD":
		if extended || w.op()&0xff == 0x27 || w.op()&0xff == 0xa7 {
			return arith{}, false
		}
		return arith{op: arMulAdd, a: s.reg(24), b: b.negated(negB), c: c.negated(w.bit(75))}, true
	case "IADD3", "UIADD3":
		if extended {
			return arith{}, false
		}
		return arith{op: arAdd, a: s.reg(24).negated(w.bit(72)), b: b.negated(negB), c: c.negated(w.bit(75))}, true
	case "VIADD", "IADD":
		if w.form() == 2 || w.form() == 3 || w.form() == 7 {
			b = c
		}
		return arith{op: arAdd, a: s.reg(24).negated(w.bit(72)), b: b.negated(negB), c: imm(0)}, true
	case "LEA", "ULEA":
		if extended || w.bit(80) {
			return arith{}, false
		}
		return arith{op: arShift, a: s.reg(24).negated(w.bit(72)), b: b, n: uint8(w.bits(75, 5))}, true
	case "SHF", "USHF":
		if w.bit(76) || w.bit(80) || b.kind != immOperand {
			return arith{}, false
		}
		return arith{op: arShift, a: s.reg(24), b: imm(0), n: uint8(b.imm & 31)}, true
	case "S2R", "S2UR":
		return arith{op: arSpecial, a: imm(knownSpecial(int64(w.bits(72, 8))))}, true
	case "CS2R":
		if w.bits(72, 8) == 0xff {
			return arith{op: arMove, a: imm(0)}, true
		}
	case "HFMA2":
		if x := s.reg(24); w.form() == 2 && x.kind == immOperand && b.kind == immOperand {
			return arith{op: arMove, a: c}, true
		}
	}
	return arith{}, false
}
