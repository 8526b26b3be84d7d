package report

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"advisor/rules"
)

// Clean makes a text from a profile safe to show: names come from programs that nobody vouches for. Control, format
// (zero-width, right-to-left) and private characters become visible escapes; tabs become spaces.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\t':
			b.WriteString("    ")
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case hidden(r):
			b.WriteString(escapeRune(r))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// hidden reports whether a character changes how its neighbours look, or cannot be seen.
func hidden(r rune) bool {
	return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp)
}

func escapeRune(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// cleaned returns a copy of the result in which every text is safe to show. It walks the types by reflection, so that
// a text field added later cannot be forgotten.
func cleaned(res *rules.Result) *rules.Result {
	return deepCopy(reflect.ValueOf(res), Clean).Interface().(*rules.Result)
}

// filled returns a copy of the result in which no slice is nil: JSON has [] for "none".
func filled(res *rules.Result) *rules.Result {
	return deepCopy(reflect.ValueOf(res), func(s string) string { return s }).Interface().(*rules.Result)
}

// deepCopy copies a value, passes every string through text, and makes nil slices empty.
func deepCopy(v reflect.Value, text func(string) string) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(deepCopy(v.Elem(), text))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(deepCopy(v.Field(i), text))
		}
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(deepCopy(v.Index(i), text))
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		}
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(deepCopy(it.Key(), text), it.Value())
		}
	case reflect.String:
		out.SetString(text(v.String()))
	default:
		out.Set(v)
	}
	return out
}

// elide shortens a name to at most n characters by leaving out its middle: the ends of kernel names differ most.
func elide(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n <= 1 {
		return "…"
	}
	head := n / 2
	tail := n - 1 - head
	return string(r[:head]) + "…" + string(r[len(r)-tail:])
}

// tail shortens a path to at most n characters by leaving out its beginning.
func tail(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return "…" + string(r[len(r)-n+1:])
}
