package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"advisor/cmd/advisor/internal/convert"
	"advisor/ncu"
)

func newConvertCmd() *cobra.Command {
	var in inputFlags
	var to, metrics, output string
	var opt convert.Options
	cmd := &cobra.Command{
		Use:   "convert FILE --to FORM",
		Short: "Write a profile's numbers as CSV or JSON, without Nsight Compute",
		Long: `Convert reads a profile in any form and writes its launches with their metrics: csv (a row a launch, a column a
metric, as the raw page of ncu), json (an array) or ndjson (a launch a line). Values are in base units: nanoseconds,
bytes, hertz, percent. What is not known is null or empty. What convert writes, advisor reads.`,
		Example: `  advisor convert report.ncu-rep --to csv -o report.csv
  advisor convert report.ncu-rep --to ndjson --metrics '^(gpu__time|dram__bytes)' | jq .metrics`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, ok := convert.Forms[to]
			if !ok {
				return usageError("unknown form %q; give --to %s", to, strings.Join(convert.Names(), ", "))
			}
			if metrics != "" {
				re, err := regexp.Compile(metrics)
				if err != nil {
					return usageError("--metrics %q: %v", metrics, err)
				}
				opt.Metrics = re
			}
			return in.convert(cmd, args[0], output, func(w io.Writer, r *ncu.Report) error { return write(w, r, opt) })
		},
	}
	in.add(cmd)
	cmd.Flags().StringVar(&to, "to", "", "`form` to write: "+strings.Join(convert.Names(), ", "))
	cmd.Flags().StringVar(&metrics, "metrics", "", "only metrics whose name matches this `regexp`")
	cmd.Flags().BoolVar(&opt.Instances, "instances", false, "with the parts of metrics, by instruction or opcode")
	cmd.Flags().StringVarP(&output, "output", "o", "", "`file` to write; stdout when not given")
	cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(convert.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// convert reads one input and writes it to a file or stdout. What came before the end of an input that ends early is
// written, and the error returned unless that is allowed.
func (f *inputFlags) convert(cmd *cobra.Command, path, output string, write func(io.Writer, *ncu.Report) error) error {
	reports, err := readInputs([]string{path}, ncu.Options{Decimal: f.decimal})
	if err != nil {
		return err
	}
	defer closeAll(reports)
	if len(reports) != 1 {
		return usageError("%s holds %d profiles; convert one at a time", path, len(reports))
	}
	var partial *ncu.PartialError
	fill := func(w io.Writer) error {
		err := write(w, reports[0])
		if errors.As(err, &partial) {
			return nil
		}
		return err
	}
	if output != "" {
		err = writeFile(output, fill)
	} else {
		w := bufio.NewWriter(cmd.OutOrStdout())
		if err = fill(w); err == nil {
			err = w.Flush()
		}
		if err != nil {
			err = fmt.Errorf("writing to stdout: %w", err)
		}
	}
	switch {
	case err != nil || partial == nil:
		return err
	case f.allowPartial:
		cmd.PrintErrf("advisor: warning: %v\n", partial)
		return nil
	}
	return partial
}
