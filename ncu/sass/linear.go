package sass

import (
	"math/bits"
	"slices"
)

// A taint says what a value depends on.
type taint uint8

const (
	taintLane      taint = 1 << iota // differs between the lanes of a warp
	taintLaneMaybe                   // may do so
	taintLoad                        // comes from memory
	taintLoadMaybe                   // may do so
	taintPath                        // may differ between lanes that came different ways

	laneTaints = taintLane | taintLaneMaybe
	perLane    = laneTaints | taintPath
	loadTaints = taintLoad | taintLoadMaybe
)

// A symbolKind is a kind of value that forms are made of.
type symbolKind uint8

const (
	symTidX symbolKind = iota
	symTidY
	symTidZ
	symLane
	symWarp    // a special register that is the same for a whole warp, by number
	symBank    // word of a constant bank
	symResult  // of an instruction that forms cannot follow
	symMerge   // of unequal values where ways meet
	symLoop    // of unequal values at the head of a loop
	symStart   // what a register holds at the start of the function
	symUnknown // what a register holds where nothing is known
	symProduct // of two symbols
)

// A symbolKey identifies a symbol.
type symbolKey struct {
	kind symbolKind
	a, b int32
}

// A value is a symbol's properties. The taint of a merge grows while the analysis goes on.
type value struct {
	key   symbolKey
	taint taint
	// at is the instruction at which it arises, where it has no key to tell: -1 for none in particular. reg is the place
	// in the state of the register that holds it there.
	at, reg int32
	// whole is set for a merge of values with unequal lane parts: nothing of them is kept beside it.
	whole bool
	alone formID // the form that is the symbol alone, 0 before it is made
}

// A term is a symbol times a number.
type term struct {
	sym  int32
	coef int64
}

// A formID names a linear form in forms; equal forms have equal names. 0 is no form.
type formID int32

// A form is a constant plus terms, sorted by symbol.
type form struct {
	c     int64
	terms []term
}

// maxTerms bounds a form; longer ones become opaque.
const maxTerms = 8

// forms holds every form and symbol of one analysis.
type forms struct {
	all     []form
	table   []formID // hash table of all, its size a power of two; 0 is free
	symbols []value
	byKey   map[symbolKey]int32
	scratch []term
	arena   []term
}

// newForms makes room for about n forms.
func newForms(n int) *forms {
	return &forms{
		all:     make([]form, 1, n+1),
		table:   make([]formID, 1<<bits.Len(uint(2*n+512))),
		symbols: make([]value, 0, n),
		byKey:   map[symbolKey]int32{},
	}
}

// symbol returns the symbol's number; t is added to its taint.
func (s *forms) symbol(key symbolKey, t taint) int32 {
	n, ok := s.byKey[key]
	if !ok {
		n = int32(len(s.symbols))
		s.byKey[key] = n
		v := value{key: key, at: -1}
		if key.kind == symResult {
			v.at = key.a
		}
		s.symbols = append(s.symbols, v)
	}
	s.symbols[n].taint |= t
	return n
}

// fresh returns a new symbol without a key to find it by, which arises at an instruction in a register.
func (s *forms) fresh(kind symbolKind, at, reg int) int32 {
	s.symbols = append(s.symbols, value{key: symbolKey{kind: kind}, at: int32(at), reg: int32(reg)})
	return int32(len(s.symbols) - 1)
}

// of returns the form that is the symbol alone.
func (s *forms) of(sym int32) formID {
	s.scratch = append(s.scratch[:0], term{sym, 1})
	return s.intern(0)
}

func (s *forms) constant(c int64) formID {
	s.scratch = s.scratch[:0]
	return s.intern(c)
}

