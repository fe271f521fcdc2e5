"""Arguments of calls, as the extension module takes them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from . import _native
from ._arrays import in_memory, lists
from ._errors import ConfigurationError

Progress = Callable[[int, int, str], object]


@runtime_checkable
class SupportsConfiguration(Protocol):
    """An object that is a configuration, such as a `Network`."""

    def to_dict(self) -> dict[str, Any]: ...


Configuration = str | os.PathLike[str] | Mapping[str, Any] | SupportsConfiguration | None


def given(
    configuration: Configuration,
    text: str | None,
    settings: Mapping[str, Any] | None,
    arguments: Mapping[str, Any],
) -> _native.Given:
    """Returns a configuration with the values of keys and options."""
    if configuration is not None and text is not None:
        raise ConfigurationError("a configuration is a file, values or a `text`: give one of them")
    file: str | os.PathLike[str] | None = None
    is_made = False
    kept: list[object] = []
    if isinstance(configuration, (str, os.PathLike)):
        file = configuration
    elif configuration is not None:
        if isinstance(configuration, SupportsConfiguration):
            configuration = configuration.to_dict()
        if not isinstance(configuration, Mapping):
            kind = type(configuration).__name__
            raise ConfigurationError(f"a configuration is the name of a file, a dictionary or a Network, and no {kind}")
        text = _native.to_toml(plain(configuration, kept))
        is_made = True
    return {
        "file": file,
        "text": text,
        "is_made": is_made,
        "settings": [(key, literal(plain(value, kept, key))) for key, value in (settings or {}).items()],
        # An option that is switched off is one that is not given.
        "arguments": [(name, texts(plain(value, kept, name))) for name, value in arguments.items() if value is not None],
        "kept": kept,
    }


def plain(value: Any, kept: list[object], key: str = "") -> Any:
    """Returns a value with dictionaries, lists, and numbers of Python in place of such as those of NumPy.

    Rasters and other files in memory become paths, which lead to them as long as `kept` has them. `key` is that of the
    value, for errors.
    """
    if isinstance(value, (str, bytes, bool, int, float)) or value is None:
        return value
    if isinstance(value, (dict, Mapping)):
        return {str(name): plain(inner, kept, f"{key}.{name}" if key else str(name)) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner, kept, f"{key}[{place}]") for place, inner in enumerate(value)]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    file = in_memory(value, key)
    if file is not None:
        kept.append(file)
        return file.path
    if hasattr(value, "tolist"):
        return plain(lists(value, key), kept, key)
    if isinstance(value, Iterable):
        return [plain(inner, kept, f"{key}[{place}]") for place, inner in enumerate(value)]
    return value


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


def selected(device: str, options: Mapping[str, Any] | None) -> _native.Selected:
    """Returns the selection of a device, such as `auto`, `cuda` or `opencl:1`."""
    if not isinstance(device, str):
        raise TypeError(f"device: takes a text such as 'auto', 'cpu', 'cuda' or 'opencl:1', not {device!r}")
    return {"device": device, "options": [(key, literal(plain(value, [], key))) for key, value in (options or {}).items()]}


def told(progress: bool | Progress | None) -> Progress | None:
    """Returns the function that is called with progress: the number of parts that are done, of all, and a word."""
    if progress is None or progress is False:
        return None
    if progress is not True:
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
