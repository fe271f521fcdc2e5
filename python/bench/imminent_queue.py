"""Imminent: `imminent_queue.py NETWORK CUSTOMERS REPLICATIONS THREADS` prints the mean number of customers.

With 0 threads, a CUDA device simulates.
"""
import sys

import imminent

from networks import NETWORKS

name, customers, replications, threads = sys.argv[1], *map(int, sys.argv[2:5])
mean, servers, stations = NETWORKS[name]
network = imminent.Network().source("door", rate=1.0, to="desk 1")
for number in range(1, stations + 1):
    after = f"desk {number + 1}" if number < stations else "out"
    network.node(f"desk {number}", servers=servers, mean=mean, to=after)
device = {"device": "cpu", "device_options": {"threads": threads}} if threads else {"device": "cuda"}
result = network.run(horizon=customers, replications=replications, **device)
print(result["system"]["number"]["mean"])
