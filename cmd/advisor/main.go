// Command advisor says what to change first in a slow CUDA kernel, on which source line, and how much time it saves.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
