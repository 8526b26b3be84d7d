package ncu

import (
	"fmt"
	"sort"
	"testing"
)

func TestPlainText(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain",
		"See the @section:LaunchStats:Launch Statistics@ section.":  "See the Launch Statistics section.",
		"@url:Guide:https://docs.nvidia.com/x#y@ and @section:A:B@": "Guide (https://docs.nvidia.com/x#y) and B",
		"mail me@section: 5 @ 3":                                    "mail me@section: 5 @ 3",
	} {
		if got := plainText(in); got != want {
			t.Errorf("plainText(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestAdvice holds the messages of Nsight Compute's rules against its details page.
func TestAdvice(t *testing.T) {
	for _, name := range []string{"pairs-full.ncu-rep.zst", "torch.ncu-rep.zst", "range.ncu-rep.gz"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, list := launches(t, shared(t, "corpus", "reports", name))
			page := name[:len(name)-len(".ncu-rep.gz")]
			if page[len(page)-1] == '.' {
				page = page[:len(page)-1]
			}
			rows := readCSV(t, shared(t, "corpus", "exports", page+"-details.csv.gz"))
			column := map[string]int{}
			for i, h := range rows[0] {
				column[h] = i
			}
			var got, want []string
			for _, row := range rows[1:] {
				if len(row) < len(rows[0]) || row[column["Rule Name"]] == "" {
					continue
				}
				cell := func(h string) string { return row[column[h]] }
				want = append(want, fmt.Sprintln(cell("ID"), cell("Section Name"), cell("Rule Name"), cell("Rule Type"),
					cell("Estimated Speedup Type"), cell("Estimated Speedup"), cell("Rule Description")))
			}
			for _, l := range list {
				for _, a := range l.Advice {
					speedup := ""
					if a.Scope != "" {
						speedup = fmt.Sprintf("%.4g", a.Speedup)
					}
					got = append(got, fmt.Sprintln(l.ID, a.Section, a.Rule, a.Type, a.Scope, speedup, a.Text))
				}
			}
			sort.Strings(got)
			sort.Strings(want)
			if len(want) == 0 {
				t.Fatal("no rules on the page")
			}
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Fatalf("message %d of %d and %d:\n got %q\nwant %q", i, len(got), len(want), got[min(i, len(got)-1)], want[min(i, len(want)-1)])
				}
			}
		})
	}
}
