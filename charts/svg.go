package charts

import (
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strings"
)

// fontFamily names fonts with the widths of Liberation Sans, in which figures are laid out.
const fontFamily = "Liberation Sans, Arial, Helvetica, sans-serif"

var styleAttr = regexp.MustCompile(`\s*style="([^"]*)"`)

// inline turns a document of vgsvg into an element for a page: presentation attributes instead of style attributes,
// which a strict Content-Security-Policy forbids; a class for each colour of the theme; a title for screen readers.
func inline(doc, title string, t Theme) []byte {
	doc = doc[strings.Index(doc, "<svg"):]
	doc = strings.Replace(doc, "\n\txmlns:xlink=\"http://www.w3.org/1999/xlink\"", "", 1)
	doc = strings.Replace(doc, "<svg ", `<svg role="img" class="chart" font-family="`+fontFamily+`" `, 1)
	head := strings.Index(doc, ">") + 1
	doc = doc[:head] + "\n<title>" + html.EscapeString(clean(title)) + "</title>" + doc[head:]
	roles := map[string]string{}
	for c, role := range t.roles() {
		roles[rgbHex(c)] = role
	}
	return []byte(styleAttr.ReplaceAllStringFunc(doc, func(s string) string {
		return attributes(styleAttr.FindStringSubmatch(s)[1], roles)
	}))
}

// attributes turns CSS declarations into presentation attributes and classes.
func attributes(css string, roles map[string]string) string {
	var attrs, classes []string
	for d := range strings.SplitSeq(css, ";") {
		name, value, _ := strings.Cut(d, ":")
		switch name {
		case "", "font-family", "font-variant", "font-weight", "font-style":
			continue // set once, on the svg element
		case "fill", "stroke":
			if role := roles[strings.ToLower(value)]; role != "" {
				classes = append(classes, name[:1]+"-"+role)
			}
		}
		attrs = append(attrs, fmt.Sprintf(` %s="%s"`, name, value))
	}
	if classes != nil {
		attrs = append(attrs, ` class="`+strings.Join(classes, " ")+`"`)
	}
	return strings.Join(attrs, "")
}

// standalone makes a file of its own of an svg element: it follows the viewer's dark mode.
func standalone(svg []byte) []byte {
	style := "\n<style>@media (prefers-color-scheme:dark){" + Dark.CSS("") + "}</style>"
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + strings.Replace(string(svg), "</title>", "</title>"+style, 1))
}

// rgbHex is a colour as vgsvg writes it, which loses a unit here and there.
func rgbHex(c color.RGBA) string {
	r, g, b, alpha := c.RGBA()
	scale := 255 / float64(alpha)
	return fmt.Sprintf("#%02x%02x%02x", int(float64(r)*scale), int(float64(g)*scale), int(float64(b)*scale))
}
