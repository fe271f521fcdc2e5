"""cimba: `cimba_queue.py NETWORK CUSTOMERS REPLICATIONS THREADS` prints the mean number of customers.

The models are those of `docs/measure/one_core`. Their result is the mean number that waits at the last station, and all are alike.
"""
import sys
from pathlib import Path

import cimba as cb

from networks import NETWORKS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "measure" / "one_core"))
from cimba_models import Five, Single, Three  # noqa: E402

name, customers, replications, threads = sys.argv[1], *map(int, sys.argv[2:5])
mean, _, count = NETWORKS[name]
model = {"mm1": Single, "mm3": Three, "five": Five}[name]()
window = cb.Window(warmup=0, duration=float(customers))
result = cb.Experiment(model, replications=replications, window=window, seed=7).run(workers=threads)
queues = [row[f"{type(model).__name__}.mean_queue"] for row in result.to_table()]
# Those in service are as many as the load of a station.
print((sum(queues) / len(queues) + mean) * count)
