#!/usr/bin/env python3
"""Compares networks with LINE (`pip install line-solver`) and Ciw (`pip install ciw`).

usage: docs/compare/peers/peers.py [PROGRAM]     PROGRAM is target/release/imminent unless given

Each network is described twice, for the program as a file and for the peer by its own interface. LINE solves a Markov
chain, or mean values exactly: its numbers have to lie in the program's intervals of 99.9 %. Ciw simulates: the difference
of both means has to lie in the interval of 99.9 % that both spreads give. Exits with status 2 where neither is installed.
"""
import csv
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

REPLICATIONS = 20
# Student's t for 99.9 % and 19 degrees of freedom, and over that for 95 %.
T = 3.883
WIDER = T / 2.093

NETWORKS = []


def network(peer, text, *measures):
    """Adds a network: a function that returns the peer's values, the file, and what is read off a run."""
    def add(function):
        NETWORKS.append((peer, function, text, measures))
        return function
    return add


RUN = "[run]\nwarm_up = 500.0\nhorizon = 20500.0\n"


def closed(first, second):
    """Returns a closed network of two classes, three jobs each, at a delay and a queue."""
    return f"""
[network]
classes = ["a", "b"]
edges = [["think", "queue"], ["queue", "think"]]
[[network.node]]
name = "think"
servers = 6
class = {{ a = {{ mean = 2.0 }}, b = {{ mean = 1.0 }} }}
tokens = {{ a = 3, b = 3 }}
[[network.node]]
name = "queue"
tokens = {{ a = 0, b = 0 }}
{first}
class = {{ a = {{ mean = 0.5{second[0]} }}, b = {{ mean = 0.25{second[1]} }} }}
{RUN}"""


def line_closed(strategy, priorities=(0, 0), weights=(1, 1), prepare=None):
    """Returns numbers of both classes at the queue of the same network, by LINE's Markov chain."""
    import line_solver as line
    model = line.Network("closed")
    think = line.Delay(model, "think")
    queue = line.Queue(model, "queue", strategy)
    classes = [line.ClosedClass(model, name, 3, think, priority) for name, priority in zip("ab", priorities)]
    for job, rate_there, rate, weight in zip(classes, (0.5, 1.0), (2.0, 4.0), weights):
        think.set_service(job, line.Exp(rate_there))
        queue.set_service(job, line.Exp(rate), weight)
    if prepare:
        prepare(queue)
    routes = model.init_routing_matrix()
    for job in classes:
        routes.set(job, job, think, queue, 1.0)
        routes.set(job, job, queue, think, 1.0)
    model.link(routes)
    return values_of(line.CTMC(model, verbose=False).avg_table(), "queue")


def values_of(table, station):
    """Returns the mean numbers at a station, by class."""
    frame = table.data if hasattr(table, "data") else table
    rows = frame[frame["Station"] == station]
    return [float(value) for value in rows["QLen"]]


NUMBERS = [("queue", "a", "number_in_system"), ("queue", "b", "number_in_system")]


@network("LINE", closed('discipline = "processor-sharing"', ("", "")), *NUMBERS)
def sharing():
    import line_solver as line
    return line_closed(line.SchedStrategy.PS)


@network("LINE", closed('discipline = "processor-sharing"', (", weight = 1", ", weight = 4")), *NUMBERS)
def sharing_by_weights():
    import line_solver as line
    return line_closed(line.SchedStrategy.DPS, weights=(1, 4))


@network("LINE", closed('discipline = "priority-preemptive"', (", priority = 1", ", priority = 0")), *NUMBERS)
def preemptive_priorities():
    import line_solver as line
    return line_closed(line.SchedStrategy.FCFSPRPRIO, priorities=(1, 0))


@network("LINE", closed('discipline = "lifo-preemptive"', ("", "")), *NUMBERS)
def last_come_first_served_preemptive():
    import line_solver as line
    return line_closed(line.SchedStrategy.LCFSPR)


@network("LINE", closed('discipline = "processor-sharing"\nspeeds = [1.0, 1.5, 1.75, 2.0]', ("", "")), *NUMBERS)
def speeds_by_number():
    import line_solver as line
    return line_closed(line.SchedStrategy.PS, prepare=lambda queue: queue.set_load_dependence([1.0, 1.5, 1.75, 2.0, 2.0, 2.0]))


