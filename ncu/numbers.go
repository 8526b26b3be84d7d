package ncu

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// A numberFormat is how numbers are written in one file. Nsight Compute follows the locale of the machine it ran on.
type numberFormat struct {
	decimal, group byte // '.' and ',', or ',' and '.'
}

var (
	pointFormat = numberFormat{'.', ','}
	commaFormat = numberFormat{',', '.'}
)

// A cellKind is what a value cell holds.
type cellKind uint8

const (
	cellEmpty   cellKind = iota // nothing: not collected
	cellUnknown                 // "n/a", "no data", "nan", "inf": collected or asked for, but no number
	cellNumber
	cellText
)

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parse reads a value cell and multiplies it by ten to the given power, which is how units are brought to their base:
// done in decimal, 0.504064 ms are 504064 ns exactly. Grouping signs count only before groups of three digits.
func (f numberFormat) parse(cell []byte, power int) (float64, cellKind) {
	var mantissa uint64
	digits, fraction, since := 0, -1, 0 // since: digits since the last grouping sign
	grouped := false
	i := 0
	if len(cell) > 1 && cell[0] == '-' {
		i = 1
	}
	for ; i < len(cell); i++ {
		c := cell[i]
		switch {
		case c-'0' <= 9:
			mantissa = mantissa*10 + uint64(c-'0')
			digits++
			if fraction >= 0 {
				fraction++
			} else {
				since++
			}
			continue
		case c == f.group && fraction < 0 && since > 0 && (since == 3 || !grouped && since < 3):
			grouped, since = true, 0
			continue
		case c == f.decimal && fraction < 0 && digits > 0 && (!grouped || since == 3):
			fraction = 0
			continue
		}
		return f.parseSlow(cell, power)
	}
	if digits == 0 || digits > 18 || fraction < 0 && grouped && since != 3 {
		return f.parseSlow(cell, power)
	}
	for mantissa > 1<<53 && fraction > 0 && mantissa%10 == 0 {
		mantissa /= 10
		fraction--
	}
	v := decimal(mantissa, power-max(fraction, 0))
	if cell[0] == '-' {
		v = -v
	}
	return v, cellNumber
}

// decimal returns the number nearest to mantissa times ten to a power.
func decimal(mantissa uint64, power int) float64 {
	switch {
	case mantissa <= 1<<53 && -len(powersOfTen) < power && power <= 0:
		return float64(mantissa) / powersOfTen[-power] // both are exact, so one operation rounds correctly
	case mantissa <= 1<<53 && 0 < power && power < len(powersOfTen):
		return float64(mantissa) * powersOfTen[power]
	}
	var buf [32]byte
	text := strconv.AppendInt(append(strconv.AppendUint(buf[:0], mantissa, 10), 'e'), int64(power), 10)
	v, _ := strconv.ParseFloat(string(text), 64) // 18 digits and a unit's power of ten: always in range
	return v
}

// groupSpaces are the blanks that some locales put between groups of digits.
var groupSpaces = strings.NewReplacer("\u00a0", "", "\u202f", "", "\u2009", "", "'", "", "\u2019", "")

// parseSlow reads what the quick loop does not: exponents, blanks and apostrophes between groups, words.
func (f numberFormat) parseSlow(cell []byte, power int) (float64, cellKind) {
	s := strings.TrimSpace(string(cell))
	if isUnknown(s) {
		if s == "" {
			return 0, cellEmpty
		}
		return 0, cellUnknown
	}
	if c := s[len(s)-1]; c < '0' || c > '9' { // every number ends in a digit: not "inf", "0x1p", "1_"
		return 0, cellText
	}
	plain := groupSpaces.Replace(s)
	whole, rest, _ := strings.Cut(plain, string(f.decimal))
	if strings.IndexByte(whole, f.group) >= 0 {
		if !validGroups(whole, f.group) {
			return 0, cellText
		}
		whole = strings.ReplaceAll(whole, string(f.group), "")
	}
	if strings.ContainsAny(whole+rest, ",xX_pP") {
		return 0, cellText
	}
	if len(whole) < len(plain) && rest != "" {
		whole += "." + rest
	}
	v, err := strconv.ParseFloat(shiftDecimal(whole, power), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, cellText
	}
	return v, cellNumber
}

// shiftDecimal multiplies a written number by ten to a power.
func shiftDecimal(s string, power int) string {
	if power == 0 {
		return s
	}
	mantissa, exponent := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(s[i+1:]); err != nil {
			return s // not a number
		}
		mantissa = s[:i]
	}
	return mantissa + "e" + strconv.Itoa(exponent+power)
}

func validGroups(whole string, group byte) bool {
	parts := strings.Split(strings.TrimPrefix(whole, "-"), string(group))
	for i, p := range parts {
		if len(p) != 3 && (i > 0 || len(p) == 0 || len(p) > 3) {
			return false
		}
	}
	return true
}

// isUnknown reports whether a cell says that there is no value.
func isUnknown(s string) bool {
	switch strings.ToLower(strings.TrimPrefix(s, "-")) {
	case "", "n/a", "(!) n/a", "no data", "nan", "inf", "infinity", "none", "null", "<na>", "nat":
		return true
	}
	return false
}

// numberVotes counts the numbers of a text that can be read in one way only.
type numberVotes struct {
	point, comma int
	unclear      int // numbers like 1,234 and 1.234
}

// vote looks at one cell. "9.0" is left out: compute capabilities are written with a point everywhere.
func (v *numberVotes) vote(cell []byte) {
	cell = bytes.TrimPrefix(cell, []byte{'-'})
	if len(cell) < 4 || len(cell) > 40 || cell[0]-'0' > 9 || cell[len(cell)-1]-'0' > 9 {
		return
	}
	var points, commas, last int
	for i, c := range cell {
		switch {
		case c-'0' <= 9:
			continue
		case c != '.' && c != ',' || points+commas > 0 && i-last != 4:
			return // between two signs stand three digits
		case c == '.':
			points++
		default:
			commas++
		}
		last = i
	}
	if points+commas == 0 || points > 1 && commas > 1 {
		return
	}
	lastPoint := cell[last] == '.'
	switch {
	case points > 0 && commas > 0: // both: the last is the decimal sign
	case points > 1 || commas > 1: // several of one: grouping
		if len(cell)-last != 4 {
			return
		}
		lastPoint = !lastPoint
	case len(cell)-last-1 == 3 && last <= 3 && cell[0] != '0':
		v.unclear++
		return
	}
	if lastPoint {
		v.point++
	} else {
		v.comma++
	}
}

// format returns the format that the votes tell, and whether they tell it without doubt.
func (v *numberVotes) format() (numberFormat, bool) {
	switch {
	case v.comma > v.point:
		return commaFormat, v.point == 0
	case v.point > 0:
		return pointFormat, v.comma == 0
	}
	return pointFormat, v.unclear == 0
}

// voteTable looks at every quoted cell of a text, voteConsole at the last word of every line.
func (v *numberVotes) voteTable(text []byte) {
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return
		}
		text = text[i+1:]
		j := bytes.IndexByte(text, '"')
		if j < 0 {
			return
		}
		v.vote(text[:j])
		text = text[j+1:]
	}
}

func (v *numberVotes) voteConsole(text []byte) {
	for line := range bytes.Lines(text) {
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			line = bytes.TrimRight(line, " \r\n")
			v.vote(line[bytes.LastIndexByte(line, ' ')+1:])
		}
	}
}
