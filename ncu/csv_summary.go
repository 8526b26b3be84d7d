package ncu

import (
	"bytes"
	"slices"
)

// A summary (--print-summary) has a row a metric of a kernel, with the minimum, maximum and average over its launches:
// a details page whose values are the averages.

func isSummaryHeader(header []string) bool {
	return slices.Contains(header, "Metric Name") && slices.Contains(header, "Average") && slices.Contains(header, "Kernel Name")
}

func newSummaryPage(t *textReader, header []string) page {
	p := newDetailsPage(t, header).(*detailsPage)
	p.summary = true
	p.value = slices.Index(header, "Average")
	return p
}

// emitSummary hands out the launches that the rows of one kernel stand for.
func (p *detailsPage) emitSummary(rows []byte) {
	first := rows[:bytes.IndexByte(rows, rowEnd)]
	n := 1
	if i := slices.Index(p.identity, "Invocations"); i >= 0 {
		if cells := splitCells(first); i < len(cells) {
			v, _ := p.t.numbers.parse([]byte(cells[i]), 0)
			n = int(min(max(v, 1), 1<<31))
		}
	}
	p.t.emitCopies(p.makeLaunch(rows, p.t.made), n)
}
