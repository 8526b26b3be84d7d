package ncu

// readSection adds the section of a result.
func readSection(b []byte, r *result) error { return nil }

// readRule adds what one of Nsight Compute's rules says.
func readRule(b []byte, r *result) error { return nil }
