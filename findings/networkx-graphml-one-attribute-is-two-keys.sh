#!/usr/bin/env bash
# networkx 3.6.1 writes an attribute that is whole at one edge and a fraction at another as two GraphML keys of one name.
#
# GraphML gives a key one type, so one is declared for whole numbers and one for fractions, both with the attribute's name. networkx reads
# its file back. igraph 1.0.0 refuses it: "Duplicate attribute name found". A reader that looks for the key of a name gets some of the
# values. Seen with networkx 3.6.1 and igraph 1.0.0 on Python 3.11.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q networkx==3.6.1 igraph==1.0.0
cat >"$folder/keys.py" <<'PY'
import re
import sys
import igraph
import networkx

path = sys.argv[1]
graph = networkx.Graph()
graph.add_edge("a", "b", delay=2)
graph.add_edge("b", "c", delay=2.5)
networkx.write_graphml(graph, path)
print("keys:", sorted(re.findall(r'attr.name="(\w+)" attr.type="(\w+)"', open(path).read())))
print("networkx:", networkx.read_graphml(path).edges(data="delay"))
try:
    print("igraph:", igraph.Graph.Read_GraphML(path).es["delay"])
except igraph.InternalError as error:
    print("igraph:", re.search("Duplicate attribute name found", str(error)).group())
PY
seen=$("$folder/venv/bin/python" "$folder/keys.py" "$folder/delays.graphml")
echo "$seen"
[ "$seen" = "keys: [('delay', 'double'), ('delay', 'long')]
networkx: [('a', 'b', 2), ('b', 'c', 2.5)]
igraph: Duplicate attribute name found" ] || { echo "the behaviour has changed"; exit 1; }
