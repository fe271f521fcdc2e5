"""Open networks of the comparison: a customer comes in each time unit on average, all times are exponential."""

# Mean service time, servers of each station, stations one after the other.
NETWORKS = {"mm1": (0.8, 1, 1), "mm3": (2.4, 3, 1), "five": (0.8, 1, 5)}


def exact(name):
    """Mean number of customers in the network: by Burke's theorem each station is an M/M/c queue of load 0.8."""
    mean, servers, stations = NETWORKS[name]
    term, terms = 1.0, 0.0
    for busy in range(servers):
        terms += term
        term *= mean / (busy + 1)
    load = mean / servers
    waits = term / (1 - load) / (terms + term / (1 - load))
    return stations * (waits * load / (1 - load) + mean)
