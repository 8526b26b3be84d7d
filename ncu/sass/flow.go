package sass

import "slices"

// flow is the control flow of a function, in indices of instructions.
type flow struct {
	leader   []bool  // a block starts here
	joined   []bool  // some jump arrives here
	head     []bool  // a jump from below arrives here: a loop starts
	called   []bool  // a call arrives here
	indirect bool    // some jump's targets are not known
	after    []int32 // targets of BSSY, where BSYNC resumes
}

// An exit is how an instruction leaves the straight line.
type exit uint8

const (
	goesOn  exit = iota
	jumps        // to its target, and on if it has a guard
	ends         // EXIT, RET: on only if it has a guard
	calls        // comes back
	leaves       // to an unknown place
	resumes      // BSYNC: behind the BSSY
)

func exitOf(in *Inst) exit {
	switch in.Root {
	case "BRA":
		if in.HasTarget {
			return jumps
		}
		return leaves
	case "EXIT", "RET", "KILL":
		return ends
	case "CALL":
		return calls
	case "BRX", "JMP", "JMX", "BRXU":
		return leaves
	case "BSYNC":
		return resumes
	}
	return goesOn
}

// conditional reports whether the instruction may not take effect.
func (in *Inst) conditional() bool { return in.Guard >= 0 || in.GuardNot || in.predSrc != 0 }

// indexOf returns the instruction at an offset, -1 when there is none.
func (f *Function) indexOf(offset uint64) int {
	if len(f.Insts) == 0 || offset < f.Insts[0].Offset {
		return -1
	}
	i, ok := slices.BinarySearchFunc(f.Insts, offset, func(in Inst, off uint64) int {
		switch {
		case in.Offset < off:
			return -1
		case in.Offset > off:
			return 1
		}
		return 0
	})
	if !ok {
		return -1
	}
	return i
}

// targetOf returns the index of the instruction's target, -1 when it is not in the function.
func (f *Function) targetOf(in *Inst) int {
	if !in.HasTarget {
		return -1
	}
	if n := in.Target / instSize; n < uint64(len(f.Insts)) && f.Insts[n].Offset == in.Target {
		return int(n)
	}
	return f.indexOf(in.Target)
}

// flowOf finds the blocks.
func flowOf(f *Function) *flow {
	n := len(f.Insts)
	fl := &flow{leader: make([]bool, n+1), joined: make([]bool, n+1), head: make([]bool, n+1), called: make([]bool, n+1)}
	fl.leader[0] = true
	for i := range f.Insts {
		in := &f.Insts[i]
		to := f.targetOf(in)
		switch e := exitOf(in); {
		case e == jumps && to < 0:
			fl.indirect = true
			fl.leader[i+1] = true
		case e == jumps:
			fl.leader[i+1] = true
			fl.arrive(to)
			fl.head[to] = fl.head[to] || to <= i
		case e == calls:
			fl.leader[i+1] = true
			if to >= 0 {
				fl.leader[to], fl.called[to] = true, true
			}
		case e == leaves:
			fl.indirect = true
			fl.leader[i+1] = true
		case e == ends && !in.conditional():
			fl.leader[i+1] = true
		case e == resumes:
			fl.leader[i+1] = true
		case in.Root == "BSSY" && to > i:
			fl.arrive(to)
			fl.after = append(fl.after, int32(to))
		}
	}
	for i := range f.Insts {
		if len(fl.after) > maxResume && exitOf(&f.Insts[i]) == resumes && !fl.joined[i+1] {
			fl.indirect = true
		}
	}
	return fl
}

// maxResume bounds the places where BSYNC may resume: more are as good as not known.
const maxResume = 64

func (fl *flow) arrive(to int) { fl.leader[to], fl.joined[to] = true, true }

// loops finds for each instruction the backward branch of the innermost loop around it, its index plus one.
func loops(f *Function) []int32 {
	type loop struct{ head, branch int32 }
	var open []loop
	out := make([]int32, len(f.Insts))
	for i := len(f.Insts) - 1; i >= 0; i-- {
		in := &f.Insts[i]
		if to := f.targetOf(in); exitOf(in) == jumps && to >= 0 && to < i {
			open = append(open, loop{int32(to), int32(i)})
		}
		for len(open) > 0 && open[len(open)-1].head > int32(i) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			out[i] = open[len(open)-1].branch + 1
		}
	}
	return out
}
