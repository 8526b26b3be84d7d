package rules

import (
	"strings"

	"advisor/ncu"
)

var fp64Arithmetic = &Rule{
	ID:   "fp64-arithmetic",
	Step: Beyond,
	Doc: Doc{
		Title: "Double arithmetic by accident in a float kernel",
		Why: "A literal without f, or a math function without its float overload, turns an expression into double precision: values are converted " +
			"there and back on the special-function pipe, and the arithmetic runs at half to a sixty-fourth of the float rate.",
		Judged: "Double instructions above 5 % of all, and conversions between float and double at least 2 % of them, which betray data that is float. " +
			"A busy FP64 pipe alone does not tell accident from intent. A kernel that loads and stores doubles is left alone. The price " +
			"moves the arithmetic to the FP32 pipe, drops the conversions, and halves the arithmetic where it is division or square root.",
		Change:  "write literals with f (0.5f) and use float overloads (sqrtf, expf)",
		Before:  "v = v * 1.000001 + 0.5 / (1.0 + v * v);",
		After:   "v = v * 1.000001f + 0.5f / (1.0f + v * v);",
		Caveats: []string{"check the accuracy that the result needs"},
		Sources: []string{"rates: CUDA C++ Programming Guide, arithmetic throughput; conversions at 88 % of the XU pipe with FP64 at 55 % (sm_90), 2.0x measured"},
	},
	Needs: []Need{{Code: true}},
	Check: checkFP64Arithmetic,
}

func checkFP64Arithmetic(p *Pass) {
	doubles := total(p.Code, isDouble, executed)
	converts := total(p.Code, convertsDouble, executed)
	special := total(p.Code, func(in *ncu.Instruction) bool { return usesXU[in.Root] }, executed)
	if p.Inst == 0 || doubles <= 0.05*p.Inst || converts < 0.02*doubles || p.storesDoubles() {
		return
	}
	f := p.Report("%s of all instructions are double precision, with %s conversions from or to float; 0 in a float kernel", percent(doubles/p.Inst), count(converts))
	f.Shows("FP64 instructions", doubles, "inst", 0).Shows("conversions from or to double", converts, "inst", 0)
	long := 0.0
	if special-converts > 0.02*doubles {
		long = doubles / 2 // division and square root: iterations about twice as long as their float forms
	}
	literals := total(p.Code, func(in *ncu.Instruction) bool { return in.Root == "UMOV" }, executed) // halves of double constants
	f.Costs(1, func(s *State, b bound) {
		gone := converts + literals + long
		if b == low {
			gone = converts
		}
		keep := max(0.1, 1-gone/p.Inst)
		s.Scale(keep, Issue)
		s.PerWarp *= keep
		if special > 0 {
			s.Scale(max(0.02, (special-converts)/special), XU)
		}
		p.toSingle(s)
	})
	p.Locates(f, func(_ int, in *ncu.Instruction) float64 {
		if isDouble(in) || convertsDouble(in) {
			return in.Executed
		}
		return 0
	}, nil)
}

// toSingle moves double arithmetic to the FP32 pipe. Its rate there is the chip's ratio of single to double, twice on
// data-centre parts.
func (d *Demand) toSingle(s *State) {
	ratio := 2.0
	if v, ok := d.Metrics.Value("device__attribute_single_to_double_precision_perf_ratio"); ok && v >= 1 {
		ratio = v
	}
	if v, ok := s.Get(FP64); ok {
		s.Set(FMA, s.Of(FMA)+v/ratio)
		s.Set(FP64, 0)
	}
}

// usesXU are the opcodes of the special-function pipe that convert or compute.
var usesXU = map[string]bool{"MUFU": true, "F2F": true, "I2F": true, "F2I": true}

func isDouble(in *ncu.Instruction) bool {
	return in.Root == "DFMA" || in.Root == "DADD" || in.Root == "DMUL" || in.Root == "DSETP"
}

func convertsDouble(in *ncu.Instruction) bool {
	if in.Root != "F2F" {
		return false
	}
	// Between float and double one side is a register pair; between float and half neither is.
	return len(in.Dst) == 2 || len(in.Src) == 2 || strings.Contains(in.Opcode, "F64")
}

// storesDoubles reports whether most global stores are 8 bytes wide, as a kernel on doubles would make them.
func (p *Pass) storesDoubles() bool {
	wide := total(p.Code, func(in *ncu.Instruction) bool { return isGlobalStore(in) && in.Width == 8 }, executed)
	return wide > total(p.Code, isGlobalStore, executed)/2
}
