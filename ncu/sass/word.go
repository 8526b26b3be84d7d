package sass

// instSize is the size of an instruction in bytes.
const instSize = 16

// zeroReg is RZ, which is not a register; URZ has the same number from sm_100, 63 before.
const zeroReg = 255

// firstWideUniform is the first architecture with eight bits for uniform registers.
const firstWideUniform = 100

// A word is one instruction as it stands in memory.
type word struct{ lo, hi uint64 }

// bits returns n bits from bit p, 0 being the lowest of lo.
func (w word) bits(p, n uint) uint64 {
	v := w.hi >> (p & 63)
	if p < 64 {
		v = w.lo>>p | w.hi<<(64-p)
	}
	return v & (1<<n - 1)
}

// bit reports whether bit p is set.
func (w word) bit(p uint) bool { return w.bits(p, 1) != 0 }

// signed returns n bits from bit p as a signed number.
func (w word) signed(p, n uint) int64 { return int64(w.bits(p, n)<<(64-n)) >> (64 - n) }

// reg returns the register number at bit p.
func (w word) reg(p uint) uint8 { return uint8(w.bits(p, 8)) }

// ureg returns the uniform register number at bit p, zeroReg for URZ.
func (w word) ureg(p uint, arch int) uint8 {
	if arch >= firstWideUniform {
		return uint8(w.bits(p, 8))
	}
	if n := w.bits(p, 6); n != 63 {
		return uint8(n)
	}
	return zeroReg
}

// op returns the operation, the lowest nine bits.
func (w word) op() uint16 { return uint16(w.lo & 0x1ff) }

// form returns the kinds of operands.
func (w word) form() uint8 { return uint8(w.lo >> 9 & 7) }

// predicates is a set of predicate registers: P0 to P6 in bits 0 to 6, UP0 to UP6 in bits 8 to 14.
type predicates uint16

// add puts predicate n into the set; 7 is PT, which is no register.
func (p *predicates) add(n uint8, uniform bool) {
	if n > 6 {
		return
	}
	if uniform {
		n += 8
	}
	*p |= 1 << n
}
