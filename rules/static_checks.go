package rules

import (
	"fmt"

	"advisor/ncu/sass"
)

// staticGeneric finds accesses whose space the compiler could not prove. Where the function makes generic pointers to shared
// memory, they are meant for it; where it only uses shared memory, they may be for local or global memory as well.
func staticGeneric(s *static, r *Rule) {
	loads, stores := s.n(sass.CountGenericLoads), s.n(sass.CountGenericStores)
	if loads+stores == 0 {
		return
	}
	sev, msg := Info, both(loads, "generic load", stores, "generic store")
	switch {
	case s.Window:
		sev = Warning
		msg += " in a function that makes generic pointers to shared memory; none when the compiler can prove the space"
	case s.UsesShared:
		msg += " in a function that uses shared memory: it, or local or global memory"
	default:
		msg += ": their space is known at run time only; nothing here shows that it is shared memory"
	}
	s.report(r, sev, msg, []string{sass.CountGenericLoads, sass.CountGenericStores, sass.CountSharedLoads, sass.CountSharedStores},
		func(_ int, in *sass.Inst, _ *sass.Fact) string {
			if in.Space != sass.Generic {
				return ""
			}
			return "generic " + in.Operation.String()
		})
}

// staticSpill finds spilled registers: by marks in the code, or by the compiler's log. Local memory at fixed places of
// the stack can be either.
func staticSpill(s *static, r *Rule) {
	evidence := []string{sass.CountSpillLoads, sass.CountSpillStores, sass.CountSpillLoadBytes, sass.CountSpillStoreBytes,
		sass.CountLocalLoads, sass.CountLocalStores, sass.CountRegisters, sass.CountStackBytes}
	if loads, stores := s.n(sass.CountSpillLoads), s.n(sass.CountSpillStores); loads+stores > 0 {
		s.report(r, Warning, both(loads, "spill load", stores, "spill store")+"; none with enough registers", evidence, pickLocal(sass.LocalSpill, "spill"))
		return
	}
	if loads, stores := s.n(sass.CountSpillLoadBytes), s.n(sass.CountSpillStoreBytes); loads+stores > 0 {
		s.report(r, Warning, fmt.Sprintf("%.0f bytes of spill loads and %.0f bytes of spill stores a thread; none with enough registers", loads, stores), evidence, nil)
		return
	}
	loads, stores := s.n(sass.CountLocalLoads), s.n(sass.CountLocalStores)
	if !s.Traced || loads == 0 || s.n(sass.CountLocalIndexed) > 0 {
		return // stores without loads are arguments of calls, printf among them
	}
	f := s.report(r, Info, both(loads, "load", stores, "store")+
		" of local memory at fixed places of the stack: spills, or an array whose indices are constants; the code does not tell which",
		evidence, pickLocal(sass.LocalStack, "local memory at a fixed place"))
	f.Advice = append([]string{"compile with -Xptxas -v: spill stores above 0 mean spills"}, f.Advice...)
}

// pickLocal chooses local accesses of one use.
func pickLocal(use sass.LocalUse, note string) picker {
	return func(_ int, in *sass.Inst, fact *sass.Fact) string {
		if fact.Local != use {
			return ""
		}
		return note + " " + in.Operation.String()
	}
}

// staticLocalArray finds arrays of a thread that are indexed at run time, which registers cannot be.
func staticLocalArray(s *static, r *Rule) {
	evidence := []string{sass.CountLocalIndexed, sass.CountLocalLoads, sass.CountLocalStores, sass.CountStackBytes}
	if n := s.n(sass.CountLocalIndexed); n > 0 {
		s.report(r, Warning, count(n)+" of "+count(s.n(sass.CountLocalLoads)+s.n(sass.CountLocalStores))+
			" accesses of local memory have an index that is known at run time only", evidence, pickLocal(sass.LocalIndexed, "indexed"))
		return
	}
	loads, stores := s.n(sass.CountLocalLoads), s.n(sass.CountLocalStores)
	if s.Traced || loads+stores == 0 {
		return
	}
	s.report(r, Info, both(loads, "load", stores, "store")+" of an array of the thread in PTX; the assembler may still keep it in registers",
		evidence, func(_ int, in *sass.Inst, _ *sass.Fact) string {
			if in.Space != sass.Local {
				return ""
			}
			return "local " + in.Operation.String()
		})
}

