package rules

import (
	"errors"
	"slices"

	"advisor/ncu"
)

// Run judges every launch of the reports with the rules in All, on all cores, and ranks what was found. The error is
// that of the first input that ended early or could not be read; the result holds the launches before it.
func Run(version string, reports ...*ncu.Report) (*Result, error) {
	res := &Result{Schema: Schema, Advisor: version, Inputs: []Input{}, Launches: []LaunchResult{}, Kernels: []KernelResult{}}
	var failed error
	for n, r := range reports {
		in := Input{Path: r.Path, Format: r.Format}
		judge := func(l *ncu.Launch) *LaunchResult { return judgeLaunch(n, l) }
		for lr, err := range ncu.Map(r, judge) {
			if err != nil {
				in.Partial = true
				in.Notes = append(in.Notes, partialNote(err))
				if failed == nil {
					failed = err
				}
				break
			}
			res.Launches = append(res.Launches, *lr)
			in.Launches++
		}
		// What is said about the whole report is complete only now.
		in.NCUVersion, in.Driver = r.Version, r.Driver
		in.ClockControl, in.CacheControl, in.ReplayMode = r.ClockControl, r.CacheControl, r.ReplayMode
		in.Notes = append(append([]string{}, r.Notes...), in.Notes...)
		res.Inputs = append(res.Inputs, in)
	}
	summarize(res)
	return res, failed
}

// partialNote says that an input ended early.
func partialNote(err error) string {
	var p *ncu.PartialError
	if errors.As(err, &p) {
		return "partial: " + p.Err.Error()
	}
	return err.Error()
}

// judgeLaunch runs all rules on one launch.
func judgeLaunch(input int, l *ncu.Launch) *LaunchResult {
	lr := describe(input, l)
	d := newDemand(l)
	if d.DurationNS > 0 {
		lr.DurationNS = known(d.DurationNS, true)
	}
	var drafts []*draft
	for _, r := range All {
		p := &Pass{Demand: d, Rule: r, Launch: l}
		if p.missing = unmet(r, d, l); len(p.missing) == 0 {
			r.Check(p)
		}
		if len(p.missing) > 0 {
			lr.NotJudged = append(lr.NotJudged, NotJudged{Rule: r.ID, Missing: p.missing, Collect: collectLine(p.missing)})
			continue
		}
		drafts = append(drafts, p.drafts...)
	}
	lr.Findings = settle(d, drafts)
	d.limit(lr)
	lr.Verdict = verdict(d, lr)
	lr.Stats = stats(d, lr, drafts)
	return lr
}

// copied returns a pointer to a copy: a result that pointed into a launch would keep all of it, machine code and all,
// in memory.
func copied[T any](v T) *T { return &v }

// describe copies what identifies a launch.
func describe(input int, l *ncu.Launch) *LaunchResult {
	lr := &LaunchResult{
		Input: input, ID: l.ID, Kernel: l.Kernel, Function: l.Function, Device: l.Device.Name, CC: l.Device.CC(),
		NVTX: append([]string{}, l.NVTX...), DeviceID: l.Device.ID, Rank: l.Process.Rank, Kind: l.Kind.String(),
		Findings: []Finding{}, NotJudged: []NotJudged{},
	}
	if l.Process.PID >= 0 {
		lr.Process = copied(l.Process.PID)
	}
	if l.Grid != (ncu.Dim3{}) {
		lr.Grid = copied([3]int(l.Grid))
	}
	if l.Block != (ncu.Dim3{}) {
		lr.Block = copied([3]int(l.Block))
	}
	for _, a := range l.Advice {
		lr.Says = append(lr.Says, NsightAdvice{Rule: a.Rule, Type: a.Type, Title: a.Title, Text: a.Text, Scope: a.Scope, Speedup: a.Speedup})
	}
	return lr
}

// unmet lists what a rule lacks to be judged: for each need without any alternative, the preferred name. Ranges and
// graphs hold several kernels, so rules about one launch's shape or code do not apply to them.
func unmet(r *Rule, d *Demand, l *ncu.Launch) []string {
	var missing []string
	for _, n := range r.Needs {
		if n.Code && d.Flow != nil { // a range has instructions, but no number of warps to count them by
			continue
		}
		if _, ok := d.Metrics.Value(n.AnyOf...); ok {
			continue
		}
		if len(n.AnyOf) > 0 && !n.Sure {
			missing = append(missing, n.AnyOf[0])
		} else if !slices.Contains(missing, instructions) {
			missing = append(missing, instructions)
		}
	}
	return missing
}
