// Command advisor says what to change first in a slow CUDA kernel, on which source line, and how much time it saves.
package main

import (
	"os"
	"runtime/debug"
)

// gcPercent lets garbage grow to four times what is in use. Launches are read, judged and forgotten, so little is in
// use at a time, and collecting at twice that little, as Go does by default, takes half of the time.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
