"""The extension module: what the other modules are made of."""

import sys
from collections.abc import Callable
from os import PathLike
from typing import Any, TypedDict

if sys.version_info >= (3, 13):
    from types import CapsuleType
else:
    CapsuleType = object

__version__: str

class Given(TypedDict):
    file: str | PathLike[str] | None
    text: str | None
    is_made: bool
    settings: list[tuple[str, str]]
    arguments: list[tuple[str, list[str]]]

class Selected(TypedDict):
    device: str
    options: list[tuple[str, str]]

class Column:
    def to_list(self) -> list[Any]: ...
    def __len__(self) -> int: ...
    @property
    def is_numeric(self) -> bool: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class Table:
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    def column(self, name: str) -> Column: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...

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
    tables: list[Table]
    backend: str | None
    device: str
    why: str | None
    seconds: tuple[float, float, float] | None
    def values(self) -> dict[str, Any]: ...
    def files(self) -> dict[str, bytes]: ...
    @property
    def confidence(self) -> float: ...

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

class Models:
    def listed(self) -> list[tuple[str, str, bool]]: ...
    def schema(self, model: str) -> dict[str, Any]: ...
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

def devices() -> list[dict[str, Any]]: ...
def conform(selected: Selected, only: list[str] = []) -> tuple[bool, str, str]: ...
def compared(
    all: list[list[tuple[str, list[float | None]]]], confidence: float
) -> list[dict[str, dict[str, Any]]]: ...
def to_toml(values: dict[str, Any]) -> str: ...
def from_toml(text: str) -> dict[str, Any]: ...
def from_jsimg(path: str | PathLike[str]) -> str: ...
def to_jsimg(text: str) -> str: ...
