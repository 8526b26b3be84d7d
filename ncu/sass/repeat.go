package sass

import (
	"cmp"
	"slices"
)

// An access is a memory instruction in a straight line of code.
type access struct {
	index int
	rest  formID // address without its constant
	c     int64  // the constant
}

// An accessKey holds what two accesses must share to be compared.
type accessKey struct {
	opcode  string
	guard   int16
	version int32 // of the guard's predicate
	rest    formID
}

// A placeKey is an accessKey with the whole address.
type placeKey struct {
	accessKey
	c int64
}

// A straight collects the accesses of one straight line of code: no branch, call or barrier in between.
type straight struct {
	f        *Function
	d        *dataflow
	versions [16]int32
	stores   [Generic + 1]int // number of stores so far, by space; those through generic addresses count for all
	last     map[placeKey]seenAt
	groups   map[groupKey][]access
	order    []groupKey
}

// seenAt is the last access of a place.
type seenAt struct {
	index  int
	stores int
}

// A groupKey holds what the members of one wide access must share.
type groupKey struct {
	accessKey
	stores int // no store in between, nor for stores any other access
}

// repeats fills Reload, Restore and Run.
func repeats(f *Function, fl *flow, d *dataflow) {
	s := &straight{f: f, d: d}
	s.reset()
	for i := range f.Insts {
		in := &f.Insts[i]
		if fl.leader[i] || isBarrier(in) {
			s.runs()
			s.reset()
		}
		if in.IsMemory() {
			s.memory(i, in)
		}
		for p, set := 0, in.predDst; set != 0; p, set = p+1, set>>1 {
			if set&1 != 0 {
				s.versions[p]++
			}
		}
	}
	s.runs()
}

func (s *straight) reset() {
	if s.last != nil && len(s.last) == 0 {
		return
	}
	s.last, s.groups, s.order = map[placeKey]seenAt{}, map[groupKey][]access{}, nil
}

// isBarrier reports whether accesses must not be compared across the instruction.
func isBarrier(in *Inst) bool {
	switch in.Root {
	case "BAR", "MEMBAR", "ERRBAR", "CGAERRBAR", "FENCE", "CALL", "DEPBAR", "WARPSYNC", "CCTL", "SYNCS", "ARRIVES", "NANOSLEEP":
		return true
	}
	return false
}

// memory compares an access with those before it and keeps it.
func (s *straight) memory(i int, in *Inst) {
	plain := in.Order == "" || in.Order == "CONSTANT"
	simple := in.Operation == Load || in.Operation == Store
	if plain && simple && in.Width > 0 && in.Space != Constant && s.d.addr[i] != 0 && in.Space <= Generic {
		s.compare(i, in)
	}
	if in.Operation != Load && in.Operation != Prefetch {
		s.stores[s.written(in)]++
	}
}

// written is the space that counts the stores of an instruction.
func (s *straight) written(in *Inst) Space {
	if in.Space == Global || in.Space == Shared || in.Space == Local {
		return in.Space
	}
	return Generic
}

// storesSeen counts the stores so far that a load of that space may see.
func (s *straight) storesSeen(space Space) int {
	if space == Generic {
		return s.stores[Global] + s.stores[Shared] + s.stores[Local] + s.stores[Generic]
	}
	return s.stores[space] + s.stores[Generic]
}

func (s *straight) compare(i int, in *Inst) {
	addr := s.d.addr[i]
	c := s.d.forms.all[addr].c
	rest, ok := s.d.forms.sum(addr, s.d.forms.constant(c), -1)
	if !ok {
		return
	}
	key := accessKey{in.Opcode, guardOf(in), 0, rest}
	if p := in.guardPred(); p >= 0 {
		key.version = s.versions[p]
	}
	place := placeKey{key, c}
	stores := s.storesSeen(in.Space)
	if before, ok := s.last[place]; ok && in.Space != Local {
		switch {
		case in.Operation == Store:
			s.f.Facts[i].Restore = before.index + 1
		case in.Order == "" && stores > before.stores:
			s.f.Facts[i].Reload = before.index + 1
		}
	}
	s.last[place] = seenAt{i, stores}
	group := groupKey{key, stores}
	switch {
	case in.Order == "CONSTANT":
		group.stores = 0
	case in.Operation == Store: // its own kind is no obstacle: counted by those of other kinds only
		group.stores = -1
	}
	if s.groups[group] == nil {
		s.order = append(s.order, group)
	}
	s.groups[group] = append(s.groups[group], access{i, rest, c})
}

