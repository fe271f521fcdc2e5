#!/usr/bin/env python3
"""Reads the models of JSIMgraph in a folder, and compares the results that they store with runs of the program.

usage: docs/measure/jsimg.py FOLDER [PROGRAM]     PROGRAM is target/release/imminent unless given

FOLDER is a clone of github.com/imperial-qore/line-solver, or any folder with files .jsimg. Files with the same contents
count once. A file runs, or the reason is told why it does not. A stored value agrees if its interval and that of the
run overlap, both of 99 %; ten replications are together as long as the run of JMT. An interval of JMT is compared only
where JMT found it narrow enough.
"""
import csv
import hashlib
import json
import math
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# Measures of JMT and of the program, of a station, and of the system.
OF_STATIONS = {
    "Number of Customers": "number_in_system",
    "Utilization": "utilization",
    "Throughput": "throughput",
    "Response Time": "sojourn",
    "Queue Time": "waiting",
}
OF_SYSTEMS = {
    "System Number of Customers": "number",
    "System Throughput": "throughput",
    "System Response Time": "response",
    "System Drop Rate": "drop_rate",
}
# The program's intervals are of 95 %, over ten replications: Student's t for 99 % over that for 95 %.
WIDER = 3.2498 / 2.2622


def stored(archive):
    """Returns the measures with their last estimates, and the longest simulated time."""
    asked = {measure.get("name"): measure.get("type") for measure in archive.find("sim").findall("measure")}
    found, longest = [], 0.0
    for measure in archive.findall("results/measure"):
        samples = measure.findall("sample")
        if not samples:
            continue
        last = samples[-1].attrib
        longest = max(longest, float(last.get("simulationTime", 0)))
        mean, low, high = (float(last.get(end, "nan").replace("Infinity", "inf")) for end in ("meanValue", "lowerBound", "upperBound"))
        # State 1 is that of a measure whose interval became as narrow as was asked for.
        if measure.get("state") == "1" and 0 < low <= high < math.inf:
            found.append((asked.get(measure.get("name")), measure.get("referenceStation"), measure.get("referenceClass"), mean, low, high))
    return found, longest


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def estimates(folder):
    """Returns mean and half-width of 95 % by measure, station and class; the empty name stands for all."""
    found = {}
    for row in rows(folder / "nodes.csv") + (rows(folder / "classes.csv") if (folder / "classes.csv").exists() else []):
        for measure, name in OF_STATIONS.items():
            if row.get(name) and row.get(f"{name}_ci95"):
                found[measure, row["label"], row.get("class", "")] = float(row[name]), float(row[f"{name}_ci95"])
    system = json.loads((folder / "result.json").read_text())["system"]
    for of, values in [("", system), *((values["name"], values) for values in system.get("classes", []))]:
        for measure, name in OF_SYSTEMS.items():
            value = values.get(name) or {}
            if value.get("mean") is not None and value.get("ci95") is not None:
                found[measure, "", of] = value["mean"], value["ci95"]
    return found


def compare(program, path, folder):
    """Runs a file, prints how it went, and returns whether it ran, and how many stored values agree of how many."""
    archive = ElementTree.parse(path).getroot()
    results, longest = stored(archive)
    classes = [user.get("name") for user in archive.find("sim").findall("userClass")]
    part = max(longest, 10_000.0) / 10
    command = [program, "run", "network", path, "--by-class", "--backend", "cpu", "--replications", "10", "--out", folder]
    command += ["--horizon", str(1.1 * part), "--warm-up", str(0.1 * part)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        reason = run.stderr.strip().splitlines()[-1].split(f"{path}, ", 1)[-1]
        print(f"refused  {path.name}: {reason}")
        return False, 0, 0
    ours = estimates(Path(folder))
    agree = compared = 0
    for measure, station, of, mean, low, high in results:
        # The only class is the whole.
        key = (measure, station, "" if len(classes) == 1 else of)
        if key not in ours:
            continue
        value, half = ours[key]
        inside = value - half * WIDER <= high and low <= value + half * WIDER
        compared += 1
        agree += inside
        if not inside:
            print(f"         {measure}, {station} {of}: {value:.5g} +- {half * WIDER:.2g}, stored {mean:.5g} ({low:.5g} to {high:.5g})")
    print(f"runs     {path.name}: {agree} of {compared} stored values agree")
    return True, agree, compared


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = sys.argv[2] if len(sys.argv) == 3 else "target/release/imminent"
    unique = {}
    for path in sorted(Path(sys.argv[1]).rglob("*.jsimg")):
        unique.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    with tempfile.TemporaryDirectory() as folder:
        outcomes = [compare(program, path, f"{folder}/{number}") for number, path in enumerate(unique.values())]
    ran, agree, compared = (sum(outcome[place] for outcome in outcomes) for place in range(3))
    print(f"{ran} of {len(outcomes)} files run; {agree} of {compared} stored values agree")


main()
