package ncu

import (
	"fmt"
	"slices"
	"sync"
)

// notes collects the notes of a text export. Launches are made on several goroutines, so what they find is told in
// sorted order, after what the reader of the rows found in file order.
type notes struct {
	report *Report
	mu     sync.Mutex
	early  []string
	sorted []string
}

// maxNotes bounds the notes of either kind: a file with a thousand bad rows is bad, and nobody reads a thousand notes.
const maxNotes = 50

// add adds a note of the reader of the rows, once.
func (n *notes) add(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := fmt.Sprintf(format, args...)
	if len(n.early) == maxNotes {
		s = "further notes are left out"
	}
	if len(n.early) <= maxNotes && !slices.Contains(n.early, s) {
		n.early = append(n.early, s)
		n.publish()
	}
}

// late adds a note of the maker of a launch, once.
func (n *notes) late(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if i, have := slices.BinarySearch(n.sorted, s); !have && len(n.sorted) < maxNotes {
		n.sorted = slices.Insert(n.sorted, i, s)
		n.publish()
	}
}

func (n *notes) publish() { n.report.Notes = slices.Concat(n.early, n.sorted) }

// count returns "1 line", "2 lines".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
