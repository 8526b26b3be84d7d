package sass

// An opcode says how an operation outside the memory classes uses its operands. The counts are of 32-bit registers;
// 0 is an operand that is not there. Which bits hold an operand follows from the form (see sources).
type opcode struct {
	name    string
	d       uint8
	a, b, c uint8
	preds   predField
	flags   opFlag
}

// opFlag marks what the counts cannot say.
type opFlag uint8

const (
	uniform    opFlag = 1 << iota // all registers are uniform
	uniformDst                    // the destination is
	convert                       // fields at 75 and 84 tell which side is 64 bits wide
	texture                       // second destination at 64
	direct                        // second source at 32 and third at 64 whatever the form; no third in form 7
	branch                        // has a target in 34 to 81
	barrier                       // target in 34 to 63
)

// predField lists the fields that hold predicates.
type predField uint8

const (
	pd81  predField = 1 << iota // written
	pd84                        // written
	ps87                        // read
	ps77                        // read
	ps68                        // read
	ps24                        // a uniform one is read, in the form of BRA.U
	pdAll                       // all are written
	psAll                       // all are read
)

// opcodes is indexed by operation, the lowest nine bits. Names are those of the disassembler. Two operations change
// their meaning between generations: see lookup. The numbers are public knowledge or were found by comparing
// encodings; wide operands of matrix operations are upper bounds.
var opcodes = [512]opcode{
	0x002: {"MOV", 1, 0, 1, 0, 0, 0},
	0x003: {"P2R", 1, 1, 0, 0, psAll, 0},
	0x004: {"R2P", 0, 1, 0, 0, pdAll, 0},
	0x005: {"CS2R", 1, 0, 0, 0, 0, 0},
	0x006: {"VOTE", 1, 0, 0, 0, pd81 | ps87, 0},
	0x007: {"SEL", 1, 1, 1, 0, ps87, 0},
	0x008: {"FSEL", 1, 1, 1, 0, ps87, 0},
	0x009: {"FMNMX", 1, 1, 1, 0, ps87, 0},
	0x00a: {"FSET", 1, 1, 1, 0, ps87, 0},
	0x00b: {"FSETP", 0, 1, 1, 0, pd81 | pd84 | ps87, 0},
	0x00c: {"ISETP", 0, 1, 1, 0, pd81 | pd84 | ps87 | ps68, 0},
	0x010: {"IADD3", 1, 1, 1, 1, pd81 | pd84 | ps87 | ps77, 0},
	0x011: {"LEA", 1, 1, 1, 1, pd81 | ps87, 0},
	0x012: {"LOP3", 1, 1, 1, 1, pd81 | ps87, 0},
	0x013: {"IABS", 1, 0, 1, 0, 0, 0},
	0x014: {"VABSDIFF", 1, 1, 1, 1, 0, 0},
	0x016: {"PRMT", 1, 1, 1, 1, 0, 0},
	0x017: {"IMNMX", 1, 1, 1, 0, ps87, 0},
	0x019: {"SHF", 1, 1, 1, 1, 0, 0},
	0x01a: {"SGXT", 1, 1, 1, 0, 0, 0},
	0x01b: {"BMSK", 1, 1, 1, 0, 0, 0},
	0x01c: {"PLOP3", 0, 0, 0, 0, pd81 | pd84 | ps87 | ps77 | ps68, 0},
	0x020: {"FMUL", 1, 1, 1, 0, 0, 0},
	0x021: {"FADD", 1, 1, 1, 0, 0, 0},
	0x022: {"FSWZADD", 1, 1, 0, 1, 0, 0},
	0x023: {"FFMA", 1, 1, 1, 1, 0, 0},
	0x024: {"IMAD", 1, 1, 1, 1, pd81 | ps87, 0},
	0x025: {"IMAD.WIDE", 2, 1, 1, 2, pd81 | ps87, 0},
	0x026: {"IDP", 1, 1, 1, 1, 0, 0},
	0x027: {"IMAD.HI", 1, 1, 1, 2, pd81 | ps87, 0},
	0x028: {"DMUL", 2, 2, 2, 0, 0, 0},
	0x029: {"DADD", 2, 2, 0, 2, 0, 0},
	0x02a: {"DSETP", 0, 2, 2, 0, pd81 | pd84 | ps87, 0},
	0x02b: {"DFMA", 2, 2, 2, 2, 0, 0},
	0x02f: {"ELECT", 1, 0, 0, 0, pd81, uniformDst},
	0x030: {"HADD2", 1, 1, 1, 0, 0, 0},
	0x031: {"HFMA2", 1, 1, 1, 1, 0, 0},
	0x032: {"HMUL2", 1, 1, 1, 0, 0, 0},
	0x033: {"HSET2", 1, 1, 1, 0, ps87, 0},
	0x034: {"HSETP2", 0, 1, 1, 0, pd81 | pd84 | ps87, 0},
	0x035: {"HFMA2", 1, 1, 1, 1, 0, 0},
	0x036: {"VIADD", 1, 1, 1, 0, 0, 0},
	0x037: {"IMMA", 4, 4, 4, 4, 0, 0},
	0x03a: {"MOVM", 1, 1, 0, 0, 0, 0},
	0x03c: {"HMMA", 4, 4, 2, 4, 0, 0},
	0x03d: {"BMMA", 4, 4, 2, 4, 0, 0},
	0x03e: {"F2FP", 1, 1, 1, 0, 0, 0},
	0x03f: {"DMMA", 4, 2, 2, 4, 0, 0},
	0x040: {"HMNMX2", 1, 1, 1, 0, ps87, 0},
	0x045: {"I2FP", 1, 0, 1, 0, 0, 0},
	0x046: {"VIADDMNMX", 1, 1, 1, 1, ps87, 0},
	0x048: {"VIMNMX", 1, 1, 1, 0, ps87, 0},
	0x049: {"FFMA2", 2, 2, 2, 2, 0, 0},
	0x055: {"UFFMA", 1, 1, 1, 1, 0, uniform},
	0x05a: {"UI2F", 1, 0, 1, 0, 0, uniform},
	0x05e: {"UI2FP", 1, 0, 1, 0, 0, uniform},
	0x07a: {"QMMA", 4, 4, 2, 4, 0, 0},
	0x082: {"UMOV", 1, 0, 1, 0, 0, uniform},
	0x086: {"VOTEU", 1, 0, 0, 0, pd81 | ps87, uniformDst},
	0x087: {"USEL", 1, 1, 1, 0, ps87, uniform},
	0x08c: {"UISETP", 0, 1, 1, 0, pd81 | pd84 | ps87 | ps68, uniform},
	0x090: {"UIADD3", 1, 1, 1, 1, pd81 | pd84 | ps87 | ps77, uniform},
	0x091: {"ULEA", 1, 1, 1, 1, pd81 | ps87, uniform},
	0x092: {"ULOP3", 1, 1, 1, 1, pd81 | ps87, uniform},
	0x096: {"UPRMT", 1, 1, 1, 1, 0, uniform},
	0x097: {"UIADD3.64", 2, 2, 2, 2, pd81 | pd84 | ps87 | ps77, uniform},
	0x099: {"USHF", 1, 1, 1, 1, 0, uniform},
	0x09a: {"USGXT", 1, 1, 1, 0, 0, uniform},
	0x09b: {"UBMSK", 1, 1, 1, 0, 0, uniform},
	0x09c: {"UPLOP3", 0, 0, 0, 0, pd81 | pd84 | ps87 | ps77 | ps68, uniform},
	0x0a4: {"UIMAD", 1, 1, 1, 1, pd81 | ps87, uniform},
	0x0a5: {"UIMAD.WIDE", 2, 1, 1, 2, pd81 | ps87, uniform},
	0x0a7: {"UIMAD.HI", 1, 1, 1, 2, pd81 | ps87, uniform},
	0x0bd: {"UFLO", 1, 0, 1, 0, pd81, uniform},
	0x0be: {"UBREV", 1, 0, 1, 0, 0, uniform},
	0x0bf: {"UPOPC", 1, 0, 1, 0, 0, uniform},
	0x0ca: {"R2UR", 1, 1, 0, 0, pd81, uniformDst},
	0x100: {"FLO", 1, 0, 1, 0, pd81, 0},
	0x101: {"BREV", 1, 0, 1, 0, 0, 0},
	0x102: {"FCHK", 0, 1, 1, 0, pd81, 0},
	0x104: {"F2F", 1, 0, 1, 0, 0, 0},
	0x105: {"F2I", 1, 0, 1, 0, 0, 0},
	0x106: {"I2F", 1, 0, 1, 0, 0, 0},
	0x107: {"FRND", 1, 0, 1, 0, 0, 0},
	0x108: {"MUFU", 1, 0, 1, 0, 0, 0},
	0x109: {"POPC", 1, 0, 1, 0, 0, 0},
	0x110: {"F2F", 1, 0, 1, 0, 0, convert},
	0x111: {"F2I", 1, 0, 1, 0, 0, convert},
	0x112: {"I2F", 1, 0, 1, 0, 0, convert},
	0x113: {"FRND", 1, 0, 1, 0, 0, convert},
	0x118: {"NOP", 0, 0, 0, 0, 0, 0},
	0x119: {"S2R", 1, 0, 0, 0, 0, 0},
	0x11a: {"DEPBAR", 0, 0, 0, 0, 0, 0},
	0x11c: {"B2R", 1, 0, 0, 0, 0, 0},
	0x11d: {"BAR", 0, 0, 1, 0, 0, 0},
	0x141: {"BSYNC", 0, 0, 0, 0, ps87, 0},
	0x142: {"BREAK", 0, 0, 0, 0, ps87, 0},
	0x143: {"CALL", 0, 2, 0, 0, 0, 0},
	0x144: {"CALL", 0, 0, 0, 0, 0, branch},
	0x145: {"BSSY", 0, 0, 0, 0, 0, barrier},
	0x146: {"YIELD", 0, 0, 0, 0, 0, 0},
	0x147: {"BRA", 0, 0, 0, 0, ps87 | ps24, branch},
	0x148: {"WARPSYNC", 0, 0, 1, 0, ps87, 0},
	0x149: {"BRX", 0, 2, 0, 0, ps87, 0},
	0x14a: {"JMP", 0, 0, 0, 0, ps87, 0},
	0x14c: {"JMX", 0, 2, 0, 0, ps87, 0},
	0x14d: {"EXIT", 0, 0, 0, 0, ps87, 0},
	0x14e: {"LEPC", 2, 0, 0, 0, 0, 0},
	0x150: {"RET", 0, 2, 0, 0, ps87, 0},
	0x155: {"BMOV", 1, 0, 0, 0, 0, 0},
	0x156: {"BMOV", 0, 0, 1, 0, 0, 0},
	0x158: {"BRXU", 0, 2, 0, 0, ps87, uniform},
	0x15b: {"KILL", 0, 0, 0, 0, 0, 0},
	0x15c: {"BPT", 0, 0, 0, 0, 0, 0},
	0x15d: {"NANOSLEEP", 0, 0, 1, 0, 0, 0},
	0x160: {"TEX", 2, 2, 2, 0, 0, texture},
	0x161: {"TEX", 2, 2, 2, 0, 0, texture},
	0x163: {"TLD4", 2, 2, 2, 0, 0, texture},
	0x164: {"TLD4", 2, 2, 2, 0, 0, texture},
	0x166: {"TLD", 2, 2, 2, 0, 0, texture},
	0x167: {"TLD", 2, 2, 2, 0, 0, texture},
	0x16c: {"TXD", 2, 2, 2, 0, 0, texture},
	0x16d: {"TXD", 2, 2, 2, 0, 0, texture},
	0x16f: {"TXQ", 2, 2, 0, 0, 0, texture},
	0x170: {"TXQ", 2, 2, 0, 0, 0, texture},
	0x189: {"SHFL", 1, 1, 1, 1, pd81, 0},
	0x18f: {"CCTL", 0, 2, 0, 0, 0, 0},
	0x192: {"MEMBAR", 0, 0, 0, 0, 0, 0},
	0x19a: {"SULD", 1, 2, 0, 1, 0, direct},
	0x19c: {"SUST", 0, 2, 1, 1, 0, direct},
	0x19e: {"SUST", 0, 2, 1, 1, 0, direct},
	0x199: {"SULD", 1, 2, 0, 1, 0, direct},
	0x19b: {"SUST", 0, 2, 1, 1, 0, direct},
	0x19d: {"SUST", 0, 2, 1, 1, 0, direct},
	0x1a0: {"SURED", 0, 2, 1, 1, 0, direct},
	0x19f: {"SURED", 0, 2, 1, 1, 0, direct},
	0x1a1: {"MATCH", 1, 1, 0, 0, pd81, 0},
	0x1a7: {"SYNCS", 1, 1, 1, 0, pd81, 0},
	0x1aa: {"QSPC", 1, 2, 0, 0, pd81, 0},
	0x1ab: {"ERRBAR", 0, 0, 0, 0, 0, 0},
	0x1af: {"LDGDEPBAR", 0, 0, 0, 0, 0, 0},
	0x1b0: {"ARRIVES", 0, 1, 0, 0, 0, 0},
	0x1b1: {"SYNCS", 0, 0, 0, 0, 0, 0},
	0x1b2: {"SYNCS", 1, 1, 1, 0, 0, uniform | direct},
	0x1c2: {"R2UR", 1, 1, 0, 0, pd81, uniformDst},
	0x1c3: {"S2UR", 1, 0, 0, 0, 0, uniformDst},
	0x1c4: {"REDUX", 1, 1, 0, 0, 0, uniformDst},
	0x1c5: {"WARPGROUP", 0, 0, 0, 0, 0, 0},
	0x1c6: {"FENCE", 0, 0, 0, 0, 0, 0},
	0x1f0: {"HGMMA", 4, 2, 0, 4, 0, 0},
}

// Operations that changed their meaning.
var (
	iadd64        = opcode{"IADD.64", 2, 2, 2, 0, 0, 0} // 0x035 from sm_120
	clusterErrbar = opcode{"CGAERRBAR", 0, 0, 0, 0, 0, 0}
	hmmaSteps     = opcode{"HMMA", 4, 2, 2, 4, 0, 0} // 0x036 before sm_80
)

// lookup returns the opcode of an operation, nil when it is unknown.
func lookup(w word, arch int) *opcode {
	op := w.op()
	switch {
	case op == 0x1ab && w.form() == 2:
		return &clusterErrbar
	case op == 0x035 && arch >= 120:
		return &iadd64
	case op == 0x036 && arch < 80:
		return &hmmaSteps
	}
	if o := &opcodes[op]; o.name != "" {
		return o
	}
	return nil
}
