#!/usr/bin/env bash
# SUMO's export to ns-2 puts a car on the road before it departs, leaves it there after it arrived, and moves it one step late.
#
# Seen with eclipse-sumo 1.28.0 from PyPI (sumo, netconvert, traceExporter.py) on Linux x86_64. A car departs at 30 s from x = 5.1 and is at
# 25.14 at 31 s, as the file of positions says. The exported trace sets the node to 5.1 without a time, that is from 0 s on, and says
# at 31 s "setdest 25.14": in ns-2 the node leaves for that place at 31 s and is there at 32 s. Nothing in the trace takes the
# node off the road at its end. Only a second file (--ns2activity-output) tells from when to when the car exists.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q eclipse-sumo==1.28.0
cd "$folder"
export SUMO_HOME=$(venv/bin/python -c "import sumo; print(sumo.SUMO_HOME)")
echo '<nodes><node id="a" x="0" y="0"/><node id="b" x="500" y="0"/></nodes>' >road.nod.xml
echo '<edges><edge id="e" from="a" to="b" speed="20"/></edges>' >road.edg.xml
echo '<routes><route id="r" edges="e"/><vehicle id="late" route="r" depart="30"/></routes>' >road.rou.xml
venv/bin/netconvert -n road.nod.xml -e road.edg.xml -o road.net.xml >/dev/null
venv/bin/sumo -n road.net.xml -r road.rou.xml --fcd-output positions.xml --end 80 --no-step-log >/dev/null
venv/bin/python "$SUMO_HOME/tools/traceExporter.py" -i positions.xml -n road.net.xml --ns2mobility-output trace.tcl \
    --ns2activity-output activity.tcl >/dev/null
position() { grep -A1 "<timestep time=\"$1.00\"" positions.xml | sed -n 's/.* x="\([0-9.]*\)".*/\1/p'; }
echo "SUMO: at 30 s x = $(position 30), at 31 s x = $(position 31)"
grep -m1 ' X_ ' trace.tcl
grep -m1 'at 31.0 ' trace.tcl
grep 'start\|stop' activity.tcl
placed=$(grep -m1 ' X_ ' trace.tcl | awk '{print $4}')
sent=$(grep -m1 'at 31.0 ' trace.tcl | awk '{print $6}')
[ "$placed" = "$(position 30 | sed 's/0$//')" ] && [ "$sent" = "$(position 31)" ] && ! grep -q 'at 0\.0\|stop' trace.tcl &&
    grep -q 'at 30.0 .*start' activity.tcl || { echo "the behaviour has changed"; exit 1; }
