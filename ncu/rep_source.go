package ncu

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"advisor/ncu/sass"

	"google.golang.org/protobuf/encoding/protowire"
)

// Sources (machine code, its load addresses, imported source files) are most of the bytes of a report. They are left
// alone until somebody asks for the code of a launch, and only a few of them are kept then.

// maxModules is how many opened cubins are kept: neighbouring launches mostly share theirs.
const maxModules = 4

// maxKept is how many decoded instructions of one cubin are kept.
const maxKept = 1 << 16

// An extent is a range of bytes of the file.
type extent struct{ off, size int64 }

// A sourceKey names a source. References are unique within one process only: every process counts from the same
// number.
type sourceKey struct {
	process int // index
	ref     uint64
}

// A sourceMessage is where one source message lies.
type sourceMessage struct {
	extent
	process int
}

// A sourceIndex finds the sources of a report.
type sourceIndex struct {
	src      *source
	messages []sourceMessage
	parts    func() (map[sourceKey]*sourceParts, error)

	mu   sync.Mutex
	kept []*module // most recently used last
}

// sourceParts tells where the parts of one source lie. A source can come in several messages: the first has the cubin,
// later ones the addresses of functions that were loaded since.
type sourceParts struct {
	binary      extent
	relocations []extent
	files       []extent
}

func newSourceIndex(src *source) *sourceIndex {
	x := &sourceIndex{src: src}
	x.parts = sync.OnceValues(x.index)
	return x
}

// add takes one source message.
func (x *sourceIndex) add(off, size int64, process int) error {
	if len(x.messages) == maxSources {
		return fmt.Errorf("more than %d sources", maxSources)
	}
	x.messages = append(x.messages, sourceMessage{extent{off, size}, process})
	return nil
}

// index looks through all source messages, past the cubins.
func (x *sourceIndex) index() (map[sourceKey]*sourceParts, error) {
	all := map[sourceKey]*sourceParts{}
	for _, s := range x.messages {
		ref, p, err := x.scan(s.extent)
		if err != nil {
			return nil, fmt.Errorf("reading source at byte %d: %w", s.off, err)
		}
		key := sourceKey{s.process, ref}
		old := all[key]
		if old == nil {
			all[key] = &p
			continue
		}
		if old.binary.size == 0 {
			old.binary = p.binary
		}
		old.relocations = append(old.relocations, p.relocations...)
		old.files = append(old.files, p.files...)
	}
	return all, nil
}

// fieldHead is more than a field's tag and a number or length take.
const fieldHead = 2 * 10

// scan finds the parts of one source message, reading only the beginnings of its fields.
func (x *sourceIndex) scan(s extent) (ref uint64, p sourceParts, err error) {
	for at, end := s.off, s.off+s.size; at < end; {
		head, err := x.src.slice(at, min(fieldHead, end-at))
		if err != nil {
			return 0, p, err
		}
		num, typ, n := protowire.ConsumeTag(head)
		if n < 0 {
			return 0, p, protowire.ParseError(n)
		}
		if typ != protowire.BytesType {
			size := protowire.ConsumeFieldValue(num, typ, head[n:])
			if size < 0 {
				return 0, p, protowire.ParseError(size)
			}
			if num == 1 && typ == protowire.VarintType {
				ref, _ = protowire.ConsumeVarint(head[n:])
			}
			at += int64(n + size)
			continue
		}
		length, k := protowire.ConsumeVarint(head[n:])
		if k < 0 {
			return 0, p, protowire.ParseError(k)
		}
		at += int64(n + k)
		if length > uint64(end-at) {
			return 0, p, fmt.Errorf("field %d is longer than its message", num)
		}
		p.take(num, extent{at, int64(length)})
		at += int64(length)
	}
	return ref, p, nil
}

func (p *sourceParts) take(num protowire.Number, s extent) {
	switch num {
	case 4:
		p.binary = s
	case 8:
		p.files = append(p.files, s)
	case 9:
		p.relocations = append(p.relocations, s)
	}
}

// A module is one source, opened.
type module struct {
	key   sourceKey
	open  func() error // opens once
	cubin *sass.Module
	files map[string]string
	entry []entry // by address

	mu        sync.Mutex
	functions map[string]func() (*decoded, error)
	kept      int // instructions in functions
}

// An entry is where a function was loaded.
type entry struct {
	address uint64
	symbol  string
}

