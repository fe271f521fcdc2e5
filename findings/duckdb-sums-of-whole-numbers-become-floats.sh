#!/usr/bin/env bash
# duckdb 2.0.1: the sum of a column of whole numbers is exact in SQL, and a float in a data frame.
#
# A sum of 64-bit numbers has 128 bits (HUGEINT). `fetchall` gives it exactly. `df()` makes it a float64 without a word, so a sum of ticks
# or of bytes above 2^53 loses its last digits; the greatest of the same column keeps them. Seen with duckdb 2.0.1, pandas 2.3.3 and
# pyarrow 26.0.1 on Python 3.11.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q duckdb==2.0.1 pandas==2.3.3 pyarrow==26.0.1
cat >"$folder/sum.py" <<'PY'
import duckdb
import pyarrow

of_run = pyarrow.table({"ticks": pyarrow.array([2**53, 1], pyarrow.uint64())})
query = duckdb.sql("select sum(ticks) as sum, max(ticks) as most from of_run")
print("SQL:", query.types[0], query.fetchall()[0])
frame = query.df()
print("data frame:", frame.dtypes["sum"], int(frame["sum"][0]), frame.dtypes["most"])
PY
seen=$("$folder/venv/bin/python" "$folder/sum.py")
echo "$seen"
[ "$seen" = "SQL: HUGEINT (9007199254740993, 9007199254740992)
data frame: float64 9007199254740992 uint64" ] || { echo "the behaviour has changed"; exit 1; }
