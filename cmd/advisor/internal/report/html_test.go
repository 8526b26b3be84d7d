package report

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"advisor/rules"
)

// figureSVG is a drawing as gonum/plot makes them, with an attack in it.
const figureSVG = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="400pt" height="200pt" viewBox="0 0 400 200" onload="alert(1)">
<g transform="scale(1, -1) translate(0, -200)"><path d="M0,0L400,0L400,200L0,200Z" style="fill:#FFFFFF;fill-opacity:0"/>
<text x="10" y="-20" transform="scale(1, -1)" style="font-family:Liberation Sans;font-size:12px">&lt;script&gt;alert(1)&lt;/script&gt;</text></g>
<script>alert(1)</script><image href="http://example.org/x.png"/><a href="javascript:alert(1)"><text x="1" y="2">link</text></a>
<rect x="20" y="20" width="90" height="40" fill="url(http://example.org/f)" stroke="#336699"/></svg>`

func htmlPage(t *testing.T, res *rules.Result) string {
	t.Helper()
	return string(render(t, "html", res, Options{Figures: []Figure{{Name: "demo", Title: "A chart", SVG: []byte(figureSVG)}}}))
}

// Nothing of a profile becomes markup, and the page asks for nothing outside.
func TestHTMLIsInert(t *testing.T) {
	for name, res := range cases() {
		t.Run(name, func(t *testing.T) {
			text := htmlPage(t, res)
			scripts := 0
			walk(parse(t, text), func(n *html.Node) {
				switch n.Data {
				case "script", "style":
					scripts++
				case "img", "iframe", "object", "embed", "link", "image", "form", "base", "video", "audio", "foreignObject":
					t.Errorf("element %s", n.Data)
				}
				for _, a := range n.Attr {
					switch {
					case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "src", a.Key == "srcdoc":
						t.Errorf("attribute %s of %s", a.Key, n.Data)
					case a.Key == "href" && !strings.HasPrefix(a.Val, "#"):
						t.Errorf("link to %s", a.Val)
					case a.Key != "content" && a.Key != "data-full" && a.Key != "data-v" && a.Key != "title" && strings.Contains(a.Val, "url(http"):
						t.Errorf("%s=%s", a.Key, a.Val)
					}
				}
			})
			if scripts != 2 {
				t.Errorf("%d elements of script and style, want our two", scripts)
			}
		})
	}
}

func parse(t *testing.T, text string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// walk calls f on every element.
func walk(n *html.Node, f func(*html.Node)) {
	if n.Type == html.ElementNode {
		f(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, f)
	}
}

// Every link leads to an anchor, and no anchor stands twice.
func TestHTMLAnchors(t *testing.T) {
	for name, res := range cases() {
		ids, links := map[string]int{}, []string{}
		walk(parse(t, htmlPage(t, res)), func(n *html.Node) {
			for _, a := range n.Attr {
				if a.Key == "id" {
					ids[a.Val]++
				}
				if a.Key == "href" {
					links = append(links, strings.TrimPrefix(a.Val, "#"))
				}
			}
		})
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s: %d times id %s", name, n, id)
			}
		}
		for _, l := range links {
			if l != "table" && ids[l] == 0 {
				t.Errorf("%s: no anchor %s", name, l)
			}
		}
	}
}

func TestHTMLSize(t *testing.T) {
	text := htmlPage(t, thousand())
	if len(text) > 2_000_000 || len(text) < 1_500_000 {
		t.Errorf("%d bytes for 1,000 launches of 600 kernels", len(text))
	}
	if n := strings.Count(text, "<tr data-for="); n != 600 {
		t.Errorf("%d kernels in the table, want 600", n)
	}
}

func TestSVGIsSanitized(t *testing.T) {
	svg, err := safeSVG([]byte(figureSVG))
	if err != nil {
		t.Fatal(err)
	}
	want := `<svg width="400pt" height="200pt" viewBox="0 0 400 200"><g transform="scale(1, -1) translate(0, -200)">` +
		`<path d="M0,0L400,0L400,200L0,200Z" fill="#FFFFFF" fill-opacity="0"></path>` +
		`<text x="10" y="-20" transform="scale(1, -1)" font-family="Liberation Sans" font-size="12px">&lt;script&gt;alert(1)&lt;/script&gt;</text></g>` +
		`<rect x="20" y="20" width="90" height="40" stroke="#336699"></rect></svg>`
	if string(svg) != want {
		t.Errorf("got %s", svg)
	}
	if _, err := safeSVG([]byte("<svg><g></svg>")); err == nil {
		t.Error("broken SVG is accepted")
	}
}

// The policy names the hashes of exactly the style and script that the page holds.
func TestHTMLPolicy(t *testing.T) {
	text := htmlPage(t, sample())
	for _, tag := range []string{"style", "script"} {
		body := regexp.MustCompile(`(?s)<` + tag + `>(.*?)</` + tag + `>`).FindStringSubmatch(text)
		if body == nil {
			t.Fatalf("no %s", tag)
		}
		want := tag + "-src '" + integrity([]byte(body[1])) + "'"
		if !strings.Contains(html.UnescapeString(text), want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
}

// browser starts a headless Chromium and returns what pages say on its console.
func browser(t *testing.T) (context.Context, *[]string) {
	t.Helper()
	found := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			found = p
			break
		}
	}
	if found == "" {
		t.Skip("no Chromium")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	said := &[]string{}
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(chromedp.ExecPath(found), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(1280, 900), chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true)),
		chromedp.WithListener(func(ev any) {
			switch ev := ev.(type) {
			case *runtime.EventExceptionThrown:
				*said = append(*said, ev.ExceptionDetails.Text)
			case *runtime.EventConsoleAPICalled:
				*said = append(*said, fmt.Sprint(ev.Type))
			case *log.EventEntryAdded:
				*said = append(*said, ev.Entry.Text)
			}
		}))
	t.Cleanup(cancel)
	return ctx, said
}

// visit opens a page.
func visit(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	u := url.URL{Scheme: "file", Path: file}
	if err := chromedp.Do(ctx, chromedp.Navigate(u.String())); err != nil {
		t.Fatal(err)
	}
}

// eval returns the value of an expression on the page.
func eval[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return v
}

const visibleNames = `[...document.querySelectorAll("#kernels tbody tr")].filter(r => !r.hidden).map(r => r.cells[0].textContent).join(" ")`

func TestHTMLInBrowser(t *testing.T) {
	ctx, said := browser(t)
	visit(t, ctx, htmlPage(t, sample()))
	byTime := "constant_divergent coalesce_chunked address_generic layout_aos healthy_copy gemm mystery"
	steps := []struct{ name, do, want string }{
		{"at first by time", "", byTime},
		{"by name", `document.querySelectorAll("#kernels th button")[0].click()`, "address_generic coalesce_chunked constant_divergent gemm healthy_copy layout_aos mystery"},
		{"by name, backwards", `document.querySelectorAll("#kernels th button")[0].click()`, "mystery layout_aos healthy_copy gemm constant_divergent coalesce_chunked address_generic"},
		{"by saving, unknown last", `document.querySelectorAll("#kernels th button")[6].click()`, "constant_divergent coalesce_chunked layout_aos mystery healthy_copy gemm address_generic"},
		{"by saving, smallest first", `document.querySelectorAll("#kernels th button")[6].click()`, "layout_aos coalesce_chunked constant_divergent mystery healthy_copy gemm address_generic"},
		{"by time again", `document.querySelectorAll("#kernels th button")[2].click()`, byTime},
		{"filter by rule", `filter.value = "AOS"; filter.dispatchEvent(new Event("input"))`, "layout_aos"},
		{"filter by two words", `filter.value = "float4 healthy"; filter.dispatchEvent(new Event("input"))`, "healthy_copy"},
		{"filter by nothing there", `filter.value = "nosuch"; filter.dispatchEvent(new Event("input"))`, ""},
		{"by severity", `filter.value = ""; least.value = "2"; least.dispatchEvent(new Event("change"))`, "constant_divergent layout_aos"},
		{"all again", `least.value = "-1"; least.dispatchEvent(new Event("change"))`, byTime},
	}
	for _, s := range steps {
		js := `(() => { const filter = document.getElementById("filter"), least = document.getElementById("least"); ` + s.do + `; return ` + visibleNames + ` })()`
		if got := eval[string](t, ctx, js); got != s.want {
			t.Errorf("%s: %q, want %q", s.name, got, s.want)
		}
	}
	// A shared link opens its section; a slash goes to the filter.
	id := eval[string](t, ctx, `[...document.querySelectorAll(".kernel")].find(s => s.textContent.includes("mystery")).id`)
	if eval[bool](t, ctx, `document.getElementById("`+id+`").querySelector("details").open`) {
		t.Error("the section was open before")
	}
	eval[string](t, ctx, `location.hash = "`+id+`"`)
	time.Sleep(100 * time.Millisecond)
	if !eval[bool](t, ctx, `document.getElementById("`+id+`").querySelector("details").open`) {
		t.Error("the link did not open its section")
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent("/")); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, ctx, `document.activeElement.id`); got != "filter" {
		t.Errorf("slash went to %q", got)
	}

	// Names that attack are text: no script runs, no request leaves, no element appears.
	visit(t, ctx, htmlPage(t, hostile(strings.Join([]string{attacks["script"], attacks["attribute"], attacks["closing"], attacks["cdata"]}, " "))))
	if n := eval[int](t, ctx, `document.scripts.length + document.images.length`); n != 1 {
		t.Errorf("%d scripts and images, want our one script", n)
	}
	if n := eval[int](t, ctx, `performance.getEntriesByType("resource").length`); n != 0 {
		t.Errorf("%d requests", n)
	}
	if len(*said) > 0 {
		t.Errorf("the console says %q", *said)
	}
}
