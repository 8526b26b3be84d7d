package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
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
	None                                                string // stands where there is no rule
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

// maxLines is how many locations of a finding the page lists.
const maxLines = 12
