// Package convert writes the numbers of a profile in forms that need no Nsight Compute: one file a form. Values are in
// base units, as the model has them; a value that is not known is null or an empty cell.
package convert

import (
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"

	"advisor/ncu"
)

// Options say what to write.
type Options struct {
	Metrics   *regexp.Regexp // only metrics whose name matches; nil: all
	Instances bool           // the parts of metrics as well
}

// A Writer writes a profile in one form. It may walk the launches twice.
type Writer func(io.Writer, *ncu.Report, Options) error

// Forms are the writers by name.
var Forms = map[string]Writer{"csv": writeCSV, "json": writeJSON, "ndjson": writeNDJSON}

// Names returns the names of the forms, sorted.
func Names() []string { return slices.Sorted(maps.Keys(Forms)) }

// wanted reports whether a metric is to be written.
func (o Options) wanted(name string) bool { return o.Metrics == nil || o.Metrics.MatchString(name) }

// each writes what f makes of every launch, in order. After an input that ends early it returns the error, with what
// came before written.
func each(w io.Writer, launches iter.Seq2[[]byte, error]) error {
	for text, err := range launches {
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}
