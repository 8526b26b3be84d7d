package ncu

import (
	"regexp"
	"strings"
)

// ShortName returns the name of a kernel without return type, template arguments and parameters:
// "at::foo" of "void at::foo<int>(T *)". Names that are not C++ are returned as they are.
func ShortName(kernel string) string {
	s := nameScanner{in: kernel}
	for s.at < len(s.in) && !s.done {
		s.step()
	}
	short := strings.TrimLeft(s.out.String(), "*& ") // "float *f()"
	if short == "" {
		return kernel
	}
	return short
}

// A nameScanner copies the parts of a demangled name that belong to its short form.
type nameScanner struct {
	in   string
	at   int
	out  strings.Builder
	done bool
}

// step reads one part of the name at nesting depth zero.
func (s *nameScanner) step() {
	rest := s.in[s.at:]
	switch c := rest[0]; {
	case s.atWordStart() && isOperator(rest):
		s.operator(rest)
	case strings.HasPrefix(rest, "(anonymous namespace)"), strings.HasPrefix(rest, "<unnamed>"), c == '{',
		c == '[' && strings.HasSuffix(s.in[:s.at], "::"): // "[lambda() (instance 1)]"
		s.copy(nesting(rest))
	case c == '<':
		s.at += nesting(rest)
	case c == '(':
		s.parameters(rest)
	case c == '[' || strings.HasPrefix(rest, " ["):
		s.done = true // "[with T = int]", "[clone .1]"
	case strings.HasPrefix(rest, " <") && !s.atWordEnd(): // "operator<< <int>"
		s.at++
	case c == ' ':
		s.out.Reset() // what came before is the return type
		s.at++
	default:
		s.copy(1)
	}
}

// atWordStart reports whether a new identifier can begin here.
func (s *nameScanner) atWordStart() bool {
	return !s.atWordEnd()
}

// atWordEnd reports whether an identifier ended just here.
func (s *nameScanner) atWordEnd() bool {
	return s.at > 0 && isIdentifier(s.in[s.at-1])
}

func (s *nameScanner) copy(n int) {
	s.out.WriteString(s.in[s.at : s.at+n])
	s.at += n
}

// parameters skips a parameter list. It ends the name unless it belongs to a scope, as in "f(int)::g(float)".
func (s *nameScanner) parameters(rest string) {
	n := nesting(rest)
	after := strings.TrimPrefix(rest[n:], " const")
	if strings.HasPrefix(after, "::") {
		s.at += len(rest) - len(after)
		return
	}
	s.done = s.out.Len() > 0
	s.at += n
}

// operator copies an operator's name, whose sign would look like a bracket: "operator<", "operator()".
func (s *nameScanner) operator(rest string) {
	n := len("operator")
	switch {
	case strings.HasPrefix(rest[n:], "()"):
		n += len("()")
	case strings.HasPrefix(rest[n:], " ()"):
		n += len(" ()")
	case strings.HasPrefix(rest[n:], " "): // conversion, "operator bool", or new and delete
		for n < len(rest) && rest[n] != '(' && rest[n] != '<' {
			n++
		}
	default:
		for n < len(rest) && strings.IndexByte("<>=!+-*/%^&|~,[]", rest[n]) >= 0 && !isTemplateOf(rest, n) {
			n++
		}
	}
	s.copy(n)
}

// isTemplateOf reports whether the bracket at n opens the template arguments of the operator before it, as the second
// one of "operator+<int>" does: it is followed by something that no operator holds.
func isTemplateOf(rest string, n int) bool {
	return rest[n] == '<' && n > len("operator") && n+1 < len(rest) && isIdentifier(rest[n+1])
}

func isOperator(rest string) bool {
	const word = "operator"
	return strings.HasPrefix(rest, word) && len(rest) > len(word) && !isIdentifier(rest[len(word)])
}

func isIdentifier(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// nesting returns the length of the bracketed text that s begins with, all of s when it is not closed. Inside round
// brackets the signs "<" and ">" may be comparisons, so only a round bracket closes a round one.
func nesting(s string) int {
	var open []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', '<', '{', '[':
			open = append(open, c)
		case '>':
			if s[i-1] != '-' && open[len(open)-1] == '<' {
				open = open[:len(open)-1]
			}
		case ')', '}', ']':
			for len(open) > 1 && open[len(open)-1] == '<' {
				open = open[:len(open)-1]
			}
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return i + 1
		}
	}
	return len(s)
}

var rankInName = regexp.MustCompile(`(?i)rank[._=-]?([0-9]+)`)

// rankOf returns the rank of a parallel program that a report's file name tells ("out.rank3.ncu-rep"), "" for none.
func rankOf(path string) string {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	if m := rankInName.FindStringSubmatch(base); m != nil {
		return m[1]
	}
	return ""
}
