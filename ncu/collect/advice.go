package collect

import (
	"fmt"
	"strings"
)

// elsewhere is the way out that is always there.
const elsewhere = "or collect on another machine with the line that `advisor profile --dry-run` prints, and give the report to `advisor analyze`"

func sayStalled(c Case) (string, []string) {
	kernel := c.Log.Current
	return fmt.Sprintf("kernel %q hung while it was profiled", kernel), []string{
		"leave it out: -k " + Quote([]string{"regex:^(?!" + regexpWord(kernel) + ")"}),
		"a kernel that waits for another process or GPU (NCCL, NVSHMEM, MPI) never ends when it is replayed alone: try --ncu-arg --replay-mode --ncu-arg application",
		"if it is only slow, give it time with --stall-timeout",
	}
}

// regexpWord drops what ncu cut off a long name, and the arguments.
func regexpWord(kernel string) string {
	name, _, _ := strings.Cut(strings.TrimSuffix(kernel, "..."), "(")
	return strings.TrimSpace(name)
}

func sayTimeout(c Case) (string, []string) {
	return fmt.Sprintf("the run took longer than --timeout, with %s profiled", launches(c.Log.Launches)), []string{
		"give it more time, or profile less: -k NAME, --launch-count N, or an NVTX range with --nvtx"}
}

func sayInterrupted(c Case) (string, []string) {
	return fmt.Sprintf("interrupted, with %s profiled", launches(c.Log.Launches)), nil
}

func sayKilled(c Case) (string, []string) {
	return fmt.Sprintf("ncu was ended by a signal (%s), %s", c.Signal, c.after()), []string{
		"if memory ran out (dmesg, or the limit of a batch job), profile fewer launches: -k NAME, --launch-count N"}
}

func launches(n int) string {
	if n == 1 {
		return "1 launch"
	}
	return fmt.Sprintf("%d launches", n)
}

func sayPermission(c Case) (string, []string) {
	m := c.Machine
	const option = "NVreg_RestrictProfilingToAdminUsers=0"
	switch {
	case m.WSL:
		return "the Windows driver keeps the GPU counters from this user", []string{
			"on Windows open NVIDIA Control Panel as administrator, Desktop > Enable Developer Settings, then Developer > Manage GPU Performance Counters > Allow access to all users",
			elsewhere}
	case m.Container != "" && m.Admin():
		return "the GPU counters are forbidden in this container, though it has the capability: the host's driver decides", []string{
			"on the host set the driver option " + option + " and reload the driver, if you control it",
			elsewhere}
	case m.Container != "":
		return "the GPU counters are forbidden in this container: the host's driver decides, being root inside does not help", []string{
			"if you control the host, start the container with --cap-add=SYS_ADMIN, or set the driver option " + option + " there",
			elsewhere}
	case m.Restricted == No:
		return "the GPU counters are forbidden, though the driver option " + option + " looks set", []string{
			"if this is a container or a virtual machine, its host decides: set the option there",
			"if the option was changed lately, reload the nvidia module or reboot (rebuild the initramfs where the module is in it)",
			elsewhere}
	}
	return "the GPU counters are forbidden to this user", []string{
		`run once as root with your environment: sudo -E env PATH="$PATH" LD_LIBRARY_PATH="$LD_LIBRARY_PATH" advisor profile ` + Quote(c.Options.Program),
		"or open them to all users: put `options nvidia " + option + "` into /etc/modprobe.d/nvidia-profiling.conf and reload the nvidia module or reboot (rebuild the initramfs where the module is in it)",
		"or ask the administrator for the one or the other",
		elsewhere}
}

func sayBusy(c Case) (string, []string) {
	cause := "another tool holds the GPU counters"
	if len(c.Machine.Monitors) > 0 {
		cause += " (running here: " + strings.Join(c.Machine.Monitors, ", ") + ")"
	}
	return cause, []string{
		"pause DCGM for the run: dcgmi profile --pause, and afterwards dcgmi profile --resume",
		"or stop the other profiler or exporter (dcgm-exporter, dynolog, nsys, another ncu); before Hopper one tool holds the counters of the whole machine, even when it watches another GPU",
		"on a shared node ask the administrator, or ask for a node without monitoring"}
}

// branches are the driver branches that the releases of ncu came with (table of the CUDA toolkit's release notes).
var branches = map[string]int{
	"2022.4": 525, "2023.1": 530, "2023.2": 535, "2023.3": 545, "2024.1": 550, "2024.2": 555, "2024.3": 560,
	"2025.1": 570, "2025.2": 575, "2025.3": 580, "2025.4": 590,
}

