package sass

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// MinArch is the oldest architecture whose 128-bit instructions are decoded: sm_70.
const MinArch = 70

// A Module is an open cubin. Functions are decoded when asked for. It is safe for concurrent use.
type Module struct {
	Arch int // 90 for sm_90; 0 unknown

	elf    *elfFile
	names  []string
	byName map[string]*symbol
	starts map[int][]uint64 // by section: where its functions begin
	info   func() resources
	lines  func() *lineIndex
}

// Open reads the ELF headers of a cubin and lists its functions; elf is kept and must not change. Architectures before
// sm_70 are refused: their encoding is another one.
func Open(elf []byte) (*Module, error) {
	f, err := parseELF(elf)
	if err != nil {
		return nil, fmt.Errorf("reading cubin: %w", err)
	}
	if f.arch != 0 && f.arch < MinArch {
		return nil, fmt.Errorf("reading cubin: sm_%d is older than sm_%d and encoded differently", f.arch, MinArch)
	}
	m := &Module{Arch: f.arch, elf: f, byName: map[string]*symbol{}, starts: map[int][]uint64{}}
	m.info = sync.OnceValue(func() resources { return readResources(f) })
	m.lines = sync.OnceValue(func() *lineIndex { return indexLines(f) })
	m.list()
	return m, nil
}

// list finds the functions that have code. What the compiler calls $NAME is a subroutine inside a function.
func (m *Module) list() {
	f := m.elf
	for i := range f.symbols {
		s := &f.symbols[i]
		if s.kind != symbolFunc || s.name == "" || s.name[0] == '$' || m.byName[s.name] != nil {
			continue
		}
		if s.section == 0 || s.section >= len(f.sections) || !strings.HasPrefix(f.sections[s.section].name, ".text") {
			continue
		}
		m.byName[s.name] = s
		m.names = append(m.names, s.name)
		m.starts[s.section] = append(m.starts[s.section], s.value)
	}
	for _, at := range m.starts {
		slices.Sort(at)
	}
}

// From sm_90 the section of a function's shared memory begins with what the system keeps for itself: the compiler's log
// counts that much less.
const (
	firstReserved  = 90
	reservedShared = 1024
)

// maxShared is more shared memory than any block has.
const maxShared = 1 << 30

// code returns the bytes of a function: up to the next one in its section, so with its subroutines.
func (m *Module) code(s *symbol) ([]byte, bool) {
	all := m.elf.sections[s.section].data
	end := uint64(len(all))
	starts := m.starts[s.section]
	if i, _ := slices.BinarySearch(starts, s.value+1); i < len(starts) {
		end = min(end, starts[i])
	}
	return window(all, s.value, end-min(s.value, end))
}

// Names returns the mangled names of the functions that have code, in the order of the symbol table.
func (m *Module) Names() []string { return m.names }

// Function decodes one function, with the subroutines that the compiler put behind it.
func (m *Module) Function(name string) (*Function, error) {
	s := m.byName[name]
	if s == nil {
		return nil, fmt.Errorf("decoding function: no function %q in the cubin", name)
	}
	code, ok := m.code(s)
	if !ok {
		return nil, fmt.Errorf("decoding function %s: it lies beyond the end of its section", name)
	}
	f := &Function{Name: name, Arch: m.Arch, Registers: m.info().registers[name], StackBytes: -1}
	if n, ok := m.info().stack[name]; ok {
		f.StackBytes = n
	}
	if f.Registers == 0 { // the section header has the count as well, in the high byte of sh_info
		f.Registers = int(m.elf.sections[s.section].info >> 24)
	}
	shared := 0
	if x := m.elf.section(".nv.shared." + name); x != nil {
		shared = int(min(x.size, maxShared))
		if m.Arch >= firstReserved {
			shared = max(0, shared-reservedShared)
		}
	}
	f.Shared = &shared
	f.lines = &lineTable{module: m, symbol: s}
	f.Insts = decodeAll(code, m.Arch)
	m.relocated(f, s)
	return f, nil
}

// relocated takes the targets from branches and calls that the linker is still to fill in: they go to other functions.
func (m *Module) relocated(f *Function, s *symbol) {
	text := m.elf.sections[s.section].name
	for _, table := range []struct {
		name string
		size int
	}{{".rela" + text, 24}, {".rel" + text, 16}} {
		for b := m.elf.data(table.name); len(b) >= table.size; b = b[table.size:] {
			if at := (le.Uint64(b) - s.value) / instSize; at < uint64(len(f.Insts)) {
				f.Insts[at].HasTarget, f.Insts[at].Target = false, 0
			}
		}
	}
}

// decodeAll decodes a whole function.
func decodeAll(code []byte, arch int) []Inst {
	insts := make([]Inst, len(code)/instSize)
	d := decoder{arch: arch}
	for i := range insts {
		at := i * instSize
		d.decode(&insts[i], word{le.Uint64(code[at:]), le.Uint64(code[at+8:])}, uint64(at))
	}
	return insts
}
