package sass

import (
	"math"
	"strconv"
)

// arith does for a text what arithOf does for bits.
func (p *parser) arith() *arith {
	s := p.arithOps
	at := func(i int) operand {
		if i < len(s) {
			return s[i]
		}
		return operand{}
	}
	if p.has("X") || p.has("HI") {
		return nil
	}
	switch p.in.Root {
	case "MOV", "UMOV":
		if p.has("64") && at(0).kind == immOperand {
			return nil
		}
		return &arith{op: arMove, a: at(0)}
	case "R2UR":
		return &arith{op: arMove, a: at(0)}
	case "IMAD", "UIMAD":
		return &arith{op: arMulAdd, a: at(0), b: at(1), c: at(2)}
	case "IADD3", "UIADD3":
		return &arith{op: arAdd, a: at(0), b: at(1), c: at(2)}
	case "VIADD", "IADD":
		return &arith{op: arAdd, a: at(0), b: at(1), c: imm(0)}
	case "LEA", "ULEA":
		if n := at(2); n.kind == immOperand {
			return &arith{op: arShift, a: at(0), b: at(1), n: uint8(n.imm & 31)}
		}
	case "SHF", "USHF":
		if n := at(1); p.has("L") && n.kind == immOperand && !p.has("U64") {
			return &arith{op: arShift, a: at(0), b: imm(0), n: uint8(n.imm & 31)}
		}
	case "S2R", "S2UR":
		if len(p.ops) == 2 {
			return &arith{op: arSpecial, a: imm(specialNumber(p.ops[1]))}
		}
	case "CS2R":
		if len(p.ops) == 2 && p.ops[1] == "SRZ" {
			return &arith{op: arMove, a: imm(0)}
		}
	case "HFMA2":
		return p.halfConstant()
	}
	return nil
}

// specialNumber returns the number of a special register by its name, -1 for those that do not matter here.
func specialNumber(name string) int64 {
	switch name {
	case "SR_LANEID":
		return srLane
	case "SR_TID.X":
		return srTidX
	case "SR_TID.Y":
		return srTidY
	case "SR_TID.Z":
		return srTidZ
	case "SR_CTAID.X":
		return srCtaX
	case "SR_CTAID.Y":
		return srCtaY
	case "SR_CTAID.Z":
		return srCtaZ
	case "SR_SWINHI":
		return srSwin
	case "SR_CgaCtaId":
		return srRank
	}
	return -1
}

// halfConstant recognises HFMA2 Rd, -RZ, RZ, high, low: the compiler's way to load a 32-bit constant.
func (p *parser) halfConstant() *arith {
	if len(p.ops) != 5 || p.ops[1] != "-RZ" || p.ops[2] != "RZ" {
		return nil
	}
	high, ok1 := half(p.ops[3])
	low, ok2 := half(p.ops[4])
	if !ok1 || !ok2 {
		return nil
	}
	return &arith{op: arMove, a: imm(int64(int32(uint32(high)<<16 | uint32(low))))}
}

// half returns the bits of a 16-bit float that is printed in decimal.
func half(s string) (uint16, bool) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	bits := math.Float64bits(v)
	sign := uint16(bits >> 48 & 0x8000)
	if v == 0 {
		return sign, true
	}
	exp := int(bits>>52&0x7ff) - 1023
	if exp > 15 {
		return 0, false
	}
	frac := math.Abs(v)
	if exp < -14 { // subnormal: units of 2^-24
		u := frac * (1 << 24)
		return sign | uint16(u), u == math.Trunc(u)
	}
	m := (math.Ldexp(frac, -exp) - 1) * 1024
	return sign | uint16(exp+15)<<10 | uint16(m), m == math.Trunc(m)
}
