package ncu

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRecords(t *testing.T) {
	type rec struct {
		Text string
		Line int
		Cut  bool
	}
	for _, c := range []struct {
		name, text string
		want       []rec
		broken     []int
	}{
		{"lines", "a\r\nb\n\nc", []rec{{"a", 1, false}, {"b", 2, false}, {"", 3, false}, {"c", 4, false}}, nil},
		{"joined", "\"a\nb\",\"c\"\n\"d\"\n", []rec{{"\"a\nb\",\"c\"", 1, false}, {"\"d\"", 3, false}}, nil},
		{"cut", "\"a\",\"b\n", []rec{{"\"a\",\"b", 1, true}}, nil},
		{"broken", "\"a\",\"b\n\"c\",\"d\"\n", []rec{{"\"c\",\"d\"", 2, false}}, []int{1}},
		{"doubled quote at a line end", "\"a \"\"\nb\"\n", []rec{{"\"a \"\"\nb\"", 1, false}}, nil},
	} {
		r := newRecordReader(strings.NewReader(c.text))
		var got []rec
		for {
			x, err := r.next(true)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rec{string(x.text), x.line, x.cut})
		}
		if d := cmp.Diff(c.want, got); d != "" || cmp.Diff(c.broken, r.broken) != "" {
			t.Errorf("%s: broken %v, -want +got:\n%s", c.name, r.broken, d)
		}
	}
}

// TestRecordLimit bounds what a quote without an end, or a line without one, can cost.
func TestRecordLimit(t *testing.T) {
	for _, text := range []string{`"` + strings.Repeat("x\n", 1000), strings.Repeat("x", 3<<20)} {
		r := newRecordReader(strings.NewReader(text))
		r.limit = 1000
		if _, err := r.next(true); !errors.Is(err, errTooLong) {
			t.Errorf("got %v", err)
		}
	}
}

func TestCells(t *testing.T) {
	for row, want := range map[string][]string{
		`"a","b ""c"", d",,"e",`: {"a", `b "c", d`, "", "e", ""},
		`a,"b,c",d`:              {"a", "b,c", "d"},
		`""`:                     {""},
		`"a"x,b`:                 {"a", "b"},
	} {
		r := record{text: []byte(row), quotes: bytes.Count([]byte(row), quote)}
		if d := cmp.Diff(want, splitCells([]byte(row))); d != "" || r.cells() != len(want) {
			t.Errorf("%s: %d cells, -want +got:\n%s", row, r.cells(), d)
		}
	}
}
