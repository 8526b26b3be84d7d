package ncu

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"b.ncu-rep":        "broken",
		"a/x.ncu-rep.gz":   "broken",
		"notes.txt":        "nothing to see\n",
		"a/y.csv":          "colour,price\nred,3\n",
		".git/z.ncu-rep":   "hidden",
		"empty/readme.md":  "",
		"c.NCU-REP.zst":    "",
		"raw.csv":          "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"ns\"\n\"0\",\"k\",\"1\"\n",
		"single/other.log": "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	got, err := Expand(append(in("", "single/other.log"), "-"))
	want := append(in("a/x.ncu-rep.gz", "b.ncu-rep", "c.NCU-REP.zst", "raw.csv", "single/other.log"), "-")
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Expand = %q, %v, want %q", got, err, want)
	}
	for _, bad := range []string{"empty", "missing"} {
		var syntax *SyntaxError
		if _, err := Expand(in(bad)); !errors.As(err, &syntax) {
			t.Errorf("Expand(%s): %v, want a SyntaxError", bad, err)
		}
	}
}
