#!/usr/bin/env python3
"""Repeats three logs of CD++ in which the undefined value counts as a number.

    docs/compare/cells/undefined.py FOLDER

FOLDER is that of check.py, which fetches the repositories into it. The source of CD++ makes its undefined value by `sin(1e100)`
where the C library has no NAN (CDPP_ExtendedStates-codename-Santi, src/cd++/val/undefd.h). This is the number -0.38063773...:
cells beyond an open border have it, and sums and comparisons take it. The rules of the three models stand here in Python, and
their cells change all at once. The exit status is 1 if an output is not in the log with all its digits, or is missing.
"""

import math
import re
import struct
import sys
from pathlib import Path

UNDEFINED = math.sin(1e100)
ROWS_OF_SORT = "7.3 10.02 15.11 18.2 -2.3 4.24 0.23 5.55 11.34 23.12 1.05 3.76 2.11 14.56 -4.64"


def single(text):
    """A number of a file, which CD++ reads in single precision."""
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def position(text):
    return tuple(map(int, text.split(",")))


def differs(a, b):
    return abs(a - b) > 1e-8


def outputs(log):
    """The outputs of cells: time in milliseconds, cell, and the value as it is printed."""
    line = re.compile(r"Mensaje Y / (\d+):(\d+):(\d+):(\d+) / \w+\(([\d,]+)\)\(\d+\) / out /\s*(\S+) para")
    found = {}
    for hours, minutes, seconds, milliseconds, cell, value in line.findall(log.read_text(errors="replace")):
        time = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(milliseconds)
        found[time, position(cell)] = value
    return found


def steps(values, rule, delay, last):
    """The outputs of cells that all change after the same delay."""
    found = {}
    for time in range(delay, last + 1, delay):
        following = {cell: rule(values, cell) for cell in values}
        found |= {(time, cell): f"{value:.5f}" for cell, value in following.items() if differs(value, values[cell])}
        values = following
    return found


def reaction(sides, around, file):
    """Cells, the first layer of which sees itself in the mean of some places, and the second one step later."""
    values = {(): 100.0}
    for side in (*sides, 2):
        values = {(*cell, at): 100.0 for cell in values for at in range(side)}
    found = re.findall(r"\(([\d,]+)\)\s*=\s*(\S+)", file.read_text())
    values |= {position(cell): single(value) for cell, value in found}

    def rule(values, cell):
        *place, layer = cell
        if layer:
            return values[(*place, 0)]
        places = [(*(at + by for at, by in zip(place, offset)), 0) for offset in around]
        mean = sum(values.get(place, UNDEFINED) for place in places) / len(places)
        return (mean - values[(*place, 1)]) / 100

    return values, rule, 100


def sort():
    """A row that is sorted by exchanges, below it a row that alternates between 1 and undefined."""
    values = {(0, at): single(text) for at, text in enumerate(ROWS_OF_SORT.split())}
    values |= {(1, at): UNDEFINED if at % 2 else 1.0 for at in range(15)}

    def rule(values, cell):
        row, column = cell
        own = values[cell]
        below, left, right = (values.get(at, UNDEFINED) for at in [(row + 1, column), (row, column - 1), (row, column + 1)])
        if not differs(own, 1) and not (differs(left, UNDEFINED) and differs(right, UNDEFINED)):
            return UNDEFINED
        if not differs(own, UNDEFINED):
            return 1.0
        if not differs(below, 1) and own > right:
            return right
        if not differs(below, UNDEFINED) and left > own:
            return left
        return own

    return values, rule, 10


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    models = [folder / f"SimulationEverywhere-Models+CDPP-{name}" for name in ("REACTION-DIFFUSION", "SORT-3")]
    plane = [(0, 0), (-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (1, 1), (-1, 1), (1, -1)]
    cube = [(0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1)]
    cases = [
        (models[0] / "ReactionDiffusion.log", reaction((5, 5, 5), cube, models[0] / "ReactionDiffusion.val")),
        (models[0] / "ReactionDiffusion_bonus.log", reaction((5, 5), plane, models[0] / "ReactionDiffusion_bonus.val")),
        (models[1] / "BasicSort/basicsortLOG.log", sort()),
    ]
    wrong = 0
    for log, (values, rule, delay) in cases:
        theirs = outputs(log)
        ours = steps(values, rule, delay, max(time for time, _ in theirs))
        equal = len(theirs.items() & ours.items())
        wrong += len(theirs) + len(ours) - 2 * equal
        print(f"{log.name}: {equal} outputs are equal, {len(theirs) - equal} of CD++ and {len(ours) - equal} of these rules are not")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
