package ncu

import (
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gocarina/gocsv"
)

// An identity is the columns that say which launch a row belongs to. Which of them a file has differs by version and
// options; the time of old files and the number of launches of summaries are no part of it.
type identity struct {
	ID          string `csv:"ID"`
	PID         string `csv:"Process ID"`
	ProcessName string `csv:"Process Name"`
	Host        string `csv:"Host Name"`
	PushPop     string `csv:"Push/Pop_Range"`
	StartStop   string `csv:"Start/Stop_Range"`
	Kernel      string `csv:"Kernel Name"`
	Context     string `csv:"Context"`
	Stream      string `csv:"Stream"`
	Block       string `csv:"Block Size"`
	Grid        string `csv:"Grid Size"`
	Device      string `csv:"Device"`
	CC          string `csv:"CC"`
}

var identityColumns = []string{"ID", "Process ID", "Process Name", "Host Name", "Push/Pop_Range", "Start/Stop_Range",
	"Kernel Name", "Kernel Time", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC", "Invocations"}

// identityColumn returns the plain name of an identity column, "" for any other. The two NVTX columns list the fields
// of their cells in their name, colon by colon.
func identityColumn(header string) string {
	for field := range strings.SplitSeq(header, ":") {
		if field == "Push/Pop_Range" || field == "Start/Stop_Range" {
			return field
		}
	}
	if slices.Contains(identityColumns, header) {
		return header
	}
	return ""
}

// oneRow feeds gocsv with a header and one row.
type oneRow [][]string

func (r *oneRow) Read() ([]string, error) {
	if len(*r) == 0 {
		return nil, io.EOF
	}
	row := (*r)[0]
	*r = (*r)[1:]
	return row, nil
}

func (r *oneRow) ReadAll() ([][]string, error) { return *r, nil }

// identityOf makes a launch of the identity cells of a row. columns are the plain names of the identity columns by
// place, "" for others; number counts the launches of the file from 0, for files without IDs.
func identityOf(columns []string, cells [][]byte, number int) *Launch {
	var header, row []string
	for i, name := range columns {
		if name != "" && i < len(cells) {
			header, row = append(header, name), append(row, string(cells[i]))
		}
	}
	id := makeIdentity(header, row)
	l := id.launch()
	l.ID = launchID(id.ID, number)
	return l
}

// An identityCache keeps the launches that rows of equal identity make: repeated launches of a kernel differ in their ID
// alone, and making an identity costs as much as reading a thousand cells. Rows are read on several goroutines.
type identityCache struct {
	mu       sync.Mutex
	launches map[string]*Launch
}

// maxIdentities bounds the cache.
const maxIdentities = 1024

// of is identityOf for a page with many rows.
func (c *identityCache) of(columns []string, cells [][]byte, number int) *Launch {
	var key []byte
	id := ""
	for i, name := range columns {
		switch {
		case name == "" || i >= len(cells):
		case name == "ID":
			id = string(cells[i])
		default:
			key = append(append(key, cells[i]...), 0)
		}
	}
	c.mu.Lock()
	known := c.launches[string(key)]
	c.mu.Unlock()
	if known == nil {
		known = identityOf(columns, cells, number)
		c.mu.Lock()
		if c.launches == nil || len(c.launches) >= maxIdentities {
			c.launches = map[string]*Launch{}
		}
		c.launches[string(key)] = known
		c.mu.Unlock()
	}
	l := *known
	l.ID = launchID(id, number)
	return &l
}

// launchID is the ID of a launch: as printed, less what a notebook adds when it makes floats of them; the place in the
// file when there is none.
func launchID(printed string, number int) string {
	if printed == "" {
		return strconv.Itoa(number)
	}
	return strings.TrimSuffix(printed, ".0")
}

// makeIdentity makes an identity of the cells of plainly named columns. They are text, so nothing can be wrong.
func makeIdentity(header, row []string) identity {
	ids := []identity{{}}
	if len(header) > 0 && gocsv.UnmarshalCSV(&oneRow{header, row}, &ids) != nil || len(ids) == 0 {
		return identity{}
	}
	return ids[0]
}

func (id *identity) launch() *Launch {
	l := &Launch{
		ID:      strings.TrimSuffix(id.ID, ".0"),
		Process: Process{PID: atoiOr(id.PID, -1), Name: path.Base(strings.ReplaceAll(id.ProcessName, `\`, "/")), Host: id.Host},
		Kernel:  strings.ToValidUTF8(id.Kernel, "\uFFFD"),
		Device:  Device{ID: atoiOr(id.Device, -1)},
		Context: id.Context,
		Stream:  id.Stream,
		NVTX:    append(nvtxRanges(id.PushPop), nvtxRanges(id.StartStop)...),
	}
	if id.ProcessName == "" {
		l.Process.Name = ""
	}
	l.Device.Major, l.Device.Minor = parseCC(id.CC)
	l.Kind = kindOf(id.Kernel)
	if l.Kind != Range {
		l.Grid, l.Block = parseDim3(id.Grid), parseDim3(id.Block)
	}
	l.Function = ShortName(l.Kernel)
	return l
}

// kindOf tells the results that are no single launch by the names that exports give them.
func kindOf(kernel string) Kind {
	switch kernel {
	case "range":
		return Range
	case "graph":
		return Graph
	}
	return Kernel
}

func atoiOr(s string, unknown int) int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), ".0"))
	if err != nil {
		return unknown
	}
	return n
}

func parseCC(s string) (major, minor int) {
	a, b, ok := strings.Cut(strings.TrimSpace(s), ".")
	if !ok {
		return 0, 0
	}
	major, minor = atoiOr(a, 0), atoiOr(b, 0)
	if major <= 0 || minor < 0 {
		return 0, 0
	}
	return major, minor
}

// parseDim3 reads "(256, 1, 1)", the blanks padded or not; zero when it is none.
func parseDim3(s string) Dim3 {
	var d Dim3
	s = strings.Trim(strings.TrimSpace(s), "()")
	parts := strings.Split(s, ",")
	if len(parts) != 3 {
		return Dim3{}
	}
	for i, p := range parts {
		if d[i] = atoiOr(p, 0); d[i] <= 0 {
			return Dim3{}
		}
	}
	return d
}

// nvtxRanges returns the ranges of an NVTX cell: a thread id, then one quoted text for each range, outermost first, of
// domain, name and six more fields. A name may hold colons itself.
func nvtxRanges(cell string) []string {
	var ranges []string
	for {
		_, rest, ok := strings.Cut(cell, `"`)
		text, after, closed := strings.Cut(rest, `"`)
		if !ok || !closed {
			return ranges
		}
		cell = after
		if fields := strings.Split(text, ":"); len(fields) > 7 {
			text = strings.Join(fields[:len(fields)-6], ":")
		}
		ranges = append(ranges, text)
	}
}
