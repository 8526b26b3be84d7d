// Package sass reads the machine code of CUDA kernels: cubin ELF files, their line tables, and the memory
// instructions of compute capability 7.0 to 12.x, without any NVIDIA tool. It decodes what is proven by the
// bits and says unknown about the rest.
package sass

// A Space is the memory that an instruction addresses.
type Space uint8

// The spaces. UnknownSpace is a memory instruction of which the space could not be decoded; NoSpace is an
// instruction that touches no memory. Generic is a load or store whose space is known at run time only.
const (
	NoSpace Space = iota
	UnknownSpace
	Global
	Shared
	Local
	Constant
	Generic
	Texture
	Surface
)

// String returns the lower-case name of the space, "" for NoSpace.
func (s Space) String() string {
	return [...]string{"", "unknown", "global", "shared", "local", "constant", "generic", "texture", "surface"}[s]
}

// An Operation is what a memory instruction does.
type Operation uint8

// The operations. Reduce is an atomic whose old value is not used (RED); AsyncCopy moves global to shared memory
// past the registers (LDGSTS); BulkCopy is the tensor memory accelerator (UTMALDG, UBLKCP and kin).
const (
	NoOperation Operation = iota
	Load
	Store
	Atomic
	Reduce
	AsyncCopy
	BulkCopy
	Prefetch
)

// String returns the lower-case name of the operation, "" for NoOperation.
func (o Operation) String() string {
	return [...]string{"", "load", "store", "atomic", "reduce", "async-copy", "bulk-copy", "prefetch"}[o]
}

// A Reg names one 32-bit register.
type Reg struct {
	Uniform bool // UR, one value for the whole warp
	N       uint8
}

// An Address is the operand of a memory instruction: Base (a pair when Wide) times Scale, plus Uniform, plus Offset.
type Address struct {
	HasBase     bool
	Base        Reg
	Wide        bool // the base is a 64-bit register pair
	Scale       uint8
	HasUniform  bool // Uniform is added to the address; a memory descriptor is not
	Uniform     Reg
	UniformWide bool
	Offset      int64 // bytes
	Bank        int   // constant bank; -1 when not a bank or not known
}

// An Inst is one decoded instruction. A field that the bits or the text do not give stays at its unknown value.
type Inst struct {
	Offset uint64 // bytes from the start of the function
	Opcode string // with its modifiers: "LDG.E.128.CONSTANT"
	Root   string // opcode without modifiers: "LDG"
	Text   string // as a disassembler prints it: given for text inputs and memory instructions, else the opcode

	Guard     int8 // guard predicate 0 to 6, -1 for none
	GuardNot  bool
	Space     Space
	Operation Operation
	Width     int    // bytes moved by one lane; 0: none or unknown
	Order     string // "", "CONSTANT" (read-only path), "STRONG.GPU", "STRONG.SYS" (volatile), ...
	Evict     string // L1 eviction: "", "EF", "EL", "LU", "EU", "NA"
	Addr      Address

	Dst []Reg // every register written, wide ones spelled out
	Src []Reg // every register read, address registers included, memory descriptors not

	Target    uint64 // branch target, as an offset in the function, when HasTarget
	HasTarget bool

	predDst, predSrc predicates
	arith            *arith // what it computes, of the few operations that make addresses
}

// IsMemory reports whether the instruction addresses memory.
func (i *Inst) IsMemory() bool { return i.Space != NoSpace }

// A Frame is one source position of an instruction; inlined calls give several.
type Frame struct {
	File     string
	Line     int
	Function string // mangled name of the inlined function, "" for the function itself
}

// A Function is one kernel or device function of a module.
type Function struct {
	Name       string // mangled, as in the symbol table
	Arch       int    // 90 for sm_90; 0 unknown
	Insts      []Inst
	Facts      []Fact // one for each instruction; nil until Analyze
	Registers  int    // per thread; 0 unknown
	StackBytes int    // per thread; -1 unknown
	lines      *lineTable

	Shared    *int    // bytes of static shared memory a block; nil unknown
	Spills    *Spills // what the compiler's log says; nil unknown
	Window    bool    // PTX only: it asks where shared memory lies among generic addresses; see Summary.Window
	positions []int32 // by instruction: index in places plus one, of texts that name source lines; 0 unknown
	places    []Frame
}

// Spills are what ptxas -v says of a function, in bytes a thread: as many instructions times their width.
type Spills struct{ StoreBytes, LoadBytes int }

// A Tri is a fact that can be unknown.
type Tri uint8

// The values of a Tri.
const (
	Unknown Tri = iota
	No
	Yes
)

// A LocalUse says why an instruction touches local memory.
type LocalUse uint8

// The uses. LocalStack is an access at a fixed stack offset of which the bits do not tell a spill from an array.
const (
	LocalNone LocalUse = iota
	LocalStack
	LocalSpill
	LocalIndexed
)

// A Fact is what the instruction stream alone proves about one instruction. See Analyze.
type Fact struct {
	// Stride is the distance in bytes between the addresses of neighbouring lanes (threadIdx.x), when StrideKnown.
	StrideKnown bool
	Stride      int64
	// Indirect: the address depends on a value loaded from memory.
	Indirect Tri
	// PerLane: the address (or, for LDC, the index) depends on the lane or on loaded data, so lanes may differ.
	PerLane Tri
	// Local says why an LDL or STL is there.
	Local LocalUse
	// Reload is the index plus one of an earlier load of the same address that a store in between made the compiler
	// repeat; 0 when there is none.
	Reload int
	// Restore is the index plus one of an earlier store to the same address; 0 when there is none.
	Restore int
	// Run is the number of accesses (this one included) of consecutive addresses in the same straight-line code that
	// could be one wider access, RunWidth the bytes that one would move, RunAligned whether alignment is provable
	// assuming aligned pointers. Run is 0 when there is no such group; RunHead is the index of its first member.
	Run        int
	RunWidth   int
	RunAligned Tri
	RunHead    int
	// Loop is the index plus one of the innermost loop's backward branch that encloses the instruction; 0 outside.
	Loop int
	// Advance is how many bytes the address moves from one round of that loop to the next, when AdvanceKnown.
	Advance      int64
	AdvanceKnown bool
	// LoopInvariant: the address registers are not redefined inside that loop.
	LoopInvariant Tri
}
