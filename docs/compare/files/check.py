#!/usr/bin/env python3
"""Runs every public file of files.csv, and prints the table of docs/outside.md.

    docs/compare/files/check.py target/release/imminent FOLDER

Files that FOLDER lacks are fetched into it from their commits on GitHub. A file is loaded with the numbers of nodes and links that
files.csv has, or refused with the text that it has as `refused`; the exit status is 1 if one is not, or is another file than its
SHA-256 says. The numbers in files.csv are those of other readers: igraph for GML, and Python's json and xml.etree for the rest.

Python 3.9 suffices.
"""

import csv
import hashlib
import json
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

# Small traffic: the table is about files. Options of a row come after them.
TRAFFIC = ["--gravity", "1e6", "--pairs", "5", "--horizon", "0.05", "--engine", "sequential"]
MANET = ["--horizon", "4", "--replications", "1"]


def fetched(row, folder):
    """The path of a file, which is fetched if it is not there."""
    path = folder / row["repository"].replace("/", "+") / row["path"]
    if not path.exists():
        place = urllib.parse.quote(f"{row['repository']}/{row['commit']}/{row['path']}")
        with urllib.request.urlopen(f"https://raw.githubusercontent.com/{place}") as answer:
            content = answer.read()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if not found.startswith(row["sha256"]):
        sys.exit(f"{path}: its SHA-256 is {found}, and files.csv has {row['sha256']}: fetch it again")
    return path


def outcome(program, row, path):
    """What becomes of a file, and whether that is expected."""
    model = ["traffic", str(path), *TRAFFIC] if row["model"] == "traffic" else ["manet", "--trace", str(path), *MANET]
    run = subprocess.run([program, "run", *model, *row["options"].split(), "--json"], capture_output=True, text=True)
    said = run.stderr.strip()
    if run.returncode:
        # An error of the reader begins with the file, and ends with the remedy.
        reason = said.split(path.name, 1)[-1].removeprefix("imminent").lstrip(":, ")
        return f"refused: {re.split('; |: give', reason)[0]}", bool(row["refused"]) and row["refused"] in said
    report = json.loads(run.stdout)
    if row["model"] == "traffic":
        nodes, links = report["size"]["nodes"], report["size"]["links"]
        text, same = f"{nodes:,} nodes, {links:,} links", row["links"] == str(links)
    else:
        nodes = report["nodes"]
        text, same = f"{nodes:,} nodes", True
    return text, same and not row["refused"] and row["nodes"] == str(nodes)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1], Path(sys.argv[2])
    with open(Path(__file__).parent / "files.csv", newline="") as rows:
        rows = list(csv.DictReader(rows))
    print("| file | bytes, SHA-256 | format, writer | options | outcome |\n| --- | --- | --- | --- | --- |")
    wrong = []
    for row in rows:
        path = fetched(row, folder)
        text, expected = outcome(program, row, path)
        if not expected:
            wrong.append(f"{row['path']}: {text}")
        place = urllib.parse.quote(f"{row['repository']}/blob/{row['commit']}/{row['path']}")
        source = f"[{row['repository']}](https://github.com/{place}) @ {row['commit'][:7]}, {row['path']}"
        options = f"`{row['options']}`" if row["options"] else ""
        size = f"{path.stat().st_size:,}, {row['sha256']}"
        print(f"| {source} | {size} | {row['writer']} | {options} | {text} |", flush=True)
    refused = sum(bool(row["refused"]) for row in rows)
    print(f"\n{len(rows)} files: {len(rows) - refused} loaded, {refused} refused by name, {len(wrong)} otherwise")
    print("\n".join(wrong), file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