// module returns the source with the key, nil when the report has none.
func (x *sourceIndex) module(key sourceKey) (*module, error) {
	parts, err := x.parts()
	if err != nil {
		return nil, err
	}
	p := parts[key]
	if p == nil || p.binary.size == 0 {
		return nil, nil
	}
	m := x.keep(key)
	return m, m.open()
}

// keep returns the module with the key, a new one when it is not among those kept.
func (x *sourceIndex) keep(key sourceKey) *module {
	x.mu.Lock()
	defer x.mu.Unlock()
	if i := slices.IndexFunc(x.kept, func(m *module) bool { return m.key == key }); i >= 0 {
		m := x.kept[i]
		x.kept = append(slices.Delete(x.kept, i, i+1), m)
		return m
	}
	m := &module{key: key}
	m.open = sync.OnceValue(func() error { return x.load(m) })
	x.kept = append(x.kept, m)
	if len(x.kept) > maxModules {
		x.kept = slices.Delete(x.kept, 0, 1)
	}
	return m
}

// load reads a source.
func (x *sourceIndex) load(m *module) error {
	parts, err := x.parts()
	if err != nil {
		return err
	}
	p := parts[m.key]
	b, err := x.src.slice(p.binary.off, p.binary.size)
	if err != nil {
		return err
	}
	if m.cubin, err = sass.Open(b); err != nil {
		return err
	}
	m.files, m.functions = map[string]string{}, map[string]func() (*decoded, error){}
	for _, s := range p.files {
		if err := x.each(s, func(b []byte) error { return addFile(m.files, b) }); err != nil {
			return fmt.Errorf("reading imported files: %w", err)
		}
	}
	seen := map[entry]bool{}
	for _, s := range p.relocations {
		err := x.each(s, func(b []byte) error {
			if len(m.entry) == maxFunctions {
				return fmt.Errorf("more than %d functions", maxFunctions)
			}
			e, err := readEntry(b)
			if !seen[e] {
				seen[e] = true
				m.entry = append(m.entry, e)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("reading relocations: %w", err)
		}
	}
	slices.SortStableFunc(m.entry, compareAddress)
	return nil
}

func compareAddress(a, b entry) int { return cmp.Compare(a.address, b.address) }

// each calls f on every message in field 1 of the message at s.
func (x *sourceIndex) each(s extent, f func([]byte) error) error {
	b, err := x.src.slice(s.off, s.size)
	if err != nil {
		return err
	}
	m := walk(b)
	for m.next() {
		if m.num == 1 {
			if err := f(m.bytes()); err != nil {
				return err
			}
		}
	}
	return m.err
}

// addFile reads one imported source file. One without content was not found when the report was made.
func addFile(files map[string]string, b []byte) error {
	var name, content string
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			name = m.text()
		case 2:
			content = m.text()
		}
	}
	if name != "" && content != "" {
		files[name] = content
	}
	return m.err
}

func readEntry(b []byte) (e entry, err error) {
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			e.symbol = m.text()
		case 2:
			e.address = m.uint()
		}
	}
	return e, m.err
}

// A decoded is a function with what the instructions alone tell. Launches on other goroutines share it: nobody writes
// to it.
type decoded struct {
	*sass.Function
	frames [][]sass.Frame // of each instruction
}

func (m *module) decode(name string) (*decoded, error) {
	f, err := m.cubin.Function(name)
	if err != nil {
		return nil, err
	}
	sass.Analyze(f)
	d := &decoded{Function: f, frames: make([][]sass.Frame, len(f.Insts))}
	for i := range f.Insts {
		d.frames[i] = f.Frames(f.Insts[i].Offset)
	}
	return d, nil
}

// function returns a function, decoded and analyzed once while it is kept.
func (m *module) function(name string) (*decoded, error) {
	m.mu.Lock()
	f := m.functions[name]
	if f == nil {
		f = sync.OnceValues(func() (*decoded, error) { return m.decode(name) })
		m.functions[name] = f
	}
	m.mu.Unlock()
	d, err := f()
	if err == nil {
		m.forget(len(d.Insts))
	}
	return d, err
}

// forget drops the decoded functions when they have become many. It counts uses, not functions, which is simple and
// drops no more often than once in maxKept instructions.
func (m *module) forget(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept += n; m.kept > maxKept {
		clear(m.functions)
		m.kept = 0
	}
}
