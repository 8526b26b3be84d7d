package sass

import (
	"maps"
	"slices"
	"strings"
)

// A Summary is what the code of one function shows without running it. Executions are not known: every number counts
// instructions as they stand in the code.
type Summary struct {
	Name    string
	Arch    int
	HasCode bool // there are instructions; a compiler's log has none

	Opcodes map[string]int // memory instructions by opcode; loads of parameters and literals are left out

	UsesShared bool // shared memory is addressed or declared, or Window
	Window     bool // the code asks where shared memory lies among generic addresses: it makes generic pointers to it
	Traced     bool // facts about addresses and local memory are known: not for PTX

	counts map[string]float64
}

// Names of the counts. Bytes are per thread but for shared_bytes, which is per block; the rest are instructions.
const (
	CountGenericLoads       = "generic_loads"       // loads and atomics whose space is known at run time only
	CountGenericStores      = "generic_stores"      // stores of that kind
	CountSharedLoads        = "shared_loads"        // loads from shared memory
	CountSharedStores       = "shared_stores"       // stores to shared memory
	CountGlobalLoads        = "global_loads"        // loads from global memory, asynchronous copies included
	CountGlobalStores       = "global_stores"       // stores to global memory
	CountNarrowGlobalLoads  = "narrow_global_loads" // loads from global memory of less than 16 bytes a lane
	CountNarrowGlobalStores = "narrow_global_stores"
	CountReadOnlyLoads      = "readonly_loads"    // loads from global memory through the read-only path
	CountReloads            = "reloads"           // loads from global memory that a store in between made the compiler repeat
	CountRestores           = "restores"          // stores to global memory that a load in between made the compiler repeat
	CountLocalLoads         = "local_loads"       // loads from local memory
	CountLocalStores        = "local_stores"      // stores to local memory
	CountSpillLoads         = "spill_loads"       // those that certainly read a spilled register
	CountSpillStores        = "spill_stores"      // those that certainly spill a register
	CountLocalIndexed       = "local_indexed"     // local accesses with an index known at run time only
	CountConstantIndexed    = "constant_indexed"  // loads from constant memory with an index in a register
	CountConstantPerLane    = "constant_per_lane" // those whose index differs between lanes
	CountAtomics            = "atomics"           // atomic operations, by whatever space
	CountRegisters          = "registers"         // registers a thread
	CountStackBytes         = "stack_bytes"       // stack frame
	CountSpillStoreBytes    = "spill_store_bytes" // as the compiler's log says
	CountSpillLoadBytes     = "spill_load_bytes"  // as the compiler's log says
	CountSharedBytes        = "shared_bytes"      // static shared memory of a block
	CountInstructions       = "instructions"      // of all kinds
)

// CountNames returns the names of all counts, sorted.
func CountNames() []string {
	names := []string{CountGenericLoads, CountGenericStores, CountSharedLoads, CountSharedStores, CountGlobalLoads, CountGlobalStores, CountNarrowGlobalLoads,
		CountNarrowGlobalStores, CountReadOnlyLoads, CountReloads, CountRestores, CountLocalLoads, CountLocalStores, CountSpillLoads, CountSpillStores, CountLocalIndexed,
		CountConstantIndexed, CountConstantPerLane, CountAtomics, CountRegisters, CountStackBytes, CountSpillStoreBytes, CountSpillLoadBytes, CountSharedBytes,
		CountInstructions}
	slices.Sort(names)
	return names
}

// Counts returns the counts by name. A count that the input does not tell is missing, not zero.
func (s Summary) Counts() map[string]float64 { return maps.Clone(s.counts) }

// Count returns one count; known is false when the input does not tell.
func (s Summary) Count(name string) (n float64, known bool) {
	n, known = s.counts[name]
	return n, known
}

// narrowest is the width of the widest access that all architectures have, in bytes a lane.
const narrowest = 16

// Summarize counts. Facts are used where f has them.
func Summarize(f *Function) Summary {
	s := Summary{Name: f.Name, Arch: f.Arch, HasCode: len(f.Insts) > 0, Opcodes: map[string]int{}, counts: map[string]float64{}}
	s.Traced = s.HasCode && f.Facts != nil
	s.Window = f.Window
	s.UsesShared = f.Shared != nil && *f.Shared > 0
	s.resources(f)
	if !s.HasCode {
		return s
	}
	for _, n := range []string{CountGenericLoads, CountGenericStores, CountSharedLoads, CountSharedStores, CountGlobalLoads, CountGlobalStores, CountNarrowGlobalLoads,
		CountNarrowGlobalStores, CountReadOnlyLoads, CountLocalLoads, CountLocalStores, CountConstantIndexed, CountAtomics} {
		s.counts[n] = 0
	}
	if s.Traced {
		for _, n := range []string{CountReloads, CountRestores, CountSpillLoads, CountSpillStores, CountLocalIndexed, CountConstantPerLane} {
			s.counts[n] = 0
		}
	}
	s.counts[CountInstructions] = float64(len(f.Insts))
	for i := range f.Insts {
		in := &f.Insts[i]
		s.Window = s.Window || isWindow(in)
		s.UsesShared = s.UsesShared || in.Space == Shared || s.Window
		if in.IsMemory() && (in.Space != Constant || in.Addr.HasBase) {
			s.Opcodes[in.Opcode]++
			s.access(in)
			if s.Traced {
				s.facts(f, i)
			}
		}
	}
	return s
}

