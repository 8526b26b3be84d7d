package rules

// Schema names the JSON form of a Result. The form is a contract: names may be added, never renamed.
const Schema = "advisor.report/v1"

// A Result is what the advisor has to say about its inputs. Its JSON form is the schema "advisor.report/v1"; unknown
// numbers are null, never 0.
type Result struct {
	Schema   string         `json:"schema"`
	Advisor  string         `json:"advisor"` // version
	Inputs   []Input        `json:"inputs"`
	Launches []LaunchResult `json:"launches"`
	Kernels  []KernelResult `json:"kernels"`

	TotalNS *float64 `json:"-"` // duration of all launches; nil when any is unknown
}

// An Input is one file that was read.
type Input struct {
	Path       string   `json:"path"`
	Format     string   `json:"format"`
	NCUVersion string   `json:"ncu_version"`
	Driver     string   `json:"driver"`
	Launches   int      `json:"launches"`
	Notes      []string `json:"notes"`

	ClockControl string `json:"clock_control"`
	CacheControl string `json:"cache_control"`
	ReplayMode   string `json:"replay_mode"`
	Partial      bool   `json:"partial"` // the file ended early
}

// A LaunchResult is the verdict on one launch. Findings stand in rank order.
type LaunchResult struct {
	Input    int      `json:"input"`
	ID       string   `json:"id"`
	Process  *int     `json:"process"`
	Kernel   string   `json:"kernel"`
	Function string   `json:"function"`
	Device   string   `json:"device"`
	CC       string   `json:"cc"`
	Grid     *[3]int  `json:"grid"`
	Block    *[3]int  `json:"block"`
	NVTX     []string `json:"nvtx"`

	DurationNS *float64    `json:"duration_ns"`
	Share      *float64    `json:"share"` // of the duration of all launches, 0 to 1
	Limiter    string      `json:"limiter"`
	LimiterPct *float64    `json:"limiter_pct"`
	Findings   []Finding   `json:"findings"`
	NotJudged  []NotJudged `json:"not_judged"`

	Rank     string         `json:"-"` // of the process, "" unknown
	DeviceID int            `json:"-"` // as the driver numbers it; -1 unknown
	Kind     string         `json:"-"` // "kernel", "range", "graph", "command-list"
	Verdict  string         `json:"-"` // one sentence, also when there is no finding: "at the DRAM limit ..."
	Says     []NsightAdvice `json:"-"` // what Nsight Compute's own rules say
	Stats    Stats          `json:"-"` // what charts draw
}

// A KernelResult sums up the launches of one kernel on one device. A finding here stands for the same rule on all the
// launches: saved_ns is summed over them, the rest is that of the launch that would save most.
type KernelResult struct {
	Kernel   string    `json:"kernel"`
	Function string    `json:"function"`
	Device   string    `json:"device"`
	Launches int       `json:"launches"`
	TotalNS  *float64  `json:"total_ns"`
	MedianNS *float64  `json:"median_ns"`
	Share    *float64  `json:"share"`
	Findings []Finding `json:"findings"`

	Rank         string   `json:"-"` // of the process, "" unknown
	MinNS, MaxNS *float64 `json:"-"`
	Shapes       int      `json:"-"` // distinct grid and block shapes
	Members      []int    `json:"-"` // indexes into Result.Launches
	Worst        int      `json:"-"` // the member that would save most, else the longest
}

// A Finding is one cause with its price.
type Finding struct {
	Rule     string   `json:"rule"`
	Step     Step     `json:"step"`
	Severity Severity `json:"severity"`
	Gain     *Gain    `json:"gain"`      // nil: the price is unknown
	SavedNS  *float64 `json:"saved_ns"`  // duration x (1 - 1/expected)
	WaitsFor string   `json:"waits_for"` // rule id, "" when it waits for none
	Message  string   `json:"message"`   // one line: the measured value and what would be ideal
	Advice   []string `json:"advice"`
	Caveats  []string `json:"caveats"`

	Evidence  []Evidence `json:"evidence"`
	Locations []Location `json:"locations"` // by share of the waste, largest first
}

// A Gain is a predicted speedup of the launch, as a factor: 2 is half the time. Low <= Expected <= High, all >= 1.
type Gain struct {
	Low      float64 `json:"low"`
	Expected float64 `json:"expected"`
	High     float64 `json:"high"`
}

// Evidence is one measured value behind a finding.
type Evidence struct {
	Metric string   `json:"metric"`
	Value  *float64 `json:"value"`
	Unit   string   `json:"unit"`
	Ideal  *float64 `json:"ideal"` // what it would be without the problem; nil: not applicable
}

// A Location is an instruction that takes part in a finding.
type Location struct {
	File     string  `json:"file"` // "" unknown
	Line     int     `json:"line"` // 0 unknown
	Function string  `json:"function"`
	PC       string  `json:"pc"`   // "0x0870": offset in the function
	SASS     string  `json:"sass"` // the instruction
	Share    float64 `json:"share"`

	More    int      `json:"-"` // instructions of the same opcode on the same line that Share stands for as well
	Note    string   `json:"-"` // what is known of this access: "lanes are 16 bytes apart and each reads 4"
	Source  string   `json:"-"` // text of the line, where the report imported it
	Callers []Caller `json:"-"` // where the inlined function was called, innermost first
}

// A Caller is a place from which an inlined function was called.
type Caller struct {
	File string
	Line int
}

// NotJudged is a rule that lacked data: neither a finding nor a clean bill.
type NotJudged struct {
	Rule    string   `json:"rule"`
	Missing []string `json:"missing"` // metric names, or "instructions" for machine code with counters
	Collect string   `json:"collect"` // the cheapest ncu line that collects them
}

// NsightAdvice is a message of Nsight Compute's own rules, shown as such.
type NsightAdvice struct {
	Rule, Type, Title, Text, Scope string
	Speedup                        float64 // percent, when Scope is not ""
}

// Stats are the few numbers of a launch that charts and comparisons need. A nil or missing value is unknown.
type Stats struct {
	Use       []Use              // how busy each unit was, and after the first finding's fix
	Stalls    map[string]float64 // share of stall samples by reason
	Spaces    map[string]float64 // executed memory instructions by address space
	Widths    map[int]float64    // executed global accesses by bytes a lane
	Accesses  []Access           // the global accesses with most excess
	Flops     *float64           // floating-point operations, a fused multiply-add counts as two
	DRAMBytes *float64
	L2Bytes   *float64
	L1Bytes   *float64
	PeakFlops *float64 // per second
	PeakDRAM  *float64 // bytes per second
	PeakL2    *float64
	PeakL1    *float64
	Counters  map[string]float64 // the values of Evidence-grade metrics, for diff and check
	Occupancy *float64           // theoretical, 0 to 1
	Registers *float64
	Explained *float64 // share of the duration that the model explains
}

// A Use is the busy share of one hardware unit, 0 to 1.
type Use struct {
	Unit  string
	Busy  float64
	After float64 // when the first finding is fixed
}

// An Access is one global memory instruction with its sectors per request.
type Access struct {
	Location Location
	Sectors  float64 // per request
	Ideal    float64
	Requests float64
}