// release returns the year and quarter of a version of ncu: "2025.3" of "2025.3.1".
func release(version string) string {
	if i := strings.LastIndexByte(version, '.'); i > 0 {
		return version[:i]
	}
	return version
}

func sayDriver(c Case) (string, []string) {
	driver, own := orUnknown(c.Machine.Driver), orUnknown(c.Tool.Version)
	cause := fmt.Sprintf("driver %s and ncu %s do not fit together", driver, own)
	if have, want := numbers(c.Machine.Driver), branches[release(c.Tool.Version)]; len(have) > 0 && want > 0 {
		if have[0] < want {
			return cause + ": the driver is too old for it", []string{
				fmt.Sprintf("update the driver to %d or newer", want),
				"or use an ncu as old as the driver, with --ncu PATH"}
		}
		return cause + ": ncu is too old for the driver", []string{"install a newer Nsight Compute, and name it with --ncu PATH"}
	}
	return cause, []string{
		"update the older of the two: ncu of the CUDA version that nvidia-smi shows fits the driver",
		"several versions of ncu can be installed side by side; choose one with --ncu PATH"}
}

func sayLibrary(c Case) (string, []string) {
	if c.Machine.Sandbox {
		return "this sandbox (gVisor) passes no GPU counters", []string{"profile on a machine or container that is not sandboxed", elsewhere}
	}
	return fmt.Sprintf("ncu %s cannot load the driver's profiling library (driver %s)", orUnknown(c.Tool.Version), orUnknown(c.Machine.Driver)), []string{
		"use the ncu of the CUDA version that nvidia-smi shows, with --ncu PATH",
		"in a container let the runtime pass the driver whole: NVIDIA_DRIVER_CAPABILITIES=all",
		elsewhere}
}

func sayLock(c Case) (string, []string) {
	return "ncu cannot use its lock file: another user left it in " + c.Machine.LockDir, []string{
		"give ncu a folder of its own: mkdir -p ~/.cache/ncu && TMPDIR=~/.cache/ncu advisor profile " + Quote(c.Options.Program),
		"or let its owner or root remove " + c.Machine.LockDir + "/nsight-compute-lock"}
}

func sayDisk(Case) (string, []string) {
	return "the disk is full", []string{"free space, or write elsewhere with -o; TMPDIR moves ncu's temporary files"}
}

func sayOldWSL(Case) (string, []string) {
	return "this driver does not pass GPU counters to the Windows Subsystem for Linux", []string{
		"update to Windows 11 and a driver of 525 or newer, or profile with ncu on Windows itself", elsewhere}
}

func sayClocks(Case) (string, []string) {
	return "ncu cannot fix the clocks of this GPU", []string{"add --clock-control none; times then vary from run to run"}
}

func sayNoGPU(Case) (string, []string) {
	return "this machine shows no NVIDIA GPU", []string{
		"in a container start it with --gpus all, in a batch job ask for a GPU",
		"or load the driver: nvidia-smi must list a GPU",
		elsewhere}
}

func saySecondProfiler(Case) (string, []string) {
	return "the program starts a GPU profiler of its own, and there can be only one", []string{
		"turn it off for this run: torch.profiler, Kineto, Score-P, TAU and other users of CUPTI"}
}

func sayReplay(c Case) (string, []string) {
	return "the driver failed while a kernel was replayed, " + c.after(), []string{
		"profile fewer kernels (-k NAME) or counters (--metrics), or replay the whole program: --ncu-arg --replay-mode --ncu-arg application",
		"run the program under compute-sanitizer: an access out of bounds can break the replay"}
}

func sayMetrics(c Case) (string, []string) {
	return "this ncu does not know " + strings.Join(c.Rejected(), ", "), []string{
		"leave these out, or use another version of ncu with --ncu PATH; ncu --query-metrics lists what there is"}
}

func sayMissing(c Case) (string, []string) {
	return "ncu cannot start " + c.Options.Program[0], []string{"check the path and that it is executable"}
}

// signalled are exit codes that stand for a signal: the signal's number as ncu tells it, or 128 and more as a shell does.
var signalled = map[int]string{4: "illegal instruction", 6: "abort", 7: "bus error", 8: "arithmetic error", 9: "killed", 11: "segmentation fault", 15: "terminated"}

func sayCrash(c Case) (string, []string) {
	code, _ := c.ProgramExit()
	alone := Quote(c.Options.Program)
	signal := signalled[code]
	if code > 128 {
		signal = signalled[code-128]
	}
	if signal == "" {
		return fmt.Sprintf("the program failed with exit code %d, %s", code, c.after()), []string{
			"run it without ncu and correct it first: " + alone,
			"if it works alone: " + onlyUnder}
	}
	return fmt.Sprintf("the program crashed (%s, code %d), %s", signal, code, c.after()), []string{
		"run it once without ncu: " + alone,
		"if it works alone: " + onlyUnder,
		"if it crashes alone, correct that first (compute-sanitizer finds bad accesses)"}
}

