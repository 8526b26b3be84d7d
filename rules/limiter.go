package rules

import "fmt"

// saturated is the share of its attainable ceiling from which a unit is called the limit of a launch: ncu's own guide
// draws the same line for "high throughput".
const saturated = 0.60

// limit names what limits the launch: the unit closest to its ceiling when one is well used, else the longer of waiting
// for memory and handing out blocks.
func (d *Demand) limit(lr *LaunchResult) {
	lr.Limiter = "unknown"
	if !d.Priced {
		return
	}
	unit, bw := d.Top(expected)
	latency, launch := d.latency(&d.State, expected), d.launching(&d.State, expected)
	switch {
	case bw >= saturated && bw >= 0.9*max(latency, launch):
		lr.Limiter = d.unitName(unit)
		pct := 100 * d.Of(unit)
		lr.LimiterPct = &pct
	case launch > latency && launch >= saturated:
		lr.Limiter = "launch"
		pct := 100 * min(1, launch)
		lr.LimiterPct = &pct
	default:
		lr.Limiter = "latency"
	}
}

// unitName tells the L1's data stage from shared memory: both use it, and the one with more wavefronts names it.
func (d *Demand) unitName(u Unit) string {
	if u != L1Data || d.composite {
		return u.String()
	}
	shared := d.sharedWavefronts()
	if all := d.Of(L1Data) * d.smCycles(); shared > all/2 {
		return "shared"
	}
	return u.String()
}

// sharedWavefronts counts the wavefronts of shared-memory accesses.
func (d *Demand) sharedWavefronts() float64 {
	if v, ok := d.Metrics.Value("memory_l1_wavefronts_shared"); ok {
		return v
	}
	v, _ := d.sum("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")
	return v
}

// limits says for each limiter what can be done by someone whose launch has no finding.
var limits = map[string]string{
	"dram":     "move fewer bytes: fuse kernels, use smaller types, keep data on chip",
	"l2":       "ask L2 for less: keep data that is used again in registers or shared memory",
	"l1":       "access memory less often: keep values in registers, use wider accesses",
	"shared":   "access shared memory less often: keep more of each tile in registers",
	"lsu":      "issue fewer loads and stores: wider accesses, more work in registers",
	"constant": "read constants less often, or keep them in registers",
	"issue":    "execute fewer instructions for the same result",
	"alu":      "execute fewer integer instructions: hoist index arithmetic out of loops",
	"fp32":     "this is the arithmetic itself: use a cheaper algorithm, lower precision, or tensor cores",
	"fp64":     "this is the arithmetic itself: use a cheaper algorithm or, where it is accurate enough, single precision",
	"xu":       "special functions and conversions are the limit: use fewer or cheaper ones",
	"tensor":   "the tensor cores are the limit: use a smaller type, or do less",
	"atomics":  "update global memory less often: combine updates in a warp or block first",
	"latency":  "no unit is saturated; give each thread more independent work, or run more warps",
	"launch":   "handing out blocks is the limit: fewer blocks with more work each",
}

// verdict says in one sentence what the launch's state is.
func verdict(d *Demand, lr *LaunchResult) string {
	if d.waitsForPeers() {
		if _, counted := d.sum(atomicRequests...); !counted && d.Code == nil {
			return "hardly uses the GPU while it runs: probably waiting for other processes or for the host, unless it updates few addresses with atomics, which were not counted"
		}
		return "hardly uses the GPU while it runs: probably waiting for other processes or for the host; its memory counters say nothing"
	}
	if len(lr.Findings) > 0 {
		if f := &lr.Findings[0]; f.Gain != nil && f.Gain.Expected >= urged {
			return f.Message
		}
	}
	switch lr.Limiter {
	case "unknown":
		return "too few counters to say what limits it"
	case "latency":
		return "limited by latency: " + limits["latency"]
	case "dram":
		pct := deref(lr.LimiterPct)
		return fmt.Sprintf("at the DRAM limit (%.0f%% of peak, at most %.2fx left); %s", pct, max(1, units[DRAM].ceiling[high]*100/pct), limits["dram"])
	}
	return fmt.Sprintf("limited by %s (%.0f%% of peak); %s", limiterTitle[lr.Limiter], deref(lr.LimiterPct), limits[lr.Limiter])
}

// limiterTitle is how a limiter is called in a sentence.
var limiterTitle = map[string]string{
	"l2": "L2", "l1": "the L1 cache", "shared": "shared memory", "lsu": "load and store issue", "constant": "the constant cache",
	"issue": "instruction issue", "alu": "the integer pipe", "fp32": "the FP32 pipe", "fp64": "the FP64 pipe", "xu": "the special-function pipe",
	"tensor": "the tensor cores", "atomics": "atomics on few addresses", "launch": "block launch",
}

// waitsForPeers reports a launch that runs long and does next to nothing: a kernel that spins on a flag of another
// process or of the host. Under a profiler that serializes processes it waits for peers that cannot come. One
// millisecond is far above any launch overhead; a tenth of every unit is below what useful work of that length shows.
func (d *Demand) waitsForPeers() bool {
	if !d.Priced || d.DurationNS < 1e6 || d.GridBlocks < d.SMs {
		return false
	}
	_, top := d.Top(expected)
	return top < 0.10 && d.latency(&d.State, expected) < 0.3
}
