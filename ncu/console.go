package ncu

import (
	"regexp"
	"strings"
)

// A consoleReader reads the page that ncu prints when it writes no CSV: under the process and the kernel, sections of
// tables ruled by dashes, and messages of the rules. It takes line by line and leaves alone what is no part of a page.
type consoleReader struct {
	t       *textReader
	process Process
	build   *rowBuilder // nil outside of a launch
	count   int         // launches that the page stands for: more than one in a summary
	section string

	columns []span // of the open table, from its rule; nil outside of one
	titles  int    // rules seen since the titles, 0 without titles
	rows    int
	value   int  // the column of the values
	foreign bool // the table belongs to a message
	advice  *Advice
}

// A span is a column of a table, in bytes.
type span struct{ from, to int }

var (
	processLine = regexp.MustCompile(`^\s*\[(\d+)\] (.+)@(\S+)$`)
	kernelLine  = regexp.MustCompile(`^\s*(.*?)(?: \((\d+, \d+, \d+)\)x\((\d+, \d+, \d+)\))?(?:, \d{4}-\w{3}-\d{2} \d{2}:\d{2}:\d{2})?` +
		`(?:, Context (\S+?))?(?:, Stream (\S+?))?(?:, Device (\d+))?(?:, CC (\d+\.\d+))?(?:, Invocations (\d+))?$`)
	adviceLine  = regexp.MustCompile(`^\s*(INF|OPT|WRN|ERR|OK) {2,}(.*)$`)
	speedupLine = regexp.MustCompile(`^(?:Est\.|Estimated) (Local )?Speedup: ([0-9.,]+)%$`)
)

// line takes one line; it reports false for a line that is no part of a page.
func (c *consoleReader) line(text []byte) bool {
	s := strings.TrimRight(strings.ToValidUTF8(string(text), "\uFFFD"), " \t")
	s = strings.TrimPrefix(s, "> ") // a quotation in Markdown
	trimmed := strings.TrimLeft(s, " \t")
	switch {
	case trimmed == "":
		c.endAdvice()
		return true
	case trimmed[0] == '[' && c.startProcess(s):
		return true
	case (strings.Contains(s, ", Context ") || strings.Contains(s, ", Invocations ")) && c.startKernel(s):
		return true
	case strings.HasPrefix(trimmed, "Section: "):
		c.startSection(strings.TrimPrefix(trimmed, "Section: "))
		return true
	}
	return c.build != nil && c.inLaunch(s, trimmed)
}

func (c *consoleReader) startProcess(s string) bool {
	m := processLine.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	c.end()
	c.process = Process{PID: atoiOr(m[1], -1), Name: m[2], Host: m[3]}
	return true
}

func (c *consoleReader) startKernel(s string) bool {
	m := kernelLine.FindStringSubmatch(s)
	if m == nil || m[1] == "" || m[4] == "" && m[8] == "" {
		return false
	}
	c.start(identity{Kernel: m[1], Grid: m[2], Block: m[3], Context: m[4], Stream: m[5], Device: m[6], CC: m[7]})
	c.count = max(1, atoiOr(m[8], 1))
	return true
}

// start begins a launch.
func (c *consoleReader) start(id identity) {
	c.end()
	if c.process.Name == "" {
		c.process.PID = -1
	}
	l := id.launch()
	l.Process = c.process
	c.build, c.count = newRowBuilder(c.t, l), 1
}

// startSection begins a section. A page that was cut out of a longer one may begin without its kernel.
func (c *consoleReader) startSection(name string) {
	if c.build == nil {
		c.start(identity{Kernel: "(kernel not named)"})
	}
	c.endAdvice()
	c.t.decideConsole()
	c.section, c.columns = name, nil
	c.build.enter(name)
}

