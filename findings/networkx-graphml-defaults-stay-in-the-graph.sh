#!/usr/bin/env bash
# networkx 3.5 reads the default of a GraphML key, and gives it to no node.
#
# GraphML says that a node without data for a key has the key's default. Seen with networkx 3.5 on Python 3.11: `read_graphml` puts the
# default in `graph.graph["node_default"]`, the node has no such attribute, and `graph.nodes["a"]["servers"]` is a KeyError. A table of
# nodes, a sum or a degree by attribute leaves these nodes out without a word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q networkx==3.5
cat >"$folder/read.py" <<'PY'
import io
import networkx

text = b"""<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k" for="node" attr.name="servers" attr.type="int"><default>4</default></key>
<graph edgedefault="directed"><node id="a"/><node id="b"><data key="k">2</data></node></graph></graphml>"""
graph = networkx.read_graphml(io.BytesIO(text))
print("nodes:", dict(graph.nodes(data=True)), "graph:", graph.graph["node_default"])
print("servers of all nodes:", sum(networkx.get_node_attributes(graph, "servers").values()))
PY
seen=$("$folder/venv/bin/python" "$folder/read.py")
echo "$seen"
[ "$seen" = "nodes: {'a': {}, 'b': {'servers': 2}} graph: {'servers': 4}
servers of all nodes: 2" ] || { echo "the behaviour has changed"; exit 1; }
