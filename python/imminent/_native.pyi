"""The extension module: what the other modules are made of."""

import sys
from collections.abc import Callable
from os import PathLike
from typing import Any, TypedDict, final, type_check_only

if sys.version_info >= (3, 13):
    from types import CapsuleType as _Capsule
else:
    _Capsule = object

__all__ = [
    "Column", "MemoryFile", "Models", "Outcome", "Raster", "StudyOutcome", "Table", "__version__", "compared", "conform",
    "demands", "devices", "from_jsimg", "from_toml", "main", "models", "to_jsimg", "to_toml", "trajectories",
]

__version__: str

@type_check_only
class Given(TypedDict):
    file: str | PathLike[str] | None
    text: str | None
    is_made: bool
    settings: list[tuple[str, str]]
    arguments: list[tuple[str, list[str]]]
    # Objects to which names in the other items lead.
    kept: list[object]

@type_check_only
class Selected(TypedDict):
    device: str
    options: list[tuple[str, str]]

@final
class Raster:
    def __new__(
        cls,
        values: object,
        name: str,
        transform: list[float],
        crs: str | None = None,
        code: int | None = None,
        no_data: float | None = None,
    ) -> Raster: ...
    @property
    def path(self) -> str: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def transform(self) -> list[float]: ...
    @property
    def crs(self) -> str | None: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def isochrones(self, times: list[float], blur: float) -> str: ...
    def geotiff(self) -> bytes: ...

@final
class MemoryFile:
    @property
    def path(self) -> str: ...

@final
class Column:
    def to_list(self) -> list[Any]: ...
    def __len__(self) -> int: ...
    @property
    def is_numeric(self) -> bool: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

@final
class Table:
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    def column(self, name: str) -> Column: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> _Capsule: ...

@final
class Outcome:
    model: str
    title: str
    facts: list[tuple[str, str]]
    partial: str | None
    failures: list[str]
    sections: list[tuple[str, list[str], list[list[str]]]]
    notes: list[str]
    warnings: list[str]
    speed: str
    digest: str
    replications: list[tuple[str, list[float | None]]]
    # Caption, labels of both axes, and points with the half-widths of their intervals.
    curves: list[tuple[str, tuple[str, str], list[tuple[float, float, float | None]]]]
    tables: list[Table]
    backend: str | None
    device: str
    why: str | None
    seconds: tuple[float, float, float] | None
    def values(self) -> dict[str, Any]: ...
    def files(self) -> dict[str, bytes]: ...
    def rasters(self) -> dict[str, Raster]: ...
    @property
    def confidence(self) -> float: ...

@final
class StudyOutcome:
    model: str
    title: str | None
    partial: str | None
    failures: list[tuple[int, str]]
    warnings: list[str]
    runs: Table
    points: Table
    backend: str
    device: str
    why: str
    seconds: float

@final
class Models:
    def listed(self) -> list[tuple[str, str, bool]]: ...
    def schema(self, model: str) -> dict[str, Any]: ...
    def files(self, model: str) -> list[str]: ...
    def arguments(self, model: str) -> list[tuple[str, str, str, str]]: ...
    def run(
        self,
        model: str,
        given: Given,
        selected: Selected,
        told: Callable[[int, int, str], object] | None = None,
        are_common: bool = False,
    ) -> Outcome: ...
    def study(
        self,
        text: str,
        folder: str | PathLike[str],
        selected: Selected,
        told: Callable[[int, int, str], object] | None = None,
    ) -> StudyOutcome: ...

models: Models

def main(program: list[str], arguments: list[str]) -> int: ...
def demands(values: object, nodes: list[str]) -> MemoryFile: ...
def trajectories(times: list[float], x: object, y: object) -> MemoryFile: ...
def devices() -> list[dict[str, Any]]: ...
def conform(selected: Selected, only: list[str] = ...) -> tuple[bool, str, str]: ...
def compared(
    all: list[list[tuple[str, list[float | None]]]], confidence: float
) -> list[dict[str, dict[str, Any]]]: ...
def to_toml(values: dict[str, Any]) -> str: ...
def from_toml(text: str) -> dict[str, Any]: ...
def from_jsimg(path: str | PathLike[str]) -> str: ...
def to_jsimg(text: str) -> str: ...
