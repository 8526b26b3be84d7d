package ncu

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"advisor/ncu/sass"
)

// Modules yields the machine code that the input holds, cubin by cubin, whether it was launched or not. An error concerns
// one cubin; the others follow. Inputs without machine code yield nothing.
func (r *Report) Modules() iter.Seq2[*sass.Module, error] {
	if r.modules == nil {
		return func(func(*sass.Module, error) bool) {}
	}
	return r.modules
}

// modules opens the cubins in the order of the file. Nothing is kept: each is read when asked for.
func (x *sourceIndex) modules(yield func(*sass.Module, error) bool) {
	parts, err := x.parts()
	if err != nil {
		yield(nil, err)
		return
	}
	keys := slices.SortedFunc(maps.Keys(parts), func(a, b sourceKey) int {
		return cmp.Compare(parts[a].binary.off, parts[b].binary.off)
	})
	for _, k := range keys {
		p := parts[k]
		if p.binary.size == 0 {
			continue
		}
		b, err := x.src.slice(p.binary.off, p.binary.size)
		if err != nil {
			yield(nil, err)
			return
		}
		m, err := sass.Open(b)
		if !yield(m, err) {
			return
		}
	}
}
