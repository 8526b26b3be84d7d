package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	for name, res := range cases() {
		for _, top := range []int{0, 10} {
			t.Run(fmt.Sprintf("%s/%d", name, top), func(t *testing.T) {
				out := string(render(t, "markdown", res, Options{Top: top}))
				if !strings.HasPrefix(out, Marker+"\n") {
					t.Error("the marker is not the first line")
				}
				if len(out) > maxMarkdown {
					t.Errorf("%d bytes", len(out))
				}
				for _, tag := range []string{"details", "summary", "code"} {
					if open, end := strings.Count(out, "<"+tag+">"), strings.Count(out, "</"+tag+">"); open != end && !strings.Contains(name, "closing") {
						t.Errorf("%d <%s> but %d closed", open, tag, end)
					}
				}
				checkTables(t, out)
				checkInert(t, out)
			})
		}
	}
}

// checkTables sees that every row has as many cells as the head.
func checkTables(t *testing.T, out string) {
	t.Helper()
	bar := regexp.MustCompile(`(^|[^\\])\|`)
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "|") {
			if n := len(bar.FindAllString(line, -1)); n != 9 {
				t.Errorf("%d bars in row %s", n, line)
			}
		}
	}
}

// checkInert sees that outside code spans there is no markup but ours.
func checkInert(t *testing.T, out string) {
	t.Helper()
	inSummary := regexp.MustCompile(`^<details><summary><code>[^<>]*</code>`) // Markdown is not read there
	ours := regexp.MustCompile(`</?(details|summary|code)>|<!-- (advisor-report )?-->|<!-- advisor-report -->|&(lt|gt|amp|#47|#34|#39);`)
	for _, line := range strings.Split(out, "\n") {
		rest := ours.ReplaceAllString(outsideCode(inSummary.ReplaceAllString(line, "")), " ")
		for _, bad := range []string{"<", "](", "&"} {
			if strings.Contains(rest, bad) {
				t.Errorf("%q is live in %s", bad, line)
			}
		}
		if regexp.MustCompile(`@\w`).MatchString(rest) {
			t.Errorf("a mention is live in %s", line)
		}
	}
}

// outsideCode removes the code spans of a line: a span ends at a run of backticks as long as the one that began it.
func outsideCode(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			i += 2
		case line[i] == '`':
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			end := endOfSpan(line[i+n:], n)
			if end < 0 {
				return out.String() + line[i:]
			}
			i += n + end
		default:
			out.WriteByte(line[i])
			i++
		}
	}
	return out.String()
}

func endOfSpan(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		i += run
		if run == n {
			return i
		}
	}
	return -1
}

func TestMarkdownSaysWhatIsLeftOut(t *testing.T) {
	out := string(render(t, "markdown", thousand(), Options{Top: 10}))
	for _, want := range []*regexp.Regexp{
		regexp.MustCompile(`590 kernels of .* together not in the table`),
		regexp.MustCompile(`\d+ kernels with findings left out`),
	} {
		if !want.MatchString(out) {
			t.Errorf("no %s", want)
		}
	}
}