// inLaunch takes a line of a launch that begins nothing new.
func (c *consoleReader) inLaunch(s, trimmed string) bool {
	if isRule(trimmed) {
		c.rule(s)
		return true
	}
	if c.columns != nil {
		c.row(s)
		return true
	}
	if warning, ok := strings.CutPrefix(trimmed, "Warning: "); ok {
		c.t.warning(warning)
		return true
	}
	if m := adviceLine.FindStringSubmatch(s); m != nil {
		c.endAdvice()
		c.advice = &Advice{Section: c.section, Type: m[1]}
		c.advise(m[2])
		return true
	}
	if c.advice != nil && len(s) > len(trimmed) {
		c.advise(trimmed)
		return true
	}
	return false
}

// advise adds one line to the open message.
func (c *consoleReader) advise(text string) {
	text = strings.TrimSpace(text)
	if m := speedupLine.FindStringSubmatch(text); m != nil && c.advice.Text == "" {
		c.advice.Scope = "global"
		if m[1] != "" {
			c.advice.Scope = "local"
		}
		c.advice.Speedup, _ = c.t.numbers.parse([]byte(m[2]), 0)
		return
	}
	if c.advice.Text != "" {
		text = " " + text
	}
	c.advice.Text += text
}

func (c *consoleReader) endAdvice() {
	if c.advice != nil && c.build != nil {
		c.build.launch.Advice = append(c.build.launch.Advice, *c.advice)
	}
	c.advice = nil
}

// untitledWidth tells the tables of 2021 and before, which have no titles and wide columns, from those in messages.
const untitledWidth = 60

// isRule tells the lines that rule a table: groups of dashes.
func isRule(trimmed string) bool {
	return strings.HasPrefix(trimmed, "---") && strings.Trim(trimmed, "- ") == ""
}

// rule takes a rule: one above the table, one below the titles where there are some, one at the end.
func (c *consoleReader) rule(s string) {
	if c.columns != nil && (c.titles != 1 || c.rows > 0) {
		c.columns = nil
		return
	}
	c.titles = 2 * c.titles
	if c.columns == nil {
		c.titles, c.rows, c.foreign = 0, 0, c.advice != nil
	}
	c.columns = c.columns[:0]
	from := 0
	for i := range len(s) + 1 {
		if i < len(s) && s[i] == '-' {
			continue
		}
		if i > from {
			c.columns = append(c.columns, span{from, i})
		}
		from = i + 1
	}
	c.value = len(c.columns) - 1 // "Metric Value", or "Average" of a summary
}

// row takes a row of a table, or its titles.
func (c *consoleReader) row(s string) {
	if c.foreign || len(c.columns) < 3 {
		return
	}
	label := strings.TrimSpace(part(s, 0, c.columns[1].from))
	if label == "Metric Name" {
		c.titles = 1
		return
	}
	if c.rows++; c.titles == 0 && c.columns[0].to-c.columns[0].from < untitledWidth {
		return
	}
	unit := strings.TrimSpace(part(s, c.columns[1].from, c.columns[1].to))
	value := strings.TrimSpace(part(s, c.columns[c.value].from, len(s)))
	c.build.add(detailRow{section: c.section, label: label, unit: unit, value: []byte(value)})
}

// part returns a part of a line that may be too short for it.
func part(s string, from, to int) string {
	from, to = min(from, len(s)), min(to, len(s))
	return s[from:to]
}

// cut leaves out the open launch when the page ends inside a table, and says so.
func (c *consoleReader) cut() error {
	if c.build == nil || c.columns == nil || c.foreign {
		return nil
	}
	kernel := c.build.launch.Kernel
	c.build, c.columns = nil, nil
	return c.t.cutOff(record{line: c.t.in.line}, kernel)
}

// end hands out the open launch.
func (c *consoleReader) end() {
	c.endAdvice()
	if c.build == nil {
		return
	}
	b, n := c.build, c.count
	c.build, c.columns, c.section = nil, nil, ""
	if len(b.launch.Metrics) == 0 && len(b.launch.Advice) == 0 {
		return // a line that looked like a kernel's
	}
	c.t.opened("text")
	c.t.emitCopies(b.done(), n)
}
