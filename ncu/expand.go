package ncu

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// Expand replaces every folder among the paths by the profiles in it and in its subfolders, in the order of their
// names. Reports are told by their suffix, so that a broken one is not passed over; text exports by their content,
// since folders hold other text as well. A folder without profiles is an error.
func Expand(paths []string) ([]string, error) {
	var all []string
	for _, p := range paths {
		found, err := expand(p)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func expand(path string) (found []string, err error) {
	walk := func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return openingError(name, err)
		case name == path && !entry.IsDir():
			found = append(found, name)
		case entry.IsDir() && name != path && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.IsDir() && (hasSuffix(name, reportSuffixes) || hasSuffix(name, exportSuffixes) && opens(name)):
			found = append(found, name)
		}
		return nil
	}
	if path == "-" {
		return []string{path}, nil
	}
	if err := filepath.WalkDir(path, walk); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &SyntaxError{Path: path, Offset: -1, Msg: "the folder holds no profiles", Hint: "name one that holds .ncu-rep files or exports"}
	}
	return found, nil
}

var (
	reportSuffixes = []string{".ncu-rep", ".ncu-repz", ".nsight-cuprof-report"}
	exportSuffixes = []string{".csv", ".json", ".ndjson", ".txt"}
)

// hasSuffix reports whether the name ends in one of the suffixes, packed or not.
func hasSuffix(name string, suffixes []string) bool {
	name = strings.ToLower(name)
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	for _, s := range suffixes {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return false
}

// opens reports whether the file is a profile.
func opens(path string) bool {
	r, err := Open(path, Options{})
	if err != nil {
		return false
	}
	r.Close()
	return true
}
