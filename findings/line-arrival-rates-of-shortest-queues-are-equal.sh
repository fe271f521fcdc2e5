#!/usr/bin/env bash
# LINE 3.0.8 (PyPI line-solver), Markov chain: arrival rates behind a choice of the shortest queue are not those of the run.
#
# Six jobs think, and go to the shorter of two queues, of which the second is faster. The numbers at the queues and their
# throughputs are those of the Markov chain. In a steady state as many jobs come as leave, yet the column of arrival rates
# says that both queues get half of them, as if the choice were by chance. Residence times follow that column.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q line-solver==3.0.8.0
cat >"$folder/shortest.py" <<'PY'
import line_solver as line

model = line.Network("shortest queue")
think = line.Delay(model, "think")
job = line.ClosedClass(model, "job", 6, think)
think.set_service(job, line.Exp(0.5))
think.set_routing(job, line.RoutingStrategy.JSQ)
for name, rate in (("slow", 1.0), ("fast", 2.0)):
    queue = line.Queue(model, name, line.SchedStrategy.FCFS)
    queue.set_service(job, line.Exp(rate))
    model.add_link(think, queue)
    model.add_link(queue, think)
    queue.set_prob_routing(job, think, 1.0)
table = line.CTMC(model, verbose=False).avg_table()
frame = getattr(table, "data", table)
for station, arrivals, departures in zip(frame["Station"], frame["ArvR"], frame["Tput"]):
    print(f"{station}: arrivals {arrivals:.3f}, departures {departures:.3f}")
PY
seen=$("$folder/venv/bin/python" "$folder/shortest.py" | grep arrivals)
echo "$seen"
expected="think: arrivals 1.997, departures 1.997
slow: arrivals 0.998, departures 0.774
fast: arrivals 0.998, departures 1.223"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
