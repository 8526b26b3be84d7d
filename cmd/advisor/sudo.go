package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"advisor/ncu/collect"
)

// warnSudo tells which program sudo found: its PATH is not the user's, so python may be another one.
func warnSudo(cmd *cobra.Command, program []string) {
	name := program[0]
	if os.Getenv("SUDO_UID") == "" || strings.Contains(name, "/") {
		return
	}
	if path, err := exec.LookPath(name); err == nil {
		cmd.PrintErrf("advisor: warning: under sudo %s is %s; if that is not yours, keep your environment: "+
			"sudo -E env PATH=\"$PATH\" LD_LIBRARY_PATH=\"$LD_LIBRARY_PATH\" advisor profile %s\n",
			name, path, collect.Quote(program))
	}
}

// giveBack gives a file to the user who called sudo.
func giveBack(path string) {
	uid, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	if err != nil || path == "" || os.Geteuid() != 0 {
		return
	}
	gid, err := strconv.Atoi(os.Getenv("SUDO_GID"))
	if err != nil {
		gid = -1
	}
	os.Chown(path, uid, gid)
}
