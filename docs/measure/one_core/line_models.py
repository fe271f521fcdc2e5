"""LINE's models of the networks of `measure`: `line_models.py NETWORK CUSTOMERS`.

Prints the processor seconds of the process `ldes` that LINE starts. It counts services, of which each customer has as many as it
makes visits.
"""
import resource
import sys

from line_solver import LDES, Exp, Network, OpenClass, Queue, SchedStrategy, Sink, Source

MODELS = {"mm1": (0.8, 1, 1), "mm3": (2.4, 3, 1), "five": (0.8, 1, 5), "fifty": (8.0, 1, 50)}


def build(name):
    mean, servers, count = MODELS[name]
    model = Network(name)
    door, customers = Source(model, "door"), OpenClass(model, "customers")
    door.set_arrival(customers, Exp(1.0))
    desks = []
    for number in range(count):
        desk = Queue(model, f"desk {number}", SchedStrategy.FCFS)
        desk.set_service(customers, Exp(1.0 / mean))
        if servers > 1:
            desk.set_number_of_servers(servers)
        desks.append(desk)
    out = Sink(model, "out")
    routes = model.init_routing_matrix()
    if name == "fifty":
        for number, desk in enumerate(desks):
            routes.set(customers, customers, door, desk, 1.0 / count)
            for step in (1, 7, 13, 24):
                routes.set(customers, customers, desk, desks[(number + step) % count], 0.2)
            routes.set(customers, customers, desk, out, 0.2)
    else:
        for sender, receiver in zip([door, *desks], [*desks, out]):
            routes.set(customers, customers, sender, receiver, 1.0)
    model.link(routes)
    return model


if __name__ == "__main__":
    name, customers = sys.argv[1], int(sys.argv[2])
    visits = {"five": 5, "fifty": 5}.get(name, 1)
    model = build(name)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    LDES(model, samples=customers * visits, seed=7, verbose=False).avg_table()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
