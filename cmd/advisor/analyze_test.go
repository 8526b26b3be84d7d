package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"advisor/cmd/advisor/internal/report"
	"advisor/rules"
)

const checklistReport = "../../testdata/reports/pairs-checklist.ncu-rep.gz"

// advisor runs the program in process.
func advisor(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(args, strings.NewReader(""), &out, &err)
	return status, out.String(), err.String()
}

func TestAnalyzeRealReportFitsSchema(t *testing.T) {
	status, out, stderr := advisor("analyze", checklistReport, "--format", "json")
	if status != exitDone {
		t.Fatal(status, stderr)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema", doc); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.MustCompile("schema").Validate(value); err != nil {
		t.Error(err)
	}
}

// A report that was cut gives its whole launches, marked, and a status that tells unless that is allowed.
func TestAnalyzePartial(t *testing.T) {
	f, err := os.Open(checklistReport)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.ncu-rep")
	if err := os.WriteFile(cut, whole[:len(whole)*6/10], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, allow := range []bool{false, true} {
		args, want := []string{"analyze", cut, "--format", "json"}, exitUsage
		if allow {
			args, want = append(args, "--allow-partial"), exitDone
		}
		status, out, stderr := advisor(args...)
		if status != want {
			t.Errorf("allowed %v: status %d, want %d", allow, status, want)
		}
		var res rules.Result
		if err := json.Unmarshal([]byte(out), &res); err != nil {
			t.Fatalf("allowed %v: %v", allow, err)
		}
		if n := len(res.Launches); n == 0 || n >= 42 {
			t.Errorf("allowed %v: %d launches of 42", allow, n)
		}
		if !strings.Contains(strings.Join(res.Inputs[0].Notes, " "), "partial") {
			t.Errorf("allowed %v: notes %q", allow, res.Inputs[0].Notes)
		}
		if strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "advisor: ") {
			t.Errorf("allowed %v: stderr %q", allow, stderr)
		}
	}
}
