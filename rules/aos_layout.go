package rules

import "fmt"

var aosLayout = &Rule{
	ID:   "aos-layout",
	Step: Layout,
	Doc: Doc{
		Title: "An array of structures of which only some fields are used",
		Why: "Memory moves in sectors of 32 bytes. Threads that each read one field of a structure use part of every sector and throw " +
			"the rest away; no change of the kernel's indexing mends that, only another layout of the data.",
		Judged: "Sectors of the wasteful accesses over their ideal above 1.3; lanes a fixed step apart, as the address arithmetic proves or " +
			"the sectors show; the thread does not use the rest of the step itself; and DRAM moves more than 1.5 times the ideal bytes " +
			"(L2, when the launch moves under 8 MB of DRAM). The last tells it from a thread that walks a chunk: that one uses the " +
			"rest of the sector soon, from a cache.",
		Change: "store the fields apart (structure of arrays), or split the fields that are used together from those that are not; it helps " +
			"every kernel that reads the data",
		Before: "struct P { float x, y, z, w; };  p[i].x = ...;",
		After:  "float *x, *y, *z, *w;            x[i] = ...;",
		Caveats: []string{
			"other kernels may want whole structures: then pad to 16 bytes and read each with one access",
			"less traffic does not shorten latency or block launch: the gain is below the ratio of bytes",
		},
		Sources: []string{"sectors of 32 bytes: CUDA C++ Best Practices Guide, coalesced access; 4.0 times the DRAM bytes on an array of structures and 1.0 on a chunked walk with the same sectors (sm_90)"},
	},
	Needs: shapeNeeds,
	Check: checkAosLayout,
}

// shapeNeeds are what the rules about global accesses read: sectors and their ideal, and what reached L2.
var shapeNeeds = []Need{
	{AnyOf: []string{theorySectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}, Code: true},
	{AnyOf: []string{idealSectors, "derived__memory_l2_theoretical_sectors_global_excessive", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"}, Code: true},
	{AnyOf: []string{l2Sectors}},
}

func checkAosLayout(p *Pass) {
	s := p.badShape()
	if s == nil || !s.aos {
		return
	}
	f := p.Report("global accesses move %.1fx the sectors that their bytes need (%s of each is used); fields of a structure lie between the lanes",
		s.bad.excess(), percent(1/s.bad.excess()))
	if step, width := p.mainStep(s); step > 0 {
		f.Message = fmt.Sprintf("lanes are %.0f bytes apart and use %d of them: %.1fx the sectors that the bytes need, %.1fx in DRAM", step, width, s.bad.excess(), s.dramExcessOfBad(p.Demand))
	}
	p.reportShape(f, s)
}

// mainStep returns the lane step and width of the strided access that wastes most.
func (p *Pass) mainStep(s *badShape) (step float64, width int) {
	most := 0.0
	for i := range s.kinds {
		in := &p.Code.Instructions[i]
		if extra := in.Sectors - in.IdealSectors; s.kinds[i] == strided && extra > most {
			if st, ok := laneStep(in); ok {
				most, step, width = extra, st, in.Width
			}
		}
	}
	return step, width
}
