package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"advisor/charts"
	"advisor/cmd/advisor/internal/report"
	"advisor/rules"
)

// An outputFlags holds how a command writes what it found.
type outputFlags struct {
	formats []string
	top     int
}

// add defines the flags; names are the formats that the command knows.
func (f *outputFlags) add(cmd *cobra.Command, names []string) {
	cmd.Flags().StringArrayVarP(&f.formats, "format", "f", nil,
		"`FORMAT[=PATH]` to write, repeatable: "+strings.Join(names, ", ")+" (default text)")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

func (f *outputFlags) addTop(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.top, "top", 10, "kernels that text and markdown show; 0 shows all")
}

// A target is one output: a format, and a file or stdout.
type target struct {
	format string
	path   string // "" is stdout
}

// targets reads the formats asked for; names are those that there are.
func (f *outputFlags) targets(names []string) ([]target, error) {
	formats := f.formats
	if len(formats) == 0 {
		formats = []string{"text"}
	}
	var out []target
	toStdout := ""
	for _, s := range formats {
		name, path, hasPath := strings.Cut(s, "=")
		switch {
		case !slices.Contains(names, name):
			return nil, usageError("unknown format %q; use %s", name, strings.Join(names, ", "))
		case hasPath && path == "":
			return nil, usageError("format %q names no file; write %s=PATH", s, name)
		case !hasPath && toStdout != "":
			return nil, usageError("both %s and %s go to stdout; write %s=PATH", toStdout, name, name)
		case !hasPath:
			toStdout = name
		}
		out = append(out, target{name, path})
	}
	return out, nil
}

// writeResult writes a result in every format asked for.
func writeResult(cmd *cobra.Command, ts []target, res *rules.Result, top int) error {
	root, err := os.Getwd()
	if err != nil {
		root = "" // paths stay as the profile has them
	}
	return write(cmd, ts, top, func(format string, w io.Writer, opt report.Options) error {
		opt.Root = root
		if format == "html" {
			if opt.Figures, err = figures(res); err != nil {
				return err
			}
			opt.FigureStyle = charts.Dark.CSS("figure ")
		}
		return report.Formats[format](w, res, opt)
	})
}

// figures draws the charts that the result has numbers for.
func figures(res *rules.Result) ([]report.Figure, error) {
	var out []report.Figure
	for _, c := range charts.All {
		svg, err := charts.SVG(c, res, charts.Light)
		if errors.Is(err, charts.ErrNothing) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("drawing chart %s: %w", c.Name, err)
		}
		out = append(out, report.Figure{Name: c.Name, Title: c.Title, SVG: svg})
	}
	return out, nil
}

// write calls render for every target, with options that fit where it goes.
func write(cmd *cobra.Command, ts []target, top int, render func(format string, w io.Writer, opt report.Options) error) error {
	for _, t := range ts {
		opt := report.Options{Top: top}
		if t.path == "" {
			opt.Width, opt.Color = terminal(cmd.OutOrStdout())
			w := bufio.NewWriter(cmd.OutOrStdout())
			if err := render(t.format, w, opt); err != nil {
				return err
			}
			if err := w.Flush(); err != nil {
				return fmt.Errorf("writing to stdout: %w", err)
			}
			continue
		}
		err := writeFile(t.path, func(w io.Writer) error { return render(t.format, w, opt) })
		if err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a whole file or leaves the old one as it was: to a temporary file first, then renamed.
func writeFile(path string, fill func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", path, cause(err))
	}
	defer os.Remove(f.Name()) // gone already once renamed
	w := bufio.NewWriter(f)
	err = fill(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Chmod(0o644) // CreateTemp gives 0600; a report is for others to read
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", path, cause(err))
	}
	return nil
}

// terminal returns the width of the terminal behind a writer, 0 when unknown, and whether to use colour.
func terminal(w io.Writer) (width int, color bool) {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return width, false
	}
	if width == 0 {
		width, _, _ = term.GetSize(int(f.Fd())) // 0 when it does not tell
	}
	return width, os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
