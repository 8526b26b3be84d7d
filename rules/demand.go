package rules

// A Demand is what one launch asks of each unit of the GPU.
type Demand struct{}
