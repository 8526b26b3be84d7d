package ncu

import (
	"os"
	"strings"
	"testing"
)

// TestUnitOf holds the units against those that Nsight Compute prints. Where its unit comes from a word that stands in
// the name by chance, ours is another; each such name is listed with the reason.
func TestUnitOf(t *testing.T) {
	data, err := os.ReadFile(shared(t, "formats", "units.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	for _, line := range lines {
		name, want, _ := strings.Cut(line, "\t")
		if _, listed := otherUnits[name]; listed {
			want = otherUnits[name]
		}
		if got := UnitOf(name); got != want {
			t.Errorf("UnitOf(%q) = %q, want %q", name, got, want)
		}
	}
	if len(lines) < 2000 {
		t.Errorf("only %d names", len(lines))
	}
}

// otherUnits are the units that we give where Nsight Compute prints a different one.
var otherUnits = map[string]string{
	// Rates without a rate's unit, or with none.
	"derived__l1tex__lsu_writeback_bytes_mem_lgds.sum.peak_sustained": "byte/cycle",
	"derived__l1tex__lsu_writeback_bytes_mem_lgds.sum.per_second":     "byte/s",
	"derived__lts__lts2xbar_bytes.sum.peak_sustained":                 "byte/cycle",
	"derived__lts__lts2xbar_bytes.sum.per_second":                     "byte/s",
	// Sectors that are printed as nothing, in the plural, or as bytes (depending on what else was collected).
	"gcc__xbar2gcc_sectors.sum":                               "sector",
	"derived__memory_l2_theoretical_sectors_global_excessive": "sector",
	"memory_l2_theoretical_sectors_global":                    "sector",
	"memory_l2_theoretical_sectors_global_ideal":              "sector",
	"memory_l2_theoretical_sectors_local":                     "sector",
	// Tag requests and wavefronts that are printed as sectors.
	"memory_l1_tag_requests_global":     "",
	"memory_l1_wavefronts_shared":       "",
	"memory_l1_wavefronts_shared_ideal": "",
	// Requests that are printed as cycles.
	"sm__icc_requests.sum":   "",
	"smsp__imc_requests.sum": "",
	// Instructions that are printed as bytes or nothing.
	"sass__inst_executed_register_spilling_mem_local":                    "inst",
	"sass__inst_executed_register_spilling_mem_shared":                   "inst",
	"sass__inst_executed_per_opcode":                                     "inst",
	"sass__inst_executed_per_opcode_category":                            "inst",
	"sass__inst_executed_per_opcode_with_modifier_all":                   "inst",
	"sass__inst_executed_per_opcode_with_modifier_selective":             "inst",
	"sass__thread_inst_executed_per_opcode_category":                     "inst",
	"sass__thread_inst_executed_true_per_opcode":                         "inst",
	"sass__thread_inst_executed_true_per_opcode_with_modifier_all":       "inst",
	"sass__thread_inst_executed_true_per_opcode_with_modifier_selective": "inst",
	"smsp__sass_inst_executed_memdesc_explicit_evict_type":               "inst",
	// Samples of warps whose stall reason is named after something that has a unit.
	"smsp__pcsamp_warps_issue_stalled_branch_resolving":            "warp",
	"smsp__pcsamp_warps_issue_stalled_branch_resolving_not_issued": "warp",
	"smsp__pcsamp_warps_issue_stalled_no_instructions":             "warp",
	"smsp__pcsamp_warps_issue_stalled_no_instructions_not_issued":  "warp",
}