// onlyUnder helps against what ncu's instrumentation or its replay breaks.
const onlyUnder = "profile fewer kernels (-k NAME) or fewer counters, or replay the whole program: --ncu-arg --replay-mode --ncu-arg application"

// Alone takes into account how the program went without ncu.
func (f *Failure) Alone(err error) {
	if err != nil {
		f.Cause += fmt.Sprintf("; without ncu it fails, too (%v)", err)
		f.Cure = []string{"correct that first (compute-sanitizer finds bad accesses)"}
		return
	}
	f.Cause += "; without ncu it works"
	f.Cure = []string{onlyUnder}
}

// after says how far a run came.
func (c Case) after() string {
	if c.Log.Launches == 0 {
		return "before a kernel was profiled"
	}
	return "after " + launches(c.Log.Launches)
}

func sayUnsupported(c Case) (string, []string) {
	for _, g := range c.Machine.GPUs {
		if g.Major >= 7 {
			return fmt.Sprintf("ncu %s does not support %s (compute capability %d.%d)", orUnknown(c.Tool.Version), g.Name, g.Major, g.Minor),
				[]string{"install a newer Nsight Compute, and name it with --ncu PATH; ncu --list-chips shows what one supports"}
		}
	}
	return "ncu does not support this GPU", []string{
		"Nsight Compute needs compute capability 7.0 (Volta) or newer: profile on such a GPU",
		"for a GPU newer than this ncu (" + orUnknown(c.Tool.Version) + ") install a newer one; ncu --list-chips shows what one supports"}
}

func sayNVTX(c Case) (string, []string) {
	return "no kernel was launched inside the NVTX range " + strings.Join(c.Options.NVTX, ", "), []string{
		"push/pop ranges hold for the thread that opened them, so kernels that another thread launches (as PyTorch's backward pass does) are outside: use a start/end range, or --ncu-arg --nvtx-push-pop-scope --ncu-arg process",
		"NAME/ matches a push/pop range, NAME a start/end range, DOMAIN@NAME a range of that domain"}
}

func sayFilter(c Case) (string, []string) {
	cause := "no kernel matched " + Quote([]string{"-k", c.Options.Kernel})
	if c.Options.Kernel == "" {
		cause = "no kernel matched the filters"
	}
	if seen := c.Log.Available; len(seen) > 0 {
		more := ""
		if len(seen) > 8 {
			seen, more = seen[:8], fmt.Sprintf(" and %d more", len(c.Log.Available)-8)
		}
		return cause, []string{"the program launched: " + strings.Join(seen, ", ") + more, "-k 'regex:part' matches a part of the name"}
	}
	return cause, []string{"run without -k to see the names; -k 'regex:part' matches a part of the name"}
}

func saySkip(c Case) (string, []string) {
	return fmt.Sprintf("the program launched no more than the %d kernels that --launch-skip left out", c.Options.Skip), []string{"skip fewer"}
}

func sayChildren(Case) (string, []string) {
	return "no kernel was profiled in the program or its children", []string{
		"children are followed already; what is not: kernels launched by a server that was running before, on another host (ssh, srun, mpirun to other nodes), or by a launcher that starts its workers through a daemon: run advisor profile inside, around the worker itself",
		"or the program launched no kernel at all: check that it reaches its GPU part and that its launches succeed"}
}

func sayNoCUDA(Case) (string, []string) {
	return "the program did not use CUDA, so there was nothing to profile", []string{
		"check that it was built for the GPU and that this run reaches the GPU part",
		"kernels launched by a server that was running before, by a container it starts, or on another host are not seen: run advisor profile there"}
}

func sayNoKernels(Case) (string, []string) {
	return "the program used CUDA but no kernel was profiled", []string{
		"check that its launches succeed (cudaGetLastError after each): a launch that fails runs nothing and is silent",
		"if it turns profiling on itself (cudaProfilerStart), that part may not have been reached"}
}

func sayExit(c Case) (string, []string) {
	return fmt.Sprintf("ncu ended with exit code %d, most likely the program's, %s", c.Exit, c.after()), []string{
		"run the program without ncu: " + Quote(c.Options.Program)}
}

func sayUnknown(c Case) (string, []string) {
	return "ncu failed for a reason that is not known here", []string{
		"run `advisor doctor`, and try ncu alone: " + Quote([]string{c.Options.NCU, "--set", "basic"}) + " " + Quote(c.Options.Program)}
}

func orUnknown(s string) string {
	if s == "" {
		return "(version unknown)"
	}
	return s
}
