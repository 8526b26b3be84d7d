package rules

// A Unit is a piece of hardware that can be the limit of a launch.
type Unit uint8

// The units that the gain model knows.
const (
	DRAM   Unit = iota
	L2          // tags and data of the L2 slices
	L2In        // crossbar into L2: write data and requests
	L2Hot       // busiest L2 slice, when atomics pile up on it
	L1Data      // L1 and shared-memory data stage
	L1Out       // L1 to crossbar
	L1Tag       // L1 tag look-ups
	LSU         // issue of load and store instructions
	ADU         // address divergence unit: constant loads and barriers
	IDC         // indexed constant cache
	Issue       // warp schedulers
	ALU         // integer and logic
	FMA         // single-precision
	FP64        // double-precision
	XU          // special functions and conversions
	Tensor      // matrix
	unitCount
)

// A bound picks one of the three values that a constant or a fix can take: what is expected, and the pessimistic and
// the optimistic end that make the low and the high gain.
type bound uint8

const (
	expected bound = iota
	low
	high
)

// A span holds a constant's expected, low-gain and high-gain value.
type span [3]float64

const elapsed, active = ".avg.pct_of_peak_sustained_elapsed", ".avg.pct_of_peak_sustained_active"

// units says for each unit how to read its busy share, how it is called, and how much of the nominal peak a
// real stream can reach.
//
// Ceilings: DRAM loses 7 to 18 % to refresh and read-write turnaround; on-chip units were seen at 95 to 100 % when saturated.
var units = [unitCount]struct {
	name    string   // limiter in JSON
	counter []string // counters without roll-up, best first
	ceiling span
}{
	DRAM:   {"dram", []string{"dram__cycles_active", "gpu__dram_throughput", "dram__throughput", "dram__cycles_active_read"}, span{0.88, 0.82, 0.93}},
	L2:     {"l2", []string{"lts__throughput", "lts__t_sectors"}, span{0.95, 0.88, 1}},
	L2In:   {"l2", []string{"lts__xbar2lts_cycles_active"}, span{0.95, 0.88, 1}},
	L2Hot:  {"atomics", nil, span{0.95, 0.88, 1}},
	L1Data: {"l1", []string{"l1tex__data_pipe_lsu_wavefronts"}, span{0.95, 0.88, 1}},
	L1Out:  {"l1", []string{"l1tex__m_l1tex2xbar_req_cycles_active"}, span{0.95, 0.88, 1}},
	L1Tag:  {"l1", nil, span{0.95, 0.88, 1}},
	LSU:    {"lsu", []string{"l1tex__lsuin_requests", "sm__inst_executed_pipe_lsu"}, span{0.95, 0.88, 1}},
	ADU:    {"constant", []string{"sm__inst_executed_pipe_adu"}, span{0.95, 0.88, 1}},
	IDC:    {"constant", []string{"idc__request_cycles_active"}, span{0.95, 0.88, 1}},
	Issue:  {"issue", []string{"smsp__issue_active", "sm__issue_active", "smsp__inst_issued", "sm__inst_issued"}, span{0.95, 0.88, 1}},
	ALU:    {"alu", []string{"sm__inst_executed_pipe_alu", "sm__pipe_alu_cycles_active"}, span{0.95, 0.88, 1}},
	FMA:    {"fp32", []string{"sm__inst_executed_pipe_fma", "sm__pipe_fma_cycles_active"}, span{0.95, 0.88, 1}},
	FP64:   {"fp64", []string{"sm__inst_executed_pipe_fp64", "sm__pipe_fp64_cycles_active", "sm__inst_executed_pipe_fp64_op_fp64"}, span{0.95, 0.88, 1}},
	XU:     {"xu", []string{"sm__inst_executed_pipe_xu", "sm__pipe_xu_cycles_active"}, span{0.95, 0.88, 1}},
	Tensor: {"tensor", []string{"sm__inst_executed_pipe_tensor", "sm__pipe_tensor_cycles_active", "sm__pipe_tensor_op_hmma_cycles_active"}, span{0.95, 0.88, 1}},
}

// String returns the unit's name as a limiter.
func (u Unit) String() string { return units[u].name }

// A Load is how busy each unit is, as a share of its peak over the launch's duration; unknown units are absent.
type Load struct {
	busy  [unitCount]float64
	known [unitCount]bool
}

// Get returns the busy share of a unit and whether it is known.
func (l *Load) Get(u Unit) (float64, bool) { return l.busy[u], l.known[u] }

// Of returns the busy share, 0 when unknown: for comparisons in which unknown means "not seen to be a limit".
func (l *Load) Of(u Unit) float64 { return l.busy[u] }

// Set gives a unit a busy share.
func (l *Load) Set(u Unit, v float64) { l.busy[u], l.known[u] = max(v, 0), true }

// Scale multiplies the busy share of the units that are known.
func (l *Load) Scale(f float64, us ...Unit) {
	for _, u := range us {
		l.busy[u] *= f
	}
}

// Less lowers the busy share of a unit by a share of the peak, if it is known; at least floor of it stays.
func (l *Load) Less(u Unit, share, floor float64) {
	if l.known[u] {
		l.busy[u] = max(l.busy[u]-share, l.busy[u]*floor)
	}
}

// Top returns the unit that is closest to what it can attain, and its busy share over its ceiling.
func (l *Load) Top(b bound) (Unit, float64) {
	best, share := Unit(0), 0.0
	for u := Unit(0); u < unitCount; u++ {
		if x := l.busy[u] / units[u].ceiling[b]; l.known[u] && x > share {
			best, share = u, x
		}
	}
	return best, share
}
