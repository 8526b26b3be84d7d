package rules

import (
	"fmt"

	"advisor/ncu"
)

var bankConflict = &Rule{
	ID:   "bank-conflict",
	Step: Layout,
	Doc: Doc{
		Title: "Lanes of a warp hit different rows of one shared-memory bank",
		Why: "Shared memory has 32 banks of 4 bytes. Lanes that want different words of one bank are served one after another, a wavefront each; " +
			"a column of a 32-wide tile lies in one bank and takes 32.",
		Judged: "Wavefronts above 1.25 times the ideal, which knows the access width (a 16-byte access needs 4), and the excess above 10 % of all " +
			"data-stage wavefronts. Counters by instruction come before the hardware's conflict counter, which also counts arbitration with " +
			"other traffic. The price takes the excess out of the data stage.",
		Change: "pad each row by one element, swizzle the column with XOR, or let neighbouring lanes take neighbouring words",
		Before: "__shared__ float tile[32][32];  v = tile[threadIdx.x][k];",
		After:  "__shared__ float tile[32][33];  v = tile[threadIdx.x][k];",
		Caveats: []string{
			"pad by the width of the access, and keep 16-byte rows aligned; check that the block still fits",
			"padding helps shared memory only, never global coalescing",
		},
		Sources: []string{"banks: CUDA C++ Programming Guide, shared memory; the hardware counter read 85,000 on a kernel without conflicts (sm_90)"},
	},
	Needs: []Need{
		{AnyOf: []string{"memory_l1_wavefronts_shared", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"}, Code: true},
		{AnyOf: []string{"memory_l1_wavefronts_shared_ideal", "derived__memory_l1_wavefronts_shared_excessive",
			"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"}, Code: true},
		{AnyOf: []string{"l1tex__data_pipe_lsu_wavefronts" + elapsed, "l1tex__data_pipe_lsu_wavefronts" + active, "l1tex__throughput" + active,
			"l1tex__throughput" + elapsed, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "memory_l1_wavefronts_shared", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
	},
	Check: checkBankConflict,
}

func checkBankConflict(p *Pass) {
	actual, want, ok := p.conflicts()
	if !ok {
		p.Missing("memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal")
		return
	}
	excess := actual - want
	all := max(p.Of(L1Data)*p.smCycles(), actual)
	if excess <= 0 || actual <= 1.25*want || excess <= 0.1*all {
		return
	}
	f := p.Report("shared-memory accesses take %.1fx the wavefronts that they need (%s of %s are excess)", actual/max(want, 1), percent(excess/actual), count(actual))
	f.Shows("memory_l1_wavefronts_shared", actual, "wavefront", want)
	f.Costs(p.stalled("mio_throttle", "short_scoreboard", "barrier"), func(s *State, _ bound) {
		// Not down to the ideal alone: an access with all lanes off still takes a wavefront.
		s.Scale(max(0.02, 1-excess/all), L1Data)
	})
	p.Locates(f, func(_ int, in *ncu.Instruction) float64 { return max(0, in.Wavefronts-in.IdealWavefronts) }, describeConflict)
}

// conflicts returns the wavefronts of shared-memory accesses and how many would do.
func (d *Demand) conflicts() (actual, want float64, ok bool) {
	actual, ok = d.Metrics.Value("memory_l1_wavefronts_shared")
	if ok {
		if want, ok = d.Metrics.Value("memory_l1_wavefronts_shared_ideal"); ok {
			return actual, want, true
		}
		if x, ok := d.Metrics.Value("derived__memory_l1_wavefronts_shared_excessive"); ok {
			return actual, actual - x, true
		}
	}
	if x, known := d.Metrics.Value("derived__memory_l1_wavefronts_shared_excessive"); known && x == 0 {
		return 0, 0, true
	}
	if d.Code != nil {
		all := func(*ncu.Instruction) bool { return true }
		actual = total(d.Code, all, func(in *ncu.Instruction) float64 { return in.Wavefronts })
		want = total(d.Code, all, func(in *ncu.Instruction) float64 { return in.IdealWavefronts })
		if actual > 0 {
			return actual, want, true
		}
	}
	excess, ok := d.sum("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")
	if !ok {
		if excess, ok = d.Metrics.Value("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"); !ok {
			return 0, 0, false
		}
	}
	actual, known := d.sum("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")
	if !known {
		if actual, known = d.Metrics.Value("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"); !known {
			actual = d.Of(L1Data) * d.smCycles()
		}
	}
	return actual, max(0, actual-excess), actual > 0 || excess == 0
}

// describeConflict says how many wavefronts one access takes.
func describeConflict(in *ncu.Instruction) string {
	if in.Executed <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f wavefronts an access, %.1f would do", in.Wavefronts/in.Executed, in.IdealWavefronts/in.Executed)
}
