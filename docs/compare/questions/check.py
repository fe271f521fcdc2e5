#!/usr/bin/env python3
"""Runs the networks of this folder, and compares each with an answer that shares nothing with the program.

usage: docs/compare/questions/check.py [PROGRAM]     PROGRAM is target/release/imminent unless given

An answer is a formula, a Markov chain that is solved here, or counted by hand. A run agrees if the answer lies in its
interval of 99.9 %, or equals its value where nothing is random.
"""
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

# The program's intervals are of 95 %, mostly over 20 replications: Student's t for 99.9 % over that for 95 %.
WIDER = 3.883 / 2.093
HERE = Path(__file__).parent
# Questions about times from a source to the exit.
END_TO_END = ["14-parallel-disks"]


def rates_by_time():
    """Mean number at a delay over 100 minutes: m' = rate(t) - m/5, from 0."""
    mean, rates = 0.0, [(0, 10, 0.4), (10, 40, 0.2), (40, 100, 0.3)]
    area = 0.0
    for begin, end, rate in rates:
        length, level = end - begin, 5 * rate
        fallen = math.exp(-length / 5)
        area += level * length + (mean - level) * 5 * (1 - fallen)
        mean = level + (mean - level) * fallen
    return {"arrivals": sum((end - begin) * rate for begin, end, rate in rates), "number": area / 100}


def machine_shop():
    """M/D/1 with ten customers: the chain of the numbers of broken machines that a repair leaves behind."""
    machines, mean, repair = 10, 300.0, 30.0
    breaks = 1 - math.exp(-repair / mean)

    def after(broken):
        """Returns the law of the number that breaks during a repair that begins with so many broken."""
        up = machines - broken
        return [math.comb(up, n) * breaks**n * (1 - breaks) ** (up - n) for n in range(up + 1)]

    law = [1.0 / machines] * machines
    for _ in range(2000):
        following = [0.0] * machines
        for left, share in enumerate(law):
            begins = max(left, 1)
            for number, probability in enumerate(after(begins)):
                following[begins - 1 + number] += share * probability
        law = following
    cycle = repair + law[0] * mean / machines
    return {"repairs per minute": 1 / cycle, "machines at work": mean / cycle}


def solve(start, moves):
    """Returns the stationary law of a Markov chain: moves(state) lists pairs of a rate and the next state."""
    states, order = {start: 0}, [start]
    for state in order:
        for _, to in moves(state):
            if to not in states:
                states[to] = len(order)
                order.append(to)
    into, leave = [[] for _ in order], [0.0] * len(order)
    for number, state in enumerate(order):
        for rate, to in moves(state):
            into[states[to]].append((number, rate))
            leave[number] += rate
    law = [1.0 / len(order)] * len(order)
    for _ in range(4000):
        change = 0.0
        for number, sources in enumerate(into):
            value = sum(law[source] * rate for source, rate in sources) / leave[number]
            change = max(change, abs(value - law[number]))
            law[number] = value
        total = sum(law)
        law = [value / total for value in law]
        if change < 1e-12:
            break
    return list(zip(order, law))


def batches():
    """A chain of those who wait and those who are served together; at most 150 wait."""

    def moves(state):
        line, batch = state
        found = []
        if line < 150:
            found.append((7.0, (0, 5) if batch == 0 and line == 4 else (line + 1, batch)))
        if batch:
            following = min(line, 10) if line >= 5 else 0
            found.append((1.0, (line - following, following)))
        return found

    law = solve((0, 0), moves)
    return {
        "number that waits": sum(line * share for (line, _), share in law),
        "number at the train": sum((line + batch) * share for (line, batch), share in law),
    }


def skills():
    """A chain of the servers that are busy and the numbers that wait, by class; at most nine are inside."""
    rates = (1.0, 0.8, 0.6)

    def moves(state):
        own, others, *line = state
        found = []
        for kind, rate in enumerate(rates):
            if own + others + sum(line) == 9:
                continue
            if kind == 0 and own == 0:
                found.append((rate, (1, others, *line)))
            elif others < 2:
                found.append((rate, (own, others + 1, *line)))
            else:
                found.append((rate, (own, others, *(n + (k == kind) for k, n in enumerate(line)))))
        if own:
            first = line[0] > 0
            found.append((1.0, (1 if first else 0, others, line[0] - first, *line[1:])))
        if others:
            taken = next((kind for kind in range(3) if line[kind]), None)
            left = tuple(n - (k == taken) for k, n in enumerate(line))
            found.append((float(others), (own, others - (taken is None), *left)))
        return found

    law = solve((0, 0, 0, 0, 0), moves)
    lost = sum(share for (own, others, *line), share in law if own + others + sum(line) == 9)
    waits = [sum(state[2 + kind] * share for state, share in law) / (rates[kind] * (1 - lost)) for kind in range(3)]
    return dict(zip(("wait of the first", "wait of the second", "wait of the third"), waits))


