package gate

import "fmt"

// suggest returns "did you mean X?" for the nearest of the names when one is near, else the other hint.
func suggest(word string, names []string, other string) string {
	best, least := "", len(word)/2+1
	for _, n := range names {
		if d := distance(word, n); d < least {
			best, least = n, d
		}
	}
	if best == "" {
		return other
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// distance is the number of letters to add, drop or change to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
