#!/usr/bin/env python3
"""Loads every public CD++ model with a cell space, and compares the logs beside them: the tables of docs/cell.md and docs/outside.md.

    docs/compare/cells/check.py target/release/imminent FOLDER [models|logs]

Repositories of repositories.csv that FOLDER lacks are fetched into it by git, at their commits. A model is a file `*.ma` with a
line `type : cell`; files of equal content are one. It loads if its first millisecond runs, or that of one of its cell spaces;
it is refused with the text that refused.csv has. logs.csv has the pairs of models and logs: options, edits of a copy of the
model's folder, and the numbers of outputs that are equal, of CD++ alone and of imminent alone. Edits are separated by `; `:

    cut            drop the last line of a file of values that does not end with a newline, as CD++ does
    cut LINE       LINE instead of that line
    copy A B       the file B with the content of A
    name A B       in the log, the cell space A is called B
    event LINE     LINE is one of events.ev

Exit status 1 if a model or a log is otherwise. Python 3.10 suffices.
"""

import csv
import hashlib
import importlib.machinery
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("logs", str(HERE.parent / "logs"))
logs = importlib.util.module_from_spec(importlib.util.spec_from_loader("logs", LOADER))
LOADER.exec_module(logs)

MILLISECOND = str(1.5 / 3_600_000)  # in hours


def rows(name):
    with open(HERE / name, newline="") as file:
        return list(csv.DictReader(file))


def fetched(folder):
    """Fetches the repositories that the folder lacks."""
    for row in rows("repositories.csv"):
        path = place(folder, row["repository"])
        if not path.exists():
            path.mkdir(parents=True)
            git = ["git", "-C", str(path)]
            subprocess.run([*git, "init", "--quiet"], check=True)
            source = f"https://github.com/{row['repository']}"
            subprocess.run([*git, "fetch", "--quiet", "--depth", "1", source, row["commit"]], check=True)
            subprocess.run([*git, "checkout", "--quiet", "FETCH_HEAD"], check=True)


def place(folder, repository):
    return folder / repository.replace("/", "+")


def models(folder):
    """The distinct models: for each the repository and the paths of files with its content."""
    found = {}
    for row in rows("repositories.csv"):
        top = place(folder, row["repository"])
        for path in sorted(path for path in top.rglob("*") if path.suffix.lower() == ".ma" and path.is_file()):
            content = path.read_bytes()
            if re.search(rb"(?im)^\s*type\s*:\s*cell", content):
                name = (row["repository"], str(path.relative_to(top)))
                found.setdefault(hashlib.sha256(content).digest(), []).append((name, path))
    return found.values()


def refusal(program, path, component=None):
    """The error with which a model is refused; nothing if it loads."""
    command = [program, "run", "cells", str(path), "--engine", "sequential", "--horizon", MILLISECOND, "--quiet", "--json"]
    command += ["--component", component] if component else []
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
    if run.returncode == 0:
        return None
    spaces = re.search(r"name one by `--component`: (.*)", run.stderr)
    if spaces and component is None:
        refusals = [refusal(program, path, name) for name in re.findall(r"`([^`]*)`", spaces[1])]
        return None if None in refusals else " ".join([run.stderr, *refusals])
    return run.stderr


def check_models(program, folder):
    expected = {(row["repository"], row["path"]): row for row in rows("refused.csv")}
    causes, wrong, loaded, repositories = Counter(), [], 0, set()
    for copies in models(folder):
        repositories.add(copies[0][0][0])
        row = next((expected[name] for name, _ in copies if name in expected), None)
        refusals = [refusal(program, path) for _, path in copies]
        if None in refusals:
            loaded += 1
        else:
            causes[row["cause"] if row else "not in refused.csv"] += 1
        if (None in refusals) != (row is None) or row and not any(row["text"] in text for text in refusals):
            wrong.append(f"{copies[0][1]}: {[text and text.strip().splitlines()[:1] for text in refusals]}")
    print(f"{loaded + causes.total()} models in {len(repositories)} repositories: {loaded} load\n\n| files | refused |\n| --- | --- |")
    for cause, count in causes.most_common():
        print(f"| {count} | {cause} |")
    return wrong


def edited(row, model, log):
    """Makes the edits of a row. Returns the log, which may be another."""
    for edit in filter(None, row["edits"].split("; ")):
        verb, *words = edit.split()
        if verb == "cut":
            for path in model.parent.iterdir():
                content = path.read_bytes() if path.suffix.lower() == ".val" else b""
                if content and not content.endswith(b"\n"):
                    lines = [*content.split(b"\n")[:-1], *[word.encode() for word in words], b""]
                    path.write_bytes(b"\n".join(lines))
        elif verb == "copy":
            shutil.copy(model.parent / words[0], model.parent / words[1])
        elif verb == "name":
            text = log.read_text(errors="replace").replace(*words)
            log = model.parent / "renamed.log"
            log.write_text(text)
        elif verb == "event":
            with open(model.parent / "events.ev", "a") as events:
                events.write(" ".join(words) + "\n")
        else:
            sys.exit(f"logs.csv: there is no edit `{verb}`")
    return log


def check_logs(program, folder):
    causes, wrong, outputs = Counter(), [], 0
    for row in rows("logs.csv"):
        causes[row["cause"] or "agree"] += 1
        if not row["equal"]:
            continue
        top = place(folder, row["repository"])
        with tempfile.TemporaryDirectory() as copy:
            model = Path(copy) / "model" / Path(row["model"]).name
            shutil.copytree((top / row["model"]).parent, model.parent, ignore=shutil.ignore_patterns(".git"))
            log = edited(row, model, top / row["log"])
            options = shlex.split(row["options"])
            options = [str(model.parent / word) if before == "--events" else word for before, word in zip(["", *options], options)]
            equal, lacking, more = logs.compared(program, str(model), log, [*options, "--quiet"], cells=True)
        outputs += 0 if lacking or more else equal
        found = [str(equal), str(len(lacking)), str(len(more))]
        if found != [row["equal"], row["theirs"], row["ours"]]:
            wrong.append(f"{row['repository']} {row['log']}: {', '.join(found)}")
    print(f"{causes.total()} logs, {outputs:,} outputs of those that agree\n\n| logs | outcome |\n| --- | --- |")
    for cause, count in causes.most_common():
        print(f"| {count} | {cause} |")
    return wrong


def main():
    parts = {"models": check_models, "logs": check_logs}
    if len(sys.argv) not in (3, 4) or not parts.keys() >= set(sys.argv[3:]):
        sys.exit(__doc__)
    program, folder = sys.argv[1], Path(sys.argv[2]).resolve()
    fetched(folder)
    wrong = [text for part in sys.argv[3:] or parts for text in parts[part](program, folder)]
    print("\n".join(wrong), file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
