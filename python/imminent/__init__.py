"""Discrete-event simulation of queues, networks, fires and floods on CUDA, OpenCL, Vulkan and the CPU.

>>> import imminent
>>> result = imminent.run("network", "call-centre.toml", warm_up=500)
>>> result["system"]["number"]  # doctest: +SKIP

`models()` lists the models, `describe(model)` the keys of a configuration, `arguments(model)` those of `run`.
"""

from __future__ import annotations

from . import _native
from ._arrays import Demands, Raster
from ._devices import Conformance, Examination, conform, devices, doctor
from ._errors import ConfigurationError, DeviceError, ForkError, ImminentError, NoResultsError, RunError
from ._models import Models
from ._network import Network, create_network, law
from ._results import Comparison, Result, StudyResult, Table
from ._trajectories import Trajectories

__version__ = _native.__version__

__all__ = [
    "Comparison", "ConfigurationError", "Conformance", "Demands", "DeviceError", "Examination", "ForkError",
    "ImminentError", "Models", "Network", "NoResultsError", "Raster", "Result", "RunError", "StudyResult", "Table",
    "Trajectories", "arguments", "compare", "conform", "create_network", "describe", "devices", "doctor", "law", "models",
    "run", "study",
]

_models = Models(_native.catalogue())
models = _models.models
describe = _models.describe
arguments = _models.arguments
run = _models.run
compare = _models.compare
study = _models.study