// intern returns the name of the form with the constant and the terms in scratch, which are sorted.
func (s *forms) intern(c int64) formID {
	if c == 0 && len(s.scratch) == 1 && s.scratch[0].coef == 1 { // most forms are: kept out of the table
		v := &s.symbols[s.scratch[0].sym]
		if v.alone == 0 {
			v.alone = s.add(c)
		}
		return v.alone
	}
	if len(s.all) > len(s.table)/2 {
		s.grow()
	}
	mask := len(s.table) - 1
	at := int(hash(c, s.scratch)) & mask
	for ; s.table[at] != 0; at = (at + 1) & mask {
		if f := &s.all[s.table[at]]; f.c == c && slices.Equal(f.terms, s.scratch) {
			return s.table[at]
		}
	}
	s.table[at] = s.add(c)
	return s.table[at]
}

// add makes a new form of the constant and the terms in scratch.
func (s *forms) add(c int64) formID {
	from := len(s.arena)
	if cap(s.arena)-from < len(s.scratch) {
		s.arena, from = make([]term, 0, 1024), 0
	}
	s.arena = append(s.arena, s.scratch...)
	s.all = append(s.all, form{c, s.arena[from:len(s.arena):len(s.arena)]})
	return formID(len(s.all) - 1)
}

// grow doubles the table.
func (s *forms) grow() {
	s.table = make([]formID, 2*len(s.table))
	mask := len(s.table) - 1
	for id := 1; id < len(s.all); id++ {
		f := &s.all[id]
		if f.c == 0 && len(f.terms) == 1 && f.terms[0].coef == 1 {
			continue
		}
		at := int(hash(f.c, f.terms)) & mask
		for s.table[at] != 0 {
			at = (at + 1) & mask
		}
		s.table[at] = formID(id)
	}
}

func hash(c int64, terms []term) uint64 {
	h := uint64(c)*0x9e3779b97f4a7c15 + 1
	for _, t := range terms {
		h = (h ^ uint64(t.sym)) * 0xff51afd7ed558ccd
		h = (h ^ uint64(t.coef)) * 0xc4ceb9fe1a85ec53
	}
	return (h ^ h>>32) >> 1
}

// constantOf returns the number when the form is one.
func (s *forms) constantOf(id formID) (int64, bool) {
	f := &s.all[id]
	return f.c, len(f.terms) == 0
}

// taintOf returns what the form depends on.
func (s *forms) taintOf(id formID) (t taint) {
	for _, x := range s.all[id].terms {
		t |= s.symbols[x.sym].taint
	}
	return t
}

// sum returns a + k*b; ok is false when the form grows too long.
func (s *forms) sum(a, b formID, k int64) (id formID, ok bool) {
	if k == 0 {
		return a, true
	}
	fa, fb := s.all[a], s.all[b]
	s.scratch = s.scratch[:0]
	i, j := 0, 0
	for i < len(fa.terms) || j < len(fb.terms) {
		switch {
		case j == len(fb.terms) || i < len(fa.terms) && fa.terms[i].sym < fb.terms[j].sym:
			s.scratch = append(s.scratch, fa.terms[i])
			i++
		case i == len(fa.terms) || fb.terms[j].sym < fa.terms[i].sym:
			s.scratch = append(s.scratch, term{fb.terms[j].sym, fb.terms[j].coef * k})
			j++
		default:
			if c := fa.terms[i].coef + k*fb.terms[j].coef; c != 0 {
				s.scratch = append(s.scratch, term{fa.terms[i].sym, c})
			}
			i, j = i+1, j+1
		}
	}
	if len(s.scratch) > maxTerms {
		return 0, false
	}
	return s.intern(fa.c + k*fb.c), true
}

// product returns a * b, term by term; ok is false when the form grows too long.
func (s *forms) product(a, b formID) (id formID, ok bool) {
	zero := s.constant(0)
	if c, isConst := s.constantOf(a); isConst {
		return s.sum(zero, b, c)
	}
	if c, isConst := s.constantOf(b); isConst {
		return s.sum(zero, a, c)
	}
	fa, fb := s.all[a], s.all[b]
	if len(fa.terms)*len(fb.terms) > maxTerms {
		return 0, false
	}
	id, ok = s.sum(zero, b, fa.c)
	if !ok {
		return 0, false
	}
	rest, ok := s.sum(a, s.constant(fa.c), -1) // a without its constant
	if !ok {
		return 0, false
	}
	if id, ok = s.sum(id, rest, fb.c); !ok {
		return 0, false
	}
	for _, x := range fa.terms {
		for _, y := range fb.terms {
			lo, hi := min(x.sym, y.sym), max(x.sym, y.sym)
			t := s.symbols[lo].taint | s.symbols[hi].taint
			sym := s.symbol(symbolKey{symProduct, lo, hi}, t)
			if id, ok = s.sum(id, s.of(sym), x.coef*y.coef); !ok {
				return 0, false
			}
		}
	}
	return id, true
}

