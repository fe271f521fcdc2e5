#!/usr/bin/env bash
# igraph writes an edge attribute that is missing everywhere to GraphML as a boolean that is false.
#
# Seen with igraph 1.0.0: the attribute "capacity" of two edges is None, which is how igraph holds a value that is not known.
# write_graphml declares the key as attr.type="boolean" and writes "false" for each edge, and a reader that turns booleans into numbers
# gets a capacity of 0. With one number and one None the key is a double, and the unknown value is left out, as one would expect.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --only-binary=:all: igraph==1.0.0
cat >"$folder/missing.py" <<'PY'
import re, sys, igraph

for values in ([None, None], [10.0, None]):
    graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)])
    graph.es["capacity"] = values
    graph.write_graphml(sys.argv[1] + "/graph.graphml")
    text = open(sys.argv[1] + "/graph.graphml").read()
    print(values, re.search(r'name="capacity" attr.type="(\w+)"', text)[1], re.findall(r'key="e_capacity">([^<]*)<', text))
PY
seen=$("$folder/venv/bin/python" "$folder/missing.py" "$folder")
echo "$seen"
expected="[None, None] boolean ['false', 'false']
[10.0, None] double ['10']"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
