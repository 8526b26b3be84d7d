// Command advisor says what to change first in a slow CUDA kernel, on which source line, and how much time it saves.
package main

import (
	"os"
	"runtime/debug"
)

// softMemory is where the garbage collector starts to work harder: a report of many gigabytes needs no more than a
// small one, and machines that run continuous integration are small. GOMEMLIMIT overrides it.
const softMemory = 160 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
