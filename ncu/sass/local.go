package sass

import (
	"cmp"
	"slices"
	"sort"
)

func searchInt32(list []int32, v int32) int {
	i, _ := slices.BinarySearch(list, v)
	return i
}

// stackPointer is the register that holds it.
const stackPointer = 1

// A span is a part of the stack frame, in bytes.
type span struct{ from, to int64 }

// locals says why each LDL and STL is there. An address that is not the stack pointer plus a constant is an array with a
// run-time index: spills never need one. A load marked last-use reads a spill slot, and in a function that has such
// loads but no indexed array all accesses at constant offsets are spills; beside an array, only those of the marked
// slots. Without the mark nothing tells a spill from an array whose indices are constants.
func locals(f *Function, d *dataflow, known bool) {
	var slots []span
	indexed := false
	for i := range f.Insts {
		in := &f.Insts[i]
		if in.Space != Local {
			continue
		}
		fact := &f.Facts[i]
		if fact.Local = LocalIndexed; atFixedOffset(i, in, d, known) {
			fact.Local = LocalStack
			if in.Evict == "LU" && in.Operation == Load {
				slots = append(slots, span{in.Addr.Offset, in.Addr.Offset + int64(max(in.Width, 4))})
			}
		} else {
			indexed = true
		}
	}
	if slots == nil {
		return
	}
	slots = union(slots)
	for i := range f.Insts {
		in, fact := &f.Insts[i], &f.Facts[i]
		if fact.Local == LocalStack && (!indexed || overlaps(slots, in)) {
			fact.Local = LocalSpill
		}
	}
}

// atFixedOffset reports whether a local access is at a constant distance from the stack pointer.
func atFixedOffset(i int, in *Inst, d *dataflow, known bool) bool {
	a := &in.Addr
	if !a.HasUniform && a.HasBase && !a.Base.Uniform && a.Base.N == stackPointer || !a.HasUniform && !a.HasBase {
		return true
	}
	if !known {
		return false
	}
	distance, ok := d.forms.sum(d.addr[i], d.stack[i], -1)
	if !ok {
		return false
	}
	_, ok = d.forms.constantOf(distance)
	return ok
}

// union sorts spans and joins those that touch.
func union(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s.from <= last.to {
			last.to = max(last.to, s.to)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// overlaps reports whether an access touches one of the spans.
func overlaps(spans []span, in *Inst) bool {
	from, to := in.Addr.Offset, in.Addr.Offset+int64(max(in.Width, 4))
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to > from })
	return i < len(spans) && spans[i].from < to
}