@network("LINE", """
[network]
classes = ["a", "b"]
[[network.node]]
name = "think"
servers = 4
class = { a = { mean = 2.0 }, b = { mean = 1.0 } }
tokens = { a = 4, b = 0 }
[[network.node]]
name = "queue"
tokens = { a = 0, b = 0 }
discipline = "processor-sharing"
class = { a = { mean = 0.5 }, b = { mean = 0.25 } }
[[network.route]]
from = "think"
to = "queue"
[[network.route]]
from = "queue"
class = "a"
to = "think"
becomes = "b"
probability = 0.6
[[network.route]]
from = "queue"
class = "a"
to = "think"
probability = 0.4
[[network.route]]
from = "queue"
class = "b"
to = "think"
becomes = "a"
""" + RUN, *NUMBERS)
def classes_that_change():
    import line_solver as line
    model = line.Network("switching")
    think = line.Delay(model, "think")
    queue = line.Queue(model, "queue", line.SchedStrategy.PS)
    a, b = line.ClosedClass(model, "a", 4, think), line.ClosedClass(model, "b", 0, think)
    for job, rate_there, rate in ((a, 0.5, 2.0), (b, 1.0, 4.0)):
        think.set_service(job, line.Exp(rate_there))
        queue.set_service(job, line.Exp(rate))
    routes = model.init_routing_matrix()
    routes.set(a, a, think, queue, 1.0)
    routes.set(b, b, think, queue, 1.0)
    routes.set(a, b, queue, think, 0.6)
    routes.set(a, a, queue, think, 0.4)
    routes.set(b, a, queue, think, 1.0)
    model.link(routes)
    return values_of(line.CTMC(model, verbose=False).avg_table(), "queue")


@network("LINE", """
[network]
edges = [["left", "think"], ["right", "think"]]
[[network.node]]
name = "think"
servers = 6
mean = 2.0
tokens = 6
routing = "shortest-queue"
[[network.node]]
name = "left"
mean = 1.0
tokens = 0
[[network.node]]
name = "right"
mean = 0.5
tokens = 0
[[network.route]]
from = "think"
to = "left"
[[network.route]]
from = "think"
to = "right"
""" + RUN, ("left", None, "number_in_system"), ("right", None, "number_in_system"))
def shortest_queue():
    import line_solver as line
    model = line.Network("shortest")
    think = line.Delay(model, "think")
    job = line.ClosedClass(model, "a", 6, think)
    think.set_service(job, line.Exp(0.5))
    think.set_routing(job, line.RoutingStrategy.JSQ)
    for name, rate in (("left", 1.0), ("right", 2.0)):
        queue = line.Queue(model, name, line.SchedStrategy.FCFS)
        queue.set_service(job, line.Exp(rate))
        model.add_link(think, queue)
        model.add_link(queue, think)
        queue.set_prob_routing(job, think, 1.0)
    table = line.CTMC(model, verbose=False).avg_table()
    return values_of(table, "left") + values_of(table, "right")


def ciw_runs(measure, horizon=2500.0, warm_up=500.0, **options):
    """Returns mean and standard error of what is read off the records of replications of Ciw."""
    import ciw
    values = []
    for seed in range(REPLICATIONS):
        ciw.seed(seed)
        tracker = {key: options[key] for key in ("node_class", "individual_class") if key in options}
        made = ciw.create_network(**{key: value for key, value in options.items() if key not in tracker})
        simulation = ciw.Simulation(made, **tracker)
        simulation.simulate_until_max_time(horizon + 100.0)
        records = [record for record in simulation.get_all_records() if warm_up < record.arrival_date < horizon]
        values.append(measure(records))
    by_measure = list(zip(*values))
    return [(statistics.fmean(column), statistics.stdev(column) / math.sqrt(REPLICATIONS)) for column in by_measure]


def sojourns(records):
    """Returns the times from the first record of each customer to the last: an interruption ends a record."""
    visits = {}
    for record in records:
        visits.setdefault(record.id_number, []).append(record)
    whole = (parts for parts in visits.values() if any(part.record_type == "service" for part in parts))
    return [max(part.exit_date for part in parts) - min(part.arrival_date for part in parts) for parts in whole]


def mean(values):
    return statistics.fmean(list(values))


@network("Ciw", """
[network]
edges = [["door", "desk"], ["desk", "out"]]
[[network.source]]
name = "door"
rate = 2.2
[[network.node]]
name = "desk"
servers = 2
mean = 1.0
patience = { law = "uniform", low = 0.5, high = 2.0 }
""" + RUN, ("desk", None, "throughput"), ("desk", None, "sojourn"))
def impatience():
    import ciw
    def measure(records):
        served = [record for record in records if record.record_type == "service"]
        return len(served) / 2000.0, mean(record.exit_date - record.arrival_date for record in served)
    return ciw_runs(
        measure, arrival_distributions=[ciw.dists.Exponential(2.2)], service_distributions=[ciw.dists.Exponential(1.0)],
        reneging_time_distributions=[ciw.dists.Uniform(0.5, 2.0)], number_of_servers=[2],
    )


@network("Ciw", """
[network]
edges = [["door", "desk"], ["desk", "out"]]
[[network.source]]
name = "door"
rate = 1.5
[[network.node]]
name = "desk"
servers = 4
mean = 1.0
shifts = { at = [[0, 4], [6, 1]], period = 10, end = "interrupt" }
""" + RUN, ("desk", None, "sojourn"))
def shifts():
    import ciw
    # Services that a shift's end interrupts go on. Ciw's shifts cannot be compared where services are finished: the
    # servers of the next shift are all new then, and come beside those who still finish.
    return ciw_runs(
        lambda records: (mean(sojourns(records)),),
        arrival_distributions=[ciw.dists.Exponential(1.5)], service_distributions=[ciw.dists.Exponential(1.0)],
        number_of_servers=[ciw.Schedule(numbers_of_servers=[4, 1], shift_end_dates=[6, 10], preemption="resume")],
    )


