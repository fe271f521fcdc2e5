#!/usr/bin/env bash
# networkx 3.6.1 writes whole numbers beyond 32 bits into GML as text, and reads them back as text.
#
# A link of 1 Gb/s in bits per second comes back as a number, one of 10 Gb/s as a string, so a sum of bandwidths is a TypeError and a sort
# puts "10000000000" before "9". Seen with networkx 3.6.1 on Python 3.11: the file has `bandwidth "10000000000"`, in quotes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q networkx==3.6.1
cat >"$folder/round.py" <<'PY'
import io
import networkx

graph = networkx.Graph()
graph.add_edge("a", "b", bandwidth=1_000_000_000)
graph.add_edge("b", "c", bandwidth=10_000_000_000)
text = io.BytesIO()
networkx.write_gml(graph, text)
back = networkx.parse_gml(text.getvalue().decode())
for a, b, bandwidth in back.edges(data="bandwidth"):
    print(a, b, repr(bandwidth))
PY
seen=$("$folder/venv/bin/python" "$folder/round.py")
echo "$seen"
[ "$seen" = "a b 1000000000
b c '10000000000'" ] || { echo "the behaviour has changed"; exit 1; }
