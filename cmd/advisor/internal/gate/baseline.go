package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"advisor/rules"
)

// BaselineSchema names the file that check compares with: what a result needs to be compared again, and no more, so
// that it can be committed.
const BaselineSchema = "advisor.baseline/v1"

type baseline struct {
	Schema   string           `json:"schema"`
	Advisor  string           `json:"advisor"`
	Inputs   []baselineInput  `json:"inputs"`
	Launches []baselineLaunch `json:"launches"`
}

type baselineInput struct {
	Path         string `json:"path"`
	NCUVersion   string `json:"ncu_version"`
	ClockControl string `json:"clock_control"`
	CacheControl string `json:"cache_control"`
}

type baselineLaunch struct {
	Kernel     string             `json:"kernel"`
	Function   string             `json:"function"`
	Device     string             `json:"device"`
	CC         string             `json:"cc"`
	Rank       string             `json:"rank,omitempty"`
	Grid       *[3]int            `json:"grid"`
	Block      *[3]int            `json:"block"`
	DurationNS *float64           `json:"duration_ns"`
	Findings   []baselineFinding  `json:"findings"`
	NotJudged  []string           `json:"not_judged"`
	Counters   map[string]float64 `json:"counters"`
}

type baselineFinding struct {
	Rule    string      `json:"rule"`
	Gain    *rules.Gain `json:"gain"`
	SavedNS *float64    `json:"saved_ns"`
}

// WriteBaseline writes the part of a result that comparisons need.
func WriteBaseline(w io.Writer, res *rules.Result) error {
	b := baseline{Schema: BaselineSchema, Advisor: res.Advisor, Inputs: []baselineInput{}, Launches: []baselineLaunch{}}
	for _, in := range res.Inputs {
		b.Inputs = append(b.Inputs, baselineInput{in.Path, in.NCUVersion, in.ClockControl, in.CacheControl})
	}
	for _, l := range res.Launches {
		out := baselineLaunch{
			Kernel: l.Kernel, Function: l.Function, Device: l.Device, CC: l.CC, Rank: l.Rank, Grid: l.Grid, Block: l.Block,
			DurationNS: l.DurationNS, Findings: []baselineFinding{}, NotJudged: []string{}, Counters: map[string]float64{},
		}
		for _, f := range l.Findings {
			out.Findings = append(out.Findings, baselineFinding{f.Rule, f.Gain, f.SavedNS})
		}
		for _, n := range l.NotJudged {
			out.NotJudged = append(out.NotJudged, n.Rule)
		}
		for m, v := range l.Stats.Counters {
			if _, _, ok := rules.KindOf(m); ok {
				out.Counters[m] = v
			}
		}
		b.Launches = append(b.Launches, out)
	}
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return fmt.Errorf("writing baseline: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ReadBaseline reads what WriteBaseline wrote; ok is false when the text is something else, such as a profile.
func ReadBaseline(text []byte) (res *rules.Result, ok bool, err error) {
	head := text[:min(len(text), 200)]
	if !bytes.Contains(head, []byte(`"advisor.baseline/`)) {
		return nil, false, nil
	}
	var b baseline
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, true, fmt.Errorf("reading baseline: %w", err)
	}
	if b.Schema != BaselineSchema {
		return nil, true, fmt.Errorf("reading baseline: it has schema %q, this version reads %q; write it again", b.Schema, BaselineSchema)
	}
	res = &rules.Result{Schema: rules.Schema, Advisor: b.Advisor}
	for _, in := range b.Inputs {
		res.Inputs = append(res.Inputs, rules.Input{Path: in.Path, NCUVersion: in.NCUVersion, ClockControl: in.ClockControl, CacheControl: in.CacheControl})
	}
	for _, l := range b.Launches {
		out := rules.LaunchResult{
			Kernel: l.Kernel, Function: l.Function, Device: l.Device, CC: l.CC, Rank: l.Rank, Grid: l.Grid, Block: l.Block,
			DurationNS: l.DurationNS, Stats: rules.Stats{Counters: l.Counters},
		}
		for _, f := range l.Findings {
			out.Findings = append(out.Findings, rules.Finding{Rule: f.Rule, Gain: f.Gain, SavedNS: f.SavedNS})
		}
		for _, n := range l.NotJudged {
			out.NotJudged = append(out.NotJudged, rules.NotJudged{Rule: n})
		}
		res.Launches = append(res.Launches, out)
	}
	return res, true, nil
}
