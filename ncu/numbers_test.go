package ncu

import "testing"

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		format numberFormat
		cell   string
		power  int
		want   float64
		kind   cellKind
	}{
		{pointFormat, "1,234,567.89", 0, 1234567.89, cellNumber},
		{pointFormat, "0.504064", 6, 504064, cellNumber},
		{pointFormat, "-0.000019", 0, -0.000019, cellNumber},
		{pointFormat, "262144.000000", 0, 262144, cellNumber},
		{pointFormat, "1,255,265,160,729.80", 0, 1255265160729.80, cellNumber},
		{pointFormat, "1.5e+07", 3, 1.5e10, cellNumber},
		{pointFormat, "18446744073709551615", 0, 18446744073709551615, cellNumber},
		{pointFormat, "1,23", 0, 0, cellText},
		{pointFormat, "12,34,567", 0, 0, cellText},
		{pointFormat, "0-15", 0, 0, cellText},
		{pointFormat, "1.2.3", 0, 0, cellText},
		{pointFormat, "0x10", 0, 0, cellText},
		{pointFormat, "PolicySpread", 0, 0, cellText},
		{pointFormat, "1e999", 0, 0, cellText},
		{pointFormat, "", 0, 0, cellEmpty},
		{pointFormat, "n/a", 0, 0, cellUnknown},
		{pointFormat, "(!) n/a", 0, 0, cellUnknown},
		{pointFormat, "no data", 0, 0, cellUnknown},
		{pointFormat, "-nan", 0, 0, cellUnknown},
		{pointFormat, "Inf", 0, 0, cellUnknown},
		{commaFormat, "1.234.567,89", 0, 1234567.89, cellNumber},
		{commaFormat, "0,504064", 6, 504064, cellNumber},
		{commaFormat, "1\u202f234,5", 0, 1234.5, cellNumber},
		{commaFormat, "1\u00a0234\u00a0567", 0, 1234567, cellNumber},
		{pointFormat, "1'234.5", 0, 1234.5, cellNumber},
	} {
		v, kind := c.format.parse([]byte(c.cell), c.power)
		if v != c.want || kind != c.kind {
			t.Errorf("%q: got %v, kind %d; want %v, kind %d", c.cell, v, kind, c.want, c.kind)
		}
	}
}

func TestNumberFormat(t *testing.T) {
	for _, c := range []struct {
		text string
		want numberFormat
		sure bool
	}{
		{`"1,234.56","7"`, pointFormat, true},
		{`"1.234,56","7"`, commaFormat, true},
		{`"3,25"`, commaFormat, true},
		{`"1,234,567"`, pointFormat, true},
		{`"1.234.567"`, commaFormat, true},
		{`"1,234"`, pointFormat, false},
		{`"9.0","127.0.0.1","17"`, pointFormat, true},
		{`"0,125"`, commaFormat, true},
	} {
		var v numberVotes
		v.voteTable([]byte(c.text))
		if got, sure := v.format(); got != c.want || sure != c.sure {
			t.Errorf("%s: got %c sure %v, want %c sure %v", c.text, got.decimal, sure, c.want.decimal, c.sure)
		}
	}
}

func TestBaseUnit(t *testing.T) {
	for _, c := range []struct {
		printed, base string
		power         int
		ok            bool
	}{
		{"usecond", "ns", 3, true}, {"ms", "ns", 6, true}, {"cycle/nsecond", "hz", 9, true}, {"Ghz", "hz", 9, true},
		{"Gbyte/second", "byte/s", 9, true}, {"Tbyte/s", "byte/s", 12, true}, {"sector/ns", "sector/s", 9, true},
		{"inst/nsecond", "inst/s", 9, true}, {"Kbyte/block", "byte/block", 3, true}, {"%/Kbyte", "%/byte", 3, true},
		{"Kbyte/cycle", "byte/cycle", 3, true}, {"register/thread", "register/thread", 0, true}, {"%", "%", 0, true},
		{"byte/sector", "byte/sector", 0, true}, {"%/register", "%/register", 0, true}, {"", "", 0, true},
		{"furlong", "", 0, false}, {"Kfurlong/s", "", 0, false},
	} {
		base, power, ok := baseUnit(c.printed)
		if base != c.base || power != c.power || ok != c.ok {
			t.Errorf("%q: got %q, 10^%d, %v", c.printed, base, power, ok)
		}
	}
}
