#!/usr/bin/env bash
# networkx 3.6.1 reads a JSON graph whose nodes have a `key` in place of an `id` with twice as many nodes, without a warning.
#
# graphology, and so sigma.js, writes `{"nodes": [{"key": "a"}], "edges": [{"source": "a", "target": "b"}]}`. `node_link_graph` takes `edges`
# by default and numbers nodes that have no `id`; the ends of edges are then nodes of their own, which have the links, and those with the
# attributes have none. sigma.js' Les Misérables, 77 nodes, comes back with 154. `node_link_graph(data, name="key")` reads it as it is meant.
# Seen on Python 3.11.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q networkx==3.6.1
cat >"$folder/read.py" <<'PY'
import networkx

data = {
    "attributes": {"name": "two nodes"},
    "nodes": [{"key": "a", "attributes": {"x": 1}}, {"key": "b", "attributes": {"x": 2}}],
    "edges": [{"source": "a", "target": "b", "attributes": {"bandwidth": 10}}],
}
for options in ({}, {"name": "key"}):
    graph = networkx.node_link_graph(data, **options)
    print(list(graph.nodes), list(graph.edges))
PY
seen=$("$folder/venv/bin/python" "$folder/read.py")
echo "$seen"
[ "$seen" = "[0, 1, 'a', 'b'] [('a', 'b', 0)]
['a', 'b'] [('a', 'b', 0)]" ] || { echo "the behaviour has changed"; exit 1; }
