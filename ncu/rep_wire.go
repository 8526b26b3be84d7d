package ncu

import (
	"fmt"
	"math"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// A message walks the fields of one protobuf message. Fields that nobody asks for are skipped, so that reports of
// newer versions read. The getters check the wire type; the first trouble ends the walk and stays in err.
type message struct {
	rest []byte
	num  protowire.Number
	typ  protowire.Type
	word uint64 // of varints and fixed-size numbers
	body []byte // of strings, bytes and messages
	err  error
}

func walk(b []byte) *message { return &message{rest: b} }

// next moves to the next field.
func (m *message) next() bool {
	if m.err != nil || len(m.rest) == 0 {
		return false
	}
	num, typ, n := protowire.ConsumeTag(m.rest)
	if n < 0 {
		m.err = fmt.Errorf("damaged field: %w", protowire.ParseError(n))
		return false
	}
	m.num, m.typ, m.rest = num, typ, m.rest[n:]
	switch typ {
	case protowire.VarintType:
		m.word, n = protowire.ConsumeVarint(m.rest)
	case protowire.BytesType:
		m.body, n = protowire.ConsumeBytes(m.rest)
	case protowire.Fixed64Type:
		m.word, n = protowire.ConsumeFixed64(m.rest)
	case protowire.Fixed32Type:
		var w uint32
		w, n = protowire.ConsumeFixed32(m.rest)
		m.word = uint64(w)
	default: // groups are not used by reports
		m.err = fmt.Errorf("field %d: wire type %d is not used by reports", num, typ)
		return false
	}
	if n < 0 {
		m.err = fmt.Errorf("field %d: %w", num, protowire.ParseError(n))
		return false
	}
	m.rest = m.rest[n:]
	return true
}

func (m *message) want(typ protowire.Type) bool {
	if m.typ != typ && m.err == nil {
		m.err = fmt.Errorf("field %d: wire type %d where %d belongs", m.num, m.typ, typ)
	}
	return m.err == nil
}

// uint returns the varint of the field.
func (m *message) uint() uint64 {
	if !m.want(protowire.VarintType) {
		return 0
	}
	return m.word
}

// int returns the varint of the field as a number that fits everywhere; absurd ones give the largest.
func (m *message) int() int { return int(min(m.uint(), math.MaxInt32)) }

// bytes returns the content of the field; it shares memory with the message.
func (m *message) bytes() []byte {
	if !m.want(protowire.BytesType) {
		return nil
	}
	return m.body
}

// text returns the string of the field; bytes that are not UTF-8 are replaced.
func (m *message) text() string { return strings.ToValidUTF8(string(m.bytes()), "\uFFFD") }

// float returns the float or double of the field.
func (m *message) float() float64 {
	if m.typ == protowire.Fixed32Type {
		return float64(math.Float32frombits(uint32(m.word)))
	}
	if !m.want(protowire.Fixed64Type) {
		return 0
	}
	return math.Float64frombits(m.word)
}

// limit ends the walk when a list has grown longer than any real one.
func (m *message) limit(n int) {
	if n > maxParts && m.err == nil {
		m.err = fmt.Errorf("field %d: more than %d of them", m.num, maxParts)
	}
}

// uints appends a repeated varint field, packed or not, to list.
func (m *message) uints(list []uint64) []uint64 {
	if m.typ == protowire.VarintType {
		list = append(list, m.word)
		m.limit(len(list))
		return list
	}
	for b := m.bytes(); len(b) > 0 && m.err == nil; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			m.err = fmt.Errorf("field %d: %w", m.num, protowire.ParseError(n))
			break
		}
		list, b = append(list, v), b[n:]
		m.limit(len(list))
	}
	return list
}

// floats appends a repeated double field, packed or not, to list.
func (m *message) floats(list []float64) []float64 {
	if m.typ == protowire.Fixed64Type {
		list = append(list, math.Float64frombits(m.word))
		m.limit(len(list))
		return list
	}
	for b := m.bytes(); len(b) > 0 && m.err == nil; {
		v, n := protowire.ConsumeFixed64(b)
		if n < 0 {
			m.err = fmt.Errorf("field %d: %w", m.num, protowire.ParseError(n))
			break
		}
		list, b = append(list, math.Float64frombits(v)), b[n:]
		m.limit(len(list))
	}
	return list
}
