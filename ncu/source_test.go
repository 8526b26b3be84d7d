package ncu

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// packings are ways in which a file can be packed.
var packings = map[string]func(t *testing.T, b []byte) []byte{
	"plain": func(t *testing.T, b []byte) []byte { return b },
	"gz": func(t *testing.T, b []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Write(b)
		z.Close()
		return out.Bytes()
	},
	"zst": func(t *testing.T, b []byte) []byte {
		z, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		return z.EncodeAll(b, nil)
	},
	"zst stream": func(t *testing.T, b []byte) []byte { // its header does not tell the size
		var out bytes.Buffer
		z, err := zstd.NewWriter(&out, zstd.WithWindowSize(1<<27))
		if err != nil {
			t.Fatal(err)
		}
		for len(b) > 0 {
			n := min(len(b), 1000)
			z.Write(b[:n])
			b = b[n:]
		}
		z.Close()
		return out.Bytes()
	},
}

func TestPackings(t *testing.T) {
	whole := reportOf(sampleBody)
	for name, pack := range packings {
		path := filepath.Join(t.TempDir(), "x.ncu-rep")
		packed := pack(t, whole)
		if err := os.WriteFile(path, packed, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, stdin := range []bool{false, true} {
			r, err := openAs(t, path, stdin)
			if err != nil {
				t.Errorf("%s, stdin %v: %v", name, stdin, err)
				continue
			}
			if n, err := drain(r); n != 1 || err != nil {
				t.Errorf("%s, stdin %v: %d launches, %v", name, stdin, n, err)
			}
			r.Close()
		}
		if name == "plain" {
			continue
		}
		if err := os.WriteFile(path, packed[:len(packed)-6], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), "unpacking") {
			t.Errorf("%s, cut: %v, want an error of unpacking", name, err)
		}
	}
}

// openAs opens a file by name or as stdin.
func openAs(t *testing.T, path string, stdin bool) (*Report, error) {
	if !stdin {
		return Open(path, Options{})
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stdin = old }(os.Stdin)
	os.Stdin = f
	return Open("-", Options{})
}

// TestSpill holds that input beyond the limit goes through a temporary file, which Close removes.
func TestSpill(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	whole := []byte(strings.Repeat("0123456789", 1000))
	s := &source{name: "x"}
	if err := s.fill(bytes.NewReader(whole), 100); err != nil {
		t.Fatal(err)
	}
	b, err := s.slice(9990, 10)
	if err != nil || string(b) != "0123456789" || s.size != int64(len(whole)) || s.data != nil {
		t.Errorf("slice is %q, %v; size %d", b, err, s.size)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
