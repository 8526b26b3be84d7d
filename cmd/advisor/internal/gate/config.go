// Package gate decides whether a profile passes: by limits from a configuration file, and against a baseline.
package gate

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"advisor/ncu"
	"advisor/rules"
)

// DefaultConfig is read when it exists and no other is named.
const DefaultConfig = ".advisor.yaml"

// A Config says what breaks the gate.
type Config struct {
	FailOn Level            `yaml:"fail-on"` // the least severity that fails; "" is error
	Rules  map[string]Level `yaml:"rules"`   // severity of a rule's findings, whatever they would save
	Limits []Limit          `yaml:"limits"`
	Ignore []Ignore         `yaml:"ignore"`
	Noise  Noise            `yaml:"noise"` // for times and noisy counters against a baseline
}

// A Level is a severity, or "off". The empty level is not set.
type Level string

// A Limit bounds a metric, in base units (nanoseconds, bytes), or the gain that findings of a rule may promise.
type Limit struct {
	Kernel   Pattern  `yaml:"kernel"` // kernels whose name matches; all when empty
	Metric   string   `yaml:"metric"`
	Min      *float64 `yaml:"min"`
	Max      *float64 `yaml:"max"`
	Rule     string   `yaml:"rule"`
	MaxGain  *float64 `yaml:"max-gain"`
	Severity Level    `yaml:"severity"` // error when empty

	line int
}

// An Ignore accepts a finding or a limit for a reason, until a day.
type Ignore struct {
	Rule   string  `yaml:"rule"`   // a rule; all when empty
	Metric string  `yaml:"metric"` // a limit's metric
	Kernel Pattern `yaml:"kernel"`
	Reason string  `yaml:"reason"`
	Until  Date    `yaml:"until"` // the last day it holds; never ends when empty

	line int
}

// Noise is what runs differ by without a change; nil takes the default.
type Noise struct {
	Percent *float64 `yaml:"percent"`
	NS      *float64 `yaml:"ns"`
}

// A Pattern is a regular expression on kernel names.
type Pattern struct{ re *regexp.Regexp }

// Match reports whether the kernel is meant. The empty pattern means all.
func (p Pattern) Match(kernel string) bool { return p.re == nil || p.re.MatchString(kernel) }

// String returns the expression.
func (p Pattern) String() string {
	if p.re == nil {
		return ""
	}
	return p.re.String()
}

// A Date is a day.
type Date struct{ time.Time }

// Load reads a configuration. Without a name it reads DefaultConfig, or nothing where there is none.
func Load(path string) (*Config, error) {
	name := path
	if name == "" {
		name = DefaultConfig
	}
	text, err := os.ReadFile(name)
	if path == "" && errors.Is(err, os.ErrNotExist) {
		return &Config{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: reading the configuration: %w", name, errors.Unwrap(err))
	}
	return Parse(name, text)
}

// Parse reads a configuration. What it does not know it refuses, with the line and the nearest name: a limit that is
// misspelt would never break.
func Parse(path string, text []byte) (*Config, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, yamlError(path, err)
	}
	c := &Config{}
	if len(doc.Content) == 0 {
		return c, nil
	}
	if err := knownKeys(path, doc.Content[0], reflect.TypeFor[Config]()); err != nil {
		return nil, err
	}
	if err := doc.Decode(c); err != nil {
		return nil, yamlError(path, err)
	}
	return c, c.check(path, doc.Content[0])
}

// yamlError brings an error of the YAML library into the form that all errors have.
func yamlError(path string, err error) error {
	var bad *badValue
	if errors.As(err, &bad) {
		return &ncu.SyntaxError{Path: path, Line: bad.line, Msg: bad.msg, Hint: bad.hint}
	}
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	var types *yaml.TypeError
	if errors.As(err, &types) {
		msg = types.Errors[0]
	}
	line := 0
	if m := regexp.MustCompile(`line (\d+): `).FindStringSubmatch(msg); m != nil {
		fmt.Sscan(m[1], &line)
		msg = strings.Replace(msg, m[0], "", 1)
	}
	return &ncu.SyntaxError{Path: path, Line: line, Msg: msg, Hint: "see advisor check --help for what may stand there"}
}

// A badValue is a value that cannot be what its key asks for.
type badValue struct {
	line      int
	msg, hint string
}

func (e *badValue) Error() string { return e.msg }

// UnmarshalYAML reads a level.
func (l *Level) UnmarshalYAML(n *yaml.Node) error {
	switch n.Value {
	case "off", "info", "warning", "error":
		*l = Level(n.Value)
		return nil
	}
	return &badValue{n.Line, fmt.Sprintf("unknown severity %q", n.Value), "use off, info, warning or error"}
}

