package ncu

import (
	"slices"
	"sort"
	"strings"

	"advisor/ncu/sass"
)

// code joins the machine code of a result with its counters by program counter.
func (p *rep) code(l *Launch, process int, refs []uint64) (*Code, error) {
	j := &join{launch: l, code: &Code{}, at: map[uint64]int{}}
	for _, ref := range refs {
		m, err := p.sources.module(sourceKey{process, ref})
		if err != nil {
			return nil, err
		}
		if m != nil {
			j.addModule(m)
		}
	}
	if len(j.loaded) == 0 {
		return nil, nil
	}
	counters := perPCMetrics(l.Metrics)
	if err := j.addFunctions(counters); err != nil {
		return nil, err
	}
	p.unmapped.Add(int64(j.count(counters)))
	return j.code, nil
}

// A join is a Code in the making.
type join struct {
	launch *Launch
	code   *Code
	loaded []loaded
	at     map[uint64]int // index of the instruction at a program counter
}

// A loaded is a function that some program counter can lie in.
type loaded struct {
	entry
	module *module
}

// addModule takes the functions of a source. Reports before 2022.2 tell the address of the kernel alone, in a metric.
func (j *join) addModule(m *module) {
	listed := false
	for _, e := range m.entry {
		f := loaded{e, m}
		listed = listed || j.isKernel(f)
		j.loaded = append(j.loaded, f)
	}
	if !listed && j.launch.Kind == Kernel && j.launch.Mangled != "" {
		j.loaded = append(j.loaded, loaded{entry{j.kernelAddress(), j.launch.Mangled}, m})
	}
	slices.SortStableFunc(j.loaded, func(a, b loaded) int { return compareAddress(a.entry, b.entry) })
	j.code.Files = mergeFiles(j.code.Files, m.files)
}

func mergeFiles(have, more map[string]string) map[string]string {
	if len(have) == 0 {
		return more
	}
	both := map[string]string{}
	for _, m := range []map[string]string{have, more} {
		for name, text := range m {
			both[name] = text
		}
	}
	return both
}

// kernelAddress returns where the kernel was loaded, 0 when the report does not tell. The metric's own value is the
// number of functions in newer reports, the address in older ones.
func (j *join) kernelAddress() uint64 {
	m := j.launch.Metrics["launch__function_pcs"]
	for _, in := range m.Instances() {
		return uint64(max(in.Value, 0))
	}
	const lowestAddress = 1 << 16
	if m.Known && m.Value >= lowestAddress {
		return uint64(m.Value)
	}
	return 0
}

// find returns the index of the function that the program counter could lie in, -1 for none.
func (j *join) find(pc uint64) int {
	return sort.Search(len(j.loaded), func(i int) bool { return j.loaded[i].address > pc }) - 1
}

