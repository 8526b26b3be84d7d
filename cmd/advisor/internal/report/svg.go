package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"strings"
)

// svgElements and svgAttributes are all that a chart needs. Everything else is dropped: labels of charts are names of
// kernels. Style attributes become plain ones, since the page's policy forbids inline style.
var (
	svgElements = set("svg g path text tspan rect circle ellipse line polyline polygon title desc defs clipPath linearGradient stop")
	svgStyles   = set("fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin " +
		"opacity font-family font-size font-weight font-style text-anchor dominant-baseline stop-color stop-opacity clip-path")
	svgAttributes = set("width height viewBox d x y x1 x2 y1 y2 dx dy cx cy r rx ry points transform offset id class role aria-label textLength lengthAdjust preserveAspectRatio xml:space")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// safeSVG returns an SVG drawing as markup that can stand in the page.
func safeSVG(svg []byte) (template.HTML, error) {
	d := xml.NewDecoder(bytes.NewReader(svg))
	var b strings.Builder
	dropped := 0 // depth inside an element that is left out
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return template.HTML(b.String()), nil
		}
		if err != nil {
			return "", fmt.Errorf("reading SVG: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if dropped > 0 || !svgElements[t.Name.Local] {
				dropped++
				continue
			}
			b.WriteString("<" + t.Name.Local)
			for _, a := range t.Attr {
				writeAttribute(&b, a)
			}
			b.WriteString(">")
		case xml.EndElement:
			if dropped > 0 {
				dropped--
				continue
			}
			b.WriteString("</" + t.Name.Local + ">")
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); dropped == 0 && text != "" {
				b.WriteString(html.EscapeString(Clean(text)))
			}
		}
	}
}

// writeAttribute writes an attribute if it is harmless, and each property of a style as an attribute.
func writeAttribute(b *strings.Builder, a xml.Attr) {
	if a.Name.Local == "style" {
		for _, decl := range strings.Split(a.Value, ";") {
			key, value, ok := strings.Cut(decl, ":")
			if ok {
				writeAttribute(b, xml.Attr{Name: xml.Name{Local: strings.TrimSpace(key)}, Value: strings.TrimSpace(value)})
			}
		}
		return
	}
	outside := strings.Contains(a.Value, "url(") && !strings.HasPrefix(a.Value, "url(#")
	if !outside && (svgStyles[a.Name.Local] || svgAttributes[a.Name.Local]) {
		fmt.Fprintf(b, ` %s="%s"`, a.Name.Local, html.EscapeString(a.Value))
	}
}