// stride returns the difference between neighbouring lanes in x that came the same way; ok is false when a part that may
// differ between lanes is not linear in them. tid.y and tid.z are the same for neighbours in x.
func (s *forms) stride(id formID) (stride int64, ok bool) {
	for _, x := range s.all[id].terms {
		v := &s.symbols[x.sym]
		switch v.key.kind {
		case symTidX, symLane:
			stride += x.coef
		case symTidY, symTidZ:
		case symProduct:
			if !s.uniformInX(x.sym, 0) {
				return 0, false
			}
		default:
			if v.taint&laneTaints != 0 {
				return 0, false
			}
		}
	}
	return stride, true
}

// uniformInX reports whether a symbol has one value for lanes that differ in threadIdx.x alone.
func (s *forms) uniformInX(sym int32, depth int) bool {
	v := &s.symbols[sym]
	switch v.key.kind {
	case symTidX, symLane:
		return false
	case symTidY, symTidZ:
		return true
	case symProduct:
		return depth < maxTerms && s.uniformInX(v.key.a, depth+1) && s.uniformInX(v.key.b, depth+1)
	}
	return v.taint&laneTaints == 0
}

// merge returns the form of a register that holds a or b. What both have in common and what differs between lanes is
// kept; the rest, the same for all lanes, becomes the given symbol. extra is added to that symbol's taint.
func (s *forms) merge(sym int32, a, b formID, extra taint) formID {
	if a == b {
		return a
	}
	v := &s.symbols[sym]
	if !v.whole && s.sameLanes(a, b, sym) {
		v.taint |= s.restTaint(a) | s.restTaint(b) | extra
		if v.taint&laneTaints == 0 {
			return s.withLanes(a, sym)
		}
	}
	v.whole = true
	v.taint |= s.taintOf(a) | s.taintOf(b) | extra
	return s.of(sym)
}

// isLane reports whether a term may differ between lanes.
func (s *forms) isLane(t term, except int32) bool {
	return t.sym != except && s.symbols[t.sym].taint&laneTaints != 0
}

// sameLanes reports whether the terms that may differ between lanes are equal.
func (s *forms) sameLanes(a, b formID, except int32) bool {
	ta, tb := s.all[a].terms, s.all[b].terms
	i, j := 0, 0
	for {
		for i < len(ta) && !s.isLane(ta[i], except) {
			i++
		}
		for j < len(tb) && !s.isLane(tb[j], except) {
			j++
		}
		if i == len(ta) || j == len(tb) {
			return i == len(ta) && j == len(tb)
		}
		if ta[i] != tb[j] {
			return false
		}
		i, j = i+1, j+1
	}
}

// restTaint is the taint of the terms that are equal for all lanes.
func (s *forms) restTaint(id formID) (t taint) {
	for _, x := range s.all[id].terms {
		if n := s.symbols[x.sym].taint; n&laneTaints == 0 {
			t |= n
		}
	}
	return t
}

// withLanes returns the lane terms of a plus the symbol.
func (s *forms) withLanes(a formID, sym int32) formID {
	s.scratch = s.scratch[:0]
	placed := false
	for _, x := range s.all[a].terms {
		if !s.isLane(x, sym) {
			continue
		}
		if !placed && x.sym > sym {
			s.scratch, placed = append(s.scratch, term{sym, 1}), true
		}
		s.scratch = append(s.scratch, x)
	}
	if !placed {
		s.scratch = append(s.scratch, term{sym, 1})
	}
	return s.intern(0)
}
