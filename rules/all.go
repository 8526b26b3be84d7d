package rules

// All lists the rules in the order of the checklist. To add one: a file with its value, a line here, and its cases in
// testdata/rules.
var All = []*Rule{
	genericAddressing,
	registerSpill,
	localArray,
	constantDivergence,
	aosLayout,
	bankConflict,
	uncoalescedAccess,
	misalignedAccess,
	narrowAccess,
	readOnlyPath,
	atomicContention,
	warpDivergence,
	lowOccupancy,
	smallGrid,
	fp64Arithmetic,
}
