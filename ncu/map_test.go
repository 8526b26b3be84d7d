package ncu

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
)

// numbered makes a report of n launches that counts how many are made, and fails at the given one.
func numbered(n, failAt int, made *atomic.Int64) *Report {
	return &Report{rank: "3", items: func(yield func(item, error) bool) {
		for i := range n {
			it := func() (*Launch, error) {
				made.Add(1)
				if i == failAt {
					return nil, errors.New("broken")
				}
				return &Launch{ID: strconv.Itoa(i)}, nil
			}
			if !yield(it, nil) {
				return
			}
		}
	}}
}

func TestMapOrder(t *testing.T) {
	var made atomic.Int64
	var got []string
	for v, err := range Map(numbered(500, -1, &made), func(l *Launch) string { return l.ID + "/" + l.Process.Rank }) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v)
	}
	var want []string
	for i := range 500 {
		want = append(want, fmt.Sprintf("%d/3", i))
	}
	if !slices.Equal(got, want) || made.Load() != 500 {
		t.Errorf("got %v, %d made", got, made.Load())
	}
}

func TestMapError(t *testing.T) {
	for _, failAt := range []int{0, 7} {
		var made atomic.Int64
		n := 0
		var last error
		for _, err := range numbered(100, failAt, &made).Launches() {
			if last = err; err == nil {
				n++
			}
		}
		var partial *PartialError
		if n != failAt || last == nil || errors.As(last, &partial) != (failAt > 0) {
			t.Errorf("failing at %d: %d launches, then %v", failAt, n, last)
		}
	}
}

// TestMapStop holds that nothing is read far ahead of a consumer that stops.
func TestMapStop(t *testing.T) {
	var made atomic.Int64
	for range numbered(100_000, -1, &made).Launches() {
		break
	}
	if n := made.Load(); n > 1000 {
		t.Errorf("%d launches made for one", n)
	}
}