@network("Ciw", """
[network]
edges = [["door", "desk"], ["desk", "out"]]
[[network.source]]
name = "door"
rate = 0.5
batch = [[1, 0.5], [2, 0.25], [4, 0.25]]
[[network.node]]
name = "desk"
servers = 2
service = { law = "gamma", shape = 2.0, mean = 1.2 }
""" + RUN, ("desk", None, "waiting"))
def batches():
    import ciw
    return ciw_runs(
        lambda records: (mean(record.waiting_time for record in records),),
        arrival_distributions=[ciw.dists.Exponential(0.5)], service_distributions=[ciw.dists.Gamma(2.0, 0.6)],
        batching_distributions=[ciw.dists.Pmf([1, 2, 4], [0.5, 0.25, 0.25])], number_of_servers=[2],
    )


@network("Ciw", """
[network]
classes = ["urgent", "mild"]
edges = [["a", "desk"], ["b", "desk"], ["desk", "out"]]
[[network.source]]
name = "a"
class = "urgent"
rate = 0.5
[[network.source]]
name = "b"
class = "mild"
rate = 0.7
[[network.node]]
name = "desk"
servers = 2
discipline = "priority-preemptive"
class = { urgent = { mean = 1.0, priority = 0 }, mild = { mean = 1.2, priority = 1 } }
""" + RUN, ("desk", "urgent", "sojourn"), ("desk", "mild", "sojourn"))
def interrupted_services():
    import ciw
    def measure(records):
        return [mean(sojourns(record for record in records if record.customer_class == kind)) for kind in ("urgent", "mild")]
    return ciw_runs(
        measure,
        arrival_distributions={"urgent": [ciw.dists.Exponential(0.5)], "mild": [ciw.dists.Exponential(0.7)]},
        service_distributions={"urgent": [ciw.dists.Exponential(1.0)], "mild": [ciw.dists.Exponential(1 / 1.2)]},
        priority_classes=({"urgent": 0, "mild": 1}, ["resume"]), number_of_servers=[2],
    )


@network("Ciw", """
[network]
edges = [["door", "first"], ["first", "second"], ["second", "out"]]
[[network.source]]
name = "door"
rate = 0.7
[[network.node]]
name = "first"
mean = 1.0
[[network.node]]
name = "second"
mean = 0.9
capacity = 3
overflow = "block"
""" + RUN, ("first", None, "sojourn"), ("second", None, "waiting"))
def blocking():
    import ciw
    def measure(records):
        first = [record.exit_date - record.arrival_date for record in records if record.node == 1]
        return mean(first), mean(record.waiting_time for record in records if record.node == 2)
    return ciw_runs(
        measure, arrival_distributions=[ciw.dists.Exponential(0.7), None],
        service_distributions=[ciw.dists.Exponential(1.0), ciw.dists.Exponential(1 / 0.9)],
        queue_capacities=[float("inf"), 2], number_of_servers=[1, 1], routing=[[0.0, 1.0], [0.0, 0.0]],
    )


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def simulate(program, text, folder):
    """Returns what a run measures, by node, class and measure: mean and half-width of 95 %."""
    folder.mkdir()
    (folder / "network.toml").write_text(text)
    command = [program, "run", "network", folder / "network.toml", "--by-class", "--backend", "cpu"]
    command += ["--replications", str(REPLICATIONS), "--out", folder / "out"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    found = {}
    for name in ("nodes", "classes"):
        path = folder / "out" / f"{name}.csv"
        for row in rows(path) if path.exists() else []:
            for measure in row:
                if row.get(f"{measure}_ci95"):
                    found[row["label"], row.get("class"), measure] = float(row[measure]), float(row[f"{measure}_ci95"])
    return found


def installed(module):
    try:
        __import__(module)
        return True
    except ImportError:
        return False


def main():
    program = sys.argv[1] if len(sys.argv) == 2 else "target/release/imminent"
    present = {"LINE": installed("line_solver"), "Ciw": installed("ciw")}
    if not any(present.values()):
        sys.exit(2)
    agree = True
    print("peer,network,measure,class,imminent,interval,of_peer,interval_of_peer,agrees")
    with tempfile.TemporaryDirectory() as folder:
        for peer, function, text, measures in NETWORKS:
            if not present[peer]:
                continue
            ours = simulate(program, text, Path(folder) / function.__name__)
            for (node, of_class, measure), theirs in zip(measures, function()):
                value, half = ours[node, of_class, measure]
                answer, error = theirs if isinstance(theirs, tuple) else (theirs, 0.0)
                spread = math.hypot(half * WIDER, T * error)
                agrees = abs(value - answer) <= spread + 1e-6 * abs(answer)
                agree = agree and agrees
                of = f"{node}: {measure}"
                print(f"{peer},{function.__name__},{of},{of_class or ''},{value:.5g},{half * WIDER:.2g},{answer:.5g},{T * error:.2g},{'yes' if agrees else 'NO'}", flush=True)
    sys.exit(not agree)


main()
