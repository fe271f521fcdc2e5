"""Notebooks print what they say."""

import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("networkx")

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[1] / "notebooks"


@pytest.mark.parametrize("name", sorted(path.name for path in NOTEBOOKS.glob("*.ipynb")))
def test_a_notebook_prints_what_it_says(name):
    command = [sys.executable, "execute", "--check", name]
    done = subprocess.run(command, cwd=NOTEBOOKS, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
