"""The models of a catalogue."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

from . import _native
from ._errors import ConfigurationError
from ._given import Configuration, Progress, Values, given, selected, told
from ._results import Comparison, Result, StudyResult


class Models:
    """The models of an extension module: those of this package, or of a crate of one's own.

    `imminent.Models(my_models.models)` has the functions of this package for the models of `my_models`.
    """

    def __init__(self, models: _native.Models) -> None:
        if not isinstance(models, _native.Models) and type(models).__name__ != "Models":
            raise TypeError(f"takes the object `models` of an extension module, as my_models.models, not {models!r}")
        self._models = models

    def _files(self, model: str) -> Callable[[], Collection[str]]:
        """Returns a function that returns the keys of a model that take files."""
        return lambda: self._models.files(model)

    def models(self) -> dict[str, str]:
        """Returns the models by name, each with a sentence."""
        return {name: about for name, about, _ in self._models.listed()}

    def describe(self, model: str) -> dict[str, Any]:
        """Returns the JSON Schema of a model's configurations, with its measures."""
        return self._models.schema(model)

    def arguments(self, model: str) -> dict[str, str]:
        """Returns the arguments that `run` takes for a model, each with a sentence."""
        listed = self._models.arguments(model)
        return {name: about + (f" In {unit}." if unit else "") for name, _, about, unit in listed}

    def run(
        self,
        model: str,
        configuration: Configuration = None,
        *,
        text: str | None = None,
        device: str = "auto",
        device_options: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
        progress: bool | Progress | None = None,
        **arguments: Any,
    ) -> Result:
        """Runs a model, and returns the result.

        `configuration` is the name of a file, a dictionary, or a `Network`; `text` is one in TOML. `set` gives keys
        their values, as `{"run.horizon": 1000}`. Other arguments are those of `arguments(model)`: keys by their short
        names, as `horizon=1000`, and options of the program, as `by_class=True`.

        `device` is `auto`, a backend, or a backend with a number, as `opencl:1`. `progress` is `True` for a bar of
        tqdm, or a function of the number of parts done, of all, and a text.

        Ctrl-C ends a run in good order: the result has what had ended, and `partial` tells it.

        Raises `ConfigurationError`, `DeviceError` or `RunError`.
        """
        outcome = self._models.run(
            model,
            given(configuration, text, set, arguments, self._files(model)),
            selected(device, device_options),
            told(progress),
        )
        return Result(outcome)

    def compare(
        self,
        model: str,
        *configurations: Configuration,
        device: str = "auto",
        device_options: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
        progress: bool | Progress | None = None,
        **arguments: Any,
    ) -> Comparison:
        """Runs two or more configurations on common random numbers, and compares each with the first.

        Seed and number of replications have to be the same in all, so they are best given here:
        `compare("network", "today.toml", "tomorrow.toml", replications=20)`.
        """
        if len(configurations) < 2:
            raise ConfigurationError("a comparison needs two configurations or more")
        results = [
            Result(
                self._models.run(
                    model,
                    given(configuration, None, set, arguments, self._files(model)),
                    selected(device, device_options),
                    told(progress),
                    True,
                )
            )
            for configuration in configurations
        ]
        counts = [max(map(len, result.replications.values()), default=0) for result in results]
        if min(counts) < 2 or len({*counts}) > 1 or any(result.partial for result in results):
            raise ConfigurationError(
                f"a comparison needs the same number of replications of each, two or more: there are {counts}; "
                "give `replications`, for instance replications=20"
            )
        names = [
            os.fspath(of) if isinstance(of, (str, os.PathLike)) else f"configuration {place}"
            for place, of in enumerate(configurations)
        ]
        return Comparison(results, names, results[0]._outcome.confidence)

    def study(
        self,
        definition: str | os.PathLike[str] | Mapping[str, Any],
        *,
        device: str = "auto",
        device_options: Mapping[str, Any] | None = None,
        progress: bool | Progress | None = None,
    ) -> StudyResult:
        """Carries out a parameter study, and returns a row for each run and for each point.

        `definition` is the name of a file, or a dictionary with its keys: `{"model": "mesh", "repetitions": 30,
        "axis": [{"parameter": "rate", "values": [1, 5, 10]}]}`.
        """
        values = Values()
        if isinstance(definition, Mapping):
            text, folder = _native.to_toml({"format": 1, **values.plain(definition)}), ""
        else:
            try:
                with open(definition, encoding="utf-8-sig") as file:
                    text = file.read()
            except (OSError, UnicodeDecodeError) as error:
                raise ConfigurationError(f"{os.fspath(definition)}: cannot be read: {error}") from error
            folder = os.path.dirname(os.fspath(definition))
        return StudyResult(
            self._models.study(text, folder, values.files, selected(device, device_options), told(progress))
        )