// addFunctions adds the instructions of the kernel and of every function that was counted in, the kernel first.
func (j *join) addFunctions(counters []perPCMetric) error {
	used := map[int]bool{}
	kernel := j.kernel()
	for _, c := range counters {
		for _, in := range c.instances {
			if i := j.find(in.ID); i >= 0 {
				used[i] = true
			}
		}
	}
	if kernel >= 0 {
		delete(used, kernel)
		if err := j.addFunction(j.loaded[kernel]); err != nil {
			return err
		}
	}
	for i := range j.loaded {
		if used[i] {
			if err := j.addFunction(j.loaded[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// kernel returns the index of the launched function, -1 when the launch is not one of a kernel. A module that was loaded
// twice has it at two addresses.
func (j *join) kernel() int {
	at := j.kernelAddress()
	if i := slices.IndexFunc(j.loaded, func(f loaded) bool { return j.isKernel(f) && f.address == at }); i >= 0 {
		return i
	}
	return slices.IndexFunc(j.loaded, j.isKernel)
}

func (j *join) isKernel(f loaded) bool {
	return f.symbol == j.launch.Mangled && f.symbol != ""
}

func (j *join) addFunction(l loaded) error {
	f, err := l.module.function(l.symbol)
	if err != nil {
		if !j.isKernel(l) {
			return nil // a function of the device runtime, which no cubin has: its counters stay unmapped
		}
		return err
	}
	for i := range f.Insts {
		in := Instruction{Inst: f.Insts[i], PC: l.address + f.Insts[i].Offset, Function: f.Name, Frames: f.frames[i]}
		if i < len(f.Facts) {
			in.Fact = f.Facts[i]
		}
		j.code.HasLines = j.code.HasLines || len(in.Frames) > 0
		j.at[in.PC] = len(j.code.Instructions)
		j.code.Instructions = append(j.code.Instructions, in)
	}
	return nil
}

// count adds the counters to the instructions and returns how many program counters lie in no known function.
func (j *join) count(counters []perPCMetric) (unmapped int) {
	missed := map[uint64]bool{}
	for _, c := range counters {
		j.code.HasCounters = j.code.HasCounters || c.name == executedMetric
		j.code.HasSamples = j.code.HasSamples || strings.HasPrefix(c.name, stallPrefix)
		for _, in := range c.instances {
			i, ok := j.at[in.ID]
			if !ok {
				missed[in.ID] = true
			} else if in.Known {
				c.set(&j.code.Instructions[i], in.Value)
			}
		}
	}
	return len(missed)
}

const (
	executedMetric  = "inst_executed"
	stallPrefix     = "smsp__pcsamp_warps_issue_stalled_"
	notIssuedSuffix = "_not_issued"
)

// perPC lists what a metric counts for each instruction. Where two names are given, the first that was collected
// counts: the second is that of older versions.
var perPC = []struct {
	names []string
	set   func(*Instruction, float64)
}{
	{[]string{executedMetric}, func(i *Instruction, v float64) { i.Executed = v }},
	{[]string{"thread_inst_executed"}, func(i *Instruction, v float64) { i.ThreadExecuted = v }},
	{[]string{"thread_inst_executed_true"}, func(i *Instruction, v float64) { i.ThreadOn = v }},
	{[]string{"memory_type"}, func(i *Instruction, v float64) { i.setSeen(int(v)) }},
	{[]string{"memory_access_size_type"}, func(i *Instruction, v float64) { i.setWidth(int(v)) }},
	{[]string{"memory_l2_theoretical_sectors_global", "memory_l2_sectors_global", "memory_l2_transactions_global"},
		func(i *Instruction, v float64) { i.Sectors = v }},
	{[]string{"memory_l2_theoretical_sectors_global_ideal", "memory_l2_sectors_global_ideal", "memory_l2_transactions_global_ideal"},
		func(i *Instruction, v float64) { i.IdealSectors = v }},
	{[]string{"memory_l2_theoretical_sectors_local", "memory_l2_sectors_local", "memory_l2_transactions_local"},
		func(i *Instruction, v float64) { i.LocalSectors = v }},
	{[]string{"memory_l1_tag_requests_global"}, func(i *Instruction, v float64) { i.TagRequests = v }},
	{[]string{"memory_l1_wavefronts_shared"}, func(i *Instruction, v float64) { i.Wavefronts = v }},
	{[]string{"memory_l1_wavefronts_shared_ideal"}, func(i *Instruction, v float64) { i.IdealWavefronts = v }},
	{[]string{"smsp__branch_targets_threads_divergent"}, func(i *Instruction, v float64) { i.DivergentBranch = v }},
}

// A perPCMetric is a metric of one launch that counts for each instruction.
type perPCMetric struct {
	name      string
	instances []Instance
	set       func(*Instruction, float64)
}

// perPCMetrics returns the metrics of the launch that count for each instruction. Other metrics have instances as well,
// of which the numbers are times, slots or opcodes.
func perPCMetrics(metrics Metrics) []perPCMetric {
	var list []perPCMetric
	for _, c := range perPC {
		for _, name := range c.names {
			if in := metrics[name].Instances(); in != nil {
				list = append(list, perPCMetric{name, in, c.set})
				break
			}
		}
	}
	for name, m := range metrics { // in any order: sums of samples are exact
		reason, ok := strings.CutPrefix(name, stallPrefix)
		if !ok || strings.HasSuffix(reason, notIssuedSuffix) {
			continue
		}
		set := func(i *Instruction, v float64) { i.addStall(reason, v) }
		if in := m.Instances(); in != nil {
			list = append(list, perPCMetric{name, in, set})
		}
	}
	return list
}

// addStall counts samples of warps that waited for the reason. All samples are of some reason.
func (i *Instruction) addStall(reason string, samples float64) {
	if samples == 0 {
		return
	}
	if i.Stalls == nil {
		i.Stalls = map[string]float64{}
	}
	i.Stalls[reason] += samples
	i.Samples += samples
}

// setSeen decodes the spaces that an instruction touched at run time.
func (i *Instruction) setSeen(mask int) {
	i.SeenGlobal, i.SeenLocal, i.SeenShared = mask&4 != 0, mask&8 != 0, mask&16 != 0
	switch mask & (4 | 8 | 16) {
	case 4:
		i.Seen = sass.Global
	case 8:
		i.Seen = sass.Local
	case 16:
		i.Seen = sass.Shared
	case 0:
		i.Seen = sass.NoSpace
	default:
		i.Seen = sass.Generic // several: a copy from global to shared, or a pointer that pointed here and there
	}
}

// setWidth takes the access size of a memory instruction of which the bits did not tell it.
func (i *Instruction) setWidth(code int) {
	if i.Width == 0 && i.IsMemory() {
		i.Width = accessBytes[code]
	}
}

// accessBytes are the widths that memory_access_size_type stands for.
var accessBytes = map[int]int{2: 1, 8: 2, 32: 4, 64: 8, 128: 16}
