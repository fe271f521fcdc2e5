"""LINE: `line_queue.py NETWORK CUSTOMERS REPLICATIONS PROCESSES` prints the mean number of customers, of one replication.

The models are those of `docs/measure/one_core`.
"""
import sys
from pathlib import Path

from line_solver import LDES

from networks import NETWORKS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "measure" / "one_core"))
from line_models import build  # noqa: E402

name, customers = sys.argv[1], int(sys.argv[2])
# LINE counts services, of which each customer has one at each station.
table = LDES(build(name), samples=customers * NETWORKS[name][2], seed=7, verbose=False).avg_table()
print(float(sum(table["QLen"])))
