"""Devices, their examination, and the program."""

import os
import pathlib
import subprocess
import sys

import pytest

import imminent

PROGRAM = [sys.executable, "-m", "imminent"]


def test_devices_are_listed_and_conform():
    listed = {backend["backend"]: backend for backend in imminent.devices()}
    assert listed["cpu"]["devices"]
    report = imminent.conform("cpu", only=["random numbers"])
    assert report and report.passed and "passed" in str(report) and report.to_dict()
    with pytest.raises(imminent.ConfigurationError, match="only: no case of the suite has radnom or numebrs") as refused:
        imminent.conform("cpu", only=["radnom", "numebrs"])
    assert refused.value.key == "only"


def test_the_program_is_in_the_package():
    version = subprocess.run([*PROGRAM, "--version"], check=True, capture_output=True, text=True)
    assert version.stdout.startswith(f"imminent {imminent.__version__}")
    wrong = subprocess.run([*PROGRAM, "run", "netwrok"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "network" in wrong.stderr
    folder = pathlib.Path(imminent.__file__).parent
    # By its path, from anywhere.
    command = [sys.executable, str(folder / "__main__.py"), "run", "torus", "--horizon", "10", "--json"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(command, check=True, capture_output=True, cwd="/", env=environment)


def test_the_doctor_has_verdicts():
    # Software drivers compile for minutes: a second is enough for the verdict of the host.
    told = []
    found = imminent.doctor(seconds=1, progress=lambda *of: told.append(of))
    assert {(every, type(text)) for _, every, text in told} == {(1, str)}
    assert any("measuring cpu" in text for *_, text in told)
    assert found.verdicts["cpu"] in ("good", "in-part"), str(found)
    assert "Verdicts" in str(found) and "Verdicts" in found._repr_html_()
    with pytest.raises(imminent.ConfigurationError):
        imminent.doctor(seconds=0)
