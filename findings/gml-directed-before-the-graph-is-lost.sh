#!/usr/bin/env bash
# networkx 3.6.1 and igraph 1.0.0 read a directed graph in GML as undirected if `directed 1` stands before `graph [`, without a warning.
#
# Files of OGDF have it there: `Creator "ogdf::Graph::writeGML"`, `directed 1`, `graph [` (gml4gtk/gml4gtk, 6b9b6d5, data/ogdf1.gml).
# Both libraries look for the key inside the graph alone. One-way links are then links both ways, and nothing is unreachable.
# Seen on Python 3.11: of a -> b -> c, c reaches a; with `directed 1` inside the graph it does not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q networkx==3.6.1 igraph==1.0.0
cat >"$folder/read.py" <<'PY'
import pathlib
import sys
import igraph
import networkx

nodes = "".join(f'node [ id {number} label "{name}" ]\n' for number, name in enumerate("abc"))
edges = "edge [ source 0 target 1 ]\nedge [ source 1 target 2 ]\n"
for place, text in {
    "before": f"directed 1\ngraph [\n{nodes}{edges}]\n",
    "inside": f"graph [\ndirected 1\n{nodes}{edges}]\n",
}.items():
    file = pathlib.Path(sys.argv[1]) / "graph.gml"
    file.write_text(text)
    graph = networkx.read_gml(file)
    print(place, "networkx", graph.is_directed(), networkx.has_path(graph, "c", "a"))
    graph = igraph.Graph.Read_GML(str(file))
    print(place, "igraph", graph.is_directed(), graph.distances(2, 0)[0][0] < float("inf"))
PY
seen=$("$folder/venv/bin/python" "$folder/read.py" "$folder")
echo "$seen"
[ "$seen" = "before networkx False True
before igraph False True
inside networkx True False
inside igraph True False" ] || { echo "the behaviour has changed"; exit 1; }
