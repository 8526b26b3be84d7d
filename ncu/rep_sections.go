package ncu

import (
	"fmt"
	"regexp"
	"strconv"
)

// readSection adds a section of a result. What it would show is not read: its metrics are the result's.
func readSection(b []byte, r *result) error {
	if len(r.Sections) == maxParts {
		return fmt.Errorf("more than %d sections", maxParts)
	}
	var s Section
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			s.ID = m.text()
		case 2:
			s.Name = m.text()
		}
	}
	r.Sections = append(r.Sections, s)
	return m.err
}

// readRule adds what one of Nsight Compute's rules says: one advice for each message of it. A rule that ran without
// finding anything has none.
func readRule(b []byte, r *result) error {
	var rule, section string
	var body []byte
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			rule = m.text()
		case 3:
			body = m.bytes()
		case 4:
			section = m.text()
		}
	}
	if m.err != nil {
		return fmt.Errorf("rule: %w", m.err)
	}
	items := walk(body)
	for items.next() {
		if items.num != 1 {
			continue
		}
		a, said, err := readAdvice(items.bytes())
		if err != nil {
			return fmt.Errorf("rule %s: %w", rule, err)
		}
		if !said {
			continue
		}
		if len(r.Advice) == maxParts {
			return fmt.Errorf("more than %d messages of rules", maxParts)
		}
		a.Rule, a.Section = rule, section
		r.Advice = append(r.Advice, a)
	}
	if items.err != nil {
		return fmt.Errorf("rule %s: %w", rule, items.err)
	}
	return nil
}

// readAdvice reads one item of a rule's result and whether it says anything: some items are charts.
func readAdvice(b []byte) (a Advice, said bool, err error) {
	m := walk(b)
	for m.next() && err == nil {
		switch m.num {
		case 1:
			said = true
			err = readMessage(m.bytes(), &a)
		case 10:
			err = readSpeedup(m.bytes(), &a)
		case 12:
			var t Table
			if t, err = readTable(m.bytes()); len(t.Header) > 0 && len(a.Tables) < maxParts {
				a.Tables = append(a.Tables, t)
			}
		}
	}
	if err == nil {
		err = m.err
	}
	return a, said, err
}

// messageTypes are the tags that Nsight Compute prints for its types of messages. Until 2023.1 advice has the tag WRN.
var messageTypes = [...]string{"INF", "INF", "WRN", "ERR", "OPT"}

func readMessage(b []byte, a *Advice) error {
	a.Type = messageTypes[0]
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			a.Text = plainText(m.text())
		case 2:
			if t := m.uint(); t < uint64(len(messageTypes)) {
				a.Type = messageTypes[t]
			}
		case 4:
			a.Title = m.text()
		}
	}
	return m.err
}

var (
	sectionLink = regexp.MustCompile(`@section:[^:@]*:([^@]*)@`)
	urlLink     = regexp.MustCompile(`@url:([^:@]*):([^@]*)@`)
)

// plainText replaces the links in a message by what Nsight Compute's text page shows for them.
func plainText(s string) string {
	s = sectionLink.ReplaceAllString(s, "$1")
	return urlLink.ReplaceAllString(s, "$1 ($2)")
}

func readSpeedup(b []byte, a *Advice) error {
	scopes := [...]string{"", "local", "global"}
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			if t := m.uint(); t < uint64(len(scopes)) {
				a.Scope = scopes[t]
			}
		case 2:
			if v := Number(m.float(), "%"); v.Known {
				a.Speedup = v.Value
			}
		}
	}
	return m.err
}

// readTable reads a table, which is stored by columns.
func readTable(b []byte) (t Table, err error) {
	m := walk(b)
	for m.next() {
		if m.num != 2 {
			continue
		}
		name, cells, err := readColumn(m.bytes())
		if err != nil {
			return t, err
		}
		col := len(t.Header)
		t.Header = append(t.Header, name)
		for len(t.Rows) < min(len(cells), maxParts) {
			t.Rows = append(t.Rows, nil)
		}
		for i, c := range cells[:min(len(cells), maxParts)] {
			for len(t.Rows[i]) < col {
				t.Rows[i] = append(t.Rows[i], "")
			}
			t.Rows[i] = append(t.Rows[i], c)
		}
	}
	return t, m.err
}

// readColumn reads the name of a column and its cells, of whatever type they are.
func readColumn(b []byte) (name string, cells []string, err error) {
	var floats []float64
	var ints []uint64
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			name = m.text()
		case 4:
			cells = append(cells, m.text())
			m.limit(len(cells))
		case 5:
			floats = m.floats(floats)
		case 6:
			ints = m.uints(ints)
		}
	}
	for _, v := range floats {
		cells = append(cells, strconv.FormatFloat(v, 'g', -1, 64))
	}
	for _, v := range ints {
		cells = append(cells, strconv.FormatInt(int64(v), 10))
	}
	return name, cells, m.err
}
