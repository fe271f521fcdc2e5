"""Discrete-event simulation of queues, networks, fires and floods on CUDA, OpenCL, Vulkan and the CPU.

>>> import imminent
>>> result = imminent.run("network", "call-centre.toml", warm_up=500)
>>> result["system"]["number"]  # doctest: +SKIP

`models()` lists the models, `describe(model)` the keys of a configuration, `arguments(model)` those of `run`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from . import _native
from ._errors import ConfigurationError, DeviceError, ForkError, ImminentError, NoResultsError, RunError
from ._given import selected
from ._models import Models
from ._network import Network, create_network, law
from ._results import Comparison, Result, StudyResult, Table

__version__ = _native.__version__

__all__ = [
    "Comparison", "ConfigurationError", "Conformance", "DeviceError", "ForkError", "ImminentError", "Models", "Network",
    "NoResultsError", "Result", "RunError", "StudyResult", "Table", "arguments", "compare", "conform", "create_network",
    "describe", "devices", "law", "models", "run", "study",
]

_models = Models(_native.models)
models = _models.models
describe = _models.describe
arguments = _models.arguments
run = _models.run
compare = _models.compare
study = _models.study


def devices() -> list[dict[str, Any]]:
    """Returns the backends: each with its devices, or with the reason why it has none."""
    return _native.devices()


class Conformance:
    """Report of the conformance suite."""

    def __init__(self, passed: bool, text: str, report: str) -> None:
        self.passed = passed
        self._text = text
        self._report = report

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Conformance: {'passed' if self.passed else 'failed'}>"

    def to_dict(self) -> dict[str, Any]:
        """Returns the report with every case."""
        report: dict[str, Any] = json.loads(self._report)
        return report


def conform(
    device: str = "auto", *, only: list[str] | None = None, device_options: Mapping[str, Any] | None = None
) -> Conformance:
    """Runs the conformance suite on a device: cases that are true of every correct backend.

    `only` picks cases whose group and name contain one of these texts.
    """
    return Conformance(*_native.conform(selected(device, device_options), only or []))
