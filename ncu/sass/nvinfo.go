package sass

// Attributes of the .nv.info section, as public tools print them (EIATTR_*).
const (
	attrFrameSize = 0x11
	attrRegCount  = 0x2f
	formatSized   = 4 // the only form with a payload of its own size
)

// resources are what the compiler notes about each function.
type resources struct {
	registers map[string]int // registers per thread
	stack     map[string]int // bytes of stack frame per thread
}

// readResources reads the attributes of .nv.info: one after another a format byte, an attribute byte and two bytes that
// are a small value or, for the sized format, the size of the payload that follows. The payloads read here are a symbol
// index and a number, four bytes each.
func readResources(f *elfFile) resources {
	r := resources{map[string]int{}, map[string]int{}}
	b := f.data(".nv.info")
	for len(b) >= 4 {
		format, attr, n := b[0], b[1], uint64(le.Uint16(b[2:]))
		b = b[4:]
		if format != formatSized {
			continue
		}
		payload, ok := window(b, 0, n)
		if !ok {
			return r
		}
		b = b[n:]
		if n != 8 || int64(le.Uint32(payload)) >= int64(len(f.symbols)) {
			continue
		}
		name, value := f.symbols[le.Uint32(payload)].name, int(le.Uint32(payload[4:]))
		switch attr {
		case attrRegCount:
			r.registers[name] = value
		case attrFrameSize:
			r.stack[name] = value
		}
	}
	return r
}
