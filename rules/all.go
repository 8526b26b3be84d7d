package rules

// All lists the rules in the order of the checklist.
var All = []*Rule{}
