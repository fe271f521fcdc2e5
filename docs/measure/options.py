#!/usr/bin/env python3
"""Gives odd values to every option of every command, one at a time, and counts how the program answers.

usage: docs/measure/options.py [--list] [PROGRAM]     PROGRAM is target/release/imminent unless given

An error names its option, its key in a configuration, or the file that the option gives; or another option of the
command line, to which the value does not fit. `--list` prints the tries that are taken too. No try may crash, and none
may be refused without a name.
"""
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ODD = ["nan", "-1", "0", "1e300", "", "word", "inf", "99999999999999999999"]
BASES = [
    "run torus --width 4 --height 4 --horizon 5 --backend cpu",
    "run open --lines 2 --servers 2 --horizon 5 --backend cpu",
    "run network {examples}/networks/nsfnet.graphml --horizon 5 --backend cpu",
    "run traffic {examples}/traffic/five-cities.toml --horizon 0.1 --backend cpu",
    "run traffic --generate validation --horizon 0.1 --backend cpu",
    "run traffic --generate campus --campuses 1 --horizon 0.1 --backend cpu",
    "run manet --nodes 8 --horizon 2 --replications 1 --backend cpu",
    "run fire --width 20 --height 20 --horizon 0.5 --backend cpu",
    "run wildfire --elevation {maps}/hill.asc --fuel {maps}/grass.asc --ignite 5,5 --horizon 0.2 --backend cpu",
    "run wildfire --elevation {maps}/hill.asc --fuel {maps}/grass.asc --fires 2 --weathers 2 --wind 4 --wind-spread 1 --horizon 0.2 --backend cpu",
    "run levelling --width 20 --height 20 --horizon 0.01 --backend cpu",
    "run flood --elevation {maps}/hill.asc --rain 20 --horizon 0.01 --backend cpu",
    "run cells {examples}/cells/heat.ma --horizon 0.001 --backend cpu",
    "compare {examples}/networks/nsfnet.graphml {examples}/networks/nsfnet.graphml --horizon 5 --replications 2 --backend cpu",
    "study {maps}/study.toml --backend cpu",
    "conform --quick --only segments --backend cpu",
    "fuzz --cases 1 --shrink 0 --backend opencl",
    "bisect --left cpu --right cpu torus --width 4 --height 4 --horizon 5",
    "emit torus --lang ir",
]
GOOD = ("named", "another named", "warned of", "taken")
OPTION = re.compile(r"^ +(?:-\w, )?--([\w-]+)(?:\[?[ =]<([^>]+)>)?", re.M)


def write_inputs(folder):
    head = "ncols 12\nnrows 12\nxllcorner 0\nyllcorner 0\ncellsize 30\n"
    for name, value in [("hill", lambda row, column: row + 2 * column), ("grass", lambda row, column: 1)]:
        rows = "\n".join(" ".join(str(value(row, column)) for column in range(12)) for row in range(12))
        Path(folder, f"{name}.asc").write_text(head + rows + "\n")
    fixed = '[fixed]\nfile = "line.toml"\n[[axis]]\nparameter = "network.source[0].mean"\nvalues = [2.0]\n'
    Path(folder, "study.toml").write_text('format = 1\nmodel = "network"\nseed = 1\nrepetitions = 1\n' + fixed)
    Path(folder, "line.toml").write_text(
        '[network]\nedges = [["street", "desk"], ["desk", "out"]]\n[[network.source]]\nname = "street"\nmean = 2.0\n'
        '[[network.node]]\nname = "desk"\nmean = 1.0\n[run]\nhorizon = 5.0\n'
    )


def without(words, option):
    """The words of a command without an option and its value."""
    kept, skips = [], False
    for word in words:
        if skips:
            skips = False
        elif word == option:
            skips = True
        else:
            kept.append(word)
    return kept


def answer(program, words, option, value, kind, folder):
    given = without(words, option)
    at = 2 if given[0] == "run" else 1
    given.insert(at, f"{option}={value}")
    try:
        ran = subprocess.run([program, *given], capture_output=True, text=True, timeout=20, cwd=folder)
    except subprocess.TimeoutExpired:
        return "no end in 20 s", ""
    told = ran.stderr.strip()
    key = option.removeprefix("--").replace("-", "_")
    if ran.returncode == 0:
        return ("warned of" if option in told else "taken"), told
    if ran.returncode not in (1, 2):
        return f"crash {ran.returncode}", told
    error = " / ".join(line for line in told.splitlines() if not line.startswith("Usage:"))
    if re.search(rf"{option}\b|[.'`]{key}\b", error) or kind in ("FILE", "DIR") and value and value in error:
        return "named", error
    others = [word for word in given if word.startswith("--") and re.search(rf"{word}\b", error)]
    return ("another named" if others else "not named"), error


def main():
    lists, rest = "--list" in sys.argv[1:], [word for word in sys.argv[1:] if word != "--list"]
    program, counts = str(Path(rest[0] if rest else "target/release/imminent").resolve()), collections.Counter()
    examples = Path(__file__).resolve().parents[2] / "examples"
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(folder)
        for base in BASES:
            words = base.format(examples=examples, maps=folder).split()
            if subprocess.run([program, *words], capture_output=True, timeout=60, cwd=folder).returncode != 0:
                sys.exit(f"fails without an odd value: {base}")
            command = words[:2] if words[0] == "run" else words[:1]
            help_text = subprocess.run([program, *command, "--help"], capture_output=True, text=True).stdout
            for name, kind in OPTION.findall(help_text):
                for value in ODD if kind else []:
                    end, told = answer(program, words, f"--{name}", value, kind, folder)
                    counts[end] += 1
                    if end not in GOOD or lists and end != "named":
                        shown = base.replace("{examples}/", "").replace("{maps}/", "")
                        print(f"{end:<10} {shown} --{name}={value}: {told[:300]}", flush=True)
    print(", ".join(f"{count} {end}" for end, count in counts.most_common()))
    sys.exit(any(end not in GOOD for end in counts))


main()
