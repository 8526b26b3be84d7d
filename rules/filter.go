package rules

// Only returns the part of the result whose kernels match. Shares stay shares of the whole run.
func (r *Result) Only(match func(kernel string) bool) *Result {
	out := *r
	out.Launches, out.Kernels = nil, nil
	at := make([]int, len(r.Launches)) // new index of each launch
	for i, l := range r.Launches {
		at[i] = -1
		if match(l.Kernel) {
			at[i] = len(out.Launches)
			out.Launches = append(out.Launches, l)
		}
	}
	for _, k := range r.Kernels {
		if !match(k.Kernel) {
			continue
		}
		members := make([]int, len(k.Members))
		for i, m := range k.Members {
			members[i] = at[m]
		}
		k.Members = members
		if k.Worst >= 0 && k.Worst < len(at) {
			k.Worst = at[k.Worst]
		}
		out.Kernels = append(out.Kernels, k)
	}
	return &out
}

// From returns the result without the findings below a severity.
func (r *Result) From(least Severity) *Result {
	if least == Info {
		return r
	}
	out := *r
	out.Launches = append([]LaunchResult(nil), r.Launches...)
	out.Kernels = append([]KernelResult(nil), r.Kernels...)
	for i := range out.Launches {
		out.Launches[i].Findings = from(out.Launches[i].Findings, least)
	}
	for i := range out.Kernels {
		out.Kernels[i].Findings = from(out.Kernels[i].Findings, least)
	}
	return &out
}

func from(fs []Finding, least Severity) []Finding {
	var out []Finding
	for _, f := range fs {
		if f.Severity >= least {
			out = append(out, f)
		}
	}
	return out
}
