package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// usageError is wrong use of the command line.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Sprintf(format, args...)}
}

// errGate ends a command whose gate failed, after it has said why.
func errGate(format string, args ...any) error {
	return &exitError{exitGate, fmt.Sprintf(format, args...)}
}

// cause returns what is wrong with a file without its path, which the message has in front.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
