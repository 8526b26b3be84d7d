package rules

// Result brings findings on machine code into the form of findings on launches, so that they can be written and gated in
// the same ways: every function that was not run stands as a kernel without time. Counts become the counters that limits
// can name. Of a comparison only the findings that are new count.
func (s *StaticResult) Result() *Result {
	res := &Result{Schema: Schema, Advisor: s.Advisor, Inputs: []Input{}, Launches: []LaunchResult{}, Kernels: []KernelResult{}}
	for _, in := range s.Inputs {
		res.Inputs = append(res.Inputs, Input{Path: in.Path, Format: in.Format, Notes: in.Notes})
	}
	fresh := s.fresh()
	for i := range s.Functions {
		f := &s.Functions[i]
		if s.Compared && f.Input == 0 {
			continue
		}
		findings := f.Findings
		if s.Compared {
			findings = fresh[[2]string{f.Name, f.Arch}]
		}
		if findings == nil {
			findings = []Finding{}
		}
		res.Inputs[f.Input].Launches++
		res.Launches = append(res.Launches, LaunchResult{
			Input: f.Input, Kernel: f.Name, Function: f.Function, NVTX: []string{}, Limiter: "unknown",
			Findings: findings, NotJudged: []NotJudged{}, Kind: "kernel", Verdict: "not run: judged by its code alone",
			Stats: Stats{Counters: f.Counts},
		})
		n := len(res.Launches) - 1
		res.Kernels = append(res.Kernels, KernelResult{
			Kernel: f.Name, Function: f.Function, Launches: 1, Findings: findings, Members: []int{n}, Worst: n,
		})
	}
	return res
}

// fresh returns the new findings of a comparison by function.
func (s *StaticResult) fresh() map[[2]string][]Finding {
	out := map[[2]string][]Finding{}
	for _, c := range s.Changes {
		out[[2]string{c.Name, c.Arch}] = c.New
	}
	return out
}

// Worst returns the highest severity among the findings that count, with the function of the first such finding; ok is
// false when there is none.
func (s *StaticResult) Worst() (sev Severity, f *Finding, function string) {
	res := s.Result()
	for i := range res.Kernels {
		for j := range res.Kernels[i].Findings {
			if g := &res.Kernels[i].Findings[j]; f == nil || g.Severity > sev {
				sev, f, function = g.Severity, g, res.Kernels[i].Function
			}
		}
	}
	return sev, f, function
}
