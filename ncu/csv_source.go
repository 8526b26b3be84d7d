package ncu

import (
	"bytes"
	"slices"
)

// A sourceReader reads source pages ("ncu --page source --csv"): a block for each launch, with the kernel's name, a
// header and a row for each instruction. With "--print-source cuda,sass" there is a block for each source file of a
// kernel, and rows of source lines stand between those of their instructions. Blocks tell neither times nor shapes.
type sourceReader struct {
	t       *textReader
	open    pageBlock   // the block that is being read
	kernel  string      // of the open block
	pending []pageBlock // the blocks of a launch that may go on
	name    string      // its kernel
	twice   bool        // its block came twice
}

// A pageBlock is the rows of a launch in one source file, or all of them in a page of machine code alone.
type pageBlock struct {
	file   string
	header []string
	rows   []byte // each ended by rowEnd
}

func isSourceHeader(header []string) bool {
	return header[0] == "Kernel Name" && len(header) <= 3 || header[0] == "File Path" && len(header) <= 3
}

// A sourcePage is one block of a source page.
type sourcePage struct{ *sourceReader }

func newSourcePage(t *textReader, header []string) page {
	s := &t.source
	s.open, s.kernel = pageBlock{}, ""
	if header[0] == "File Path" {
		s.open.file = header[1]
	} else {
		s.kernel = header[1]
	}
	return sourcePage{s}
}

func (s sourcePage) row(rec record) error {
	if rec.cut {
		if s.open.file != "" && s.kernel == s.name {
			s.pending = nil // one more file of the launch
		}
		s.open.rows = nil
		return s.t.cutOff(rec, s.kernel)
	}
	if s.open.header == nil {
		cells := splitCells(rec.text)
		switch {
		case cells[0] == "Function Name" && len(cells) > 1:
			s.kernel = cells[1]
		case slices.Contains(cells, "Address"):
			s.open.header = cells
		}
		return nil
	}
	if !s.t.tooLong(rec, len(s.open.header)) && bytes.IndexByte(rec.text, rowEnd) < 0 {
		s.open.rows = append(append(s.open.rows, rec.text...), rowEnd)
	}
	return nil
}

// end decides what the finished block is: a launch, one more file of the launch before, or the second copy that the
// tool of 2025 writes of every block of machine code.
func (s sourcePage) end() error {
	if len(s.open.rows) == 0 {
		return nil
	}
	if s.kernel == s.name && len(s.pending) > 0 {
		first := s.pending[0]
		switch {
		case s.open.file == "" && !s.twice && bytes.Equal(first.rows, s.open.rows):
			s.twice = true
			return nil
		case s.open.file != "" && !slices.ContainsFunc(s.pending, func(b pageBlock) bool { return b.file == s.open.file }):
			s.pending = append(s.pending, s.open)
			return nil
		}
	}
	s.flush()
	s.pending, s.name, s.twice = []pageBlock{s.open}, s.kernel, false
	s.open = pageBlock{}
	return nil
}

// flush hands out the collected launch.
func (s *sourceReader) flush() {
	if len(s.pending) == 0 {
		return
	}
	blocks, kernel, number := s.pending, s.name, s.t.made
	s.pending, s.name = nil, ""
	s.t.log.add("a source page tells no times: give it together with the raw or details page of the same run")
	s.t.emit(func() (*Launch, error) { return sourceLaunch(kernel, number, blocks), nil })
}
