package collect

// rankVariables hold the rank of a process in a parallel run, and how many there are. torchrun's RANK is too common a name
// to stand alone, so it counts only beside LOCAL_RANK or WORLD_SIZE.
var rankVariables = []struct{ rank, size, beside string }{
	{rank: "SLURM_PROCID", size: "SLURM_NTASKS"},
	{rank: "OMPI_COMM_WORLD_RANK", size: "OMPI_COMM_WORLD_SIZE"},
	{rank: "PMIX_RANK"},
	{rank: "PMI_RANK", size: "PMI_SIZE"},
	{rank: "MV2_COMM_WORLD_RANK", size: "MV2_COMM_WORLD_SIZE"},
	{rank: "RANK", size: "WORLD_SIZE", beside: "LOCAL_RANK"},
}

// Rank returns the rank of this process in a parallel run, "" outside of one. A run of one process counts as none.
func Rank(getenv func(string) string) string {
	for _, v := range rankVariables {
		rank := getenv(v.rank)
		if rank == "" || v.beside != "" && getenv(v.beside) == "" && getenv(v.size) == "" {
			continue
		}
		if v.size != "" && getenv(v.size) == "1" {
			continue
		}
		return rank
	}
	return ""
}

// OutputName returns the name for this process's files: with its rank in a parallel run, so that ranks don't overwrite
// each other's.
func OutputName(name string, getenv func(string) string) string {
	if rank := Rank(getenv); rank != "" {
		return name + ".rank" + rank
	}
	return name
}
