#!/usr/bin/env bash
# pandas 2.3.3 reads a third of the shortest decimal texts of doubles as a neighbour of the number that was written.
#
# Seen with pandas 2.3.3 and numpy 2.3.5 on Linux x86_64: of 100,000 numbers between 0 and 1, written with `repr` (the shortest text that
# reads back), `read_csv` changes 36,346, each by a unit in the last place or so. `float_precision="round_trip"` changes none. Two programs
# whose results are equal to the last bit differ when one of them is read by pandas.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q pandas==2.3.3 numpy==2.3.5
cat >"$folder/read.py" <<'PY'
import io
import random
import pandas

random.seed(1)
numbers = [random.random() for _ in range(100_000)]
text = "x\n" + "\n".join(map(repr, numbers))
for options in {}, {"float_precision": "round_trip"}:
    read = pandas.read_csv(io.StringIO(text), **options).x
    print(options, "changes", sum(a != b for a, b in zip(numbers, read)), "of", len(numbers))
PY
seen=$("$folder/venv/bin/python" "$folder/read.py")
echo "$seen"
[ "$seen" = "{} changes 36346 of 100000
{'float_precision': 'round_trip'} changes 0 of 100000" ] || { echo "the behaviour has changed"; exit 1; }
