"""cimba: `cimba_queue.py NETWORK CUSTOMERS REPLICATIONS THREADS` prints the mean number of customers."""
import sys

import cimba as cb
from cimba import inputs

from networks import NETWORKS

exponential = inputs.dist.exponential


class Single(cb.Model):
    interarrival: cb.Input[float] = exponential(mean=1.0)
    service: cb.Input[float] = exponential(mean=0.8)
    queue: cb.Container
    mean_queue: cb.Output[float]

    @cb.process
    def arrivals(self):
        while True:
            cb.hold(self.interarrival.next())
            self.queue.put(1)

    @cb.process
    def server(self):
        while True:
            self.queue.get(1)
            cb.hold(self.service.next())

    @cb.on_end
    def measure(self):
        self.mean_queue = self.queue.mean_level()


class Three(cb.Model):
    interarrival: cb.Input[float] = exponential(mean=1.0)
    service: cb.Input[float] = exponential(mean=2.4)
    queue: cb.Container
    mean_queue: cb.Output[float]

    @cb.process
    def arrivals(self):
        while True:
            cb.hold(self.interarrival.next())
            self.queue.put(1)

    @cb.process(copies=3)
    def server(self):
        while True:
            self.queue.get(1)
            cb.hold(self.service.next())

    @cb.on_end
    def measure(self):
        self.mean_queue = self.queue.mean_level()


class Five(cb.Model):
    interarrival: cb.Input[float] = exponential(mean=1.0)
    service: cb.Input[float] = exponential(mean=0.8)
    a: cb.Container
    b: cb.Container
    c: cb.Container
    d: cb.Container
    e: cb.Container
    mean_queue: cb.Output[float]

    @cb.process
    def arrivals(self):
        while True:
            cb.hold(self.interarrival.next())
            self.a.put(1)

    @cb.process
    def first(self):
        while True:
            self.a.get(1)
            cb.hold(self.service.next())
            self.b.put(1)

    @cb.process
    def second(self):
        while True:
            self.b.get(1)
            cb.hold(self.service.next())
            self.c.put(1)

    @cb.process
    def third(self):
        while True:
            self.c.get(1)
            cb.hold(self.service.next())
            self.d.put(1)

    @cb.process
    def fourth(self):
        while True:
            self.d.get(1)
            cb.hold(self.service.next())
            self.e.put(1)

    @cb.process
    def fifth(self):
        while True:
            self.e.get(1)
            cb.hold(self.service.next())

    @cb.on_end
    def measure(self):
        self.mean_queue = (
            self.a.mean_level() + self.b.mean_level() + self.c.mean_level() + self.d.mean_level() + self.e.mean_level()
        )


name, customers, replications, threads = sys.argv[1], *map(int, sys.argv[2:5])
mean, servers, count = NETWORKS[name]
model = {"mm1": Single, "mm3": Three, "five": Five}[name]()
window = cb.Window(warmup=0, duration=float(customers))
result = cb.Experiment(model, replications=replications, window=window, seed=7).run(workers=threads)
queues = [row[f"{type(model).__name__}.mean_queue"] for row in result.to_table()]
# Those in service are as many as the load of each station.
print(sum(queues) / len(queues) + count * mean)
