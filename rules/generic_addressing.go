package rules

import (
	"strings"

	"advisor/ncu"
)

var genericAddressing = &Rule{
	ID:   "generic-addressing",
	Step: Placement,
	Doc: Doc{
		Title: "Shared memory is reached through pointers of unknown space",
		Why: "A pointer that the compiler cannot trace back to a shared array makes a generic load or store (LD, ST) instead of " +
			"LDS or STS. The hardware finds the space at run time, the address takes 64-bit arithmetic instead of 32-bit, and the " +
			"compiler must order the access against global memory.",
		Judged: "Generic loads and stores whose run-time space is shared, at least 2 % of all instructions: below that even a tripled " +
			"cost per access stays under 1.1x. Each is priced at two integer instructions (one to three): a carry add for the " +
			"64-bit address and an offset that no longer folds.",
		Change: "keep the pointer an arithmetic descendant of the shared array: use integers only to compute the padding, then add it " +
			"to the original pointer; pass the array itself, not a plain pointer, into functions that are not inlined, or convert once " +
			"with __cvta_generic_to_shared; then check that LD has become LDS",
		Before: "uintptr_t a = (uintptr_t)smem;\nfloat *tile = (float *)((a + 127) & ~(uintptr_t)127);  // LD",
		After:  "unsigned pad = (128 - ((uintptr_t)smem & 127)) & 127;\nfloat *tile = (float *)(smem + pad);              // LDS",
		Caveats: []string{
			"the address and the result are the same either way, so no test finds it: look at the machine code",
			"distributed shared memory of another block of the cluster needs generic accesses",
		},
		Sources: []string{"two instructions an access: measured 2.03 on a pair of kernels that differ in this alone (sm_90)"},
	},
	Needs: []Need{{AnyOf: []string{"smsp__inst_executed_op_generic_ld.sum", "sass__inst_executed_per_opcode"}, Code: true}},
	Check: checkGenericAddressing,
}

// genericFloor is the share of instructions below which generic accesses cannot cost 1.1x.
const genericFloor = 0.02

func checkGenericAddressing(p *Pass) {
	n, ok := p.genericShared()
	if !ok {
		p.Missing("smsp__inst_executed_op_generic_ld.sum", "smsp__sass_inst_executed_op_shared_ld.sum")
		return
	}
	if n == 0 || p.Inst > 0 && n < genericFloor*p.Inst {
		return
	}
	f := p.Report("%s generic loads and stores landed in shared memory%s; 0 would if the compiler could prove the space", count(n), p.ofAll(n))
	f.Shows("generic accesses to shared memory", n, "inst", 0)
	share := 1.0
	if rest := p.unexplained(); rest > 0 && p.Inst > 0 {
		share = 3 * n / p.Inst / rest // the accesses and their address arithmetic
	}
	f.Costs(share, func(s *State, b bound) {
		extra := span{2, 1, 3}[b] * n
		s.Less(ALU, extra/(2*p.smCycles()), 0)
		s.Less(Issue, extra/(4*p.smCycles()), 0)
		s.PerWarp = max(0, s.PerWarp-extra/p.Warps)
	})
	p.Locates(f, func(_ int, in *ncu.Instruction) float64 {
		if isGenericShared(in) {
			return in.Executed
		}
		return 0
	}, func(in *ncu.Instruction) string {
		return "generic " + in.Operation.String() + " that touched shared memory only"
	})
	if p.Metrics["memory_l1_wavefronts_shared"].Known {
		f.Warns("counters of shared-memory conflicts leave generic accesses out or mix them in: judge conflicts again once this is fixed")
	}
}

// genericShared counts generic accesses that landed in shared memory: by instruction where there are any, else bounded
// by the accesses to shared memory.
func (d *Demand) genericShared() (float64, bool) {
	if d.Code != nil {
		return total(d.Code, isGenericShared, executed), true
	}
	generic, ok := d.sum("smsp__inst_executed_op_generic_ld.sum", "smsp__inst_executed_op_generic_st.sum")
	if !ok {
		return d.genericByOpcode()
	}
	if generic == 0 {
		return 0, true
	}
	shared, ok := d.sum("smsp__sass_inst_executed_op_shared_ld.sum", "smsp__sass_inst_executed_op_shared_st.sum")
	return min(generic, shared), ok
}

// genericByOpcode counts from executions by opcode. Without the run-time space it is only sure when the kernel has shared
// memory but no instruction that names it, or no shared memory at all.
func (d *Demand) genericByOpcode() (float64, bool) {
	ops := d.opcodes()
	if ops == nil {
		return 0, false
	}
	generic := ops["LD"] + ops["ST"]
	if generic == 0 {
		return 0, true
	}
	allocated, ok := d.sum("launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic")
	switch {
	case !ok:
		return 0, false
	case allocated == 0:
		return 0, true
	case ops["LDS"]+ops["STS"] == 0:
		return generic, true
	}
	return 0, false
}

// opcodes returns executions by opcode without modifiers; nil when they were not collected.
func (d *Demand) opcodes() map[string]float64 {
	m, ok := d.Metrics["sass__inst_executed_per_opcode"]
	if !ok {
		return nil
	}
	instances := m.Instances()
	if len(instances) == 0 {
		return nil
	}
	ops := map[string]float64{}
	for _, in := range instances {
		root, _, _ := strings.Cut(in.Name, ".")
		ops[root] += in.Value
	}
	return ops
}
