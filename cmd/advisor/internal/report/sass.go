package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"advisor/ncu/sass"
	"advisor/rules"
)

// A SassWriter writes what machine code shows in one format.
type SassWriter func(io.Writer, *rules.StaticResult, Options) error

// SassFormats are the writers of machine code by name. Findings of code scanning are those of launches, without a time.
var SassFormats = map[string]SassWriter{
	"text":     writeSassText,
	"json":     func(w io.Writer, res *rules.StaticResult, _ Options) error { return writeJSON(w, filled(res)) },
	"markdown": writeSassMarkdown,
	"sarif": func(w io.Writer, res *rules.StaticResult, opt Options) error {
		return WriteSARIF(w, res.Result(), opt)
	},
	"github": func(w io.Writer, res *rules.StaticResult, opt Options) error {
		return WriteGitHub(w, res.Result(), opt)
	},
}

// sassHeadline sums the result up in one sentence.
func sassHeadline(res *rules.StaticResult) string {
	if res.Compared {
		fresh, fixed := 0, 0
		for i := range res.Changes {
			fresh, fixed = fresh+len(res.Changes[i].New), fixed+len(res.Changes[i].Fixed)
		}
		return fmt.Sprintf("%s changed: %s new, %d fixed.", plural(len(res.Changes), "function", "functions"), plural(fresh, "finding", "findings"), fixed)
	}
	warnings, infos := 0, 0
	for i := range res.Functions {
		for _, f := range res.Functions[i].Findings {
			if f.Severity >= rules.Warning {
				warnings++
			} else {
				infos++
			}
		}
	}
	return fmt.Sprintf("%s judged by code alone: %s, %s.", plural(len(res.Functions), "function", "functions"),
		plural(warnings, "warning", "warnings"), plural(infos, "info", "infos"))
}

// A spacePair is an opcode and the one that it would be in the other space: generic or shared.
func spacePair(op string) string {
	parts := strings.Split(op, ".")
	switch parts[0] {
	case "LD", "ST":
		return join(append([]string{parts[0] + "S"}, widths(parts[1:])...))
	case "LDS", "STS":
		return join(append([]string{parts[0][:2], "E"}, widths(parts[1:])...))
	case "ld", "st":
		if slices.Contains(parts, "shared") {
			return join(slices.DeleteFunc(parts, func(p string) bool { return p == "shared" }))
		}
		if len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return p == "global" || p == "local" || p == "const" }) {
			return join(slices.Insert(parts, 1, "shared"))
		}
	}
	return ""
}

func join(parts []string) string { return strings.Join(parts, ".") }

// widths keeps the modifiers that say how many bytes move.
func widths(mods []string) []string {
	var out []string
	for _, m := range mods {
		switch m {
		case "U8", "S8", "U16", "S16", "64", "128":
			out = append(out, m)
		}
	}
	return out
}

// opcodes lists the memory instructions of a function. Where some function has generic accesses, 0 stands for those that
// could be generic, or could be shared: that is what to look for.
func opcodes(f *rules.StaticFunction, zeros bool) string {
	all := maps.Clone(f.Opcodes)
	if zeros {
		for op := range f.Opcodes {
			if other := spacePair(op); other != "" {
				all[other] += 0
			}
		}
	}
	var out []string
	for _, op := range slices.Sorted(maps.Keys(all)) {
		out = append(out, fmt.Sprintf("%s %d", op, all[op]))
	}
	return strings.Join(out, ", ")
}

// anyGeneric reports whether some function has generic accesses.
func anyGeneric(res *rules.StaticResult) bool {
	return slices.ContainsFunc(res.Functions, func(f rules.StaticFunction) bool {
		return f.Counts[sass.CountGenericLoads]+f.Counts[sass.CountGenericStores] > 0
	})
}

// resources says what a function takes, as far as it is known.
func resources(f *rules.StaticFunction) string {
	var parts []string
	if f.Arch != "" {
		parts = append(parts, f.Arch)
	}
	for _, c := range []struct{ name, one, many string }{
		{sass.CountRegisters, "register", "registers"},
		{sass.CountStackBytes, "byte of stack", "bytes of stack"},
		{sass.CountSharedBytes, "byte of shared memory", "bytes of shared memory"},
		{sass.CountSpillStoreBytes, "byte of spill stores", "bytes of spill stores"},
		{sass.CountSpillLoadBytes, "byte of spill loads", "bytes of spill loads"},
	} {
		if v, ok := f.Counts[c.name]; ok && (v > 0 || c.name == sass.CountRegisters) {
			parts = append(parts, plural(int(v), c.one, c.many))
		}
	}
	return strings.Join(parts, ", ")
}

// change writes one number before and after.
func change(c rules.CountChange) string {
	return fmt.Sprintf("%s %s to %s", c.Name, digits(c.Before), digits(c.After))
}

func changesOf(list []rules.CountChange) string {
	var out []string
	for _, c := range list {
		out = append(out, change(c))
	}
	return strings.Join(out, ", ")
}
