package ncu

import (
	"fmt"
	"strings"
)

// A session is what a report says about the whole run. It comes in pieces, in several block headers. Names and
// addresses of the machine, its environment and paths are left out: they are nobody's business in a report of advice.
type session struct {
	command      string
	tool, driver string
	clock        string // of reports made by the graphical tool
	replay       string
	devices      map[int]Device
}

// add merges one piece.
func (s *session) add(b []byte) error {
	var err error
	m := walk(b)
	for m.next() && err == nil {
		switch m.num {
		case 6:
			err = s.addDevice(m.bytes())
		case 8:
			err = s.addVersion(m.bytes())
		case 10:
			err = s.addSettings(m.bytes())
		case 11:
			s.command = strings.TrimSpace(m.text())
		}
	}
	if err == nil {
		err = m.err
	}
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	return nil
}

func (s *session) addDevice(b []byte) error {
	d := Device{ID: 0}
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			d.ID = m.int()
		case 2:
			d.Name = m.text()
		case 3:
			if err := addAttribute(&d, m.bytes()); err != nil {
				return err
			}
		}
	}
	if s.devices == nil {
		s.devices = map[int]Device{}
	}
	if len(s.devices) < maxParts {
		s.devices[d.ID] = d
	}
	return m.err
}

// addAttribute takes what identifies a device; all attributes are metrics of the results as well.
func addAttribute(d *Device, b []byte) error {
	var name string
	var v value
	var err error
	m := walk(b)
	for m.next() && err == nil {
		switch m.num {
		case 1:
			name = m.text()
		case 2:
			v, err = readValue(m.bytes())
		}
	}
	switch name {
	case attributePrefix + "compute_capability_major":
		d.Major = int(v.number)
	case attributePrefix + "compute_capability_minor":
		d.Minor = int(v.number)
	}
	if err == nil {
		err = m.err
	}
	return err
}

func (s *session) addVersion(b []byte) error {
	var provider, version string
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			provider = m.text()
		case 2:
			version = m.text()
		}
	}
	switch provider {
	case "Nsight Compute Target":
		s.tool = shortVersion(version)
	case "Display Driver Version":
		s.driver = version
	}
	return m.err
}

// shortVersion returns "2025.3.1" of "2025.3.1.0 (build 36398880) (public-release)".
func shortVersion(v string) string {
	v, _, _ = strings.Cut(v, " ")
	parts := strings.Split(v, ".")
	return strings.Join(parts[:min(3, len(parts))], ".")
}

func (s *session) addSettings(b []byte) error {
	m := walk(b)
	for m.next() {
		switch m.num {
		case 8:
			s.clock = strings.ToLower(m.text())
		case 11:
			s.replay = strings.ToLower(m.text())
		}
	}
	return m.err
}

// describe fills what the report says about the whole: from the session, else from the first result.
func (p *rep) describe() error {
	first, err := p.firstResult()
	if err != nil {
		return err
	}
	p.Version, p.Driver, p.Command = p.session.tool, p.session.driver, p.session.command
	if p.Driver == "" {
		p.Driver = first.driver
	}
	if p.Command != "" {
		p.ClockControl = flagOf(p.Command, "--clock-control", "base")
		p.CacheControl = flagOf(p.Command, "--cache-control", "all")
		p.ReplayMode = flagOf(p.Command, "--replay-mode", "kernel")
	}
	if p.session.clock != "" {
		p.ClockControl = p.session.clock
	}
	if p.session.replay != "" {
		p.ReplayMode = p.session.replay
	}
	if p.ClockControl == "" {
		p.ClockControl = first.clock.control()
	}
	if p.ClockControl == "none" || first.clock == clockFailed {
		p.note("clocks were not locked: times can vary from run to run")
	}
	if n := len(p.processes); n > 1 {
		p.note("results of %d processes", n)
	}
	return nil
}

// flagOf returns the value of a flag on ncu's command line, or ncu's default.
func flagOf(command, flag, byDefault string) string {
	words := strings.Fields(command)
	for i, w := range words {
		if v, ok := strings.CutPrefix(w, flag+"="); ok {
			return strings.Trim(v, `"'`)
		}
		if w == flag && i+1 < len(words) {
			return strings.Trim(words[i+1], `"'`)
		}
	}
	return byDefault
}

// A clockStatus is what a result says about the locking of clocks.
type clockStatus uint8

const (
	clockUnknown clockStatus = iota
	clockNotAsked
	clockFailed // asked for, but not done
	clockLocked
)

// control returns the clock control that the status is a sign of.
func (c clockStatus) control() string {
	return [...]string{"", "none", "base", "base"}[c]
}

func readClock(b []byte) (clockStatus, error) {
	asked, done := false, false
	m := walk(b)
	for m.next() {
		switch m.num {
		case 1:
			asked = m.uint() != 0
		case 2:
			done = m.uint() != 0
		}
	}
	switch {
	case !asked:
		return clockNotAsked, m.err
	case !done:
		return clockFailed, m.err
	}
	return clockLocked, m.err
}

// lastElement returns the part of a path after its last separator, of either kind.
func lastElement(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
