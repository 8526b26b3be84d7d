package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"advisor/cmd/advisor/internal/report"
	"advisor/ncu"
	"advisor/ncu/sass"
	"advisor/rules"
)

func newSassCmd() *cobra.Command {
	c := &sassing{}
	names := slices.Sorted(maps.Keys(report.SassFormats))
	cmd := &cobra.Command{
		Use:   "sass FILE...",
		Short: "Judge machine code, with no GPU and no profile",
		Long: `Sass reads code and lists what each function does with memory: by address space and width, generic accesses where
shared memory is used, spills and indexed arrays in local memory, constant loads with an index that differs between lanes,
loads through the read-only path. Findings carry the ids and the advice of the rules, but no price: how often an
instruction runs is not known. A warning is proven by the code; an info depends on what the code does not tell.

Files are told by their content: cubins; executables, libraries and objects with CUDA code in them; .ncu-rep reports; text of
cuobjdump --dump-sass and nvdisasm; PTX; logs of nvcc -Xptxas -v. gzip and Zstandard are seen through; - is stdin.

Two files are compared function by function, the older first; --fail-on then looks at new findings only. With --list,
or more files, each is listed.`,
		Example: `  advisor sass kernel.cubin
  advisor sass before.cubin after.cubin
  advisor sass --fail-on warning --format text --format sarif=advisor.sarif app`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args, names) },
	}
	c.out.add(cmd, names)
	cmd.Flags().IntVar(&c.out.top, "top", 0, "functions that text and markdown list; 0 lists all")
	cmd.Flags().StringVar(&c.kernel, "kernel", "", "only functions whose name matches the regular `expression`")
	cmd.Flags().StringVar(&c.failOn, "fail-on", "", "exit with 1 when a finding has this `severity` or more: info, warning, error")
	cmd.Flags().BoolVar(&c.list, "list", false, "list two files, too, instead of comparing them")
	return cmd
}

// A sassing holds the flags of the command.
type sassing struct {
	out            outputFlags
	kernel, failOn string
	list           bool
}

func (c *sassing) run(cmd *cobra.Command, args, names []string) error {
	ts, err := c.out.targets(names)
	if err != nil {
		return err
	}
	match, err := kernelPattern(c.kernel)
	if err != nil {
		return err
	}
	fail, err := severity("fail-on", c.failOn)
	if err != nil {
		return err
	}
	res := &rules.StaticResult{Schema: rules.StaticSchema, Advisor: version()}
	for _, path := range args {
		if err := addCode(cmd, res, path, match); err != nil {
			return err
		}
	}
	if len(args) == 2 && !c.list {
		compareCode(res)
	}
	err = write(cmd, ts, c.out.top, func(format string, w io.Writer, opt report.Options) error {
		return report.SassFormats[format](w, res, opt)
	})
	if err != nil || c.failOn == "" {
		return err
	}
	if sev, f, function := res.Worst(); f != nil && sev >= fail {
		return errGate("findings of severity %s or above, the first is %s in %s; --fail-on makes that exit status 1", fail, f.Rule, function)
	}
	return nil
}

// judgeCode judges files of code like profiles, for gates; ok is false when the first file is a profile.
func judgeCode(cmd *cobra.Command, paths []string) (res *rules.Result, ok bool, err error) {
	if paths[0] == "-" { // can be read once only; taken for a profile
		return nil, false, nil
	}
	b, err := readUnpacked(paths[0], codeHead)
	if err != nil || !sass.IsCode(b[:min(len(b), codeHead)]) {
		return nil, false, nil // the reader of profiles says what is wrong
	}
	code := &rules.StaticResult{Schema: rules.StaticSchema, Advisor: version()}
	for _, path := range paths {
		if err := addCode(cmd, code, path, func(string) bool { return true }); err != nil {
			return nil, true, err
		}
	}
	return code.Result(), true, nil
}

// codeHead is how much of a text is searched for marks of code.
const codeHead = 64 << 10

