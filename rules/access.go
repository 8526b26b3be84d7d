package rules

import (
	"strings"

	"advisor/ncu"
	"advisor/ncu/sass"
)

// isGlobal reports whether an instruction accesses global memory, as far as is known: a generic access counts by what
// it touched at run time.
func isGlobal(in *ncu.Instruction) bool {
	return in.Space == sass.Global || in.Space == sass.Generic && in.SeenGlobal
}

// isGlobalLoad, isGlobalStore and isGlobalAtomic tell the plain kinds apart; asynchronous copies are none of them.
func isGlobalLoad(in *ncu.Instruction) bool  { return isGlobal(in) && in.Operation == sass.Load }
func isGlobalStore(in *ncu.Instruction) bool { return isGlobal(in) && in.Operation == sass.Store }
func isGlobalAtomic(in *ncu.Instruction) bool {
	return isGlobal(in) && (in.Operation == sass.Atomic || in.Operation == sass.Reduce)
}

// isPlain reports whether an instruction is a load or store of global memory through registers.
func isPlain(in *ncu.Instruction) bool { return isGlobalLoad(in) || isGlobalStore(in) }

// isOrdered reports whether an access is volatile or otherwise ordered: it can be neither merged nor kept.
func isOrdered(in *ncu.Instruction) bool {
	return strings.HasPrefix(in.Order, "STRONG") || strings.HasPrefix(in.Order, "MMIO")
}

// isLocal reports whether an instruction accesses local memory.
func isLocal(in *ncu.Instruction) bool {
	return in.Space == sass.Local || in.Space == sass.Generic && in.SeenLocal
}

// isGenericShared reports whether an instruction reaches shared memory through a pointer of unknown space.
func isGenericShared(in *ncu.Instruction) bool {
	return in.Space == sass.Generic && in.SeenShared && !in.SeenGlobal
}

// lanes returns the mean number of lanes that take part in an access.
func lanes(in *ncu.Instruction) float64 {
	switch {
	case in.Executed <= 0:
		return 0
	case in.ThreadOn > 0:
		return min(32, in.ThreadOn/in.Executed)
	case in.ThreadExecuted > 0:
		return min(32, in.ThreadExecuted/in.Executed)
	}
	return 32
}

// isUniform reports whether all lanes access the same address: one sector although the lanes' bytes would need more.
func isUniform(in *ncu.Instruction) bool {
	if in.StrideKnown && in.Stride == 0 {
		return true
	}
	return in.Executed > 0 && in.Sectors/in.Executed <= 1.01 && float64(in.Width)*lanes(in) > 33
}

// total adds up a quantity over the instructions that a test picks.
func total(c *ncu.Code, pick func(*ncu.Instruction) bool, of func(*ncu.Instruction) float64) float64 {
	s := 0.0
	for i := range c.Instructions {
		if in := &c.Instructions[i]; pick(in) {
			s += of(in)
		}
	}
	return s
}

func executed(in *ncu.Instruction) float64 { return in.Executed }
func sectors(in *ncu.Instruction) float64  { return in.Sectors }
func ideal(in *ncu.Instruction) float64    { return in.IdealSectors }
