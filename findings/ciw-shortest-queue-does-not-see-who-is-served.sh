#!/usr/bin/env bash
# Ciw 3.2.7 joins the shortest queue by those who wait: a busy server without a line ties with an idle one.
#
# Customers come at 1, 2 and 3 to two stations of one server; services take 100. By the number present, as in the
# literature and in JMT and LINE, the second goes to the second station and is served at once. JoinShortestQueue with ties
# in order sends the second to the first station, where it waits until 101 although the second is idle: nobody waits at
# either. With ties by chance half of such customers wait. At a processor-sharing node nobody waits in this sense.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q ciw==3.2.7
cat >"$folder/shortest.py" <<'PY'
import ciw

service = ciw.dists.Deterministic(100.0)
network = ciw.create_network(
    arrival_distributions=[ciw.dists.Sequential([1, 1, 1, float("inf")]), None, None],
    service_distributions=[ciw.dists.Deterministic(0.0), service, service],
    routing=ciw.routing.NetworkRouting(routers=[
        ciw.routing.JoinShortestQueue(destinations=[2, 3], tie_break="order"), ciw.routing.Leave(), ciw.routing.Leave(),
    ]),
    number_of_servers=[float("inf"), 1, 1],
)
simulation = ciw.Simulation(network)
simulation.simulate_until_max_time(500)
for record in sorted(simulation.get_all_records(), key=lambda record: record.id_number):
    if record.node != 1:
        print(f"arrival {record.arrival_date:g}: station {record.node - 1}, served from {record.service_start_date:g}")
PY
seen=$("$folder/venv/bin/python" "$folder/shortest.py")
echo "$seen"
expected="arrival 1: station 1, served from 1
arrival 2: station 1, served from 101
arrival 3: station 2, served from 3"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