def service_by_number():
    """A chain of the numbers at both nodes."""
    joins, speeds = [1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0], [3.0, 5.0, 5.5, 6.0]

    def moves(state):
        first, second = state
        found = [(5.0 * joins[first], (first + 1, second))] if joins[first] else []
        if first and second < 120:
            found.append((6.0, (first - 1, second + 1)))
        if second:
            found.append((speeds[min(second, 4) - 1], (first, second - 1)))
        return found

    law = solve((0, 0), moves)
    return {
        "number at the first": sum(first * share for (first, _), share in law),
        "number at the second": sum(second * share for (_, second), share in law),
        "share that balks": sum((1 - joins[first]) * share for (first, _), share in law),
    }


def back_with_priority():
    """Services are exponential and alike, so the order changes no number: a Jackson network. The split is a chain."""
    visits, tests = 0.3, 0.15
    load = visits + 2 * tests

    # Who is served: 0 nobody, 1 for the first time, 2 with a result; numbers in line by kind, and in the laboratory.
    def moves(state):
        serves, line, results, laboratory = state
        found = []
        if line < 30:
            found.append((visits + tests, (1, line, results, laboratory) if serves == 0 else (serves, line + 1, results, laboratory)))
        if laboratory and results < 8:
            rate = min(laboratory, 2) / 4
            found.append((rate, (2, line, results, laboratory - 1) if serves == 0 else (serves, line, results + 1, laboratory - 1)))
        if serves:
            if results:
                rest = (2, line, results - 1)
            elif line:
                rest = (1, line - 1, 0)
            else:
                rest = (0, 0, 0)
            goes = tests / (visits + tests) if serves == 1 else 0.0
            if goes < 1:
                found.append((1 - goes, (*rest, laboratory)))
            if goes and laboratory < 10:
                found.append((goes, (*rest, laboratory + 1)))
            elif goes:
                found.append((goes, (*rest, laboratory)))
        return found

    law = solve((0, 0, 0, 0), moves)
    return {
        "number at the physician": load / (1 - load),
        "wait with a result": sum(results * share for (_, _, results, _), share in law) / tests,
    }


def traffic_light():
    """Mean number: the line grows for five minutes at 3 a minute; those in service leave with rate 5 all the time."""
    fallen = math.exp(-25)
    # In service when the light turns green: what is left of the period before, and the line of 15.
    at_green = (15 + 0.6 * (1 - fallen) * fallen) / (1 - fallen * fallen)
    green = 0.6 * 5 + (at_green - 0.6) * (1 - fallen) / 5
    at_red = 0.6 + (at_green - 0.6) * fallen
    return {"number": (3 * 25 / 2 + green + at_red * (1 - fallen) / 5) / 10}


def one_queue():
    """M/M/2 and M/M/1."""
    load = 0.75
    busy = 1 / (1 + 1.5 + 1.5**2 / 2 / (1 - load))
    wait = busy * 1.5**2 / 2 / (1 - load) / (2 - 1.5)
    return {"sojourn with one queue": 1 + wait, "sojourn with two": 1 / (1 - load)}


def parallel_disks():
    """Mean of the longer of both sojourns (Flatto and Hahn), and so of the parts that wait at the join."""
    whole = (12 - 0.6) / 8 / (1 - 0.6)
    return {"time until the reply": whole, "parts at the join": 0.6 * (2 * whole - 2 / (1 - 0.6))}


def round_robin():
    """Every second arrival is two stages of rate 1: E2/M/1, whose number does not depend on sharing."""
    root = 0.5
    for _ in range(200):
        root = (1 / (1 + 2 * (1 - root))) ** 2
    return {"sojourn": 1 / (2 * (1 - root))}


def of_node(run, name, column):
    row = run["nodes"][name]
    return float(row[column]), float(row.get(f"{column}_ci95") or 0)


def of_class(run, name, column):
    row = next(row for row in run["classes"] if row["class"] == name and row[column])
    return float(row[column]), float(row[f"{column}_ci95"])


def end_to_end(run, source):
    of_source = next(row for row in run["result"]["end_to_end"] if row["source"] == source)
    return of_source["time"]["mean"], of_source["time"]["ci95"]