// compareCode fills the changes from the first input to the second.
func compareCode(res *rules.StaticResult) {
	split := res.Inputs[0].Functions
	res.Compared, res.Changes = true, rules.CompareStatic(res.Functions[:split], res.Functions[split:])
}

// addCode judges the functions of one file.
func addCode(command *cobra.Command, res *rules.StaticResult, path string, match func(string) bool) error {
	l, done, err := openCode(path)
	if err != nil {
		return err
	}
	defer done()
	in := rules.StaticInput{Path: path, Format: l.Format, Notes: l.Notes}
	var bad error
	from := len(res.Functions)
	for f, err := range l.Functions() {
		if err != nil {
			bad = err
			command.PrintErrf("advisor: warning: %s: %s\n", path, oneLine(err.Error()))
			continue
		}
		if !match(f.Name) && !match(sass.ShortName(f.Name)) {
			continue
		}
		s := rules.Static(f)
		s.Input = len(res.Inputs)
		res.Functions = append(res.Functions, s)
		in.Functions++
	}
	if in.Functions == 0 && bad != nil {
		return usageError("%s: %v", path, bad)
	}
	slices.SortStableFunc(res.Functions[from:], func(a, b rules.StaticFunction) int {
		return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Arch, b.Arch))
	})
	res.Inputs = append(res.Inputs, in)
	return nil
}

// openCode lists the functions of a file; done releases it.
func openCode(path string) (l *sass.Listing, done func(), err error) {
	b, err := readCode(path)
	if err != nil {
		return nil, nil, err
	}
	if isReport := bytes.HasPrefix(b, []byte("NVR\x00")); isReport {
		return openReportCode(path)
	}
	l, err = sass.List(b)
	var bad *sass.InputError
	switch {
	case errors.As(err, &bad) && bad.Line > 0:
		return nil, nil, usageError("%s:%v", path, bad)
	case err != nil:
		return nil, nil, usageError("%s: %v", path, err)
	}
	return l, func() {}, nil
}

// openReportCode lists the functions of the cubins in a report.
func openReportCode(path string) (*sass.Listing, func(), error) {
	if path == "-" {
		return nil, nil, usageError("-: a report on stdin cannot be searched for code; name the file")
	}
	r, err := ncu.Open(path, ncu.Options{})
	if err != nil {
		return nil, nil, err
	}
	l := sass.ListModules(r.Modules())
	l.Format = r.Format
	return l, func() { r.Close() }, nil
}

// readCode reads a file, unpacked.
func readCode(path string) ([]byte, error) {
	b, err := readUnpacked(path, maxCode)
	if err == nil && len(b) >= maxCode {
		return nil, usageError("%s: more than %d MiB of code; extract the kernels that matter with cuobjdump -xelf", path, maxCode>>20)
	}
	return b, err
}

// readUnpacked reads at most limit bytes of a file, unpacked. Of a report it reads the beginning only: the rest is read
// when it is needed.
func readUnpacked(path string, limit int64) ([]byte, error) {
	f, err := os.Stdin, error(nil)
	if path != "-" {
		if f, err = os.Open(path); err != nil {
			return nil, usageError("%s: cannot be read: %v", path, cause(err))
		}
		defer f.Close()
	}
	head := make([]byte, 4)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, usageError("%s: cannot be read: %v", path, cause(err))
	}
	r, err := unpacked(head[:n], io.MultiReader(bytes.NewReader(head[:n]), f))
	if err == nil {
		first := make([]byte, 4)
		n, _ = io.ReadFull(r, first)
		if string(first[:n]) == "NVR\x00" {
			return first, nil
		}
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(r, limit-int64(n)))
		if err == nil {
			return append(first[:n], rest...), nil
		}
	}
	return nil, usageError("%s: cannot be read: %v", path, cause(err))
}

// maxCode bounds what is read of one file, unpacked: the largest libraries of kernels are about half of it.
const maxCode = 2 << 30

// unpacked sees through gzip and Zstandard.
func unpacked(head []byte, r io.Reader) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzip.NewReader(r)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("unpacking: %w", err)
		}
		return d.IOReadCloser(), nil
	}
	return r, nil
}
