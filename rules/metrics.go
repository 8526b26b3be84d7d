package rules

// Metric names that several rules read, best name first.
var (
	dramRead       = []string{"dram__bytes_read.sum", "dram__bytes_op_read.sum"}
	dramWrite      = []string{"dram__bytes_write.sum", "dram__bytes_op_write.sum"}
	atomicRequests = []string{"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"}
	theorySectors  = "memory_l2_theoretical_sectors_global"
	idealSectors   = "memory_l2_theoretical_sectors_global_ideal"
	l2Sectors      = "lts__t_sectors_srcunit_tex.sum"
)
