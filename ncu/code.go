package ncu

import "advisor/ncu/sass"

// Code is the machine code of a launch joined with its per-instruction counters.
type Code struct {
	Instructions []Instruction // in address order, functions one after another, the kernel first
	HasCounters  bool          // Executed and the like were collected
	HasSamples   bool          // stall samples were collected
	HasLines     bool          // the line table is known
	Files        map[string]string
}

// An Instruction is one machine instruction of a launch with what was counted on it. Counters are zero where nothing
// was counted and Code.HasCounters is set; they mean nothing when it is not.
type Instruction struct {
	sass.Inst
	sass.Fact              // its indices count from the first instruction of the function
	PC        uint64       // absolute, as in the report
	Function  string       // mangled name of the function it belongs to
	Frames    []sass.Frame // source positions, innermost first; nil unknown

	Executed       float64 // warp-level executions
	ThreadExecuted float64 // thread-level executions
	ThreadOn       float64 // thread-level executions with the predicate on

	Seen            sass.Space // the space it touched at run time (generic accesses), NoSpace when not told
	SeenGlobal      bool       // run-time space includes global
	SeenShared      bool
	SeenLocal       bool
	Sectors         float64 // L2 sectors that its global accesses name
	IdealSectors    float64
	TagRequests     float64 // L1 tag look-ups
	LocalSectors    float64
	Wavefronts      float64 // shared-memory wavefronts
	IdealWavefronts float64
	DivergentBranch float64

	Samples float64
	Stalls  map[string]float64 // by reason as in smsp__pcsamp_warps_issue_stalled_REASON
}

// Counted reports whether the input may hold counters of single instructions. Where it does not, Code has instructions
// and lines only, at the price of opening the machine code.
func (l *Launch) Counted() bool { return l.code != nil && !l.uncounted }

// Code returns the launch's instructions, or nil when the input holds none. It decodes on each call: call once, and
// before the report is closed.
func (l *Launch) Code() (*Code, error) {
	if l.code == nil {
		return nil, nil
	}
	return l.code()
}
