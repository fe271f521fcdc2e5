"""
The extension module with the models of this project.

PyO3 writes the stubs of this module, `imminent/_native.pyi`, from what is declared in it.
"""

from _typeshed import SupportsGetItem, SupportsLenAndGetItem
from collections.abc import Callable
from imminent._given import Given, Selected
from os import PathLike
from typing import Any, Final, SupportsFloat, SupportsIndex, final

__all__ = ["__version__", "Column", "MemoryFile", "Models", "Outcome", "Raster", "StudyOutcome", "Table", "catalogue", "compared", "conform", "demands", "devices", "from_jsimg", "from_toml", "main", "to_jsimg", "to_toml", "trajectories"]

__version__: Final[str]

@final
class Column:
    """
    Column of a table. `numpy.asarray` takes numbers without a copy.
    """
    @property
    def __array_interface__(self, /) -> dict[str, Any]:
        """
        Place and form of the numbers, for NumPy, which keeps the column as long as it reads it.
        """
    def __len__(self, /) -> int: ...
    @property
    def is_numeric(self, /) -> bool:
        """
        `True` for numbers, which have an array interface.
        """
    def to_list(self, /) -> list[int] | list[float | None] | list[str]:
        """
        Values as a list; `None` for one that is missing.
        """

@final
class MemoryFile:
    """
    File in memory.
    """
    @property
    def contents(self, /) -> bytes:
        """
        Copy of what is in the file.
        """

@final
class Models:
    """
    The models of a catalogue.
    """
    def arguments(self, /, model: str) -> list[tuple[str, str, str, str]]:
        """
        Returns name, key, sentence, and unit of each argument of a run: keys of the configuration, and options, whose
        key is empty.
        """
    def files(self, /, model: str) -> list[str]:
        """
        Returns the keys that take files, and their short names.
        """
    def listed(self, /) -> list[tuple[str, str, bool]]:
        """
        Returns the name of each model, its sentence, and whether it needs a configuration.
        """
    def run(self, /, model: str, given: Given, selected: Selected, told: Callable[[int, int, str], object] | None = None, are_common: bool = False) -> Outcome:
        """
        Runs a model. `told` is called with progress; `are_common` gives replications of models that measure values only
        the same seeds in every configuration.
        """
    def schema(self, /, model: str) -> dict[str, Any]:
        """
        Returns the JSON Schema of a model's configurations, with its measures.
        """
    def study(self, /, text: str, folder: str | PathLike[str], files: dict[str, object], selected: Selected, told: Callable[[int, int, str], object] | None = None) -> StudyOutcome:
        """
        Carries out a study. `text` is its definition in TOML, in which names of files start from `folder`; `files` are
        those in memory, by the paths that it has for them.
        """

@final
class Outcome:
    """
    Outcome of a run.
    """
    @property
    def backend(self, /) -> str | None:
        """
        Name of the backend; `None` for an engine that uses none.
        """
    @property
    def confidence(self, /) -> float:
        """
        Confidence of the intervals, from 0.5 to 0.999999.
        """
    @property
    def curves(self, /) -> list[tuple[str, list[str], list[tuple[float, float, float | None]]]]:
        """
        Curves of estimates: caption, labels of both axes, and points with the half-widths of their intervals.
        """
    @property
    def device(self, /) -> str:
        """
        Name of the device, or of the part of the host.
        """
    @property
    def digest(self, /) -> str:
        """
        Digest of the results.
        """
    @property
    def facts(self, /) -> list[tuple[str, str]]:
        """
        Names and values of what was simulated.
        """
    @property
    def failures(self, /) -> list[str]:
        """
        Replications that failed, each with the reason.
        """
    def files(self, /) -> dict[str, bytes]:
        """
        Returns the other files of results by name, such as rasters.
        """
    @property
    def model(self, /) -> str:
        """
        Name of the model.
        """
    @property
    def notes(self, /) -> list[str]:
        """
        Remarks.
        """
    @property
    def partial(self, /) -> str | None:
        """
        Part that ended, if the run was interrupted.
        """
    def rasters(self, /) -> dict[str, Raster]:
        """
        Returns the rasters of results by name: grids, and files of rasters.
        """
    @property
    def replications(self, /) -> list[tuple[str, list[float | None]]]:
        """
        Values of each replication by measure.
        """
    @property
    def seconds(self, /) -> tuple[float, float, float] | None:
        """
        Wall times of the phases, in seconds: set-up, simulation, reading; `None` if the model does not measure them.
        """
    @property
    def sections(self, /) -> list[tuple[str, list[str], list[list[str]]]]:
        """
        Tables and sentences for people: heading, columns, and rows of texts. A sentence is a row without columns.
        """
    @property
    def speed(self, /) -> str:
        """
        Speed of the run, for people.
        """
    @property
    def tables(self, /) -> list[Table]:
        """
        Tables.
        """
    @property
    def title(self, /) -> str:
        """
        Title.
        """
    def values(self, /) -> dict[str, Any]:
        """
        Returns the results as a dictionary, as the program's `--json` prints them.
        """
    @property
    def warnings(self, /) -> list[str]:
        """
        Warnings.
        """
    @property
    def why(self, /) -> str | None:
        """
        Reason for the choice of the device.
        """

