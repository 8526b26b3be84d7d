package ncu

import "google.golang.org/protobuf/encoding/protowire"

// An nvtxDomain names a group of ranges. Ranges can name themselves by a registered string of their domain.
type nvtxDomain struct {
	name    string
	strings map[uint64]string
}

// readNVTX returns the ranges that were open at the launch, outermost first, as "domain:name": those pushed by the
// launching thread, then those that were started by any thread.
func readNVTX(b []byte, thread uint64) (names []string, err error) {
	domains := map[uint64]nvtxDomain{}
	var own []byte
	var started [][]byte
	m := walk(b)
	for m.next() && err == nil && len(domains) < maxParts {
		switch m.num {
		case 1:
			err = readDomain(m.bytes(), domains)
		case 2:
			if t := m.bytes(); isThread(t, thread) {
				own = t
			}
		case 3:
			started = append(started, m.bytes())
			m.limit(len(started))
		}
	}
	if err == nil {
		err = m.err
	}
	for t := walk(own); err == nil && t.next(); {
		if t.num == 2 {
			names, err = readRanges(t.bytes(), pushedRange, domains, names)
		}
	}
	for _, s := range started {
		if err == nil {
			names, err = readRanges(s, startedRange, domains, names)
		}
	}
	return names, err
}

// isThread reports whether the stack of ranges belongs to the thread.
func isThread(b []byte, thread uint64) bool {
	for m := walk(b); m.next(); {
		if m.num == 1 {
			return m.uint() == thread
		}
	}
	return false
}

func readDomain(b []byte, into map[uint64]nvtxDomain) error {
	var id uint64
	var d nvtxDomain
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			id = m.uint()
		case 2:
			d.name = m.text()
		case 3:
			var handle uint64
			var text string
			s := walk(m.bytes())
			for s.next() {
				switch s.num {
				case 1:
					handle = s.uint()
				case 2:
					text = s.text()
				}
			}
			if s.err != nil {
				return s.err
			}
			if d.strings == nil {
				d.strings = map[uint64]string{}
			}
			d.strings[handle] = text
			m.limit(len(d.strings))
		}
	}
	into[id] = d
	return m.err
}

// An nvtxRange says under which field numbers a range of either kind keeps its parts.
type nvtxRange struct{ list, name, attributes protowire.Number }

var (
	pushedRange  = nvtxRange{list: 3, name: 1, attributes: 2}
	startedRange = nvtxRange{list: 3, name: 2, attributes: 3}
)

// readRanges appends the open ranges of one domain.
func readRanges(b []byte, f nvtxRange, domains map[uint64]nvtxDomain, names []string) ([]string, error) {
	var d nvtxDomain
	m := walk(b)
	for m.next() && len(names) < maxParts {
		switch m.num {
		case 1:
			d = domains[m.uint()]
		case f.list:
			name, err := readRange(m.bytes(), f, d)
			if err != nil {
				return nil, err
			}
			names = append(names, d.name+":"+name)
		}
	}
	return names, m.err
}

func readRange(b []byte, f nvtxRange, d nvtxDomain) (name string, err error) {
	m := walk(b)
	for m.next() {
		switch {
		case m.num == f.name && name == "":
			name = m.text()
		case m.num == f.attributes && name == "":
			if name, err = readRangeMessage(m.bytes(), d); err != nil {
				return "", err
			}
		}
	}
	return name, m.err
}

// readRangeMessage reads the name that the attributes of a range give.
func readRangeMessage(b []byte, d nvtxDomain) (name string, err error) {
	m := walk(b)
	for m.next() {
		if m.num != 5 {
			continue
		}
		s := walk(m.bytes())
		for s.next() {
			switch s.num {
			case 2:
				name = s.text()
			case 3:
				if name == "" {
					name = d.strings[s.uint()]
				}
			}
		}
		if s.err != nil {
			return "", s.err
		}
	}
	return name, m.err
}
