"""Queueing networks, described in Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import ConfigurationError
from ._given import Values

if TYPE_CHECKING:
    import networkx

    from ._results import Result

OUT = "out"
"""End of a route that leaves the network."""

Law = Mapping[str, Any] | float
"""Law of a time: a number for an exponential one of this mean, or a dictionary such as `{"law": "erlang", "mean": 2.0,
"stages": 3}`. `imminent.describe("network")` lists the laws."""


def law(name: str, **parameters: Any) -> dict[str, Any]:
    """Returns a law by its name: `law("log-normal", mean=4.0, cv=1.1)`."""
    return {"law": name, **parameters}


class Network:
    """A queueing network: sources, nodes with servers, and routes.

    >>> from imminent import Network
    >>> desk = Network()
    >>> desk.source("visitors", rate=1.5, to="desk")
    <Network: 1 source, 0 nodes, 1 route>
    >>> desk.node("desk", servers=2, mean=1.0, to="out")
    <Network: 1 source, 1 node, 2 routes>
    >>> result = desk.run(horizon=10_000, warm_up=100, replications=5)

    All properties are the keys of the file, so `imminent.describe("network")` tells them. A network may be changed
    after a run, which does not change the result.
    """

    def __init__(self, *, classes: Sequence[str] = (), **defaults: Any) -> None:
        # It keeps objects that stand for files.
        self._values = Values()
        named = {"classes": list(classes)} if classes else {}
        self._network: dict[str, Any] = {**named, **self._values.plain(defaults)}
        self._run: dict[str, Any] = {}

    def _add(self, kind: str, entry: dict[str, Any]) -> None:
        entries = self._network.setdefault(kind, [])
        entries.append({key: self._values.plain(value, key) for key, value in entry.items() if value is not None})

    def source(
        self,
        name: str,
        *,
        to: str | Iterable[str] | None = None,
        rate: float | None = None,
        mean: float | None = None,
        interarrival: Law | None = None,
        cls: str | None = None,
        **properties: Any,
    ) -> Network:
        """Adds a source of tokens: `rate` or `mean` of exponential times between them, or a law. Returns the network."""
        times = times_of(interarrival, "interarrival", mean, rate)
        self._add("source", {"name": name, "class": cls, **times, **properties})
        return self._routes(name, to)

    def node(
        self,
        name: str,
        *,
        to: str | Iterable[str] | None = None,
        servers: int | str | None = None,
        mean: float | None = None,
        rate: float | None = None,
        service: Law | None = None,
        by_class: Mapping[str, Mapping[str, Any]] | None = None,
        **properties: Any,
    ) -> Network:
        """Adds a node with servers, or with `servers="infinite"` a delay. `by_class` has what differs for a class.

        Returns the network.
        """
        times = times_of(service, "service", mean, rate)
        self._add("node", {"name": name, "servers": servers, **times, "class": by_class, **properties})
        return self._routes(name, to)

    def route(
        self, start: str, to: str, *, probability: float | None = None, cls: str | None = None, becomes: str | None = None
    ) -> Network:
        """Adds a route, from a node or source to a node or `"out"`. Returns the network."""
        entry = {"from": start, "to": to, "probability": probability, "class": cls, "becomes": becomes}
        self._add("route", entry)
        return self

    def _routes(self, start: str, to: str | Iterable[str] | None) -> Network:
        for end in [to] if isinstance(to, str) else to or []:
            self.route(start, end)
        return self

    def to_dict(self) -> dict[str, Any]:
        """Returns the network as the dictionary of its file."""
        run = {"run": dict(self._run)} if self._run else {}
        return {"network": Values().plain(self._network), **run}

    def to_toml(self) -> str:
        """Returns the network as a file for the program."""
        return _native.to_toml(self.to_dict())

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Network:
        """Creates a network from the dictionary of a file."""
        if not isinstance(values, Mapping):
            raise ConfigurationError(f"a network is made of a dictionary, and no {type(values).__name__}")
        network = cls()
        network._network = network._values.plain(values.get("network", {}), "network")
        network._run = network._values.plain(values.get("run", {}), "run")
        stray = set(values) - {"network", "run"}
        if stray:
            raise ConfigurationError(f"a network has the sections `network` and `run`, not `{sorted(stray)[0]}`")
        return network

    @classmethod
    def from_toml(cls, text: str) -> Network:
        """Creates a network from the text of a file."""
        return cls.from_dict(_native.from_toml(text))

    @classmethod
    def from_jsimg(cls, path: str | os.PathLike[str]) -> Network:
        """Creates a network from a model of JSIMgraph (JMT)."""
        return cls.from_toml(_native.from_jsimg(path))

    def to_jsimg(self) -> str:
        """Returns the network as a model of JSIMgraph (JMT)."""
        return _native.to_jsimg(self.to_toml())

    @classmethod
    def from_graphml(cls, path: str | os.PathLike[str], **defaults: Any) -> Network:
        """Creates a network from a GraphML file, with values for nodes that do not have their own."""
        network = cls(**defaults)
        network._network["graph"] = os.fspath(path)
        return network

    def to_graphml(self, path: str | os.PathLike[str]) -> None:
        """Writes the network as a GraphML file, whose attributes are those that `from_graphml` reads.

        Raises `ConfigurationError` for what such files cannot have, such as classes.
        """
        from ._graphml import write

        write(self.to_dict()["network"], path)

    @classmethod
    def from_networkx(cls, graph: networkx.Graph[Any], **defaults: Any) -> Network:
        """Creates a network from a graph of NetworkX: attributes of nodes and edges are the keys of nodes and routes.

        A node with the attribute `interarrival`, or with `kind` equal to `"source"`, is a source. The edges of an
        undirected graph lead both ways.
        """
        if not hasattr(graph, "nodes") or not hasattr(graph, "is_directed"):
            raise ConfigurationError(f"graph: takes a graph of NetworkX, and no {type(graph).__name__}", key="graph")
        network = cls(**defaults)
        for node, attributes in graph.nodes(data=True):
            attributes = dict(attributes)
            kind = attributes.pop("kind", "source" if "interarrival" in attributes else "node")
            if str(node) == OUT:
                continue
            if kind not in ("source", "node"):
                raise ConfigurationError(f"node {node!r}: `kind` is 'source' or 'node', not {kind!r}")
            network._add(kind, {"name": str(node), **attributes})
        for start, end, attributes in graph.edges(data=True):
            of_route = {key: attributes[key] for key in ("probability", "becomes") if key in attributes}
            network.route(str(start), str(end), cls=attributes.get("class"), **of_route)
            if not graph.is_directed():
                network.route(str(end), str(start), cls=attributes.get("class"), **of_route)
        return network

    def to_networkx(self) -> networkx.DiGraph[Any]:
        """Returns the network as a directed graph of NetworkX, with the keys of nodes and routes as attributes."""
        import networkx

        graph: networkx.DiGraph[Any] = networkx.DiGraph()
        for kind in ("source", "node"):
            for entry in self._network.get(kind, []):
                graph.add_node(entry["name"], kind=kind, **{key: of for key, of in entry.items() if key != "name"})
        for entry in self._network.get("route", []):
            graph.add_edge(entry["from"], entry["to"], **{k: of for k, of in entry.items() if k not in ("from", "to")})
        for pair in self._network.get("edges", []):
            graph.add_edge(*pair)
        for first, second in self._network.get("links", []):
            graph.add_edge(first, second)
            graph.add_edge(second, first)
        return graph

    def run(self, **arguments: Any) -> Result:
        """Runs the network: `imminent.run("network", self, ...)`."""
        from . import run

        return run("network", self, **arguments)

    def __repr__(self) -> str:
        counts = [(kind, len(self._network.get(kind, []))) for kind in ("source", "node", "route")]
        return "<Network: " + ", ".join(f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in counts) + ">"


def times_of(of_law: Law | None, key: str, mean: float | None, rate: float | None) -> dict[str, Any]:
    """Returns the keys of a law of times."""
    if isinstance(of_law, (int, float)) and not isinstance(of_law, bool):
        if mean is not None or rate is not None:
            raise ConfigurationError(f"give one of `{key}`, `mean` and `rate`")
        return {"mean": of_law}
    return {key: of_law, "mean": mean, "rate": rate}


def create_network(
    *,
    arrivals: Sequence[Law | None],
    services: Sequence[Law],
    servers: Sequence[int | str],
    routing: Sequence[Sequence[float]] | None = None,
    capacities: Sequence[int | None] | None = None,
    names: Sequence[str] | None = None,
) -> Network:
    """Creates a network of one class from lists with an element for each node, in the style of Ciw.

    `arrivals[i]` is the law of the times between arrivals from outside at node `i`, or `None`; `routing[i][j]` the
    probability to go from node `i` to node `j`; what is left of a row leaves the network. Without `routing`, tokens
    leave after their service.
    """
    count = len(services)
    names = list(names or (f"node {place}" for place in range(1, count + 1)))
    given = {"arrivals": arrivals, "servers": servers, "names": names, "routing": routing, "capacities": capacities}
    for key, values in given.items():
        if values is not None and len(values) != count:
            raise ConfigurationError(f"{key}: has {len(values)} elements, `services` has {count}", key=key)
    network = Network()
    for place, name in enumerate(names):
        of_arrivals = arrivals[place]
        if of_arrivals is not None:
            network.source(f"arrivals at {name}", interarrival=of_arrivals, to=name)
        capacity = capacities[place] if capacities is not None else None
        network.node(name, service=services[place], servers=servers[place], capacity=capacity)
        row = list(routing[place]) if routing is not None else [0.0] * count
        if len(row) != count or any(share < 0 for share in row) or sum(row) > 1 + 1e-6:
            raise ConfigurationError(
                f"routing[{place}]: takes {count} probabilities that add up to 1 at most, not {row}", key="routing"
            )
        for other, share in zip(names, row):
            if share > 0:
                network.route(name, other, probability=share)
        left = 1 - sum(row)
        if left > 1e-9:
            network.route(name, OUT, probability=left)
    return network
