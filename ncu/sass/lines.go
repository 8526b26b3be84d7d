package sass

// A lineTable maps instructions to source positions.
type lineTable struct{}
