package rules

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Label is what is known of a launch from outside: its true cause, and what fixing it gained.
type Label struct {
	Launch  string   // its id in the report
	Kernel  string   // short name
	Causes  []string // rule ids of which each is right; nil for healthy and unscored launches
	Healthy bool
	Speedup float64 // measured, of the fix; 0 unknown
}

// ReadLabels reads a table of labels: tab-separated with the header "launch kernel cause fix duration_ns speedup". The
// cause is a rule id, several joined by "|", "healthy" or "unscored".
func ReadLabels(name string, r io.Reader) ([]Label, error) {
	sc := bufio.NewScanner(r)
	var labels []Label
	columns := map[string]int{}
	for line := 1; sc.Scan(); line++ {
		cells := strings.Split(strings.TrimRight(sc.Text(), "\r"), "\t")
		if line == 1 {
			for i, c := range cells {
				columns[c] = i
			}
			for _, want := range []string{"launch", "kernel", "cause"} {
				if _, ok := columns[want]; !ok {
					return nil, fmt.Errorf("%s:1: no column %q; the header must be: launch kernel cause fix duration_ns speedup, separated by tabs", name, want)
				}
			}
			continue
		}
		if len(cells) == 1 && cells[0] == "" {
			continue
		}
		l, err := parseLabel(cells, columns)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		labels = append(labels, l)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("%s: no labels; give one line for each launch", name)
	}
	return labels, nil
}

// parseLabel reads one line of labels.
func parseLabel(cells []string, columns map[string]int) (Label, error) {
	cell := func(name string) string {
		if i, ok := columns[name]; ok && i < len(cells) {
			return cells[i]
		}
		return ""
	}
	l := Label{Launch: cell("launch"), Kernel: cell("kernel")}
	switch cause := cell("cause"); cause {
	case "healthy":
		l.Healthy = true
	case "unscored", "":
	default:
		l.Causes = strings.Split(cause, "|")
		for _, c := range l.Causes {
			if Lookup(c) == nil {
				return l, fmt.Errorf("unknown cause %q; use a rule id (see advisor rules), healthy or unscored", c)
			}
		}
	}
	if s := cell("speedup"); s != "" {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || v <= 0 || math.IsInf(v, 0) {
			return l, fmt.Errorf("speedup %q is not a positive number", s)
		}
		l.Speedup = v
	}
	return l, nil
}

// A Score is how well findings agree with labels.
type Score struct {
	Lines   []ScoreLine
	Labeled int // launches with a cause
	Right   int // of them, those with the cause first
	Healthy int
	Urged   int     // healthy launches with a finding of 1.1x or more
	Median  float64 // factor between predicted and measured speedup; 0 when none was measured
	Worst   float64
	Missing []string // labels without a launch in the report
}

// A ScoreLine is one labelled launch.
type ScoreLine struct {
	Label
	First     string  // rule of the first finding, "" for none
	Predicted float64 // gain of the finding of the label's cause, 1 when there is none; 0 when nothing is to compare
	Range     *Gain
	Error     float64 // factor between predicted and measured, at least 1; 0 without
	OK        bool    // the cause is first, or the healthy launch is not urged
}

// ScoreResult compares a result with labels. Launches are matched by id, and the label's kernel must be the launch's:
// a result of several inputs is not scored.
func ScoreResult(res *Result, labels []Label) (*Score, error) {
	byID := map[string]*LaunchResult{}
	for i := range res.Launches {
		byID[res.Launches[i].ID] = &res.Launches[i]
	}
	s := &Score{}
	var errors []float64
	for _, lab := range labels {
		l := byID[lab.Launch]
		if l == nil {
			s.Missing = append(s.Missing, lab.Launch)
			continue
		}
		if base, _, _ := strings.Cut(lab.Kernel, "#"); l.Function != base {
			return nil, fmt.Errorf("label %s is for kernel %s but launch %s is %s; the labels belong to another report", lab.Launch, base, lab.Launch, l.Function)
		}
		line := scoreLine(l, lab)
		s.add(&line)
		if line.Error > 0 {
			errors = append(errors, line.Error)
		}
		s.Lines = append(s.Lines, line)
	}
	if len(errors) > 0 {
		sort.Float64s(errors)
		s.Median, s.Worst = errors[len(errors)/2], errors[len(errors)-1]
	}
	return s, nil
}

// add counts a line.
func (s *Score) add(l *ScoreLine) {
	switch {
	case l.Healthy:
		s.Healthy++
		if !l.OK {
			s.Urged++
		}
	case l.Causes != nil:
		s.Labeled++
		if l.OK {
			s.Right++
		}
	}
}

// scoreLine compares one launch with its label.
func scoreLine(l *LaunchResult, lab Label) ScoreLine {
	line := ScoreLine{Label: lab, OK: true}
	if len(l.Findings) > 0 {
		line.First = l.Findings[0].Rule
	}
	if lab.Healthy {
		for i := range l.Findings {
			if g := l.Findings[i].Gain; g == nil || g.Expected >= urged {
				line.OK, line.First = false, l.Findings[i].Rule
				break
			}
		}
		return line
	}
	if lab.Causes == nil {
		return line
	}
	line.OK = slices.Contains(lab.Causes, line.First)
	line.Predicted = 1
	for _, cause := range lab.Causes {
		if g := gainOf(l, cause); g != nil {
			line.Predicted, line.Range = g.Expected, g
			break
		}
	}
	if lab.Speedup > 0 {
		line.Error = math.Exp(math.Abs(math.Log(line.Predicted / lab.Speedup)))
	}
	return line
}

// gainOf returns the gain of a rule's finding, nil when there is none.
func gainOf(l *LaunchResult, rule string) *Gain {
	for i := range l.Findings {
		if l.Findings[i].Rule == rule {
			return l.Findings[i].Gain
		}
	}
	return nil
}