// maxRunWidth is the widest access of one lane that all architectures from sm_70 have, in bytes.
const maxRunWidth = 16

// runs finds the accesses that could be one wider access.
func (s *straight) runs() {
	for _, key := range s.order {
		list := s.groups[key]
		if len(list) < 2 {
			continue
		}
		slices.SortStableFunc(list, func(a, b access) int { return cmp.Compare(a.c, b.c) })
		list = slices.CompactFunc(list, func(a, b access) bool { return a.c == b.c })
		w := int64(s.f.Insts[list[0].index].Width)
		for i := 0; i < len(list); {
			n := s.runAt(list[i:], w)
			if n > 1 {
				s.mark(list[i:i+n], w)
			}
			i += n
		}
	}
}

// runAt returns how many accesses from the first on make one wide access, 1 for none. A wide access must be aligned for
// every lane: the known stride must be a multiple of its width.
func (s *straight) runAt(list []access, w int64) int {
	consecutive := 1
	for consecutive < len(list) && list[consecutive].c == list[0].c+w*int64(consecutive) {
		consecutive++
	}
	for n := int64(maxRunWidth) / w; n > 1; n /= 2 {
		if int64(consecutive) >= n && s.alignment(list[0], n*w) != No && s.unbroken(list[:n]) {
			return int(n)
		}
	}
	return 1
}

// maxRunSpread is how far apart the stores of a run may stand, in instructions.
const maxRunSpread = 256

// unbroken holds stores together: no other access of their space may lie between them.
func (s *straight) unbroken(list []access) bool {
	in := &s.f.Insts[list[0].index]
	if in.Operation != Store {
		return true
	}
	first, last := list[0].index, list[0].index
	for _, a := range list {
		first, last = min(first, a.index), max(last, a.index)
	}
	if last-first > maxRunSpread {
		return false
	}
	for i := first; i <= last; i++ {
		other := &s.f.Insts[i]
		if other.Space != in.Space && other.Space != Generic && in.Space != Generic || other.Space == NoSpace || other.Space == Constant {
			continue
		}
		if !slices.ContainsFunc(list, func(a access) bool { return a.index == i }) {
			return false
		}
	}
	return true
}

// alignment tells whether an access at this address could be width bytes wide: Yes when it is aligned whatever the
// values, supposing that pointers are; No when some lane's is not.
func (s *straight) alignment(a access, width int64) Tri {
	f := s.d.forms
	if stride, ok := f.stride(a.rest); ok && stride%width != 0 {
		return No
	}
	pointers, proven := 0, true
	for _, t := range f.all[a.rest].terms {
		if t.coef%width == 0 {
			continue
		}
		if t.coef == 1 && f.symbols[t.sym].key.kind == symBank {
			pointers++
			continue
		}
		proven = false
	}
	switch {
	case !proven || pointers > 1:
		return Unknown
	case a.c%width != 0:
		return No
	}
	return Yes
}

// mark notes a run on its members.
func (s *straight) mark(list []access, w int64) {
	head := list[0].index
	for _, a := range list {
		head = min(head, a.index)
	}
	aligned := s.alignment(list[0], w*int64(len(list)))
	for _, a := range list {
		fact := &s.f.Facts[a.index]
		fact.Run, fact.RunWidth, fact.RunAligned, fact.RunHead = len(list), int(w)*len(list), aligned, head
	}
}
