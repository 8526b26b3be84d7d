package sass

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Constants of the ELF format and of its CUDA flavour.
const (
	machineCUDA  = 190
	headerSize   = 64
	sectionSize  = 64
	symbolSize   = 24
	sectionNoBit = 8  // SHT_NOBITS: no bytes in the file
	symbolFunc   = 2  // STT_FUNC
	flagsABI     = 65 // e_ident[7] of files that keep the architecture in bits 8 to 15 of e_flags
)

// A section is one section of an ELF file. Its bytes are a window on the file, empty when it has none.
type section struct {
	name string
	kind uint32
	link uint32
	info uint32
	size uint64 // in memory
	data []byte
}

// A symbol is one entry of the symbol table.
type symbol struct {
	name    string
	kind    byte // STT_*
	section int
	value   uint64
	size    uint64
}

// An elfFile is a cubin taken apart. The standard library's reader refuses most cubins, because they keep the toolkit's
// version in the field of the ELF version; this one reads what is needed and trusts no length.
type elfFile struct {
	arch     int
	sections []section
	symbols  []symbol
}

var le = binary.LittleEndian

// window returns n bytes of b from off, false when they are not all there.
func window(b []byte, off, n uint64) ([]byte, bool) {
	if off > uint64(len(b)) || n > uint64(len(b))-off {
		return nil, false
	}
	return b[off : off+n : off+n], true
}

// cstring returns the NUL-terminated string at off, "" when off is outside.
func cstring(b []byte, off uint64) string {
	if off >= uint64(len(b)) {
		return ""
	}
	b = b[off:]
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return string(b[:n])
	}
	return ""
}

// parseELF reads the section headers and the symbol table. It keeps windows on b.
func parseELF(b []byte) (*elfFile, error) {
	if len(b) < headerSize || string(b[:4]) != "\x7fELF" {
		return nil, errors.New("not an ELF file")
	}
	if b[4] != 2 || b[5] != 1 {
		return nil, errors.New("not a 64-bit little-endian ELF file")
	}
	if m := le.Uint16(b[18:]); m != machineCUDA {
		return nil, fmt.Errorf("ELF machine %d is not CUDA (%d)", m, machineCUDA)
	}
	f := &elfFile{arch: archOf(b[7], le.Uint32(b[48:]))}
	if err := f.readSections(b); err != nil {
		return nil, err
	}
	return f, f.readSymbols()
}

// archOf returns the compute capability times ten from e_flags, of which two layouts are in use.
func archOf(abi byte, flags uint32) int {
	if abi == flagsABI {
		return int(flags >> 8 & 0xff)
	}
	return int(flags & 0xff)
}

func (f *elfFile) readSections(b []byte) error {
	off, size, count := le.Uint64(b[40:]), le.Uint16(b[58:]), uint64(le.Uint16(b[60:]))
	names := uint64(le.Uint16(b[62:]))
	if size != sectionSize {
		return fmt.Errorf("section headers of %d bytes, want %d", size, sectionSize)
	}
	if count == 0 && off != 0 { // more than 65,279 sections: the count stands in the first header
		if h, ok := window(b, off, sectionSize); ok {
			count = le.Uint64(h[32:])
			names = uint64(le.Uint32(h[40:]))
		}
	}
	if count > uint64(len(b))/sectionSize {
		return fmt.Errorf("%d sections in a file of %d bytes", count, len(b))
	}
	heads, ok := window(b, off, count*sectionSize)
	if !ok {
		return errors.New("section headers lie beyond the end of the file")
	}
	f.sections = make([]section, count)
	for i := range f.sections {
		h := heads[i*sectionSize:]
		s := &f.sections[i]
		s.kind, s.size, s.link, s.info = le.Uint32(h[4:]), le.Uint64(h[32:]), le.Uint32(h[40:]), le.Uint32(h[44:])
		if s.kind == sectionNoBit {
			continue
		}
		if s.data, ok = window(b, le.Uint64(h[24:]), le.Uint64(h[32:])); !ok {
			return fmt.Errorf("section %d lies beyond the end of the file", i)
		}
	}
	if names >= count {
		return errors.New("no section names")
	}
	for i := range f.sections {
		f.sections[i].name = cstring(f.sections[names].data, uint64(le.Uint32(heads[i*sectionSize:])))
	}
	return nil
}

func (f *elfFile) readSymbols() error {
	t := f.section(".symtab")
	if t == nil {
		return errors.New("no symbol table")
	}
	var names []byte
	if int(t.link) < len(f.sections) {
		names = f.sections[t.link].data
	}
	f.symbols = make([]symbol, len(t.data)/symbolSize)
	for i := range f.symbols {
		e := t.data[i*symbolSize:]
		f.symbols[i] = symbol{
			name:    cstring(names, uint64(le.Uint32(e))),
			kind:    e[4] & 15,
			section: int(le.Uint16(e[6:])),
			value:   le.Uint64(e[8:]),
			size:    le.Uint64(e[16:]),
		}
	}
	f.rebase()
	return nil
}

// rebase brings functions back to the start of their section. Reports before 2022.2 hold cubins as they were loaded:
// the symbols of functions then have device addresses, far beyond the section; those of subroutines are offsets still.
func (f *elfFile) rebase() {
	loaded := func(s symbol) bool {
		return s.kind == symbolFunc && s.section < len(f.sections) && s.value >= uint64(len(f.sections[s.section].data))
	}
	base := map[int]uint64{}
	for _, s := range f.symbols {
		if old, ok := base[s.section]; loaded(s) && (!ok || s.value < old) {
			base[s.section] = s.value
		}
	}
	for i, s := range f.symbols {
		if loaded(s) {
			f.symbols[i].value -= base[s.section]
		}
	}
}

// section returns the first section of that name, nil when there is none.
func (f *elfFile) section(name string) *section {
	for i := range f.sections {
		if f.sections[i].name == name {
			return &f.sections[i]
		}
	}
	return nil
}

// data returns the bytes of the first section of that name, nil when there is none.
func (f *elfFile) data(name string) []byte {
	if s := f.section(name); s != nil {
		return s.data
	}
	return nil
}
