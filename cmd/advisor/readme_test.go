package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestREADME runs the commands in README's console blocks and compares their output. With -update it rewrites the outputs.
func TestREADME(t *testing.T) {
	root, err := repositoryRoot()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	t.Setenv("COLUMNS", "80")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```console\n(.*?)```\n")
	ran := 0
	now := blocks.ReplaceAllStringFunc(string(text), func(block string) string {
		line, _, _ := strings.Cut(strings.TrimPrefix(block, "```console\n"), "\n")
		args, ok := strings.CutPrefix(line, "$ advisor ")
		if !ok {
			t.Fatalf("a console block starts with %q, want $ advisor ...", line)
		}
		ran++
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(args), strings.NewReader(""), &stdout, &stderr); status != exitDone {
			t.Fatalf("%s: exit status %d: %s", line, status, &stderr)
		}
		return "```console\n" + line + "\n" + stdout.String() + "```\n"
	})
	if ran == 0 {
		t.Fatal("no console block in README.md")
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), now); diff != "" {
		t.Errorf("README.md is not what the commands print (go test ./cmd/advisor -run README -update rewrites it):\n%s", diff)
	}
}