func (s *Summary) resources(f *Function) {
	if f.Registers > 0 {
		s.counts[CountRegisters] = float64(f.Registers)
	}
	if f.StackBytes >= 0 {
		s.counts[CountStackBytes] = float64(f.StackBytes)
	}
	if f.Shared != nil {
		s.counts[CountSharedBytes] = float64(*f.Shared)
	}
	if f.Spills != nil {
		s.counts[CountSpillStoreBytes], s.counts[CountSpillLoadBytes] = float64(f.Spills.StoreBytes), float64(f.Spills.LoadBytes)
	}
}

// access counts an instruction by space and direction.
func (s *Summary) access(in *Inst) {
	stores := in.Operation == Store || in.Operation == Reduce
	if in.Operation == Atomic || in.Operation == Reduce {
		s.counts[CountAtomics]++
	}
	narrow := in.Width > 0 && in.Width < narrowest && (in.Operation == Load || in.Operation == Store)
	switch in.Space {
	case Generic:
		s.either(stores, CountGenericStores, CountGenericLoads)
	case Shared:
		s.either(stores, CountSharedStores, CountSharedLoads)
	case Local:
		s.either(stores, CountLocalStores, CountLocalLoads)
	case Constant:
		s.counts[CountConstantIndexed]++
	case Global:
		if in.Operation == Prefetch || in.Operation == BulkCopy {
			return
		}
		s.either(stores, CountGlobalStores, CountGlobalLoads)
		if narrow {
			s.either(stores, CountNarrowGlobalStores, CountNarrowGlobalLoads)
		}
		if in.Order == "CONSTANT" {
			s.counts[CountReadOnlyLoads]++
		}
	}
}

// either adds one to the first count when the condition holds, else to the second.
func (s *Summary) either(first bool, a, b string) {
	if first {
		s.counts[a]++
	} else {
		s.counts[b]++
	}
}

// facts counts what is known of the i-th instruction.
func (s *Summary) facts(f *Function, i int) {
	in, fact := &f.Insts[i], f.Facts[i]
	switch {
	case fact.Local == LocalSpill:
		s.either(in.Operation == Store, CountSpillStores, CountSpillLoads)
	case fact.Local == LocalIndexed:
		s.counts[CountLocalIndexed]++
	case in.Space == Constant && fact.PerLane == Yes:
		s.counts[CountConstantPerLane]++
	case f.Reloads(i):
		s.counts[CountReloads]++
	case f.Restores(i):
		s.counts[CountRestores]++
	}
}

// Reloads reports whether the i-th instruction loads from global memory what was loaded before, because a store in between
// might have changed it.
func (f *Function) Reloads(i int) bool { return f.Facts[i].Reload > 0 && f.Insts[i].Space == Global }

// maxRestoreSpan is how far apart two stores may stand, in instructions, to be compared.
const maxRestoreSpan = 4096

// Restores reports whether the i-th instruction stores to global memory where the code has stored before, and a load in
// between kept the compiler from dropping the first store: it might read that value.
func (f *Function) Restores(i int) bool {
	before := f.Facts[i].Restore
	if before == 0 || f.Insts[i].Space != Global || i-before > maxRestoreSpan {
		return false
	}
	for j := before; j < i; j++ { // from behind the first store
		if in := &f.Insts[j]; in.Operation == Load && (in.Space == Global || in.Space == Generic) {
			return true
		}
	}
	return false
}

// ShortName returns the source name of a mangled one as far as it is plain: scopes and names, no arguments. Other names
// are returned as they are.
func ShortName(mangled string) string {
	s, ok := strings.CutPrefix(mangled, "_Z")
	if !ok {
		return mangled
	}
	nested := strings.HasPrefix(s, "N")
	s = strings.TrimPrefix(s, "N")
	var parts []string
	for len(s) > 0 && s[0] >= '0' && s[0] <= '9' {
		n := 0
		for len(s) > 0 && s[0] >= '0' && s[0] <= '9' && n < len(mangled) {
			n, s = 10*n+int(s[0]-'0'), s[1:]
		}
		if n == 0 || n > len(s) {
			return mangled
		}
		part := s[:n]
		if strings.HasPrefix(part, "_GLOBAL__N_") {
			part = "(anonymous)"
		}
		parts, s = append(parts, part), s[n:]
		if !nested {
			break
		}
	}
	if len(parts) == 0 {
		return mangled
	}
	return strings.Join(parts, "::")
}
