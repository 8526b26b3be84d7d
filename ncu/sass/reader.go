package sass

// A reader takes numbers from bytes. Once something is missing it is bad and gives zeros.
type reader struct {
	b   []byte
	at  uint64
	bad bool
}

func (r *reader) take(n uint64) []byte {
	b, ok := window(r.b, r.at, n)
	if !ok {
		r.bad = true
		return nil
	}
	r.at += n
	return b
}

func (r *reader) u8() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u16() uint16 {
	if b := r.take(2); b != nil {
		return le.Uint16(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.take(4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

// uleb reads an unsigned LEB128 number.
func (r *reader) uleb() uint64 {
	var v uint64
	for shift := uint(0); shift < 64; shift += 7 {
		c := r.u8()
		v |= uint64(c&127) << shift
		if c < 128 {
			return v
		}
	}
	r.bad = true
	return 0
}

// sleb reads a signed LEB128 number.
func (r *reader) sleb() int64 {
	var v int64
	for shift := uint(0); shift < 64; shift += 7 {
		c := r.u8()
		v |= int64(c&127) << shift
		if c < 128 {
			if c&64 != 0 && shift < 57 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.bad = true
	return 0
}

// cstring reads a NUL-terminated string.
func (r *reader) cstring() string {
	s := cstring(r.b, r.at)
	if uint64(len(s)) >= uint64(len(r.b))-min(r.at, uint64(len(r.b))) {
		r.bad = true
		return ""
	}
	r.at += uint64(len(s)) + 1
	return s
}