// UnmarshalYAML reads a regular expression.
func (p *Pattern) UnmarshalYAML(n *yaml.Node) error {
	re, err := regexp.Compile(n.Value)
	if err != nil {
		return &badValue{n.Line, fmt.Sprintf("kernel pattern %q: %v", n.Value, err), "give a regular expression of Go's syntax"}
	}
	p.re = re
	return nil
}

// UnmarshalYAML reads a day.
func (d *Date) UnmarshalYAML(n *yaml.Node) error {
	t, err := time.Parse("2006-01-02", n.Value)
	if err != nil {
		return &badValue{n.Line, fmt.Sprintf("%q is no date", n.Value), "write it as 2026-12-31"}
	}
	d.Time = t
	return nil
}

// UnmarshalYAML keeps the line, for messages.
func (l *Limit) UnmarshalYAML(n *yaml.Node) error {
	type bare Limit
	l.line = n.Line
	return n.Decode((*bare)(l))
}

// UnmarshalYAML keeps the line, for messages.
func (i *Ignore) UnmarshalYAML(n *yaml.Node) error {
	type bare Ignore
	i.line = n.Line
	return n.Decode((*bare)(i))
}

// check finds what is well-formed but cannot work.
func (c *Config) check(path string, root *yaml.Node) error {
	if c.FailOn == "off" {
		return &ncu.SyntaxError{Path: path, Line: lineOf(root, "fail-on"), Msg: "fail-on: off would never fail", Hint: "use info, warning or error"}
	}
	for id := range c.Rules {
		if err := knownRule(path, lineOf(root, "rules", id), id); err != nil {
			return err
		}
	}
	for _, l := range c.Limits {
		if err := l.check(path); err != nil {
			return err
		}
	}
	for _, i := range c.Ignore {
		if i.Reason == "" {
			return &ncu.SyntaxError{Path: path, Line: i.line, Msg: "an ignore without a reason", Hint: "add reason: why it may stay"}
		}
		if i.Rule != "" {
			if err := knownRule(path, i.line, i.Rule); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Limit) check(path string) error {
	fail := func(msg, hint string) error { return &ncu.SyntaxError{Path: path, Line: l.line, Msg: msg, Hint: hint} }
	switch {
	case l.Metric == "" && l.Rule == "":
		return fail("a limit without a metric or a rule", "add metric: with min: or max:, or rule: with max-gain:")
	case l.Metric != "" && l.Rule != "":
		return fail("a limit with both a metric and a rule", "make it two limits")
	case l.Metric != "" && l.Min == nil && l.Max == nil:
		return fail("a limit on "+l.Metric+" without a bound", "add min: or max:")
	case l.Metric != "" && l.MaxGain != nil, l.Rule != "" && (l.Min != nil || l.Max != nil):
		return fail("a bound that does not fit", "metrics take min: and max:, rules take max-gain:")
	case l.Rule != "" && l.MaxGain == nil:
		return fail("a limit on rule "+l.Rule+" without a bound", "add max-gain:, or set the rule's severity under rules:")
	case l.Rule != "":
		return knownRule(path, l.line, l.Rule)
	}
	return nil
}

func knownRule(path string, line int, id string) error {
	var ids []string
	for _, r := range rules.All {
		if r.ID == id {
			return nil
		}
		ids = append(ids, r.ID)
	}
	return &ncu.SyntaxError{Path: path, Line: line, Msg: fmt.Sprintf("unknown rule %q", id), Hint: suggest(id, ids, "advisor rules lists them")}
}

// lineOf returns the line of a key, 0 when it is not there.
func lineOf(n *yaml.Node, keys ...string) int {
	for i := 0; i+1 < len(n.Content) && len(keys) > 0; i += 2 {
		if n.Content[i].Value == keys[0] {
			if len(keys) == 1 {
				return n.Content[i].Line
			}
			return lineOf(n.Content[i+1], keys[1:]...)
		}
	}
	return 0
}

// knownKeys refuses keys that the type has no field for. The YAML library can refuse them as well, but not inside types
// that read themselves, and it does not say what was meant.
func knownKeys(path string, n *yaml.Node, t reflect.Type) error {
	switch {
	case t.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			if err := knownKeys(path, item, t.Elem()); err != nil {
				return err
			}
		}
	case t.Kind() == reflect.Struct && n.Kind == yaml.MappingNode:
		fields := map[string]reflect.Type{}
		var names []string
		for i := range t.NumField() {
			if key := t.Field(i).Tag.Get("yaml"); key != "" {
				fields[key] = t.Field(i).Type
				names = append(names, key)
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			field, ok := fields[key.Value]
			if !ok {
				return &ncu.SyntaxError{Path: path, Line: key.Line, Msg: fmt.Sprintf("unknown key %q", key.Value),
					Hint: suggest(key.Value, names, "use one of "+strings.Join(names, ", "))}
			}
			if err := knownKeys(path, n.Content[i+1], field); err != nil {
				return err
			}
		}
	}
	return nil
}
