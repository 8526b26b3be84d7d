package sass

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"
)

// An elfSection is one section of a cubin in the making.
type elfSection struct {
	name       string
	kind       uint32
	link, info uint32
	data       []byte
}

// writeELF puts sections into a cubin for sm_90. The string table of names comes first, behind the empty section.
func writeELF(sections []elfSection) []byte {
	names := []byte{0}
	var heads, body bytes.Buffer
	offsets := make([]uint32, len(sections))
	for i, s := range sections {
		offsets[i] = uint32(len(names))
		names = append(append(names, s.name...), 0)
	}
	sections[1].data = names
	for i, s := range sections {
		head := make([]byte, sectionSize)
		le.PutUint32(head, offsets[i])
		le.PutUint32(head[4:], s.kind)
		le.PutUint64(head[24:], uint64(headerSize+body.Len()))
		le.PutUint64(head[32:], uint64(len(s.data)))
		le.PutUint32(head[40:], s.link)
		le.PutUint32(head[44:], s.info)
		heads.Write(head)
		body.Write(s.data)
	}
	h := make([]byte, headerSize)
	copy(h, "\x7fELF\x02\x01\x01\x41\x08")
	le.PutUint16(h[18:], machineCUDA)
	le.PutUint64(h[40:], uint64(headerSize+body.Len()))
	le.PutUint32(h[48:], 90<<8)
	le.PutUint16(h[58:], sectionSize)
	le.PutUint16(h[60:], uint16(len(sections)))
	le.PutUint16(h[62:], 1)
	return append(append(h, body.Bytes()...), heads.Bytes()...)
}

// lineProgram is a unit with two files and one sequence: line 10 calls f, inlined from line 3 of the second file.
func lineProgram() (unit []byte, addressAt uint64) {
	head := []byte{1, 1, 0xff, 4, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1} // lengths: instruction, default, base, range, opcodes
	head = append(head, "src\x00\x00k.cu\x00\x01\x00\x00k.h\x00\x01\x00\x00\x00"...)
	program := []byte{0, 9, lneSetAddress, 0, 0, 0, 0, 0, 0, 0, 0,
		lnsAdvanceLine, 9, lnsCopy, // line 10 at 0
		lnsSetFile, 2, lnsAdvanceLine, 0x79, 0, 3, lneInlinedCall, 1, 1, lnsAdvancePC, 16, lnsCopy, // line 3 of k.h at 0x10
		0, 3, lneInlinedCall, 0, 0, lnsSetFile, 1, lnsAdvanceLine, 8, lnsAdvancePC, 16, lnsCopy, // line 11 at 0x20
		lnsAdvancePC, 16, 0, 1, lneEndSequence}
	unit = binary.LittleEndian.AppendUint32(nil, uint32(2+4+len(head)+len(program)))
	unit = binary.LittleEndian.AppendUint16(unit, 2)
	unit = binary.LittleEndian.AppendUint32(unit, uint32(len(head)))
	unit = append(unit, head...)
	return append(unit, program...), uint64(len(unit) + 3)
}

// cubinParts are the parts of a cubin that have a format of their own.
type cubinParts struct{ code, info, lines, rela, textRela []byte }

// smallParts are a kernel of three instructions, its resources and its lines.
func smallParts() cubinParts {
	var p cubinParts
	for _, w := range [][2]uint64{
		{0x0000000000007919, 0x000e2e0000002100}, // S2R R0, SR_TID.X
		{0x0000000402027981, 0x000ea8000c1e1900}, // LDG.E R2, desc[UR4][R2.64]
		{0x000000000000794d, 0x000fea0003800000}, // EXIT
	} {
		p.code = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(p.code, w[0]), w[1])
	}
	p.info = []byte{formatSized, attrRegCount, 8, 0, 1, 0, 0, 0, 24, 0, 0, 0, formatSized, attrFrameSize, 8, 0, 1, 0, 0, 0, 64, 0, 0, 0}
	lines, at := lineProgram()
	p.lines, p.rela = lines, make([]byte, 24)
	le.PutUint64(p.rela, at)
	le.PutUint64(p.rela[8:], 1<<32|2)
	return p
}

// cubinOf makes a cubin of one kernel, k.
func cubinOf(p cubinParts) []byte {
	strtab := []byte("\x00k\x00")
	symtab := make([]byte, 2*symbolSize)
	le.PutUint32(symtab[symbolSize:], 1)
	symtab[symbolSize+4] = 0x10 | symbolFunc
	le.PutUint16(symtab[symbolSize+6:], 4)
	le.PutUint64(symtab[symbolSize+16:], uint64(len(p.code)))
	return writeELF([]elfSection{
		{}, {name: ".shstrtab", kind: 3}, {name: ".strtab", kind: 3, data: strtab}, {name: ".symtab", kind: 2, link: 2, data: symtab},
		{name: ".text.k", kind: 1, data: p.code}, {name: ".nv.info", kind: 1, data: p.info},
		{name: ".debug_line", kind: 1, data: p.lines}, {name: ".rela.debug_line", kind: 4, data: p.rela},
		{name: ".debug_str", kind: 1, data: []byte("\x00_Z1fv\x00")}, {name: ".rela.text.k", kind: 4, data: p.textRela},
	})
}

func smallCubin() []byte { return cubinOf(smallParts()) }

func TestSmallCubin(t *testing.T) {
	m, err := Open(smallCubin())
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Function("k")
	if err != nil {
		t.Fatal(err)
	}
	if f.Registers != 24 || f.StackBytes != 64 || f.Arch != 90 || len(f.Insts) != 3 || f.Insts[1].Root != "LDG" {
		t.Errorf("function %+v", f)
	}
	want := map[uint64][]Frame{
		0x00: {{File: "src/k.cu", Line: 10}},
		0x10: {{File: "src/k.h", Line: 3, Function: "_Z1fv"}, {File: "src/k.cu", Line: 10}},
		0x20: {{File: "src/k.cu", Line: 11}},
	}
	for at, w := range want {
		if got := f.Frames(at); !reflect.DeepEqual(got, w) {
			t.Errorf("frames at %#x: %+v, want %+v", at, got, w)
		}
	}
}

// TestRelocatedCall holds that a call the linker has not resolved has no target: the bits hold none.
func TestRelocatedCall(t *testing.T) {
	p := smallParts()
	le.PutUint64(p.code, 0x0000000000007944) // CALL.REL.NOINC, to what follows as it stands
	le.PutUint64(p.code[8:], 0x000fea0003c00000)
	for _, relocated := range []bool{false, true} {
		if relocated {
			p.textRela = make([]byte, 24)
		}
		m, err := Open(cubinOf(p))
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Function("k")
		if err != nil {
			t.Fatal(err)
		}
		if in := f.Insts[0]; in.Root != "CALL" || in.HasTarget == relocated {
			t.Errorf("relocated %v: %s has target %v", relocated, in.Root, in.HasTarget)
		}
	}
}

// TestDamagedCubin cuts a cubin at every byte and flips every byte: nothing may panic, and what is cut must not be read.
func TestDamagedCubin(t *testing.T) {
	good := smallCubin()
	read := func(b []byte) {
		m, err := Open(b)
		if err != nil {
			return
		}
		for _, n := range m.Names() {
			if f, err := m.Function(n); err == nil {
				Analyze(f)
				f.Frames(0x10)
			}
		}
	}
	for i := range good {
		read(good[:i])
		for _, flip := range []byte{0xff, 0x80, 0x01} {
			b := bytes.Clone(good)
			b[i] ^= flip
			read(b)
		}
	}
}
