package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"advisor/rules"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"beside": beside,
	"trim":   strings.TrimSpace,
	"heat":   heat,
	"share":  func(s float64) string { return percent(&s) },
}).ParseFS(pageFiles, "page/page.html"))

// maxHTML is where a page stops listing kernels in full: browsers and mail get slow with larger ones.
const maxHTML = 1_700_000

// A Figure is a chart for the page. Its drawing may use classes that FigureStyle colours.
type Figure struct {
	Name  string // of the chart, for its anchor
	Title string
	SVG   []byte // as drawn; it is sanitized here
}

// page is what the template shows.
type page struct {
	Title, Verdict, Version, CSP string
	Style                        template.CSS
	Script                       template.JS
	Inputs                       []string
	Cards                        []card
	Rows                         []row
	Figures                      []figure
	Kernels                      []section
	LeftOut                      string
	Quiet                        []section
	Gaps                         []string
	Collect                      string
}

// A card is one of the few things to do first.
type card struct{ ID, Severity, Rule, Saves, Name, Where string }

// A row is one kernel in the table. Fields that end in V hold the plain number to sort by, "" unknown.
type row struct {
	ID, Name, Full, Time, TimeV, Share, ShareV, Limiter string
	Severity, Rule, Saves, SavesV, Gain, GainV          string
	Launches, Sev                                       int
	Bar, BarSaved                                       string // widths in percent of the longest kernel
}

// A section is one kernel in full.
type section struct {
	ID, Name, Full, Shape, Severity, Rule, Saves, Verdict string
	Open                                                  bool
	Findings                                              []findingPart
	Orphans                                               []string // findings that wait for one that is not shown
	Says                                                  []string
}

type findingPart struct {
	F     *rules.Finding
	Price string
	Files []filePart
	Later []string
}

// A filePart holds the locations of a finding in one file.
type filePart struct {
	Name  string
	Lines []rules.Location
}

type figure struct {
	Name, Title string
	SVG         template.HTML
}

// WriteHTML writes one page that asks for nothing from outside.
func WriteHTML(w io.Writer, res *rules.Result, opt Options) error {
	res = cleaned(res)
	p := page{Verdict: verdict(res), Version: res.Advisor, Title: "advisor: " + elide(verdict(res), 120)}
	if err := p.embed(opt.FigureStyle); err != nil {
		return err
	}
	for i := range res.Inputs {
		p.Inputs = append(p.Inputs, inputLine(res, i))
	}
	for _, f := range opt.Figures {
		svg, err := safeSVG(f.SVG)
		if err != nil {
			return fmt.Errorf("embedding chart %s: %w", f.Name, err)
		}
		p.Figures = append(p.Figures, figure{f.Name, f.Title, svg})
	}
	p.kernels(res)
	gs, collect := gaps(res)
	for _, g := range gs {
		p.Gaps = append(p.Gaps, strings.Join(g.Rules, ", ")+" on "+onKernels(g.Kernels, len(res.Kernels)))
	}
	p.Collect = collect
	b := bufio.NewWriter(w)
	if err := pageTemplate.Execute(b, p); err != nil {
		return fmt.Errorf("writing HTML: %w", err)
	}
	return b.Flush()
}

// embed reads style and script, and allows exactly these two: nothing else runs, loads or posts.
func (p *page) embed(figureStyle string) error {
	style, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		return err
	}
	script, err := pageFiles.ReadFile("page/page.js")
	if err != nil {
		return err
	}
	if figureStyle != "" {
		style = append(style, "@media screen and (prefers-color-scheme: dark) {\n"+figureStyle+"\n}\n"...)
	}
	p.Style, p.Script = template.CSS(style), template.JS(script)
	p.CSP = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
		integrity(style), integrity(script))
	return nil
}

func integrity(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func inputLine(res *rules.Result, i int) string {
	in := &res.Inputs[i]
	parts := append([]string{plural(in.Launches, "launch", "launches")}, conditions(in)...)
	if d := devices(res, i); d != "" {
		parts = append(parts, d)
	}
	return in.Path + ": " + strings.Join(append(parts, in.Notes...), ", ")
}

// kernels fills in everything that is listed by kernel.
func (p *page) kernels(res *rules.Result) {
	ids := anchors(res)
	ks := byTime(res)
	with, rest := bySaving(res)
	size := 500 * len(ks) // of the table, roughly
	for i, k := range append(with, rest...) {
		s := sectionOf(res, k, ids[k])
		if size += s.size(); size > maxHTML {
			p.LeftOut = fmt.Sprintf("%s with smaller savings, or none, stand in the table only: the page would be too large. The text and JSON formats have all.",
				plural(len(ks)-i, "kernel", "kernels"))
			for _, k := range append(with, rest...)[i:] {
				delete(ids, k)
			}
			break
		}
		if i >= len(with) {
			p.Quiet = append(p.Quiet, s)
			continue
		}
		s.Open = i < 3
		p.Kernels = append(p.Kernels, s)
		if f := first(k); f != nil && i < 3 && f.SavedNS != nil {
			p.Cards = append(p.Cards, cardOf(res, k, f, ids[k]))
		}
	}
	longest := 0.0
	for _, k := range ks {
		if k.TotalNS != nil {
			longest = max(longest, *k.TotalNS)
		}
	}
	for _, k := range ks {
		p.Rows = append(p.Rows, rowOf(res, k, ids[k], longest))
	}
}

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
		Share: percent(k.Share), ShareV: plainNumber(k.Share), Sev: severity(k), Bar: "0", BarSaved: "0",
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
		s.Verdict = w.Verdict
		if s.Verdict == "" {
			s.Verdict = "limited by " + limiter(w)
		}
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

// maxLines is how many locations of a finding the page lists.
const maxLines = 12

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
