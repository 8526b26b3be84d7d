package sass

import (
	"fmt"
	"strings"
)

// Decode decodes one instruction of an architecture: lo holds bits 0 to 63, hi bits 64 to 127, offset is its place in
// the function. Values that are reserved or not known give unknown: width 0, and UnknownSpace for a memory operation.
func Decode(lo, hi uint64, arch int, offset uint64) Inst {
	var in Inst
	d := decoder{arch: arch}
	d.decode(&in, word{lo, hi}, offset)
	return in
}

// A decoder decodes the instructions of one function. It hands out register lists from larger blocks.
type decoder struct {
	arch int
	regs []Reg
	ops  []arith
	text []byte
}

// keep stores an operation in a larger block.
func (d *decoder) keep(a arith) *arith {
	if len(d.ops) == cap(d.ops) {
		d.ops = make([]arith, 0, min(arithBlock, 2*cap(d.ops)+1))
	}
	d.ops = append(d.ops, a)
	return &d.ops[len(d.ops)-1]
}

// arithBlock is the largest number of operations allocated at once.
const arithBlock = 256

// regBlock is the largest number of registers allocated at once.
const regBlock = 1024

func (d *decoder) decode(in *Inst, w word, offset uint64) {
	in.Offset = offset
	in.Addr.Bank = -1
	in.Guard = -1
	if g := int8(w.bits(12, 3)); g != 7 {
		in.Guard = g
	}
	in.GuardNot = w.bit(15)
	if d.memory(in, w) {
		return
	}
	o := lookup(w, d.arch)
	if o == nil {
		d.unknown(in, w)
		return
	}
	in.Root = o.name
	if i := strings.IndexByte(o.name, '.'); i > 0 {
		in.Root = o.name[:i]
	}
	in.Opcode, in.Text = o.name, o.name
	in.guarded(o.flags&uniform != 0)
	d.defUse(in, o, w)
	d.predicates(in, o, w)
	if a, ok := arithOf(in.Root, w, d.arch); ok {
		in.arith = d.keep(a)
	}
	in.target(o, w, d.arch)
	in.surface()
}

// guarded notes the guard among the predicates that are read.
func (in *Inst) guarded(uniform bool) {
	if in.Guard >= 0 {
		in.predSrc.add(uint8(in.Guard), uniform)
	}
}

// unknown fills an instruction of which the operation is not in the tables: it may write its destination and may read
// every register that its form has.
func (d *decoder) unknown(in *Inst, w word) {
	in.Opcode = fmt.Sprintf("OP_%03X", w.lo&0xfff)
	in.Root, in.Text = in.Opcode, in.Opcode
	in.guarded(false)
	d.defUse(in, &opcode{"", 1, 1, 1, 1, 0, 0}, w)
}

// surface marks texture and surface accesses, of which neither address nor width is decoded.
func (in *Inst) surface() {
	switch in.Root {
	case "TEX", "TLD", "TLD4", "TXD", "TXQ":
		in.Space, in.Operation = Texture, Load
	case "SULD":
		in.Space, in.Operation = Surface, Load
	case "SUST":
		in.Space, in.Operation = Surface, Store
	case "SURED":
		in.Space, in.Operation = Surface, Reduce
	}
}

// list starts a register list; add appends to it.
func (d *decoder) list() int {
	if cap(d.regs)-len(d.regs) < 64 {
		d.regs = make([]Reg, 0, min(regBlock, 2*cap(d.regs)+64))
	}
	return len(d.regs)
}

// add appends n consecutive registers; RZ is none.
func (d *decoder) add(r uint8, uniform bool, n uint8) {
	if r == zeroReg {
		return
	}
	for i := range n {
		if int(r)+int(i) >= zeroReg {
			return
		}
		d.regs = append(d.regs, Reg{uniform, r + i})
	}
}

// end returns the list that started at from, nil when it is empty.
func (d *decoder) end(from int) []Reg {
	if from == len(d.regs) {
		return nil
	}
	return d.regs[from:len(d.regs):len(d.regs)]
}

// defUse lists the registers an operation outside the memory classes writes and reads.
func (d *decoder) defUse(in *Inst, o *opcode, w word) {
	nd, na, nb, nc := o.d, o.a, o.b, o.c
	if o.flags&convert != 0 {
		nd, nb = 1+wide(w, 75), 1+wide(w, 84)
	}
	nd, na, nb = widen(o, w, nd, na, nb)
	uni := o.flags&uniform != 0
	from := d.list()
	if o.flags&texture != 0 {
		d.add(w.reg(64), false, nd)
	}
	d.add(d.register(w, 16, uni || o.flags&uniformDst != 0), uni || o.flags&uniformDst != 0, nd)
	in.Dst = d.end(from)
	from = d.list()
	first := uni || o.name == "HGMMA" && w.form() == 4 // a descriptor of a matrix in shared memory
	d.add(d.register(w, 24, first), first, na)
	d.sources(o, w, uni, nb, nc)
	in.Src = d.end(from)
}

