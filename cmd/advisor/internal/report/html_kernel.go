package report

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strings"

	"advisor/rules"
)

// anchors gives each kernel an anchor that stays the same from run to run.
func anchors(res *rules.Result) map[*rules.KernelResult]string {
	ids := map[*rules.KernelResult]string{}
	used := map[string]int{}
	for i := range res.Kernels {
		k := &res.Kernels[i]
		sum := sha256.Sum256([]byte(k.Kernel + "\x00" + k.Device + "\x00" + k.Rank))
		id := fmt.Sprintf("%s-%x", slug(name(k)), sum[:3])
		if used[id]++; used[id] > 1 {
			id += fmt.Sprintf("-%d", used[id])
		}
		ids[k] = id
	}
	return ids
}

// slug keeps the letters and digits of a name.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	return strings.Trim("k-"+strings.Trim(b.String(), "-"), "-")
}

func rowOf(res *rules.Result, k *rules.KernelResult, id string, longest float64) row {
	r := row{
		ID: id, Name: name(k), Launches: k.Launches, Time: duration(k.TotalNS), TimeV: plainNumber(k.TotalNS),
		Share: percent(k.Share), ShareV: plainNumber(k.Share), Sev: severity(k), Bar: "0", BarSaved: "0", None: verdictOn(res, k),
	}
	if k.Kernel != r.Name {
		r.Full = elide(k.Kernel, 300)
	}
	if w := worst(res, k); w != nil {
		r.Limiter = limiter(w)
	}
	if k.TotalNS != nil && longest > 0 {
		r.Bar = digits(100 * *k.TotalNS / longest)
	}
	f := first(k)
	if f == nil {
		return r
	}
	r.Severity, r.Rule = f.Severity.String(), f.Rule
	r.Saves, r.SavesV = duration(f.SavedNS), plainNumber(f.SavedNS)
	if f.SavedNS != nil && longest > 0 {
		r.BarSaved = digits(100 * math.Min(1, *f.SavedNS/longest))
	}
	if f.Gain != nil {
		r.Gain, r.GainV = factor(f.Gain.Expected), plainNumber(&f.Gain.Expected)
	}
	return r
}

func plainNumber(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.6g", *v)
}

func cardOf(res *rules.Result, k *rules.KernelResult, f *rules.Finding, id string) card {
	c := card{ID: id, Severity: f.Severity.String(), Rule: f.Rule, Saves: "saves " + duration(f.SavedNS), Name: name(k)}
	if share := ofTotal(res, f.SavedNS); share != nil {
		c.Where = percent(share) + " of the run"
	}
	if at := place(f); at != "" {
		c.Where = strings.TrimPrefix(c.Where+", "+at, ", ")
	}
	return c
}

func sectionOf(res *rules.Result, k *rules.KernelResult, id string) section {
	s := section{ID: id, Name: times(k)}
	if k.Kernel != name(k) {
		s.Full = elide(k.Kernel, 2000)
	}
	if f := first(k); f != nil {
		s.Severity, s.Rule = f.Severity.String(), f.Rule
		if f.SavedNS != nil {
			s.Saves = "saves " + duration(f.SavedNS)
		}
	}
	if w := worst(res, k); w != nil {
		s.Shape = shape(k, w)
		s.Verdict = quietLine(res, k)
		for _, a := range estimatesFirst(w.Says) {
			s.Says = append(s.Says, saying(a))
		}
	}
	for i := range k.Findings {
		f := &k.Findings[i]
		if f.WaitsFor != "" {
			if find(k.Findings, f.WaitsFor) == nil {
				s.Orphans = append(s.Orphans, waits(f))
			}
			continue
		}
		part := findingPart{F: f, Price: price(k, f), Files: files(byLine(f.Locations))}
		for _, later := range waiting(k.Findings, f.Rule) {
			part.Later = append(part.Later, waits(later))
		}
		s.Findings = append(s.Findings, part)
	}
	return s
}

// files groups locations by file and function, in order of first appearance: by share of the waste.
func files(locations []rules.Location) []filePart {
	var parts []filePart
	at := map[string]int{}
	for i, l := range locations {
		if i == maxLines {
			break
		}
		name := l.File
		if l.Function != "" {
			name = strings.TrimPrefix(name+" in "+elide(l.Function, 120), " in ")
		}
		if _, ok := at[name]; !ok {
			at[name] = len(parts)
			parts = append(parts, filePart{Name: name})
		}
		p := &parts[at[name]]
		p.Lines = append(p.Lines, l)
	}
	return parts
}

// heat returns the shade, 1 to 5, of a line by its share of the waste.
func heat(share float64) int { return 1 + int(math.Min(4, math.Max(0, share)*5)) }

// size is about how many bytes the section takes on the page.
func (s *section) size() int {
	n := 400 + len(s.Full) + len(s.Shape) + 2*len(s.Name)
	for _, f := range s.Findings {
		n += 500 + len(f.F.Message)
		for _, l := range f.F.Locations {
			n += 150 + len(l.Source) + len(l.SASS) + len(l.Note)
		}
		for _, e := range f.F.Evidence {
			n += 80 + len(e.Metric)
		}
		for _, a := range append(f.F.Advice, f.F.Caveats...) {
			n += 20 + len(a)
		}
	}
	for _, a := range s.Says {
		n += 20 + len(a)
	}
	return n
}
