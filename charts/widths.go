package charts

import (
	"fmt"
	"image/color"

	"advisor/rules"
)

// Widths shows how many bytes a lane moves in each executed access to global memory.
var Widths = &Chart{Name: "widths", Title: "Global accesses by width", Draw: drawWidths}

// widthParts go from the narrowest, which are the ones to look at.
var widthParts = []struct {
	bytes int
	color color.RGBA
}{{1, red}, {2, orange}, {4, sky}, {8, green}, {16, blue}, {32, purple}}

func drawWidths(r *rules.Result, t Theme) (*Figure, error) {
	var parts []part
	for _, w := range widthParts {
		parts = append(parts, part{widthName(w.bytes), w.color})
	}
	rows := shareRows(r, func(s *rules.Stats) map[string]float64 {
		sizes := map[string]float64{}
		for _, w := range widthParts {
			if n := s.Widths[w.bytes]; n > 0 {
				sizes[widthName(w.bytes)] = n
			}
		}
		return sizes
	})
	return shares(t, rows, parts, "Executed global loads and stores by bytes a lane (%)")
}

func widthName(bytes int) string {
	if bytes == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", bytes)
}
