"""Devices: their list, the conformance suite, and an examination of all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from . import _native
from ._errors import ConfigurationError, RunError
from ._given import Progress, selected, told


def devices() -> list[dict[str, Any]]:
    """Returns the backends: each with its devices, or with the reason why it has none."""
    return _native.devices()


class Report:
    """Report on devices: a text, and a dictionary with all of it."""

    def __init__(self, passed: bool, text: str, report: str) -> None:
        self.passed = passed
        self._text = text
        self._report = report

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'passed' if self.passed else 'failed'}>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self._text)}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as a dictionary."""
        report: dict[str, Any] = json.loads(self._report)
        return report


class Conformance(Report):
    """Report of the conformance suite, true if it passed. `to_dict()` has every case."""


class Examination(Report):
    """Findings on every device, true unless one of them has a fault."""

    @property
    def verdicts(self) -> dict[str, str]:
        """Verdict of each backend: `good`, `in-part`, `known`, `wrong` or `absent`."""
        return {backend["backend"]: backend["verdict"] for backend in self.to_dict()["backends"]}


def conform(
    device: str = "auto", *, only: str | Iterable[str] | None = None, device_options: Mapping[str, Any] | None = None
) -> Conformance:
    """Runs the conformance suite on a device: cases that are true of every correct backend.

    `only` picks cases whose group and name contain this text, or one of several.
    """
    picked = [only] if isinstance(only, str) else list(only or [])
    return Conformance(*_native.conform(selected(device, device_options), picked))


def doctor(seconds: int = 110, *, progress: bool | Progress | None = None) -> Examination:
    """Examines every device, as the program's `imminent doctor`, and returns the findings.

    Devices are opened, measured and tested in processes of their own, so a driver that crashes does no harm here.
    `seconds` is the time for all; cases of the suite that it does not suffice for are told. `progress` is `True` for a
    bar of tqdm, or a function of the seconds that have passed, of all, and a text.
    """
    import pathlib
    import subprocess
    import tempfile
    import time

    from .__main__ import program

    if isinstance(seconds, bool) or not isinstance(seconds, int) or seconds < 1:
        raise ConfigurationError(f"seconds: takes a whole number from 1, not {seconds!r}", key="seconds")
    tell = told(progress)
    with tempfile.TemporaryDirectory() as folder:
        report, text = pathlib.Path(folder) / "report.json", pathlib.Path(folder) / "report.txt"
        command = [*program(), "doctor", "--seconds", str(seconds), "--out", str(report)]
        with text.open("w") as output:
            examining = subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, text=True)
        begun, said = time.monotonic(), ""
        try:
            for said in examining.stderr or ():
                if tell is not None:
                    tell(min(int(time.monotonic() - begun), seconds), seconds, said.rstrip())
        except BaseException:
            examining.kill()
            raise
        finally:
            status = examining.wait()
        # A verdict that is a fault has the status 1 too. The last line is the reason of another failure.
        if not report.exists():
            raise RunError(f"the examination ended with status {status}: {said.strip()}")
        return Examination(status == 0, text.read_text(), report.read_text())
