"""Ciw: `ciw_queue.py NETWORK CUSTOMERS REPLICATIONS PROCESSES` prints the mean number of customers."""
import sys

import ciw

from networks import NETWORKS


def replication(name, horizon, seed):
    mean, servers, count = NETWORKS[name]
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(rate=1.0)] + [None] * (count - 1),
        service_distributions=[ciw.dists.Exponential(rate=1 / mean)] * count,
        number_of_servers=[servers] * count,
        routing=[[float(to == number + 1) for to in range(count)] for number in range(count)],
    )
    ciw.seed(seed)
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(horizon)
    # Little's law.
    return sum(record.exit_date - record.arrival_date for record in simulation.get_all_records()) / horizon


if __name__ == "__main__":
    name, customers, replications, processes = sys.argv[1], *map(int, sys.argv[2:5])
    tasks = [(name, customers, seed) for seed in range(1, replications + 1)]
    if processes == 1:
        means = [replication(*task) for task in tasks]
    else:
        from multiprocessing import Pool

        with Pool(processes) as pool:
            means = pool.starmap(replication, tasks)
    print(sum(means) / len(means))
