package ncu

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// A source is an input that can be read at any place: a plain file as it is, stdin and compressed input from memory
// or, when large, from a temporary file.
type source struct {
	name string // for messages
	size int64
	data []byte   // the whole input, when it is in memory
	file *os.File // else
	temp bool     // file is ours to remove
}

// memoryLimit is the size up to which decompressed input stays in memory.
const memoryLimit = 256 << 20

// maxWindow is the longest zstd window accepted: that of zstd --long=31.
const maxWindow = 2 << 30

// openSource opens a file or, for "-", stdin.
func openSource(path string) (*source, error) {
	name, f := path, os.Stdin
	if path == "-" {
		name = "stdin"
	} else {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, openingError(path, err)
		}
	}
	s, err := newSource(name, f)
	if err != nil {
		f.Close()
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			return nil, err
		}
		return nil, &SyntaxError{Path: name, Offset: -1, Msg: fmt.Sprintf("reading: %v", err), Hint: "check the file"}
	}
	return s, nil
}

// openingError says in one line why a path cannot be opened.
func openingError(path string, err error) error {
	e := &SyntaxError{Path: path, Offset: -1, Hint: "check the path"}
	if errors.Is(err, fs.ErrPermission) {
		e.Hint = "ask for read permission"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	e.Msg = fmt.Sprintf("opening: %v", err)
	return e
}

// newSource takes over the file: it keeps it open, or closes it after having unpacked it.
func newSource(name string, f *os.File) (*source, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &SyntaxError{Path: name, Offset: -1, Msg: "a folder, not a profile", Hint: "name a file in it"}
	}
	in := bufio.NewReaderSize(f, 64<<10)
	magic, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	s := &source{name: name}
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		err = s.fillGzip(in)
	case bytes.Equal(magic, []byte("\x28\xb5\x2f\xfd")):
		err = s.fillZstd(in, info.Size())
	case !info.Mode().IsRegular():
		err = s.fill(in, memoryLimit)
	default:
		s.file, s.size = f, info.Size()
		return s, nil
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, f.Close()
}

func (s *source) fillGzip(in io.Reader) error {
	z, err := gzip.NewReader(in)
	if err != nil {
		return s.unpacking(err)
	}
	if err := s.fill(z, memoryLimit); err != nil {
		return s.unpacking(err)
	}
	return nil
}

// fillZstd unpacks a frame of known, moderate size at once, which needs no history buffer of the window's size; all
// others as a stream.
func (s *source) fillZstd(in *bufio.Reader, packed int64) error {
	head, err := in.Peek(zstd.HeaderMaxSize)
	if err != nil && err != io.EOF {
		return err
	}
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		return s.unpacking(err)
	}
	limits := []zstd.DOption{zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)}
	if h.HasFCS && h.FrameContentSize <= memoryLimit && 0 < packed && packed <= memoryLimit {
		return s.fillZstdFrame(in, limits, h.FrameContentSize)
	}
	z, err := zstd.NewReader(in, limits...)
	if err != nil {
		return s.unpacking(err)
	}
	defer z.Close()
	if err := s.fill(z, memoryLimit); err != nil {
		return s.unpacking(err)
	}
	return nil
}

func (s *source) fillZstdFrame(in io.Reader, limits []zstd.DOption, size uint64) error {
	packed, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	z, err := zstd.NewReader(nil, append(limits, zstd.WithDecoderMaxMemory(max(size, 1<<20)))...)
	if err != nil {
		return s.unpacking(err)
	}
	defer z.Close()
	s.data, err = z.DecodeAll(packed, nil)
	if err != nil {
		return s.unpacking(err)
	}
	s.size = int64(len(s.data))
	return nil
}

func (s *source) unpacking(err error) error {
	return &SyntaxError{Path: s.name, Offset: -1, Msg: fmt.Sprintf("unpacking: %v", err), Hint: "the file is damaged or cut: copy it again"}
}

// fill reads all of the stream: into memory up to limit bytes, into a temporary file when there are more.
func (s *source) fill(in io.Reader, limit int64) error {
	var buf bytes.Buffer
	n, err := io.CopyN(&buf, in, limit)
	if err == io.EOF {
		s.data, s.size = buf.Bytes(), n
		return nil
	}
	if err != nil {
		return err
	}
	if s.file, err = os.CreateTemp("", "advisor-*"); err != nil {
		return err
	}
	s.temp = true
	if _, err := buf.WriteTo(s.file); err != nil {
		return err
	}
	rest, err := io.Copy(s.file, in)
	s.size = n + rest
	return err
}

// Close releases the file, and removes it when it is a temporary one.
func (s *source) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.temp {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// ReadAt reads as io.ReaderAt does.
func (s *source) ReadAt(p []byte, off int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(p, off)
	}
	return bytes.NewReader(s.data).ReadAt(p, off)
}

// slice returns n bytes from off, which must lie inside; bytes in memory are not copied and not to be written to.
func (s *source) slice(off, n int64) ([]byte, error) {
	if s.file == nil {
		return s.data[off : off+n : off+n], nil
	}
	b := make([]byte, n)
	if read, err := s.file.ReadAt(b, off); int64(read) < n {
		return nil, err
	}
	return b, nil
}

// head returns the first headSize bytes, or all when there are fewer.
func (s *source) head() ([]byte, error) {
	return s.slice(0, min(s.size, headSize))
}

// reader returns the whole input as a stream.
func (s *source) reader() io.Reader {
	return io.NewSectionReader(s, 0, s.size)
}
