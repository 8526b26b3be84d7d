// Command advisor says what to change first in a slow CUDA kernel, on which source line, and how much time it saves.
package main

import (
	"os"
	"runtime/debug"
)

// gcPercent lets garbage grow to four times what is in use. Launches are read, judged and forgotten, so little is in
// use at a time, and collecting at twice that little, as Go does by default, takes half of the time.
const gcPercent = 400

// softMemory is where garbage is collected sooner all the same: a report of many gigabytes needs no more memory than a
// small one. GOMEMLIMIT overrides it.
const softMemory = 160 << 20

func main() {
	debug.SetGCPercent(gcPercent)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
