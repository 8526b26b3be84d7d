package report

import (
	"bufio"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"advisor/rules"
)

//go:embed schema/advisor.report.v1.json
var schemas embed.FS

// Schema returns the JSON Schema of the JSON format.
func Schema() []byte {
	b, err := schemas.ReadFile("schema/advisor.report.v1.json")
	if err != nil {
		panic(err) // the file is compiled in
	}
	return b
}

// WriteJSON writes schema advisor.report/v1. The same result gives the same bytes.
func WriteJSON(w io.Writer, res *rules.Result, _ Options) error {
	return writeJSON(w, filled(res))
}

// writeJSON writes indented JSON in which characters that change how text looks are escaped: names stay exact, and
// are inert where someone prints the file.
func writeJSON(w io.Writer, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	out := bufio.NewWriter(w)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r != '\n' && hidden(r) {
			for _, u := range utf16Units(r) {
				fmt.Fprintf(out, `\u%04x`, u)
			}
		} else {
			out.Write(b[i : i+n])
		}
		i += n
	}
	out.WriteByte('\n')
	return out.Flush()
}

// utf16Units returns the code units that JSON escapes are made of.
func utf16Units(r rune) []rune {
	if r < 0x10000 {
		return []rune{r}
	}
	r -= 0x10000
	return []rune{0xd800 + r>>10, 0xdc00 + r&0x3ff}
}
