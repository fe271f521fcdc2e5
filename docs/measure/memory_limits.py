#!/usr/bin/env python3
"""Runs models under 100 limits of the address space, and counts how the processes end.

usage: docs/measure/memory_limits.py [PROGRAM]     PROGRAM is target/release/imminent unless given

No process may end by a signal, and each one that fails says why.
"""
import collections
import subprocess
import sys

MODELS = {
    "torus": "torus --width 256 --height 256 --horizon 2",
    "replications": "torus --width 16 --height 16 --horizon 20 --replications 200",
    "nsfnet": "network examples/networks/nsfnet.graphml --horizon 200",
    "manet": "manet --nodes 50 --horizon 12 --replications 4",
    "fire": "fire --width 600 --height 600 --horizon 1",
    "flood": "flood --width 200 --height 200",
    "traffic": "traffic examples/traffic/five-cities.toml",
    "campus": "traffic --generate campus --campuses 2 --horizon 0.5",
    "cells": "cells examples/cells/heat.ma",
    "devices": None,
}


def limited(kilobytes, arguments):
    return ["bash", "-c", f'ulimit -v {kilobytes}; exec "$@"', "limited", *arguments]


def least(program):
    """The least limit, in kilobytes, under which the system can load the program at all."""
    below, enough = 1_000, 2_000_000
    while enough - below > 500:
        middle = (below + enough) // 2
        loaded = subprocess.run(limited(middle, [program, "--version"]), capture_output=True).returncode == 0
        below, enough = (below, middle) if loaded else (middle, enough)
    return enough


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/imminent"
    names, first = list(MODELS), least(program)
    ends, told = collections.Counter(), collections.defaultdict(collections.Counter)
    for number in range(100):
        name = names[number % len(names)]
        # Up to 2 GB, by equal factors.
        kilobytes = int(first * (2_000_000 / first) ** (number / 99))
        arguments = [program, "devices"] if MODELS[name] is None else [program, "run", *MODELS[name].split(), "--json"]
        try:
            ran = subprocess.run(limited(kilobytes, arguments), capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            ends["time"] += 1
            continue
        status = ran.returncode
        end = "done" if status == 0 else f"signal {-status}" if status < 0 else f"status {status}"
        ends[end] += 1
        lines = ran.stderr.strip().splitlines()
        if status != 0:
            told[end][(name, kilobytes, lines[-1][:160] if lines else "nothing")] += 1
    print(f"limits from {first} kB on")
    for end, count in sorted(ends.items()):
        print(f"{count:3} {end}")
        for name, kilobytes, line in told[end]:
            print(f"      {name}, {kilobytes} kB: {line}")


main()
