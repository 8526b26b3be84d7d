// Package deps pins the modules that are about to be used, so that go.mod does not change under parallel work. It goes
// once they are.
package deps

import (
	_ "github.com/chromedp/chromedp"
	_ "github.com/gocarina/gocsv"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/spf13/cobra/doc"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/net/html"
	_ "golang.org/x/term"
	_ "golang.org/x/text/encoding/unicode"
	_ "gonum.org/v1/plot"
	_ "gonum.org/v1/plot/cmpimg"
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgsvg"
	_ "google.golang.org/protobuf/encoding/protowire"
	_ "pgregory.net/rapid"
)
