#!/usr/bin/env python3
"""Counts how often the program's intervals cover exact values: of an M/M/1 queue and of a small Jackson network.

usage: docs/measure/coverage.py [PROGRAM [SEEDS]]     target/release/imminent and 400 seeds unless given

Each seed is a run of its own: replications until a relative error of 5 % (`--precision 0.05`), one run in batches until
that error, and 20 replications with quantiles, shares that wait longer than some times, and the probability to wait.
Sojourn times at a station of such a network are exponential, with the spare rate of the station.
"""
import json
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

MM1 = """
[network]
edges = [["door", "desk"], ["desk", "out"]]
[[network.source]]
name = "door"
rate = 0.7
[[network.node]]
name = "desk"
mean = 1.0
"""
JACKSON = """
[network]
[[network.source]]
name = "door"
rate = 0.5
[[network.node]]
name = "a"
mean = 1.0
[[network.node]]
name = "b"
mean = 1.5
[[network.node]]
name = "c"
mean = 2.5
[[network.route]]
from = "door"
to = "a"
[[network.route]]
from = "a"
to = "b"
probability = 0.6
[[network.route]]
from = "a"
to = "c"
probability = 0.4
[[network.route]]
from = "b"
to = "a"
probability = 0.25
[[network.route]]
from = "b"
to = "out"
probability = 0.75
[[network.route]]
from = "c"
to = "out"
"""
# Arrival rate and mean service by station.
NETWORKS = {"M/M/1": (MM1, {"desk": (0.7, 1.0)}), "Jackson": (JACKSON, {})}
FIRST = 0.5 / (1 - 0.6 * 0.25)
NETWORKS["Jackson"][1].update({"a": (FIRST, 1.0), "b": (0.6 * FIRST, 1.5), "c": (0.4 * FIRST, 2.5)})

WARM_UP = ["--warm-up", "200"]
RUNS = {
    "precision by replications": [*WARM_UP, "--horizon", "2200", "--replications", "1000", "--precision", "0.05"],
    "precision by batches": [*WARM_UP, "--horizon", "800200", "--batches", "20", "--precision", "0.05"],
    "quantiles and shares": [*WARM_UP, "--horizon", "5200", "--replications", "20", "--quantiles", "--beyond", "2"],
}


def run(program, path, options, seed):
    command = [program, "run", "network", path, "--backend", "cpu", "--json", "--seed", str(seed), *options]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def values(result, stations):
    """Returns what was measured: name, mean, half-width, and the exact value."""
    for node in result["nodes"]:
        if node["name"] not in stations:
            continue
        rate, mean = stations[node["name"]]
        load, spare = rate * mean, 1 / mean - rate
        exact = {
            "sojourn": 1 / spare, "waiting": 1 / spare - mean, "utilization": load, "throughput": rate,
            "number_in_system": load / (1 - load), "queue_length": load * load / (1 - load),
        }
        for measure, value in exact.items():
            yield measure, node["stats"][measure]["mean"], node["stats"][measure]["ci95"], value
    for node in result.get("node_times", []):
        if node["name"] not in stations:
            continue
        rate, mean = stations[node["name"]]
        load, spare = rate * mean, 1 / mean - rate
        yield "probability to wait", node["waits"]["mean"], node["waits"]["ci95"], load
        for beyond in node["beyond"]:
            share = load * math.exp(-spare * beyond["time"])
            yield "share that waits beyond 2", beyond["share"]["mean"], beyond["share"]["ci95"], share
        for percent in (50, 90, 95, 99):
            left = 1 - percent / 100
            quantile = node["sojourn"]["quantiles"][f"p{percent}"]
            yield f"sojourn p{percent}", quantile["value"], quantile["ci95"], -math.log(left) / spare
            if left < load:
                quantile = node["waiting"]["quantiles"][f"p{percent}"]
                yield f"waiting p{percent}", quantile["value"], quantile["ci95"], math.log(load / left) / spare


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/imminent"
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    print("network,run,measure,intervals,cover,share")
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, stations) in NETWORKS.items():
            path = Path(folder) / "network.toml"
            path.write_text(text)
            for of_run, options in RUNS.items():
                covered, all_of = defaultdict(int), defaultdict(int)
                for seed in range(1, seeds + 1):
                    result = run(program, path, options, seed)
                    for measure, value, half, exact in values(result, stations):
                        # The precision is that of the sojourn time.
                        if of_run.startswith("precision") and measure not in ("sojourn", "number_in_system", "waiting"):
                            continue
                        if half is None:
                            continue
                        all_of[measure] += 1
                        covered[measure] += abs(value - exact) <= half
                for measure, number in all_of.items():
                    share = covered[measure] / number
                    print(f"{name},{of_run},{measure},{number},{covered[measure]},{share:.3f}", flush=True)


main()