// wide returns 1 when the format field at p says 64 bits.
func wide(w word, p uint) uint8 {
	if w.bits(p, 2) == 3 {
		return 1
	}
	return 0
}

// widen corrects the counts of operations that have a 64-bit form under the same number, all of sm_120 but CS2R.
func widen(o *opcode, w word, nd, na, nb uint8) (uint8, uint8, uint8) {
	twice := false
	switch o.name {
	case "CS2R", "ISETP":
		twice = w.bit(80)
	case "MOV", "UMOV":
		twice = w.bit(80) || w.form() == 2
	case "IMNMX":
		twice = w.bit(74)
	case "SEL":
		twice = wideSelect(o, w)
	}
	if twice {
		return 2 * nd, 2 * na, 2 * nb
	}
	return nd, na, nb
}

// wideSelect recognises SEL.64, which has forms 2 and 3 where SEL has 4 and 1.
func wideSelect(o *opcode, w word) bool { return o.name == "SEL" && (w.form() == 2 || w.form() == 3) }

func (d *decoder) register(w word, p uint, uniform bool) uint8 {
	if uniform {
		return w.ureg(p, d.arch)
	}
	return w.reg(p)
}

// sources adds the second and the third source. Forms 1, 4, 5 and 6 have B as a register, an immediate, a constant or a
// uniform register and C as a register at 64; forms 2, 3 and 7 have B as a register at 64 and the other kinds as C. An
// operation without C keeps its second source in the place of C in those.
func (d *decoder) sources(o *opcode, w word, uni bool, nb, nc uint8) {
	form := w.form()
	switch {
	case o.name == "SHFL":
		if form == 1 || form == 2 {
			d.add(w.reg(32), false, nb)
		}
		if form == 1 || form == 4 {
			d.add(w.reg(64), false, nc)
		}
	case o.flags&(texture|direct) != 0:
		d.add(d.register(w, 32, uni), uni, nb)
		if form != 7 {
			d.add(w.reg(64), false, nc)
		}
	case wideSelect(o, w):
		if form == 3 {
			d.add(w.reg(32), false, nb)
		}
	case form == 1:
		d.add(d.register(w, 32, uni), uni, nb)
		d.add(d.register(w, 64, uni), uni, nc)
	case form == 4 || form == 5:
		d.add(d.register(w, 64, uni), uni, nc)
	case form == 6:
		d.add(w.ureg(32, d.arch), true, nb)
		d.add(d.register(w, 64, uni), uni, nc)
	case form == 2 || form == 3 || form == 7:
		if nb > 0 && nc > 0 {
			d.add(d.register(w, 64, uni), uni, nb)
		}
		if form == 7 {
			d.add(w.ureg(32, d.arch), true, max(nb, nc))
		}
	}
}

// predicates lists the predicate registers written and read.
func (d *decoder) predicates(in *Inst, o *opcode, w word) {
	if o.preds == 0 {
		return
	}
	uni := o.flags&uniform != 0
	for _, f := range [...]struct {
		field predField
		at    uint
		set   *predicates
	}{{pd81, 81, &in.predDst}, {pd84, 84, &in.predDst}, {ps87, 87, &in.predSrc}, {ps77, 77, &in.predSrc}, {ps68, 68, &in.predSrc}} {
		if o.preds&f.field != 0 {
			f.set.add(uint8(w.bits(f.at, 3)), uni || o.name == "VOTEU" && f.field == pd81)
		}
	}
	if o.preds&ps24 != 0 && w.form() == 2 {
		in.predSrc.add(uint8(w.bits(24, 3)), true)
	}
	if o.preds&pdAll != 0 {
		in.predDst |= 0x7f
	}
	if o.preds&psAll != 0 {
		in.predSrc |= 0x7f
	}
}

// splitTarget is the first architecture whose branches keep eight bits of the distance in 16 to 23.
const splitTarget = 90

// target finds where a branch goes: from the end of the instruction, in units of four bytes.
func (in *Inst) target(o *opcode, w word, arch int) {
	var n int64
	switch {
	case o.flags&barrier != 0:
		n = w.signed(34, 30)
	case o.flags&branch != 0 && arch >= splitTarget:
		n = w.signed(34, 48)<<8 | int64(w.bits(16, 8))
	case o.flags&branch != 0:
		n = w.signed(34, 48)
	default:
		return
	}
	in.Target, in.HasTarget = in.Offset+instSize+uint64(4*n), true
}
