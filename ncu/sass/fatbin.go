package sass

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// A fat binary is a header and entries, each with a header of its own: PTX or a cubin for one architecture, stored as it
// is or compressed. Executables, libraries and objects hold any number of them. The layout is public knowledge.
const (
	fatMagic       = 0xba55ed50
	fatHeaderSize  = 16
	fatEntrySize   = 64
	fatPTX         = 1
	fatCubin       = 2
	fatCubinOther  = 16
	fatLZ4         = 0x2000 // flag: compressed with LZ4
	fatZstd        = 0x8000 // flag: compressed with Zstandard
	maxFatRatio    = 64     // more than code compresses: what claims more is damaged
	spareUnpacked  = 1 << 20
	extractAdvice  = "extract the cubins with cuobjdump -xelf all FILE and give those"
	zstdFrameStart = 0xfd2fb528
)

// A fatEntry is one entry of a fat binary.
type fatEntry struct {
	kind     uint16
	arch     int
	flags    uint64
	payload  []byte
	unpacked uint64 // its size when compressed
}

// listFat looks for fat binaries anywhere in a file, and lists the functions of every cubin in them. PTX beside a cubin
// is another form of the same code and left alone; where there is PTX only it is listed.
func listFat(b []byte) (*Listing, error) {
	l := &Listing{Format: "fatbin"}
	entries := fatEntries(b)
	cubins, ptx := 0, 0
	for _, e := range entries {
		switch e.kind {
		case fatCubin, fatCubinOther:
			cubins++
			l.parts = append(l.parts, e.functions)
		case fatPTX:
			ptx++
		}
	}
	switch {
	case cubins > 0:
		l.Notes = append(l.Notes, fmt.Sprintf("%d cubins in this file", cubins))
	case ptx > 0:
		l.Format = "ptx"
		for _, e := range entries {
			l.parts = append(l.parts, e.ptx)
		}
		l.Notes = append(l.Notes, "this file has PTX only: what the driver makes of it is not known")
	default:
		return nil, &InputError{Msg: "no CUDA code found in this binary file; " + accepted +
			"; if it is known to hold some, " + extractAdvice}
	}
	return l, nil
}

// fatEntries finds the entries of all fat binaries in a file.
func fatEntries(b []byte) []fatEntry {
	var magic [4]byte
	le.PutUint32(magic[:], fatMagic)
	var out []fatEntry
	for at := 0; ; {
		i := bytes.Index(b[at:], magic[:])
		if i < 0 {
			return out
		}
		at += i
		body, n := fatBody(b[at:])
		if n == 0 {
			at += len(magic)
			continue
		}
		out = appendEntries(out, body)
		at += n
	}
}

// fatBody returns the entries of the fat binary that b starts with, and its whole size; 0 when it is none.
func fatBody(b []byte) (body []byte, size int) {
	if len(b) < fatHeaderSize || le.Uint16(b[4:]) != 1 {
		return nil, 0
	}
	start := uint64(le.Uint16(b[6:]))
	body, ok := window(b, start, le.Uint64(b[8:]))
	if !ok || start < fatHeaderSize {
		return nil, 0
	}
	return body, int(start) + len(body)
}

func appendEntries(out []fatEntry, b []byte) []fatEntry {
	for len(b) >= fatEntrySize {
		head, size := uint64(le.Uint32(b[4:])), le.Uint64(b[8:])
		payload, ok := window(b, head, size)
		if !ok || head < fatEntrySize {
			return out
		}
		e := fatEntry{kind: le.Uint16(b), arch: int(le.Uint32(b[28:])), flags: le.Uint64(b[40:]), unpacked: le.Uint64(b[56:]), payload: payload}
		if n := uint64(le.Uint32(b[16:])); n > 0 && n <= size { // the rest is padding
			e.payload = payload[:n]
		}
		out = append(out, e)
		b = b[head+size:]
	}
	return out
}

// functions yields the functions of a cubin entry.
func (e fatEntry) functions(yield func(*Function, error) bool) {
	elf, err := e.unpack()
	if err != nil {
		yield(nil, fmt.Errorf("reading the cubin for sm_%d: %w; %s", e.arch, err, extractAdvice))
		return
	}
	m, err := Open(elf)
	if err != nil {
		yield(nil, err)
		return
	}
	m.each(yield)
}

// ptx yields the functions of a PTX entry.
func (e fatEntry) ptx(yield func(*Function, error) bool) {
	text, err := e.unpack()
	if err != nil {
		yield(nil, fmt.Errorf("reading PTX: %w", err))
		return
	}
	l, err := parsePTX(bytes.TrimRight(text, "\x00"))
	if err != nil {
		yield(nil, err)
		return
	}
	l.parts[0](yield)
}

// unpack returns the payload as it was before compression.
func (e fatEntry) unpack() ([]byte, error) {
	limit := min(e.unpacked, spareUnpacked+maxFatRatio*uint64(len(e.payload)))
	switch {
	case len(e.payload) >= 4 && le.Uint32(e.payload) == zstdFrameStart:
		d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(max(limit, 1)), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		return d.DecodeAll(e.payload, nil)
	case e.flags&fatZstd != 0:
		return nil, errors.New("compressed in a way that is not known")
	case e.flags&fatLZ4 != 0:
		return unpackLZ4(e.payload, int(limit))
	}
	return e.payload, nil
}

// errLZ4 is any damage of a compressed block.
var errLZ4 = errors.New("damaged LZ4 block")

// unpackLZ4 unpacks one block of at most limit bytes. A block is sequences: a token with two lengths of four bits, 15
// meaning that more bytes follow, then literals, then an offset back and a match of at least four bytes.
func unpackLZ4(b []byte, limit int) ([]byte, error) {
	var out []byte
	r := reader{b: b}
	for r.at < uint64(len(b)) {
		token := r.u8()
		literals := r.take(lz4Length(&r, token>>4))
		if r.bad || len(out)+len(literals) > limit {
			return nil, errLZ4
		}
		out = append(out, literals...)
		if r.at == uint64(len(b)) { // the last sequence has no match
			break
		}
		back := int(r.u16())
		n := lz4Length(&r, token&15) + 4
		if r.bad || back == 0 || back > len(out) || n > uint64(limit-len(out)) {
			return nil, errLZ4
		}
		for range n { // byte by byte: a match may overlap itself
			out = append(out, out[len(out)-back])
		}
	}
	return out, nil
}

func lz4Length(r *reader, n byte) uint64 {
	total := uint64(n)
	for c := byte(255); n == 15 && c == 255 && !r.bad; {
		c = r.u8()
		total += uint64(c)
	}
	return total
}
