"""SimPy: `simpy_queue.py NETWORK CUSTOMERS REPLICATIONS PROCESSES` prints the mean number of customers."""
import random
import sys

import simpy

from networks import NETWORKS


def customer(env, stations, mean, draw, stays):
    arrived = env.now
    for station in stations:
        with station.request() as turn:
            yield turn
            yield env.timeout(draw(1 / mean))
    stays.append(env.now - arrived)


def door(env, stations, mean, draw, stays):
    while True:
        yield env.timeout(draw(1.0))
        env.process(customer(env, stations, mean, draw, stays))


def replication(name, horizon, seed):
    mean, servers, count = NETWORKS[name]
    env, stays = simpy.Environment(), []
    stations = [simpy.Resource(env, servers) for _ in range(count)]
    env.process(door(env, stations, mean, random.Random(seed).expovariate, stays))
    env.run(until=horizon)
    # Little's law.
    return sum(stays) / horizon


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
