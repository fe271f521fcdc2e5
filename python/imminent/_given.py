"""Arguments of calls, as the extension module takes them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

from . import _native
from ._arrays import in_memory, lists
from ._errors import ConfigurationError
from ._memory import InMemory, named

Progress = Callable[[int, int, str], object]


@runtime_checkable
class SupportsConfiguration(Protocol):
    """An object that is a configuration, such as a `Network`."""

    def to_dict(self) -> dict[str, Any]: ...


Configuration = str | os.PathLike[str] | Mapping[str, Any] | SupportsConfiguration | None


# Levels of dictionaries and lists in a configuration; files have fewer.
MOST_LEVELS = 64


class Given(NamedTuple):
    """Configuration and options of a run, as extension modules read them: by attributes."""

    file: str | os.PathLike[str] | None
    text: str | None
    is_made: bool
    settings: list[tuple[str, str]]
    arguments: list[tuple[str, list[str]]]
    # Files in memory, by their paths in the other fields.
    files: dict[str, object]


class Selected(NamedTuple):
    """Selection of a device, as extension modules read it: by attributes."""

    device: str
    options: list[tuple[str, str]]


def given(
    configuration: Configuration,
    text: str | None,
    settings: Mapping[str, Any] | None,
    arguments: Mapping[str, Any],
    files: Callable[[], Collection[str]],
) -> Given:
    """Returns a configuration with the values of keys and options. `files` returns the keys that take files."""
    if configuration is not None and text is not None:
        raise ConfigurationError("a configuration is a file, values or a `text`: give one of them")
    file: str | os.PathLike[str] | None = None
    is_made = False
    values = Values(files)
    if isinstance(configuration, (str, os.PathLike)):
        file = configuration
    elif configuration is not None:
        if isinstance(configuration, SupportsConfiguration):
            configuration = configuration.to_dict()
        if not isinstance(configuration, Mapping):
            kind = type(configuration).__name__
            raise ConfigurationError(f"a configuration is the name of a file, a dictionary or a Network, and no {kind}")
        text = _native.to_toml(values.plain(configuration))
        is_made = True
    elif text is not None and not isinstance(text, str):
        raise ConfigurationError(f"text: takes a configuration in TOML, and no {type(text).__name__}", key="text")
    elif text is not None:
        values.plain(text)
    return Given(
        file,
        text,
        is_made=is_made,
        settings=[(key, literal(values.plain(value, key))) for key, value in items("set", settings)],
        # An option that is switched off is one that is not given.
        arguments=[(name, texts(values.plain(value, name))) for name, value in arguments.items() if value is not None],
        files=values.files,
    )


def items(name: str, given: Mapping[str, Any] | None) -> Collection[tuple[str, Any]]:
    """Returns the items of an argument that is a dictionary with texts as keys."""
    if given is None:
        return []
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise ConfigurationError(f"{name}: takes a dictionary from texts to values, not {given!r}", key=name)
    return given.items()


class Values:
    """Reader of values: it returns them as the dictionaries, lists, texts, numbers and booleans of Python.

    Rasters and other files in memory become paths, under which `files` has them.
    """

    def __init__(self, keys: Callable[[], Collection[str]] = tuple) -> None:
        self.files: dict[str, object] = {}
        self._keys = keys

    def plain(self, value: Any, key: str = "", level: int = 0) -> Any:
        """Returns a value without arrays and objects in it. `key` is that of the value, for errors."""
        if isinstance(value, str):
            for known in named(value):
                self._add(known)
            return value
        if isinstance(value, bool):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else refuse(key, f"is {value}: expected a finite number")
        if isinstance(value, int):
            return value if -(2**63) <= value < 2**64 else refuse(key, f"is {value}: expected a number of 64 bits")
        if value is None:
            return refuse(key, "is None: a configuration has no such value; leave the key out")
        if level > MOST_LEVELS:
            return refuse(key[:40], f"has more than {MOST_LEVELS} levels of dictionaries and lists: give values, not levels")
        if isinstance(value, Mapping):
            return self._dictionary(value, key, level)
        if isinstance(value, (list, tuple)):
            return self._list(value, key, level)
        if isinstance(value, os.PathLike):
            return self.plain(os.fspath(value), key, level + 1)
        file = in_memory(value, key)
        if file is not None:
            return self._add(file)
        if hasattr(value, "tolist"):
            return self._array(value, key, level)
        if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
            return self._list(value, key, level)
        return refuse(key, f"is a value of the type {type(value).__name__}: expected a text, number, boolean, list or dictionary")

    def _add(self, file: InMemory) -> str:
        self.files[file.path] = file._file()
        return file.path

    def _dictionary(self, value: Mapping[Any, Any], key: str, level: int) -> dict[str, Any]:
        at = key + "." if key else ""
        try:
            return {str(name): self.plain(inner, f"{at}{name}", level + 1) for name, inner in value.items()}
        except RuntimeError as error:
            if isinstance(error, RecursionError):
                raise
            raise ConfigurationError(
                f"{key or 'configuration'}: was changed while it was read ({error}); change it when no call reads it"
            ) from error

    def _list(self, value: Iterable[Any], key: str, level: int) -> list[Any]:
        return [self.plain(inner, f"{key}[{place}]", level + 1) for place, inner in enumerate(value)]

    def _array(self, value: Any, key: str, level: int) -> Any:
        if getattr(value, "ndim", 0) > 1 and key in self._keys():
            refuse(
                key,
                "takes a file, for which an array stands as imminent.Raster(array, cell=30.0), "
                "imminent.Demands(matrix, nodes) or imminent.Trajectories(times, positions)",
            )
        values, is_plain = lists(value, key)
        return values if is_plain else self.plain(values, key, level)


def refuse(key: str, problem: str) -> Any:
    """Raises the error of a value that no configuration has."""
    raise ConfigurationError(f"{key}: {problem}" if key else problem, key=key or None, problem=problem)


def literal(value: Any) -> str:
    """Returns a plain value as a command line has it: a text as it is, other values as in TOML."""
    if isinstance(value, str):
        return value
    # A table with one key, of which only the value is of interest.
    made = _native.to_toml({"value": [value]}).strip()
    return made.removeprefix("value = [").removesuffix("]") if made.startswith("value = [") else inline(value)


def inline(value: Any) -> str:
    """Returns dictionaries and lists in one line of TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {inline(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(inline(inner) for inner in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return literal(value)


def texts(value: Any) -> list[str]:
    """Returns a plain value as texts, one for each element of a list; `True` is an option without a value."""
    if value is True:
        return ["true"]
    if isinstance(value, list):
        return [",".join(map(literal, inner)) if isinstance(inner, list) else literal(inner) for inner in value]
    return [literal(value)]


def selected(device: str, options: Mapping[str, Any] | None) -> Selected:
    """Returns the selection of a device, such as `auto`, `cuda` or `opencl:1`."""
    if not isinstance(device, str):
        raise TypeError(f"device: takes a text such as 'auto', 'cpu', 'cuda' or 'opencl:1', not {device!r}")
    given = items("device_options", options)
    return Selected(device, [(key, literal(Values().plain(value, key))) for key, value in given])


def told(progress: bool | Progress | None) -> Progress | None:
    """Returns the function that is called with progress: the number of parts that are done, of all, and a word."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        if not callable(progress):
            raise ConfigurationError(f"progress: takes True, or a function of done, all and a text, not {progress!r}", key="progress")
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True draws a bar by tqdm: pip install imminent[progress], or give a function") from error
    bar = tqdm(leave=False)

    def tell(done: int, every: int, now: str) -> None:
        bar.total = every
        bar.set_postfix_str(now, refresh=False)
        bar.update(done - bar.n)

    return tell
