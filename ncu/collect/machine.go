package collect

import (
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Machine is what the files of a machine say about profiling on it. All paths are taken below a root, so that tests can
// describe other machines.
type Machine struct {
	UID        int    // of this process
	Caps       uint64 // its effective capabilities
	Container  string // "docker", "podman", "kubernetes", ...; "" for none that is known
	WSL        bool
	Sandbox    bool // gVisor, whose kernel passes no counters
	Driver     string
	Restricted State    // the driver keeps the counters to administrators
	Devices    bool     // there is a GPU device file
	GPUs       []GPU    // as nvidia-smi lists them
	Monitors   []string // programs that run and are known to take the counters
	Lock       string   // a lock file that this user cannot use, "" for none
	LockDir    string   // where ncu puts its lock
}

// A GPU is one device.
type GPU struct {
	Name         string
	Major, Minor int // compute capability; 0, 0 unknown
	MIG          bool
}

// A State is yes, no, or not known.
type State uint8

// The states.
const (
	Unknown State = iota
	Yes
	No
)

// Capabilities that open the counters (linux/capability.h).
const (
	capSysAdmin = 21
	capPerfmon  = 38
)

// Admin reports whether the driver takes this process for an administrator.
func (m *Machine) Admin() bool {
	return m.Caps&(1<<capSysAdmin) != 0 || m.Caps&(1<<capPerfmon) != 0
}

// Probe looks at the machine below root ("/" for this one).
func Probe(root string, getenv func(string) string) *Machine {
	m := &Machine{UID: os.Getuid()}
	m.readStatus(filepath.Join(root, "proc/self/status"))
	m.Container = container(root, getenv)
	release := read(root, "proc/sys/kernel/osrelease")
	m.WSL = strings.Contains(strings.ToLower(release), "microsoft") || exists(root, "dev/dxg")
	m.Sandbox = strings.Contains(read(root, "proc/version"), "gVisor") || exists(root, "proc/sentry-meminfo")
	m.Driver = driverVersion(read(root, "proc/driver/nvidia/version"))
	m.Restricted = restricted(read(root, "proc/driver/nvidia/params"))
	nodes, _ := filepath.Glob(filepath.Join(root, "dev/nvidia[0-9]*"))
	m.Devices = len(nodes) > 0 || exists(root, "dev/dxg")
	m.Monitors = monitors(root)
	m.LockDir = "/tmp"
	if t := getenv("TMPDIR"); t != "" {
		m.LockDir = t
	}
	m.Lock = unusableLock(filepath.Join(root, m.LockDir, "nsight-compute-lock"))
	m.askDriver()
	return m
}

// readStatus takes the user and the capabilities.
func (m *Machine) readStatus(path string) {
	b, _ := os.ReadFile(path)
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(line, ":")
		fields := strings.Fields(value)
		if len(fields) == 0 {
			continue
		}
		switch name {
		case "Uid":
			if n, err := strconv.Atoi(fields[min(1, len(fields)-1)]); err == nil {
				m.UID = n
			}
		case "CapEff":
			m.Caps, _ = strconv.ParseUint(fields[0], 16, 64)
		}
	}
}

// container names the container that this is, "" for none that is known. A container without any mark is possible.
func container(root string, getenv func(string) string) string {
	switch {
	case getenv("KUBERNETES_SERVICE_HOST") != "":
		return "kubernetes"
	case exists(root, ".dockerenv"):
		return "docker"
	case exists(root, "run/.containerenv"):
		return "podman"
	case exists(root, ".singularity.d"):
		return "apptainer"
	}
	groups := read(root, "proc/1/cgroup")
	for _, mark := range []struct{ text, name string }{
		{"kubepods", "kubernetes"}, {"docker", "docker"}, {"libpod", "podman"}, {"containerd", "containerd"}, {"lxc", "lxc"},
	} {
		if strings.Contains(groups, mark.text) {
			return mark.name
		}
	}
	return ""
}

var driverPattern = regexp.MustCompile(`\b(\d{3}\.\d+(?:\.\d+)?)\b`)

func driverVersion(s string) string { return driverPattern.FindString(s) }

// restricted reads the driver's parameters. The module option NVreg_RestrictProfilingToAdminUsers shows there as
// RmProfilingAdminOnly.
func restricted(params string) State {
	for line := range strings.Lines(params) {
		name, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) != "RmProfilingAdminOnly" {
			continue
		}
		switch strings.TrimSpace(value) {
		case "0":
			return No
		case "1":
			return Yes
		}
	}
	return Unknown
}

// counterUsers are programs that are known to hold the counters for as long as they run.
var counterUsers = []string{"nv-hostengine", "dcgm-exporter", "dcgmi", "dynolog", "nsys", "ncu"}

func monitors(root string) []string {
	var found []string
	comms, _ := filepath.Glob(filepath.Join(root, "proc/[0-9]*/comm"))
	for _, path := range comms {
		b, _ := os.ReadFile(path)
		name := strings.TrimSpace(string(b))
		if slices.Contains(counterUsers, name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// unusableLock returns the lock file when it exists and cannot be opened. ncu never removes its lock, and a sticky folder
// keeps others, even root, from opening for writing what another user made there (fs.protected_regular): the open here
// asks for what ncu asks for.
func unusableLock(path string) string {
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return path
	}
	f.Close()
	return ""
}

// askDriver asks nvidia-smi, if there is one, for what the files don't tell.
func (m *Machine) askDriver() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "nvidia-smi",
		"--query-gpu=name,compute_cap,driver_version,mig.mode.current", "--format=csv,noheader").Output()
	if err != nil {
		return
	}
	r := csv.NewReader(strings.NewReader(string(out)))
	r.TrimLeadingSpace, r.FieldsPerRecord = true, -1
	rows, _ := r.ReadAll()
	for _, row := range rows {
		if len(row) < 3 {
			continue
		}
		g := GPU{Name: row[0], MIG: len(row) > 3 && row[3] == "Enabled"}
		if major, minor, ok := strings.Cut(row[1], "."); ok {
			g.Major, _ = strconv.Atoi(major)
			g.Minor, _ = strconv.Atoi(minor)
		}
		m.GPUs = append(m.GPUs, g)
		if v := driverVersion(row[2]); v != "" {
			m.Driver = v
		}
	}
	m.Devices = m.Devices || len(m.GPUs) > 0
}

func read(root, path string) string {
	b, _ := os.ReadFile(filepath.Join(root, path))
	return string(b)
}

func exists(root, path string) bool {
	_, err := os.Stat(filepath.Join(root, path))
	return err == nil
}
