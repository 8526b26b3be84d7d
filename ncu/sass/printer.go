package sass

import "strconv"

// A printer builds the text of one instruction in the decoder's buffer.
type printer struct {
	in     *Inst
	b      []byte
	opcode int // where the opcode starts
	end    int // and ends
	arch   int
}

// start begins the text with the guard.
func (d *decoder) start(in *Inst) *printer {
	t := &printer{in: in, b: d.text[:0], arch: d.arch}
	if in.Guard >= 0 || in.GuardNot {
		t.word("@")
		if in.GuardNot {
			t.word("!")
		}
		if in.predSrc>>8 != 0 || in.Root[0] == 'U' || in.Root == "LDCU" {
			t.word("U")
		}
		t.pred(uint8(in.Guard)&7, "P")
		t.word(" ")
	}
	t.opcode = len(t.b)
	d.text = t.b
	return t
}

func (t *printer) word(s string) { t.b = append(t.b, s...) }

// dot appends a modifier, nothing when it is empty.
func (t *printer) dot(s string) {
	if s != "" {
		t.b = append(t.b, '.')
		t.b = append(t.b, s...)
	}
}

func (t *printer) endOpcode() { t.end = len(t.b); t.word(" ") }

// finish stores text and opcode: one string, the opcode a part of it.
func (t *printer) finish(in *Inst) {
	in.Text = string(t.b)
	in.Opcode = in.Text[t.opcode:t.end]
}

func (t *printer) comma() { t.word(", ") }

func (t *printer) reg(n uint8) {
	if n == zeroReg {
		t.word("RZ")
		return
	}
	t.word("R")
	t.b = strconv.AppendUint(t.b, uint64(n), 10)
}

func (t *printer) ureg(n uint8) {
	t.word("U")
	t.reg(n)
}

func (t *printer) register(n uint8, uniform bool) {
	if uniform {
		t.word("U")
	}
	t.reg(n)
}

// sourcePred prints a predicate that is read, and notes it.
func (t *printer) sourcePred(n uint8, not bool) {
	if not {
		t.word("!")
	}
	t.pred(n, "P")
	t.in.predSrc.add(n, false)
}

func (t *printer) pred(n uint8, prefix string) {
	t.word(prefix)
	if n > 6 {
		t.word("T")
		return
	}
	t.b = append(t.b, '0'+n)
}

// hex prints a number as the disassembler does: 0x10, -0x10.
func (t *printer) hex(v int64) {
	if v < 0 {
		t.word("-")
		v = -v
	}
	t.word("0x")
	t.b = strconv.AppendUint(t.b, uint64(v), 16)
}

// plus prints an offset, nothing when it is zero.
func (t *printer) plus(v int64) {
	if v != 0 {
		t.word("+")
		t.hex(v)
	}
}

// address prints the operand in brackets.
func (t *printer) address(in *Inst, base uint8, a operandText) {
	if a.desc {
		t.word("desc[")
		t.ureg(a.ur)
		t.word("]")
	}
	t.word("[")
	shown := a.uniform && !a.desc && !a.hidden
	off := in.Addr.Offset
	switch {
	case base == zeroReg && shown:
		t.ureg(a.ur)
		t.plus(off)
	case base == zeroReg && !a.desc && off != 0:
		t.hex(off)
	default:
		t.reg(base)
		if base != zeroReg {
			t.word(a.suffix)
		}
		if in.Addr.Scale > 1 {
			t.word(".X")
			t.b = strconv.AppendUint(t.b, uint64(in.Addr.Scale), 10)
		}
		if shown {
			t.word("+")
			t.ureg(a.ur)
		}
		t.plus(off)
	}
	t.word("]")
}
