//go:build linux || darwin

package collect

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func signalGroup(group int, sig syscall.Signal) { syscall.Kill(-group, sig) }

func signalProcess(pid int, sig syscall.Signal) { syscall.Kill(pid, sig) }

// free returns the free bytes on the file system of a folder, -1 when unknown.
func free(dir string) int64 {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize)
}
