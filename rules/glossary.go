package rules

import "strings"

// A Term explains a counter.
type Term struct {
	Counter string // name without roll-up; the start of the name when several counters share the explanation
	Unit    string // of the counter itself
	Meaning string
}

// glossary explains every counter that the rules read. Names that share an explanation stand as their common start.
var glossary = []Term{
	{"gpu__time_duration", "ns", "time of the launch on the GPU"},
	{"gpc__cycles_elapsed", "cycle", "clock cycles during the launch; per second: the SM clock"},
	{"sm__cycles_elapsed", "cycle", "SM clock cycles during the launch"},
	{"smsp__cycles_elapsed", "cycle", "SM clock cycles during the launch, counted in the SM's quarters"},
	{"sm__cycles_active", "cycle", "cycles in which an SM had at least one warp; far below the elapsed ones when the grid is small"},

	{"dram__cycles_active", "cycle", "cycles in which DRAM moved data; as a share of peak, how busy DRAM was"},
	{"dram__throughput", "%", "how busy DRAM was, the largest of several shares"},
	{"gpu__dram_throughput", "%", "how busy DRAM was, the largest of several shares"},
	{"dram__bytes_read", "byte", "bytes read from DRAM; dram__bytes_op_read on some chips"},
	{"dram__bytes_write", "byte", "bytes written to DRAM; dram__bytes_op_write on some chips"},
	{"dram__bytes_op_", "byte", "bytes read from or written to DRAM, under the name that some chips use"},
	{"dram__bytes", "byte", "bytes moved from and to DRAM; .sum.peak_sustained is the most in a cycle"},

	{"lts__throughput", "%", "how busy L2 was: the largest of many shares. While DRAM is the limit it runs 5 to 8 % above DRAM's own share"},
	{"lts__xbar2lts_cycles_active", "cycle", "cycles in which the crossbar delivered requests and store data to L2. Stores carry a flit for each sector, a read request asks for up to four sectors in one, so scattered stores hurt more than scattered loads"},
	{"lts__d_atomic_input_cycles_active", "cycle", "cycles in which an L2 slice's atomic unit took input; .max is the busiest slice. A maximum far above the mean says that few addresses take all the updates"},
	{"lts__t_sectors_srcunit_tex", "sector", "sectors of 32 bytes that the L1 caches asked L2 for, or wrote to it"},
	{"lts__t_sectors_op_read", "sector", "sectors that L2 read for anyone"},
	{"lts__t_sectors_op_write", "sector", "sectors written to L2 by anyone"},
	{"lts__t_sectors_op_red", "sector", "sectors touched in L2 by atomics without a result"},
	{"lts__t_sectors_op_atom", "sector", "sectors touched in L2 by atomics with a result"},
	{"lts__t_sectors", "sector", "sectors that passed L2's tag stage"},

	{"l1tex__data_pipe_lsu_wavefronts_mem_shared", "wavefront", "passes through the data stage for shared-memory accesses; one for each set of banks that can be served together"},
	{"l1tex__data_pipe_lsu_wavefronts", "wavefront", "passes through the data stage that L1 and shared memory have in common, at most one a cycle and SM"},
	{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared", "wavefront", "extra passes for shared-memory accesses. Also counts arbitration with other traffic, so it is not zero on a perfect layout; the counters by instruction are better"},
	{"l1tex__lsuin_requests", "request", "memory instructions that entered the L1, at most one a cycle and SM"},
	{"l1tex__m_l1tex2xbar_req_cycles_active", "cycle", "cycles in which the L1 sent requests to L2"},
	{"l1tex__m_l1tex2xbar_write_sectors_mem_global_op_", "sector", "packets that atomics send to L2; several for one request when its lanes cannot be merged"},
	{"l1tex__m_xbar2l1tex_read_bytes", "byte", "bytes that L2 returned to the L1 caches"},
	{"l1tex__t_requests_pipe_lsu_mem_global_op_", "request", "warp-level global accesses of one kind: ld load, st store, red atomic without result, atom atomic with result"},
	{"l1tex__t_sectors_pipe_lsu_mem_global_op_", "sector", "sectors that global accesses of one kind touched in the L1"},
	{"l1tex__t_sectors_pipe_lsu_mem_local_op_", "sector", "sectors of local memory (spills and per-thread arrays) touched in the L1"},
	{"l1tex__average_t_sectors_per_request", "sector/request", "sectors an access. Good depends on the width: 4 for 4-byte, 8 for 8-byte, 16 for 16-byte accesses, 1 for a broadcast"},
	{"l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate", "%", "sectors of global loads that the L1 had"},
	{"l1tex__t_sector_hit_rate", "%", "sectors of all accesses that the L1 had"},
	{"l1tex__throughput", "%", "how busy the L1 was: the largest of several shares, the way to L2 among them"},
	{"idc__request_cycles_active", "cycle", "cycles in which the indexed constant cache worked"},
	{"idc__requests", "request", "addresses that the indexed constant cache served: one for a load whose index is the same for the warp, up to 32 for one that differs"},

	{"smsp__issue_active", "cycle", "cycles in which a scheduler issued an instruction"},
	{"sm__issue_active", "cycle", "cycles in which an SM issued an instruction"},
	{"smsp__inst_issued", "inst", "instructions issued, replays included"},
	{"sm__inst_issued", "inst", "instructions issued, replays included"},
	{"sm__throughput", "%", "how busy the SMs were: the largest of several shares"},
	{"sm__inst_executed_pipe_lsu", "inst", "instructions on the load-store pipe"},
	{"sm__inst_executed_pipe_adu", "inst", "instructions on the address divergence unit: constant loads with an index, barriers, indirect branches"},
	{"sm__inst_executed_pipe_alu", "inst", "instructions on the integer and logic pipe"},
	{"sm__inst_executed_pipe_fma", "inst", "instructions on the single-precision and integer-multiply pipe"},
	{"sm__inst_executed_pipe_fp64", "inst", "instructions on the double-precision pipe"},
	{"sm__inst_executed_pipe_xu", "inst", "instructions on the pipe of special functions and conversions"},
	{"sm__inst_executed_pipe_tensor", "inst", "instructions on the tensor cores"},
	{"sm__pipe_", "cycle", "cycles in which one arithmetic pipe worked"},
	{"sm__inst_executed", "inst", "warp instructions executed"},
	{"smsp__inst_executed_op_generic_", "inst", "loads (ld) or stores (st) whose memory space is found at run time"},
	{"smsp__inst_executed_op_ldc", "inst", "loads of constant memory with an index in a register"},
	{"smsp__inst_executed", "inst", "warp instructions executed"},
	{"smsp__thread_inst_executed_per_inst_executed", "thread/inst", "threads that are on in the mean instruction; 32 without divergence"},
	{"smsp__sass_branch_targets_threads_divergent", "branch", "branches on which lanes of a warp disagreed"},
	{"smsp__branch_targets_threads_divergent", "branch", "branches on which lanes of a warp disagreed, by instruction"},
	{"smsp__sass_inst_executed_op_memory_", "inst", "memory instructions by width in bits: 8b, 16b, 32b, 64b, 128b"},
	{"smsp__sass_inst_executed_op_global_", "inst", "global loads or stores executed"},
	{"smsp__sass_inst_executed_op_local_", "inst", "local loads (ld) or stores (st) executed: spills and per-thread arrays"},
	{"smsp__sass_inst_executed_op_shared_", "inst", "loads (ld) or stores (st) that touched shared memory, generic ones included"},
	{"smsp__sass_average_data_bytes_per_sector_mem_global_op_", "byte/sector", "bytes used of each sector of 32 that global accesses touched"},
	{"smsp__sass_thread_inst_executed_op_f", "inst", "single-precision operations of threads: fadd, fmul, ffma; a fused multiply-add is two floating-point operations"},
	{"smsp__pcsamp_warps_issue_stalled_", "warp", "samples of warps that could not issue, by reason. long_scoreboard waits for global or local memory, short_scoreboard for shared memory or special functions, lg_throttle for a place in the queue to the L1, mio_throttle in the queue of shared memory and special functions, math_pipe_throttle for an arithmetic pipe, barrier for other warps, drain for stores at the end"},
	{"group:smsp__pcsamp_warp_stall_reasons", "warp", "all samples by stall reason"},
	{"smsp__warps_active", "warp", "resident warps"},

	{"memory_l2_theoretical_sectors_global_ideal", "sector", "sectors that the bytes of the global accesses would need if they lay together"},
	{"memory_l2_theoretical_sectors_global", "sector", "sectors that global accesses name, before any cache; over its ideal, how scattered they are"},
	{"memory_l2_theoretical_sectors_local", "sector", "sectors that local accesses name, before any cache"},
	{"derived__memory_l2_theoretical_sectors_global_excessive", "sector", "sectors that global accesses name above their ideal"},
	{"memory_l1_tag_requests_global", "request", "look-ups of global accesses in the L1's tags: one for each cache line that an instruction touches, at most four a cycle and SM"},
	{"memory_l1_wavefronts_shared_ideal", "wavefront", "wavefronts that shared-memory accesses would need without bank conflicts, by their width"},
	{"memory_l1_wavefronts_shared", "wavefront", "wavefronts that shared-memory accesses took; over its ideal, bank conflicts"},
	{"derived__memory_l1_wavefronts_shared_excessive", "wavefront", "wavefronts of shared-memory accesses above their ideal"},
	{"memory_type", "", "by instruction: the memory that it touched at run time"},
	{"inst_executed", "inst", "warp-level executions, by instruction"},
	{"thread_inst_executed_true", "inst", "thread-level executions with the predicate on, by instruction"},
	{"thread_inst_executed", "inst", "thread-level executions, by instruction"},
	{"sass__inst_executed_register_spilling", "inst", "instructions that the compiler added to spill registers to memory"},
	{"sass__inst_executed_per_opcode", "inst", "executions by opcode"},
	{"sass__inst_executed_", "inst", "executed loads or stores of one memory space"},

	{"launch__registers_per_thread", "register/thread", "registers that the compiler gave each thread"},
	{"launch__waves_per_multiprocessor", "", "how many times over the blocks fill the GPU; just above a whole number leaves the last wave almost empty"},
	{"launch__occupancy_limit_", "block", "blocks that fit on an SM by one limit: registers, shared_mem, warps, blocks, barriers"},
	{"launch__occupancy", "", "resident warps by registers, shared memory or block size"},
	{"launch__shared_mem_per_block", "byte/block", "shared memory of a block: static in the code, dynamic from the launch"},
	{"launch__grid_size", "block", "blocks of the launch"},
	{"launch__block_", "thread", "threads of a block"},
	{"launch__sm_count", "SM", "streaming multiprocessors that the launch could use"},
	{"sm__maximum_warps_per_active_cycle_pct", "%", "theoretical occupancy: resident warps that registers, shared memory and block size allow, of those that the SM can hold"},
	{"sm__maximum_warps", "warp", "theoretical occupancy in warps"},
	{"device__attribute_multiprocessor_count", "SM", "streaming multiprocessors of the device"},
	{"device__attribute_", "", "a property of the device, as the driver reports it"},
}

// rollups explains what stands behind the counter's name, first match wins.
var rollups = []struct{ has, meaning string }{
	{".pct_of_peak_sustained_elapsed", "as a percentage of the unit's peak over the whole launch"},
	{".pct_of_peak_sustained_active", "as a percentage of the unit's peak over the cycles in which it was active"},
	{".peak_sustained", "the unit's peak, a constant of the chip"},
	{".per_second", "per second"},
	{".per_cycle_active", "per active cycle"},
	{".ratio", "a ratio of two counters"},
	{".pct", "a percentage"},
	{".max", "of the busiest instance of the unit"},
	{".min", "of the least busy instance of the unit"},
	{".avg", "mean over the instances of the unit"},
	{".sum", "summed over all instances of the unit"},
}

// Explain returns the term of a metric, by its longest known start, and what its roll-up means.
func Explain(metric string) (t Term, rollup string, ok bool) {
	counter := metric
	if i := strings.IndexByte(metric, '.'); i > 0 && !strings.HasPrefix(metric, "group:") {
		counter = metric[:i]
	}
	for _, g := range glossary {
		if strings.HasPrefix(counter, g.Counter) && len(g.Counter) > len(t.Counter) {
			t, ok = g, true
		}
	}
	rest := metric[len(counter):]
	for _, r := range rollups {
		if strings.Contains(rest, r.has) {
			return t, r.meaning, ok
		}
	}
	return t, "", ok
}
