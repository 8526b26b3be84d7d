"""Scores a report against known causes: python3 score.py REPORT.json CAUSES.tsv

Prints how often the first finding names the cause, how often a healthy kernel is urged to change (a gain of 1.1 or more),
and how far the expected gains are off from what the fixed kernel measured in the same report."""

import json
import statistics
import sys


def main(report, causes):
    known = [line.rstrip("\n").split("\t") for line in open(causes) if line.strip() and not line.startswith("#")]
    known = {f[0]: (f[1], f[2] if len(f) > 2 else "") for f in known}
    launches, seen = {}, {}
    for l in json.load(open(report))["launches"]:
        name = l["function"]
        seen[name] = seen.get(name, 0) + 1
        launches[name if seen[name] == 1 else f"{name}#{seen[name]}"] = l
    right = labelled = alarms = healthy = 0
    off = []
    for name, (cause, fix) in known.items():
        l = launches.get(name)
        if l is None:
            print(f"not profiled: {name}")
            continue
        first = l["findings"][0] if l["findings"] else None
        gain = (first or {}).get("gain") or {"expected": 1.0}
        if cause == "healthy":
            healthy += 1
            if gain["expected"] >= 1.1:
                alarms += 1
                print(f"urged: {name}: {first['rule']} {gain['expected']:.2f}x")
        elif cause != "unscored":
            labelled += 1
            ok = first is not None and first["rule"] in cause.split("|")
            right += ok
            if not ok:
                print(f"missed: {name}: want {cause}, got {first['rule'] if first else 'nothing'}")
            if ok and fix in launches and launches[fix]["duration_ns"]:
                measured = l["duration_ns"] / launches[fix]["duration_ns"]
                off.append(max(measured / gain["expected"], gain["expected"] / measured))
    factor = f"{statistics.median(off):.2f} (worst {max(off):.2f})" if off else "-"
    print(f"right cause first {right} of {labelled}, healthy urged {alarms} of {healthy}, gain off by {factor}")


main(*sys.argv[1:])
