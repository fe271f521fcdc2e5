"""LINE: `line_queue.py NETWORK CUSTOMERS REPLICATIONS PROCESSES` prints the mean number of customers, of one replication."""
import sys

from line_solver import LDES, Exp, Network, OpenClass, Queue, SchedStrategy, Sink, Source

from networks import NETWORKS

name, customers = sys.argv[1], int(sys.argv[2])
mean, servers, count = NETWORKS[name]
model = Network(name)
door, people = Source(model, "door"), OpenClass(model, "customers")
door.set_arrival(people, Exp(1.0))
desks = []
for number in range(count):
    desk = Queue(model, f"desk {number}", SchedStrategy.FCFS)
    desk.set_service(people, Exp(1.0 / mean))
    desk.set_number_of_servers(servers)
    desks.append(desk)
routes = model.init_routing_matrix()
for sender, receiver in zip([door, *desks], [*desks, Sink(model, "out")]):
    routes.set(people, people, sender, receiver, 1.0)
model.link(routes)
# LINE counts services, of which each customer has one at each station.
table = LDES(model, samples=customers * count, seed=7, verbose=False).avg_table()
print(float(sum(table["QLen"])))