@final
class Raster:
    """
    Raster: values of cells, row by row from the north, with their place on a map. NumPy reads them where they lie.
    """
    @property
    def __array_interface__(self, /) -> dict[str, Any]:
        """
        Values as an array of NumPy, which keeps the raster as long as it reads it; NaN where there is no data.
        """
    def __new__(cls, /, values: Any, name: str, transform: SupportsLenAndGetItem[SupportsFloat | SupportsIndex], crs: str | None = None, code: SupportsIndex | None = None, no_data: SupportsFloat | SupportsIndex | None = None) -> Raster:
        """
        Copies an array. `transform` are the six numbers `a, b, c, d, e, f` of an affine transformation: a point in
        columns and rows is at `a column + b row + c`, `d column + e row + f` on the map.
        """
    @property
    def crs(self, /) -> str | None:
        """
        Coordinate system: `EPSG:N`, well-known text, or `None` if it is unknown.
        """
    def geotiff(self, /) -> bytes:
        """
        Contents of a GeoTIFF file. A coordinate system in well-known text is written by its code, if it has one.
        """
    def isochrones(self, /, times: SupportsGetItem[int, SupportsFloat | SupportsIndex], blur: SupportsFloat | SupportsIndex) -> str:
        """
        Lines of equal value, as the text of a GeoJSON file, whose property `hours` is the value.
        """
    @property
    def keys(self, /) -> tuple[list[int], list[float], str] | None:
        """
        Keys of a GeoTIFF for the coordinate system, if the raster has them.
        """
    @property
    def shape(self, /) -> tuple[int, int]:
        """
        Number of rows and of columns.
        """
    @property
    def transform(self, /) -> list[float]:
        """
        The six numbers of the affine transformation from columns and rows to the map.
        """

@final
class StudyOutcome:
    """
    Outcome of a study.
    """
    @property
    def backend(self, /) -> str:
        """
        Name of the backend.
        """
    @property
    def device(self, /) -> str:
        """
        Name of the device.
        """
    @property
    def failures(self, /) -> list[tuple[int, str]]:
        """
        Runs that failed, with the reasons.
        """
    @property
    def model(self, /) -> str:
        """
        Name of the model.
        """
    @property
    def partial(self, /) -> str | None:
        """
        Part that ended, if the study was interrupted or failed.
        """
    @property
    def points(self, /) -> Table:
        """
        A row for each measure at each point.
        """
    @property
    def runs(self, /) -> Table:
        """
        A row for each run that ended.
        """
    @property
    def seconds(self, /) -> float:
        """
        Wall time of the runs, in seconds.
        """
    @property
    def title(self, /) -> str | None:
        """
        Title, if the study has one.
        """
    @property
    def warnings(self, /) -> list[str]:
        """
        Warnings.
        """
    @property
    def why(self, /) -> str:
        """
        Reason for the choice of the device.
        """

@final
class Table:
    """
    Table of results. Columns have whole numbers (`uint64`), numbers (`float64`, some of which may be missing) or texts.
    """
    def __arrow_c_stream__(self, /, requested_schema: Any | None = None) -> object:
        """
        Exports the table by the Arrow PyCapsule interface: pandas, polars and DuckDB read it without a copy.
        """
    def __len__(self, /) -> int: ...
    def column(self, /, name: str) -> Column:
        """
        Returns a column by its name.
        """
    @property
    def columns(self, /) -> list[str]:
        """
        Names of the columns.
        """
    @property
    def name(self, /) -> str:
        """
        Name of the table.
        """

def catalogue() -> Models:
    """
    Returns the models of this project.
    """

def compared(all: SupportsGetItem[int, SupportsGetItem[int, tuple[str, SupportsGetItem[int, SupportsFloat | SupportsIndex | None]]]], confidence: SupportsFloat | SupportsIndex) -> list[dict[str, Any]]:
    """
    Compares configurations, given by the values of their measures in each replication, with the first one. Returns the
    differences of each other by the names of measures.
    """

def conform(selected: Selected, only: SupportsGetItem[int, str] = ...) -> tuple[bool, str, str]:
    """
    Runs the conformance suite on a device, in quick mode. Returns whether it passed, the report as a text, and as JSON.
    """

def demands(values: Any, nodes: SupportsGetItem[int, str]) -> MemoryFile:
    """
    Returns the demands of a matrix as the file that the key `traffic.matrix` takes: a row for each that is not 0.

    `values` has a row for each node that sends and a column for each that receives, in bits per second.
    """

def devices() -> list[dict[str, Any]]:
    """
    Lists the devices of every backend, or the reason why it has none.
    """

def from_jsimg(path: str | PathLike[str]) -> str:
    """
    Returns a model of JSIMgraph as TOML.
    """

def from_toml(text: str) -> dict[str, Any]:
    """
    Returns the values of a TOML text.
    """

def main(program: SupportsGetItem[int, str], arguments: SupportsGetItem[int, str]) -> int:
    """
    Runs the command that the arguments give, and returns its exit status. `program` is the command that runs this
    program in another process, without arguments of its own. A process calls it once, before anything else.
    """

def to_jsimg(text: str) -> str:
    """
    Returns a network, which is given as TOML, as a model of JSIMgraph.
    """

def to_toml(values: Any) -> str:
    """
    Returns values of Python as TOML: dictionaries, lists, texts, numbers and booleans.
    """

def trajectories(times: SupportsGetItem[int, SupportsFloat | SupportsIndex], x: Any, y: Any) -> MemoryFile:
    """
    Returns the trace of positions as the file that the key `network.trace` takes.

    `x` and `y` have a row for each time and a column for each node, in m; `times` are in s.
    """
