package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite expected outputs in scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"advisor": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			root, err := repositoryRoot()
			env.Setenv("TESTDATA", root+"/testdata")
			// For scripts that must not find the rest of this machine's PATH.
			env.Setenv("ADVISOR_FOLDER", filepath.SplitList(env.Getenv("PATH"))[0])
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// repositoryRoot returns the folder of the module: tests run in their package's.
func repositoryRoot() (string, error) {
	dir, err := os.Getwd()
	return filepath.Join(dir, "..", ".."), err
}

// exits runs a command and checks its exact status: "! exec" cannot tell a failed gate from bad input.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
