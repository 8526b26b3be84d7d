package ncu

// A sourceIndex knows where the machine code of each source reference lies.
type sourceIndex struct {
	src    *source
	places []place
}

func newSourceIndex(src *source) *sourceIndex { return &sourceIndex{src: src} }

// add takes one source message.
func (x *sourceIndex) add(off, size int64) { x.places = append(x.places, place{off: off, size: size}) }

func (p *rep) code(l *Launch, refs []uint64) (*Code, error) { return nil, nil }
