package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"advisor/ncu"
	"advisor/rules"
)

// An inputFlags holds what commands that read profiles have in common.
type inputFlags struct {
	decimal      string
	allowPartial bool
}

func (f *inputFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.decimal, "decimal", "", "decimal `mark` of text exports whose number format is ambiguous: comma or point")
	cmd.Flags().BoolVar(&f.allowPartial, "allow-partial", false, "accept an input that ends early")
}

// judge reads the inputs and runs the rules. With an input that ends early it returns both a result and an error, or
// a warning only when that is allowed.
func (f *inputFlags) judge(cmd *cobra.Command, paths []string) (*rules.Result, error) {
	switch f.decimal {
	case "", "comma", "point":
	default:
		return nil, usageError("unknown decimal mark %q; use comma or point", f.decimal)
	}
	if len(paths) == 1 {
		if res, err := readResult(paths[0]); res != nil || err != nil {
			return res, err
		}
	}
	reports, err := readInputs(paths, ncu.Options{Decimal: f.decimal})
	if err != nil {
		return nil, err
	}
	defer closeAll(reports)
	res, err := rules.Run(version(), reports...)
	var partial *ncu.PartialError
	if errors.As(err, &partial) {
		if f.allowPartial {
			cmd.PrintErrf("advisor: warning: %v\n", err)
			return res, nil
		}
		return res, err
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

// readResult reads a file that --format json wrote; nil when the path is anything else.
func readResult(path string) (*rules.Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil // ncu.Open says what is wrong
	}
	defer f.Close()
	head := make([]byte, 1024)
	n, _ := io.ReadFull(f, head)
	if !ncu.IsResult(head[:n]) {
		return nil, nil
	}
	rest, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cause(err))
	}
	res, err := rules.ReadResult(append(head[:n], rest...))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; write it again with --format json", path, err)
	}
	return res, nil
}

// readInputs opens every profile that the paths name: files, "-" for stdin, and folders of profiles.
func readInputs(paths []string, opt ncu.Options) ([]*ncu.Report, error) {
	paths, err := ncu.Expand(paths)
	if err != nil {
		return nil, err
	}
	var reports []*ncu.Report
	for _, p := range paths {
		r, err := ncu.Open(p, opt)
		if err != nil {
			closeAll(reports)
			return nil, err
		}
		reports = append(reports, r)
	}
	return ncu.Join(reports), nil
}

func closeAll(reports []*ncu.Report) {
	for _, r := range reports {
		r.Close() // opened for reading: nothing is lost
	}
}
