package ncu

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decodeText returns the text as UTF-8 without a byte order mark. Windows PowerShell redirects to UTF-16 with a mark;
// without one, UTF-16 is told by its zero bytes, since every export is mostly ASCII.
func decodeText(r io.Reader) io.Reader {
	br := bufio.NewReaderSize(r, 64<<10)
	head, _ := br.Peek(4)
	switch {
	case len(head) >= 3 && head[0] == 0xEF && head[1] == 0xBB && head[2] == 0xBF:
		br.Discard(3)
		return br
	case isUTF16(head, 0xFF, 0xFE, 1):
		return utf16Reader(br, unicode.LittleEndian)
	case isUTF16(head, 0xFE, 0xFF, 0):
		return utf16Reader(br, unicode.BigEndian)
	}
	return br
}

// isUTF16 tells UTF-16 by its mark, or by two ASCII characters whose zero bytes stand at the given place.
func isUTF16(head []byte, mark0, mark1 byte, zero int) bool {
	if len(head) < 2 {
		return false
	}
	if head[0] == mark0 && head[1] == mark1 {
		return true
	}
	return len(head) == 4 && head[zero] == 0 && head[zero+2] == 0 && head[1-zero] != 0 && head[3-zero] != 0
}

func utf16Reader(r io.Reader, order unicode.Endianness) io.Reader {
	return transform.NewReader(r, unicode.UTF16(order, unicode.UseBOM).NewDecoder())
}
