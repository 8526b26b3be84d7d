// Package report writes results: one file an output format. All thinking has ended before: writers only write.
package report

import (
	"io"
	"maps"
	"slices"

	"advisor/rules"
)

// Options say how to write, not what.
type Options struct {
	Width int  // of the terminal in columns; 0 means 100
	Color bool // terminal colours
	Top   int  // kernels shown in full by formats for people; 0 means all

	Figures     []Figure // charts for html
	FigureStyle string   // CSS that gives them the colours of the dark mode
	Root        string   // folder of the sources: paths under it are written relative to it, "" none
}

// A Writer writes a result in one format.
type Writer func(io.Writer, *rules.Result, Options) error

// Formats are the writers by name.
var Formats = map[string]Writer{
	"text":     WriteText,
	"json":     WriteJSON,
	"html":     WriteHTML,
	"markdown": WriteMarkdown,
	"sarif":    WriteSARIF,
	"junit":    WriteJUnit,
	"github":   WriteGitHub,
}

// Names returns the names of the formats, sorted.
func Names() []string { return slices.Sorted(maps.Keys(Formats)) }
