"""Queueing networks as GraphML files."""

from __future__ import annotations

import os
from typing import Any
from xml.etree import ElementTree

from ._errors import ConfigurationError

OUT = "out"
SPACE = "http://graphml.graphdrawing.org/xmlns"

# Keys of a node that are attributes of its own, those of a law of times, and all that leads from node to node.
OF_NODES = ("tokens", "servers", "capacity", "discipline", "overflow", "routing")
OF_LAWS = ("law", "mean", "rate", "value", "low", "high", "shape", "cv", "stages", "scale", "mode", "location", "deviation")
OF_ROUTES = ("from", "to", "probability")
WHOLE = ("tokens", "servers", "capacity", "service_stages", "interarrival_stages")


def write(network: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Writes a network, which is the section `[network]` of a file."""
    root = ElementTree.Element("graphml", xmlns=SPACE)
    graph = ElementTree.Element("graph", edgedefault="directed")
    keys: dict[tuple[str, str], str] = {}

    def described(element: ElementTree.Element, attributes: dict[str, Any]) -> None:
        for name, value in attributes.items():
            kind = "string" if isinstance(value, str) else "int" if name in WHOLE else "double"
            key = keys.setdefault((element.tag, name), f"k{len(keys)}")
            if root.find(f"key[@id='{key}']") is None:
                of = {"id": key, "for": element.tag, "attr.name": name, "attr.type": kind}
                ElementTree.SubElement(root, "key", of)
            ElementTree.SubElement(element, "data", key=key).text = str(value)

    stray = set(network) - {"source", "node", "route", "edges"}
    if stray:
        raise no_attribute(sorted(stray)[0], "the network")
    for node in network.get("node", []):
        own = {key: node[key] for key in OF_NODES if key in node}
        if not isinstance(own.get("servers", 1), int):
            raise no_attribute(f"servers = {own['servers']!r}", f"`{node['name']}`")
        # Without a number of tokens a node of a file in TOML has none; in a closed graph it would have one.
        attributes = {"label": node["name"], "tokens": 0, **own, **of_law(node, "service", ("name", *OF_NODES))}
        described(ElementTree.SubElement(graph, "node", id=node["name"]), attributes)
    for source in network.get("source", []):
        attributes = {"label": source["name"], "role": "source", **of_law(source, "interarrival", ("name",))}
        described(ElementTree.SubElement(graph, "node", id=source["name"]), attributes)
    pairs = [{"from": start, "to": end} for start, end in network.get("edges", [])]
    routes = [*network.get("route", []), *pairs]
    if any(route["to"] == OUT for route in routes):
        described(ElementTree.SubElement(graph, "node", id=OUT), {"label": OUT, "role": "sink"})
    for route in routes:
        for key in set(route) - set(OF_ROUTES):
            raise no_attribute(key, f"the route from `{route['from']}` to `{route['to']}`")
        edge = ElementTree.SubElement(graph, "edge", source=route["from"], target=route["to"])
        described(edge, {"probability": route["probability"]} if "probability" in route else {})
    root.append(graph)
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def of_law(entry: dict[str, Any], key: str, others: tuple[str, ...]) -> dict[str, Any]:
    """Returns the attributes of a law of times: `service_mean` and others."""
    law = {"law": "exponential", **entry.get(key, {}), **{name: entry[name] for name in ("mean", "rate") if name in entry}}
    for name in set(entry) - {key, "mean", "rate", *others}:
        raise no_attribute(name, f"`{entry['name']}`")
    for name, value in law.items():
        if name not in OF_LAWS or isinstance(value, (dict, list, bool)):
            raise no_attribute(f"{key}.{name}", f"`{entry['name']}`")
    return {f"{key}_{name}": value for name, value in law.items()}


def no_attribute(key: str, of: str) -> ConfigurationError:
    """Returns the error of a key that such files do not have."""
    return ConfigurationError(f"{key}: a GraphML file has no such attribute, and {of} has it; write TOML by to_toml()", key=key)
