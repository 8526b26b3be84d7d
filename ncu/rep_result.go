package ncu

import (
	"errors"
	"fmt"
	"strconv"
)

// A result is one result in reading: what becomes the launch, and what is needed to make the rest of it.
type result struct {
	Launch
	thread uint64
	source []uint64 // references, a range has several
	clock  clockStatus
	driver string
}

// launch reads the i-th result.
func (p *rep) launch(i int) (*Launch, error) {
	at := p.results[i]
	b, err := p.slice(at.off, int64(at.size))
	if err != nil {
		return nil, err
	}
	r, err := p.readResult(b, &layouts[at.layout])
	if err != nil {
		return nil, p.damaged(at.off, fmt.Sprintf("result %d: %v", i, err))
	}
	r.ID = strconv.Itoa(i)
	r.Process = Process{PID: -1}
	if at.process >= 0 {
		r.Process = p.processes[at.process]
	}
	p.nameLaunch(r)
	if p.former {
		for _, line := range r.Metrics.addCurrentNames() {
			p.lateNotes.Store(line, true)
		}
	}
	p.placeLaunch(r)
	r.uncounted = r.Metrics[executedMetric].instances == nil
	if len(r.source) > 0 {
		r.code = func() (*Code, error) {
			c, err := p.code(&r.Launch, int(at.process), r.source)
			if err != nil {
				p.lateNotes.Store(fmt.Sprintf("%s is judged without its machine code: %v", r.Function, err), true)
			}
			return c, err
		}
	}
	return &r.Launch, nil
}

// firstResult reads what the first result says about the whole run.
func (p *rep) firstResult() (*result, error) {
	at := p.results[0]
	lay := &layouts[at.layout]
	b, err := p.slice(at.off, int64(at.size))
	if err != nil {
		return nil, err
	}
	r := &result{}
	m := walk(b)
	for m.next() && err == nil {
		switch m.num {
		case lay.metrics:
			p.metrics++
		case lay.clock, lay.driver:
			err = p.common(m, lay, r)
		}
	}
	if err == nil {
		err = m.err
	}
	if err != nil {
		return nil, p.damaged(at.off, fmt.Sprintf("result 0: %v", err))
	}
	return r, nil
}

// readResult reads a result of any kind.
func (p *rep) readResult(b []byte, lay *layout) (*result, error) {
	r := &result{Launch: Launch{Kind: lay.kind, Metrics: make(Metrics, min(p.metrics, len(p.names)))}}
	var nvtx []byte
	var err error
	m := walk(b)
	for m.next() && err == nil {
		switch m.num {
		case lay.metrics:
			if err = p.readMetric(m.bytes(), r.Metrics); errors.Is(err, errNoName) {
				p.unnamed.Add(1)
				err = nil
			}
		case lay.nvtx:
			nvtx = m.bytes()
		default:
			err = p.common(m, lay, r)
		}
	}
	if err == nil && m.err == nil {
		r.NVTX, err = readNVTX(nvtx, r.thread)
	}
	if err == nil {
		err = m.err
	}
	return r, err
}

// common reads one field that is not a metric.
func (p *rep) common(m *message, lay *layout, r *result) (err error) {
	switch m.num {
	case lay.thread:
		r.thread = m.uint()
	case lay.source:
		err = readSourceReference(m, lay, r)
	case lay.sections:
		err = readSection(m.bytes(), r)
	case lay.rules:
		err = readRule(m.bytes(), r)
	case lay.context:
		r.Context = strconv.FormatUint(m.uint(), 10)
	case lay.stream:
		r.Stream = strconv.FormatUint(m.uint(), 10)
	case lay.clock:
		r.clock, err = readClock(m.bytes())
	case lay.driver:
		r.driver = strconv.FormatFloat(m.float(), 'f', -1, 32)
	default:
		switch lay.kind {
		case Kernel:
			err = readKernelField(m, r)
		case CommandList:
			err = readCommandListField(m, r)
		}
	}
	return err
}

// readSourceReference reads which source a result was made of: a kernel's as a message, all others' as numbers.
func readSourceReference(m *message, lay *layout, r *result) error {
	if lay.kind != Kernel {
		r.source = m.uints(r.source)
		return nil
	}
	s := walk(m.bytes())
	for s.next() {
		if s.num == 1 {
			r.source = append(r.source, s.uint())
		}
	}
	return s.err
}

func readKernelField(m *message, r *result) (err error) {
	switch m.num {
	case 5:
		r.Mangled = m.text()
	case 6:
		r.Function = m.text()
	case 7:
		r.Kernel = m.text()
	case 10:
		r.Grid, err = readDim3(m.bytes())
	case 11:
		r.Block, err = readDim3(m.bytes())
	}
	return err
}

func readCommandListField(m *message, r *result) error {
	if m.num == 18 {
		r.Kernel = m.text()
	}
	return nil
}

func readDim3(b []byte) (d Dim3, err error) {
	m := walk(b)
	for m.next() {
		if m.num >= 1 && m.num <= 3 {
			d[m.num-1] = m.int()
		}
	}
	return d, m.err
}

// nameLaunch settles the names. Kernels with plain C names have no demangled one.
func (p *rep) nameLaunch(r *result) {
	if r.Kind != Kernel && r.Kernel == "" {
		r.Kernel = r.Kind.String()
	}
	for _, n := range []string{r.Function, r.Mangled} {
		if r.Kernel == "" {
			r.Kernel = n
		}
	}
	r.Function = ShortName(r.Kernel)
}

// placeLaunch fills device and launch shape from metrics, where Nsight Compute has them, else from the session.
func (p *rep) placeLaunch(r *result) {
	whole := func(name string, unknown int) int {
		if v, ok := r.Metrics.Value(name); ok {
			return int(v)
		}
		return unknown
	}
	d := &r.Device
	*d = Device{ID: whole("launch__device_id", -1)}
	known, ok := p.session.devices[d.ID]
	if !ok && len(p.session.devices) == 1 {
		for _, only := range p.session.devices {
			known = only
		}
	}
	d.Name = r.Metrics[attributePrefix+"display_name"].Text
	if d.Name == "" {
		d.Name = known.Name
	}
	if d.ID < 0 && known.Name != "" {
		d.ID = known.ID
	}
	d.Major = whole(attributePrefix+"compute_capability_major", known.Major)
	d.Minor = whole(attributePrefix+"compute_capability_minor", known.Minor)
	if r.Kind == Graph || r.Kind == CommandList {
		for i, axis := range []string{"x", "y", "z"} {
			r.Grid[i] = whole("launch__grid_dim_"+axis, 0)
			r.Block[i] = whole("launch__block_dim_"+axis, 0)
		}
	}
}
