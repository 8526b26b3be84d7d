package rules

import (
	"fmt"
	"math"
	"sort"
)

// urged is the expected gain from which a finding is worth a change: below, run-to-run noise and the model's own error
// are as large.
const urged = 1.10

// strong is the expected gain from which a finding is an error, and explains a launch well enough that weaker causes
// make no claim on time that the model does not explain.
const strong = 1.5

// settle prices the drafts of a launch, lets later steps wait for earlier ones on the same access, and ranks.
func settle(d *Demand, drafts []*draft) []Finding {
	price(d, drafts)
	wait(drafts)
	sort.SliceStable(drafts, func(i, j int) bool { return before(drafts[i], drafts[j]) })
	findings := make([]Finding, len(drafts))
	for i, f := range drafts {
		f.Severity = severity(&f.Finding)
		findings[i] = f.Finding
	}
	return findings
}

// price gives each draft its gain. Time that the model does not explain goes to one cause, not to several: a draft
// that yields has no claim on it when another is strong.
func price(d *Demand, drafts []*draft) {
	explained := false
	for _, f := range drafts {
		if f.fix == nil {
			continue
		}
		f.Gain = d.price(f.claim, f.fix)
		explained = explained || !f.yields && f.Gain != nil && f.Gain.Expected >= strong
	}
	for _, f := range drafts {
		if f.yields && explained && f.fix != nil {
			f.Gain = d.price(0, f.fix)
		}
		if f.Gain != nil {
			d.widen(f)
			if f.unsure {
				f.Gain.Low = 1
			}
			saved := d.DurationNS * (1 - 1/f.Gain.Expected)
			f.SavedNS = &saved
		}
	}
}

// explainedEnough is the share of the time that the model must account for to be trusted with its usual range. On 132 of
// 133 labelled launches it accounts for more.
const explainedEnough = 0.6

// widen makes the range half as wide again, and says so, when most of the launch's time is not accounted for.
func (d *Demand) widen(f *draft) {
	if d.Explained >= explainedEnough {
		return
	}
	f.Gain.Low = max(1, 1+(f.Gain.Low-1)/2)
	f.Gain.High = 1 + (f.Gain.High-1)*1.5
	f.Caveats = append(f.Caveats[:len(f.Caveats):len(f.Caveats)],
		fmt.Sprintf("only %.0f%% of the launch's time is accounted for by what was counted: take the price as a rough one", 100*d.Explained))
}

// wait makes a finding wait for one of an earlier step that touches the same access: vectorizing an uncoalesced load
// is work on the wrong problem. The earlier one counts for what it unlocks.
func wait(drafts []*draft) {
	for _, f := range drafts {
		f.counts = f.expected()
	}
	for _, later := range drafts {
		if later.Step == Beyond {
			continue
		}
		for _, earlier := range drafts {
			if earlier.Step < later.Step && stands(earlier, later) && overlap(earlier, later) {
				later.WaitsFor = earlier.Rule
				earlier.counts = max(earlier.counts, earlier.expected()*later.expected())
				break
			}
		}
	}
}

// stands reports whether an earlier finding holds a later one back: when it is worth a change itself, or when the later
// fix is not possible before it. A wide access at an address that is not aligned to it faults.
func stands(earlier, later *draft) bool {
	return earlier.Gain == nil || earlier.expected() >= urged ||
		earlier.Rule == misalignedAccess.ID && later.Rule == narrowAccess.ID
}

// overlap reports whether two findings share an instruction; without instructions, those about the shape of global
// accesses do.
func overlap(a, b *draft) bool {
	if len(a.touches) == 0 && len(b.touches) == 0 {
		return shapes[a.Rule] && shapes[b.Rule]
	}
	for i := range a.touches {
		if b.touches[i] {
			return true
		}
	}
	return false
}

// shapes are the rules that judge the shape of global accesses.
var shapes = map[string]bool{"aos-layout": true, "uncoalesced-access": true, "misaligned-access": true, "narrow-access": true}

func (d *draft) expected() float64 {
	if d.Gain == nil {
		return 1
	}
	return d.Gain.Expected
}

// before ranks: findings that wait come last; then by value in buckets of 10 %, since predictions that close together
// are not told apart; within a bucket by step, then by gain.
func before(a, b *draft) bool {
	if (a.WaitsFor == "") != (b.WaitsFor == "") {
		return a.WaitsFor == ""
	}
	bucket := func(d *draft) float64 { return math.Round(math.Log(d.counts) / math.Log(1.1)) }
	if x, y := bucket(a), bucket(b); x != y {
		return x > y
	}
	if a.leads != b.leads {
		return a.leads
	}
	if a.Step != b.Step {
		return a.Step < b.Step
	}
	return a.expected() > b.expected()
}

// severity says how much a finding matters.
func severity(f *Finding) Severity {
	switch {
	case f.Gain == nil, f.WaitsFor != "", f.Gain.Expected < urged:
		return Info
	case f.Gain.Expected < strong:
		return Warning
	}
	return Error
}
