"""Cimba's models of the networks of `measure`: `cimba_models.py NETWORK CUSTOMERS`.

Prints the processor seconds of a run after a short one, which compiles the code. The only result is a mean queue.
"""
import resource
import sys

import cimba as cb
from cimba import inputs

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
        self.mean_queue = self.e.mean_level()


class Desk(cb.Model):
    number: cb.Param[int]
    service: cb.Input[float] = exponential(mean=8.0)
    queue: cb.Container
    mesh: cb.Ref["Mesh"]

    def attached(self, owner, field):
        self.mesh = owner

    @cb.process
    def serve(self):
        while True:
            self.queue.get(1)
            cb.hold(self.service.next())
            way = int(cb.random.uniform(0.0, 5.0))
            if way < 4:
                step = 1
                if way == 1:
                    step = 7
                elif way == 2:
                    step = 13
                elif way == 3:
                    step = 24
                self.mesh.desks[(self.number + step) % 50].queue.put(1)


class Mesh(cb.Model):
    interarrival: cb.Input[float] = exponential(mean=1.0)
    desks: list[Desk]
    mean_queue: cb.Output[float]

    @cb.process
    def arrivals(self):
        while True:
            cb.hold(self.interarrival.next())
            self.desks[int(cb.random.uniform(0.0, 50.0))].queue.put(1)

    @cb.on_end
    def measure(self):
        self.mean_queue = self.desks[0].queue.mean_level()


def mesh():
    made = Mesh()
    desks = []
    for i in range(50):
        desk = Desk()
        desk.number = i
        desks.append(desk)
    made.desks = desks
    return made


def seconds(model, duration, seed):
    """Processor seconds of a replication."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    cb.Experiment(model, replications=1, window=cb.Window(warmup=0, duration=duration), seed=seed).run()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    model = {"mm1": Single, "mm3": Three, "five": Five, "fifty": mesh}[sys.argv[1]]()
    seconds(model, 1_000.0, 1)
    # Customers come once in a time unit.
    print(seconds(model, float(sys.argv[2]), 2))
