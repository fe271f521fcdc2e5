#!/usr/bin/env bash
# A run until time 10 does not see what happens at time 10, in SimPy 4.1.1 and in Ciw 3.2.7.
#
# A clock that ticks each second until 10 ticks nine times in SimPy: run(until=10) puts its own end, with the highest priority, before the
# events of that instant, and env.now is 10 afterwards. In Ciw, with arrivals each second from 1 and services of exactly one second,
# simulate_until_max_time(10) gives the records of eight customers; the service that ends at 10 has none. Counts of programs
# that include the end differ by one from these wherever times are whole numbers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q simpy==4.1.1 ciw==3.2.7
cat >"$folder/horizon.py" <<'PY'
import ciw, simpy

environment, ticks = simpy.Environment(), []
def clock():
    while True:
        yield environment.timeout(1)
        ticks.append(environment.now)
environment.process(clock())
environment.run(until=10)
print(f"SimPy: {len(ticks)} ticks, the last at {ticks[-1]}, clock {environment.now}")

second = ciw.dists.Deterministic(1.0)
network = ciw.create_network(arrival_distributions=[second], service_distributions=[second], number_of_servers=[1])
simulation = ciw.Simulation(network)
simulation.simulate_until_max_time(10)
ends = [record.exit_date for record in simulation.get_all_records()]
print(f"Ciw: {len(ends)} records, the last ends at {max(ends)}")
PY
seen=$("$folder/venv/bin/python" "$folder/horizon.py")
echo "$seen"
expected="SimPy: 9 ticks, the last at 9, clock 10
Ciw: 8 records, the last ends at 9.0"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