# File, what is read off a run, and the answers.
QUESTIONS = [
    ("01-rates-by-time", rates_by_time, {
        "arrivals": lambda run: tuple(100 * value for value in of_node(run, "door", "throughput")),
        "number": lambda run: of_node(run, "room", "number_in_system"),
    }),
    ("02-batches", batches, {
        "number that waits": lambda run: of_node(run, "train", "queue_length"),
        "number at the train": lambda run: of_node(run, "train", "number_in_system"),
    }),
    ("03-machine-shop", machine_shop, {
        "repairs per minute": lambda run: of_node(run, "repair", "throughput"),
        "machines at work": lambda run: of_node(run, "works", "number_in_system"),
    }),
    ("05-skills", skills, {
        f"wait of the {name}": lambda run, name=name: of_class(run, name, "waiting") for name in ("first", "second", "third")
    }),
    ("06-by-the-hour", lambda: {"arrivals": 24, "services": 23}, {
        "arrivals": lambda run: of_node(run, "door", "completed"),
        "services": lambda run: of_node(run, "desk", "completed"),
    }),
    ("07-service-by-number", service_by_number, {
        "number at the first": lambda run: of_node(run, "first", "number_in_system"),
        "number at the second": lambda run: of_node(run, "second", "number_in_system"),
        "share that balks": lambda run: of_node(run, "first", "loss"),
    }),
    ("08-back-with-priority", back_with_priority, {
        "number at the physician": lambda run: of_node(run, "physician", "number_in_system"),
        "wait with a result": lambda run: of_class(run, "result", "waiting"),
    }),
    ("09-traffic-light", traffic_light, {"number": lambda run: of_node(run, "light", "number_in_system")}),
    ("10-limited-arrivals", lambda: {"of one class": 40, "of the other": 60, "served of both": 100}, {
        "of one class": lambda run: tuple(500 * value for value in of_node(run, "a", "throughput")),
        "of the other": lambda run: tuple(500 * value for value in of_node(run, "b", "throughput")),
        "served of both": lambda run: tuple(500 * value for value in of_node(run, "desk", "throughput")),
    }),
    # Ten wait 0, 0.5, ..., 4.5; the arrival at 3 waits until 5, and eight others do not.
    ("11-begin-with-customers", lambda: {"served": 19, "wait": 24.5 / 19}, {
        "served": lambda run: of_node(run, "desk", "completed"),
        "wait": lambda run: of_node(run, "desk", "waiting"),
    }),
    # Four of the oven's places are taken at 10 and 12; the rest starts at 15, 17 and 20, and the last ends at 25.
    ("12-known-orders", lambda: {"served": 10, "wait": 26 / 10}, {
        "served": lambda run: of_node(run, "oven", "completed"),
        "wait": lambda run: of_node(run, "oven", "waiting"),
    }),
    ("13-one-queue", one_queue, {
        "sojourn with one queue": lambda run: of_node(run, "both", "sojourn"),
        "sojourn with two": lambda run: of_node(run, "left", "sojourn"),
    }),
    ("14-parallel-disks", parallel_disks, {
        "time until the reply": lambda run: end_to_end(run, "requests"),
        "parts at the join": lambda run: of_node(run, "reply", "queue_length"),
    }),
    ("15-round-robin", round_robin, {"sojourn": lambda run: of_node(run, "left", "sojourn")}),
]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def simulate(program, name, folder):
    command = [program, "run", "network", HERE / f"{name}.toml", "--by-class", "--out", folder]
    command += ["--end-to-end"] if name in END_TO_END else []
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{name}: {run.stderr}")
    classes = folder / "classes.csv"
    return {
        "nodes": {row["label"]: row for row in rows(folder / "nodes.csv")},
        "classes": rows(classes) if classes.exists() else [],
        "result": json.loads((folder / "result.json").read_text()),
    }


def main():
    program = sys.argv[1] if len(sys.argv) == 2 else "target/release/imminent"
    right = True
    with tempfile.TemporaryDirectory() as folder:
        for name, answers, measures in QUESTIONS:
            run = simulate(program, name, Path(folder) / name)
            for measure, answer in answers().items():
                value, half = measures[measure](run)
                agrees = abs(value - answer) <= half * WIDER + 1e-6 * max(abs(answer), 1.0)
                right = right and agrees
                print(f"{name:24} {measure:24} {value:10.5g} +- {half * WIDER:8.2g}  answer {answer:10.5g}  {'agrees' if agrees else 'DIFFERS'}")
    sys.exit(not right)


main()
