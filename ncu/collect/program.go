package collect

import (
	"bufio"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// CheckProgram looks for what would keep the program from starting, before ncu reports it in its own way. The error is a
// *Failure.
func CheckProgram(name string) error {
	fail := func(cause, cure string) error {
		return &Failure{ID: "program", Blame: OfProgram, Cause: cause, Cure: []string{cure}}
	}
	path, err := exec.LookPath(name)
	if err != nil && !strings.Contains(name, "/") {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			return fail(name+" is not on PATH, but there is such a file in this folder", "write ./"+name+ranBy(name))
		}
		return fail(name+" is not on PATH", "check the spelling, or give the path of the program")
	}
	if err != nil {
		path = name
	}
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return fail(name+" does not exist", "check the path, or build the program first")
	case err != nil:
		return fail(fmt.Sprintf("looking at %s: %v", name, err), "check the permissions of the folders above it")
	case info.IsDir():
		return fail(name+" is a folder", "give the program in it")
	case info.Mode()&0o111 == 0:
		return fail(name+" is not executable", "run chmod +x "+Quote([]string{name})+ranBy(name))
	}
	return checkContent(name, path, fail)
}

// interpreters run files that are not programs themselves.
var interpreters = map[string]string{".py": "python", ".jl": "julia", ".sh": "bash", ".lua": "lua", ".mojo": "mojo", ".rb": "ruby", ".pl": "perl"}

// ranBy adds the interpreter that runs such a file, as advice.
func ranBy(name string) string {
	if i := interpreters[filepath.Ext(name)]; i != "" {
		return fmt.Sprintf(", or name the interpreter: advisor profile %s %s", i, Quote([]string{name}))
	}
	return ""
}

// checkContent looks into the file: a shared library, a program for another processor, a script without its interpreter.
func checkContent(name, path string, fail func(cause, cure string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // executable but not readable is fine
	}
	defer f.Close()
	if e, err := elf.NewFile(f); err == nil {
		return checkELF(name, e, fail)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return nil
	}
	line, _ := bufio.NewReader(f).ReadString('\n')
	switch {
	case strings.HasPrefix(line, "#!"):
		words := strings.Fields(line[2:])
		if len(words) == 0 {
			return fail(name+" names no interpreter in its first line", "complete its first line (#!)"+ranBy(name))
		}
		if _, err := os.Stat(words[0]); err != nil {
			return fail(fmt.Sprintf("%s needs %s, which does not exist", name, words[0]), "install it, or change the first line (#!)"+ranBy(name))
		}
		if filepath.Base(words[0]) == "env" && len(words) > 1 {
			if _, err := exec.LookPath(words[1]); err != nil && !strings.HasPrefix(words[1], "-") {
				return fail(fmt.Sprintf("%s needs %s, which is not on PATH", name, words[1]), "install it or activate its environment"+ranBy(name))
			}
		}
	default:
		return fail(name+" is neither a program nor a script with an interpreter in its first line", "add a first line such as #!/usr/bin/env python3"+ranBy(name))
	}
	return nil
}

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64, "ppc64le": elf.EM_PPC64}

func checkELF(name string, e *elf.File, fail func(cause, cure string) error) error {
	if want, ok := machines[runtime.GOARCH]; ok && e.Machine != want {
		return fail(fmt.Sprintf("%s is built for another processor (%v)", name, e.Machine), "build it for this machine")
	}
	if e.Type != elf.ET_DYN && e.Type != elf.ET_EXEC {
		return fail(name+" is an object file, not a program", "link it, and give the program")
	}
	if e.Type == elf.ET_DYN && !isPIE(e) {
		return fail(name+" is a shared library", "give the program that loads it")
	}
	return nil
}

// isPIE tells a position-independent program from a shared library: it has an interpreter, or, linked statically, a flag.
func isPIE(e *elf.File) bool {
	for _, p := range e.Progs {
		if p.Type == elf.PT_INTERP {
			return true
		}
	}
	flags, err := e.DynValue(elf.DT_FLAGS_1)
	return err == nil && len(flags) > 0 && elf.DynFlag1(flags[0])&elf.DF_1_PIE != 0
}
