#!/usr/bin/env bash
# Checks advisor profile on a real GPU: cost against ncu --set full, advice against known causes, and how it copes with
# programs that fail. Needs ncu and nvcc; python3 with PyTorch and Triton for one case.
#
#     testdata/gpu/run.sh
#
# ADVISOR  the advisor to test (default: built here with go)
# OUT      folder for the summary, the logs and the small profiles (default: gpu-results)
#
# The clocks are left alone, so times vary a little from run to run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-gpu-results}
mkdir -p "$out"
out=$(cd "$out" && pwd)
[ -z "${ADVISOR:-}" ] || ADVISOR=$(realpath "$ADVISOR")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

if [ -z "${ADVISOR:-}" ]; then
	ADVISOR=$work/advisor
	(cd "$here/../.." && go build -o "$ADVISOR" ./cmd/advisor) || exit 1
fi
nvcc -O3 -lineinfo -arch=native "$here/../kernels/pairs.cu" -o pairs || exit 1
nvcc -O2 -lineinfo -arch=native "$here/behave.cu" -o behave || exit 1

summary=$out/summary.txt
: >"$summary"
say() { printf '%s\n' "$*" | tee -a "$summary"; }
row() { printf '%-34s %-28s %s\n' "$@" | tee -a "$summary"; }
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
# passes prints how many passes the launches in a log of ncu took: "8" or "8..11".
passes() { grep -o '[0-9]* pass' "$1" | awk '{n=$1; if (!min || n<min) min=n; if (n>max) max=n} END {if (min==max) print max; else print min ".." max}'; }
# timed runs a command and leaves its wall time in seconds in $took, its status in $status.
timed() {
	local from=$EPOCHREALTIME
	"$@"
	status=$?
	took=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.1f", b-a}')
}
# profiled runs advisor profile with the clocks left alone; its output goes to NAME.txt and NAME.err.
profiled() {
	local name=$1
	shift
	timed "$ADVISOR" profile --clock-control none -o "$name" -f json "$@" >"$name.txt" 2>"$name.err"
	cp "$name.err" "$name.ncu.log" "$out" 2>/dev/null
}
# expect compares the status and the number of profiled launches with what they should be.
expect() {
	local name=$1 want_status=$2 want_launches=$3 got
	got=$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["launches"]))' "$name.json" 2>/dev/null || echo 0)
	local verdict=ok
	[ "$status" = "$want_status" ] || verdict="WRONG, want status $want_status"
	[ "$want_launches" = any ] || [ "$got" = "$want_launches" ] || verdict="$verdict, WRONG launches, want $want_launches"
	row "$name" "status $status, $got launches" "$verdict (${took} s)"
	[ "$status" = 0 ] || grep '^advisor: ' "$name.err" | tail -1 | sed 's/^/    /' | tee -a "$summary"
}

say "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $(ncu --version | grep Version)"
"$ADVISOR" doctor | tee -a "$summary"

say ""
say "cost: pairs, 42 launches"
timed ncu --set full --import-source yes --clock-control none -f -o full --log-file full.log ./pairs >/dev/null
full_time=$took
profiled own --all ./pairs
row "" "ncu --set full" "advisor profile"
row "status" "" "$status"
row "passes a launch (at most 11)" "$(passes full.log)" "$(passes own.ncu.log)"
row "wall time, s (at most 0.25)" "$full_time" "$took ($(awk -v a="$took" -v b="$full_time" 'BEGIN {printf "%.2f", a/b}'))"
row "report, bytes (at most 0.10)" "$(size full.ncu-rep)" "$(size own.ncu-rep) ($(awk -v a="$(size own.ncu-rep)" -v b="$(size full.ncu-rep)" 'BEGIN {printf "%.3f", a/b}'))"
say "score from advisor's own set:"
python3 "$here/score.py" own.json "$here/../kernels/pairs.causes.tsv" | tee -a "$summary"
say "score from the full set:"
"$ADVISOR" analyze full.ncu-rep -f json=full.json
python3 "$here/score.py" full.json "$here/../kernels/pairs.causes.tsv" | tee -a "$summary"
gzip -c own.ncu-rep >"$out/pairs-own.ncu-rep.gz"

say ""
say "programs"
profiled repeat ./behave repeat 50
expect repeat 0 12 # two kernels, two shapes, three launches each
profiled named -k scale ./behave repeat 50
expect named 0 6
profiled nomatch -k nothing ./behave repeat 2
expect nomatch 4 0
profiled children ./behave children
expect children 0 16
profiled fail ./behave fail
expect fail 4 4
profiled crash --check-alone ./behave crash
expect crash 4 4
profiled none ./behave none
expect none 4 0
profiled nocuda true
expect nocuda 4 0
profiled python python3 "$here/steps.py" 20
expect python 0 any
gzip -c python.ncu-rep >"$out/python-own.ncu-rep.gz"

say ""
say "killed halfway"
profiled timeout --timeout 15s --all ./behave forever
expect timeout 5 any
"$ADVISOR" profile --clock-control none -o interrupt -f json --all ./behave forever >interrupt.txt 2>interrupt.err &
sleep 15
from=$EPOCHREALTIME
kill -INT $!
wait $!
status=$?
took=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.1f", b-a}')
expect interrupt 130 any
cp interrupt.err interrupt.ncu.log "$out"
left=$(grep -lx behave /proc/[0-9]*/comm 2>/dev/null | wc -l)
row "processes left behind" "$left" "$([ "$left" = 0 ] && echo ok || echo WRONG)"
left=$(find "$work" -name '.advisor-*' | wc -l)
row "temporary files left behind" "$left" "$([ "$left" = 0 ] && echo ok || echo WRONG)"
(cd "$out" && tar czf logs.tar.gz -- *.err *.ncu.log && rm -f -- *.err *.ncu.log)
