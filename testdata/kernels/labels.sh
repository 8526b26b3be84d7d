#!/bin/sh
# Turns causes and one profile into labels: what was wrong, and what the fix measured.
#
#     ncu --set full -o more ./more
#     ncu --import more.ncu-rep --page raw --csv > more.csv
#     labels.sh more.causes.tsv more.csv > more.labels.tsv
#
# Causes are lines of kernel, cause, fix, why, separated by tabs; NAME#2 is the second launch of a kernel, and a kernel
# that is not listed is unscored. Where two causes are given with two fixes (a|b and x|y), the fix that gains more
# decides; both causes stay when they are within a tenth of each other. Two causes with one fix stay as they are: either
# is right. A cause whose fix gains less than 3 % shows nothing and becomes unscored; a note on stderr says so.
set -eu
if [ $# -ne 2 ]; then
	echo "usage: labels.sh CAUSES.tsv RAW.csv" >&2
	exit 2
fi
exec awk -v causes="$1" '
# split_csv fills cell[1..n] from one CSV line.
function split_csv(line,    n, c, i, quoted, ch) {
	n = 1; c = ""; quoted = 0
	for (i = 1; i <= length(line); i++) {
		ch = substr(line, i, 1)
		if (quoted && ch == "\"" && substr(line, i + 1, 1) == "\"") { c = c ch; i++ }
		else if (ch == "\"") quoted = !quoted
		else if (ch == "," && !quoted) { cell[n++] = c; c = "" }
		else c = c ch
	}
	cell[n] = c
	return n
}
function base(name) {
	sub(/^void /, "", name); sub(/[(<].*$/, "", name)
	return name
}
function in_ns(value, unit) {
	gsub(/,/, "", value)
	if (!(unit in scale)) { print "labels.sh: unknown unit of gpu__time_duration.sum: " unit > "/dev/stderr"; exit 2 }
	return value * scale[unit]
}
BEGIN {
	count = 0
	FS = "\t"; OFS = "\t"
	split("ns nsecond us usecond ms msecond s second", u, " "); split("1 1 1e3 1e3 1e6 1e6 1e9 1e9", f, " ")
	for (i in u) scale[u[i]] = f[i]
	while ((getline line < causes) > 0) {
		if (line ~ /^#/ || line == "") continue
		split(line, field, "\t")
		cause[field[1]] = field[2]; fix[field[1]] = field[3]
	}
}
/^"ID"/ && !header {
	n = split_csv($0)
	for (i = 1; i <= n; i++) { if (cell[i] == "Kernel Name") name_at = i; if (cell[i] == "gpu__time_duration.sum") time_at = i }
	if (!name_at || !time_at) { print "labels.sh: no kernel name or no gpu__time_duration.sum in the header" > "/dev/stderr"; exit 2 }
	header = NR; next
}
!header { next }
NR == header + 1 { split_csv($0); unit = cell[time_at]; next }
/^"/ {
	split_csv($0)
	k = base(cell[name_at]); seen[k]++
	if (seen[k] > 1) k = k "#" seen[k]
	launch[count] = k; id[count] = cell[1]; ns[k] = in_ns(cell[time_at], unit); count++
}
END {
	print "launch", "kernel", "cause", "fix", "duration_ns", "speedup"
	for (l = 0; l < count; l++) {
		k = launch[l]; gain = ""
		c = (k in cause) ? cause[k] : "unscored"; x = fix[k]
		many = split(x, option, "|"); split(c, why, "|")
		best = 0
		for (i = 1; i <= many; i++) {
			if (!(option[i] in ns)) { print "labels.sh: fix " option[i] " of " k " was not profiled" > "/dev/stderr"; continue }
			each[i] = ns[k] / ns[option[i]]
			if (!best || each[i] > each[best]) best = i
		}
		if (best) {
			gain = sprintf("%.3f", each[best])
			if (many > 1) {
				c = why[best]
				for (i = 1; i <= many; i++) if (i != best && each[i] >= 0.9 * each[best]) c = c "|" why[i]
			}
			x = option[best]
			if (each[best] < 1.03) {
				print "labels.sh: " k ": the fix of " c " gains " gain ", not scored" > "/dev/stderr"
				c = "unscored"; x = ""; gain = ""
			}
		}
		print id[l], k, c, x, sprintf("%.0f", ns[k]), gain
	}
	for (k in cause) if (!(k in ns)) print "labels.sh: " k " was not profiled" > "/dev/stderr"
}' "$2"