// staticConstant finds loads from constant memory whose index differs between the lanes of a warp.
func staticConstant(s *static, r *Rule) {
	indexed := s.n(sass.CountConstantIndexed)
	evidence := []string{sass.CountConstantIndexed, sass.CountConstantPerLane}
	if n := s.n(sass.CountConstantPerLane); n > 0 {
		f := s.report(r, Warning, fmt.Sprintf("%s of %s indexed loads from constant memory have an index that differs between lanes: one pass for each distinct address",
			count(n), count(indexed)), evidence, pickIndexed(sass.Yes, "the index differs between lanes"))
		f.Caveats = []string{} // those of the rule are about measured prices
		return
	}
	unknown := pickIndexed(sass.Unknown, "whether the index differs between lanes is not known")
	n := 0
	for i := range s.f.Insts {
		fact := sass.Fact{}
		if s.Traced {
			fact = s.f.Facts[i]
		}
		if unknown(i, &s.f.Insts[i], &fact) != "" {
			n++
		}
	}
	if n > 0 {
		f := s.report(r, Info, fmt.Sprintf("%d of %s indexed loads from constant memory: whether lanes differ in the index is not known", n, count(indexed)), evidence, unknown)
		f.Caveats = []string{}
	}
}

// pickIndexed chooses loads from constant memory with an index in a register of each lane.
func pickIndexed(perLane sass.Tri, note string) picker {
	return func(_ int, in *sass.Inst, fact *sass.Fact) string {
		if in.Space != sass.Constant || !in.Addr.HasBase || in.Addr.Base.Uniform || fact.PerLane != perLane {
			return ""
		}
		if perLane == sass.Unknown && in.Addr.Bank == 0 { // arrays among the parameters, mostly indexed by a loop's counter
			return ""
		}
		return note
	}
}

// staticNarrow finds accesses of neighbouring addresses by one lane that could be one wider access.
func staticNarrow(s *static, r *Rule) {
	if !s.Traced {
		return
	}
	proven, broadcast, narrow, wide := 0, 0, 0, 0
	for i := range s.f.Facts {
		in, fact := &s.f.Insts[i], &s.f.Facts[i]
		if !isRun(in, fact) || fact.RunHead != i {
			continue
		}
		narrow, wide = narrow+fact.Run, wide+1
		switch {
		case fact.StrideKnown && fact.Stride == 0:
			broadcast++
		case fact.RunAligned == sass.Yes:
			proven++
		}
	}
	if narrow == 0 {
		return
	}
	sev := Info
	msg := fmt.Sprintf("%d global accesses go to neighbouring addresses of a lane and could be %d wider ones", narrow, wide)
	switch {
	case proven > 0:
		sev = Warning
		msg += "; alignment is certain if pointers are aligned"
	case broadcast == wide:
		msg += "; all lanes read the same, so little is gained"
	default:
		msg += " where alignment can be ensured"
	}
	s.report(r, sev, msg, []string{sass.CountNarrowGlobalLoads, sass.CountNarrowGlobalStores, sass.CountGlobalLoads, sass.CountGlobalStores},
		func(_ int, in *sass.Inst, fact *sass.Fact) string {
			if !isRun(in, fact) {
				return ""
			}
			note := fmt.Sprintf("one of %d accesses of %d bytes that could be one of %d", fact.Run, in.Width, fact.RunWidth)
			if fact.StrideKnown && fact.Stride == 0 {
				note += "; all lanes read the same"
			}
			return note
		})
}

// isRun reports whether a global access belongs to a run.
func isRun(in *sass.Inst, fact *sass.Fact) bool { return in.Space == sass.Global && fact.Run > 1 }

// staticReload finds loads and stores that the compiler had to repeat, because a pointer in between might overlap.
func staticReload(s *static, r *Rule) {
	loads, stores := s.n(sass.CountReloads), s.n(sass.CountRestores)
	if loads+stores == 0 {
		return
	}
	s.report(r, Warning, both(loads, "load", stores, "store")+" repeated because an access in between might overlap",
		[]string{sass.CountReloads, sass.CountRestores, sass.CountGlobalLoads, sass.CountReadOnlyLoads}, func(i int, _ *sass.Inst, fact *sass.Fact) string {
			switch {
			case s.f.Reloads(i):
				return fmt.Sprintf("loads again what the load at 0x%04x did", s.f.Insts[fact.Reload-1].Offset)
			case s.f.Restores(i):
				return fmt.Sprintf("stores again where the store at 0x%04x did", s.f.Insts[fact.Restore-1].Offset)
			}
			return ""
		})
}

// both writes "1 load and 2 stores", without the one that is not there.
func both(a float64, one string, b float64, other string) string {
	switch {
	case b == 0:
		return nouns(a, one)
	case a == 0:
		return nouns(b, other)
	}
	return nouns(a, one) + " and " + nouns(b, other)
}

func nouns(n float64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return count(n) + " " + noun
}
