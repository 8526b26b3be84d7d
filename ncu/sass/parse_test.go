package sass

import (
	"reflect"
	"testing"
)

// TestParseAsDecode holds that text and bits of one instruction give the same Inst.
func TestParseAsDecode(t *testing.T) {
	checkParse(t, tableSamples(t, data(t, "encodings.tsv")))
}

func TestParseAsDecodeAll(t *testing.T) {
	checkParse(t, allSamples(t))
}

// loose are the operations of which the predicates are not decoded from the bits.
var loose = map[string]bool{"SYNCS": true, "HGMMA": true, "BAR": true}

func checkParse(t *testing.T, samples []sample) {
	seen := map[string]bool{}
	wrong := 0
	for _, s := range samples {
		want := Decode(s.lo, s.hi, s.arch, s.offset)
		got, err := ParseInst(s.text)
		if err != nil {
			t.Errorf("%s: %v", s.where, err)
			continue
		}
		got.Offset, got.Text = want.Offset, want.Text
		if want.Space == NoSpace || want.Space == Texture || want.Space == Surface || want.Width == 0 {
			got.Opcode = want.Opcode
		}
		if want.HasTarget && (!got.HasTarget || !s.placed) { // a label, or a place elsewhere
			got.HasTarget, got.Target = true, want.Target
		}
		if loose[want.Root] {
			got.predDst, got.predSrc, want.predDst, want.predSrc = 0, 0, 0, 0
		}
		if reflect.DeepEqual(got, want) {
			continue
		}
		wrong++
		if key := s.text[:min(len(s.text), 9)]; !seen[key] && len(seen) < 25 {
			seen[key] = true
			t.Errorf("%s: %s\n text %+v %+v\n bits %+v %+v", s.where, s.text, got, got.arith, want, want.arith)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d differ", wrong, len(samples))
	}
}
