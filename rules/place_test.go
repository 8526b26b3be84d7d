package rules

import "testing"

func TestOwn(t *testing.T) {
	const header = "/usr/local/cuda/targets/x86_64-linux/include/device_atomic_functions.hpp"
	for _, c := range []struct {
		name string
		at   Location
		file string
		line int
	}{
		{"own code", Location{File: "a.cu", Line: 3, Callers: []Caller{{"b.cu", 9}}}, "a.cu", 3},
		{"own include folder", Location{File: "/home/dev/app/include/a.cuh", Line: 3}, "/home/dev/app/include/a.cuh", 3},
		{"header of the toolkit", Location{File: header, Line: 112, Callers: []Caller{{header, 7}, {"a.cu", 9}}}, "a.cu", 9},
		{"on Windows", Location{File: `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v12.8\include\x.hpp`, Line: 1, Callers: []Caller{{"a.cu", 9}}}, "a.cu", 9},
		{"nothing but headers", Location{File: header, Line: 112}, header, 112},
		{"unknown", Location{}, "", 0},
	} {
		if file, line := c.at.Own(); file != c.file || line != c.line {
			t.Errorf("%s: %s:%d, want %s:%d", c.name, file, line, c.file, c.line)
		}
	}
}
