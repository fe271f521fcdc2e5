#!/usr/bin/env bash
# LINE 3.0.8 (PyPI line-solver) reads a file .jsimg without the probabilities of its routes, even a file that it wrote.
#
# A source sends a fifth of its jobs to one queue, and the others to a second. LINE's model has these throughputs. Written
# by QN2JSIMG and read again by the solver that takes a file in place of a model, half of the jobs go to each queue.
# The reader looks for two values in one element; JMT and LINE's own writer have an element for the name and one for the
# probability. No error tells of it. So a comparison by such files needs routes that are equally likely, or another way.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q line-solver==3.0.8.0
cat >"$folder/routes.py" <<'PY'
import sys
import line_solver as line

model = line.Network("routes")
source, sink = line.Source(model, "door"), line.Sink(model, "out")
queues = [line.Queue(model, name, line.SchedStrategy.FCFS) for name in ("first", "second")]
job = line.OpenClass(model, "job")
source.set_arrival(job, line.Exp(1.0))
routes = model.init_routing_matrix()
for queue, probability in zip(queues, (0.2, 0.8)):
    queue.set_service(job, line.Exp(4.0))
    routes.set(job, job, source, queue, probability)
    routes.set(job, job, queue, sink, 1.0)
model.link(routes)
path = line.JMT(model).QN2JSIMG(f"{sys.argv[1]}/routes.jsimg")
for name, of in (("model", model), ("file", line.LDES(path).model)):
    table = line.MVA(of, verbose=False).avg_table()
    frame = getattr(table, "data", table)
    flows = [f"{flow:.2f}" for station, flow in zip(frame["Station"], frame["Tput"]) if station != "door"]
    print(name, *flows)
PY
seen=$("$folder/venv/bin/python" "$folder/routes.py" "$folder" | grep -E '^(model|file) ')
echo "$seen"
expected="model 0.20 0.80
file 0.50 0.50"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
