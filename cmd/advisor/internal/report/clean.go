package report

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
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

// cleaned returns a value with every text safe to show. It walks the types by reflection, so that a text field added
// later cannot be forgotten; what is clean already, as most results are, is not copied.
func cleaned[T any](v *T) *T {
	dirty := func(v reflect.Value) bool { return v.Kind() == reflect.String && !isClean(v.String()) }
	if !anywhere(reflect.ValueOf(v), false, dirty) {
		return v
	}
	return deepCopy(reflect.ValueOf(v), Clean).Interface().(*T)
}

// filled returns a value with no slice nil that JSON shows: JSON has [] for "none".
func filled[T any](v *T) *T {
	hollow := func(v reflect.Value) bool { return v.Kind() == reflect.Slice && v.IsNil() }
	if !anywhere(reflect.ValueOf(v), true, hollow) {
		return v
	}
	return deepCopy(reflect.ValueOf(v), func(s string) string { return s }).Interface().(*T)
}

// anywhere reports whether some part of a value is so, with or without the fields that JSON leaves out.
func anywhere(v reflect.Value, jsonOnly bool, so func(reflect.Value) bool) bool {
	if so(v) {
		return true
	}
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && anywhere(v.Elem(), jsonOnly, so)
	case reflect.Struct:
		for i := range v.NumField() {
			if jsonOnly && v.Type().Field(i).Tag.Get("json") == "-" {
				continue
			}
			if anywhere(v.Field(i), jsonOnly, so) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if anywhere(v.Index(i), jsonOnly, so) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if anywhere(it.Key(), jsonOnly, so) || anywhere(it.Value(), jsonOnly, so) {
				return true
			}
		}
	}
	return false
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
			out.SetMapIndex(deepCopy(it.Key(), text), deepCopy(it.Value(), text))
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
