#!/usr/bin/env bash
# At the end of a shift, Ciw 3.2.7 adds all servers of the next shift, beside those who still finish a service.
#
# A schedule with one server in each shift of 10 minutes: customers come at 1, 2 and 3, and each service takes 100
# minutes. One server would serve them one after the other, from 1, 101 and 201 on. Ciw begins at 1, 10 and 20: the
# server of the first shift finishes off duty, and each shift brings a new one. So for a time more customers are served
# than any shift has servers. With preemption="resume" only as many are served as are on duty.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q ciw==3.2.7
cat >"$folder/shifts.py" <<'PY'
import ciw

for preemption in (False, "resume"):
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Sequential([1, 1, 1, float("inf")])],
        service_distributions=[ciw.dists.Deterministic(100.0)],
        number_of_servers=[ciw.Schedule(numbers_of_servers=[1, 1], shift_end_dates=[10, 20], preemption=preemption)],
    )
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(400)
    first = {}
    for record in simulation.get_all_records():
        begin = first.get(record.id_number, record.service_start_date)
        first[record.id_number] = min(begin, record.service_start_date)
    print(f"preemption={preemption}: services begin at", *(f"{first[number]:g}" for number in sorted(first)))
PY
seen=$("$folder/venv/bin/python" "$folder/shifts.py")
echo "$seen"
expected="preemption=False: services begin at 1 10 20
preemption=resume: services begin at 1 101 201"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
