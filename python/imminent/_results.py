"""Results: of a run, of a study, of a comparison."""

from __future__ import annotations

import html
import json
import os
import pathlib
import warnings as _warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _native
from ._arrays import Raster
from ._trajectories import Trajectories

if TYPE_CHECKING:
    import numpy
    import pandas
    from matplotlib.axes import Axes


class Table(Mapping[str, Any]):
    """A table of results: a mapping from names of columns to arrays.

    Numbers are NumPy arrays, without a copy, where NumPy is installed, and lists otherwise; texts are lists. The table
    has the Arrow PyCapsule interface: `polars.DataFrame(table)` and `pyarrow.table(table)` take it as it is.
    """

    def __init__(self, table: _native.Table) -> None:
        self._table = table

    @property
    def name(self) -> str:
        """Name of the table."""
        return self._table.name

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self._table.columns

    def __getitem__(self, column: str) -> numpy.ndarray[Any, Any] | list[Any]:
        values = self._table.column(column)
        if values.is_numeric:
            try:
                import numpy
            except ImportError:
                pass
            else:
                return numpy.asarray(values)
        return values.to_list()

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        """Number of columns, as of any mapping; `rows` is the number of rows."""
        return len(self.columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self._table)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the table as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(dict(self))

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.rows} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        shown = [self._table.column(column).to_list()[:MAX_SHOWN] for column in self.columns]
        rows = [[digits(value) for value in row] for row in zip(*shown)]
        more = f"<p>the first {MAX_SHOWN} of {self.rows} rows</p>" if self.rows > MAX_SHOWN else ""
        return markup(self.columns, rows) + more


MAX_SHOWN = 40
"""Largest number of rows that a notebook shows."""


class Result(Mapping[str, Any]):
    """The result of a run: a mapping with the keys of the program's `--json`."""

    def __init__(self, outcome: _native.Outcome) -> None:
        self._outcome = outcome
        self._values: dict[str, Any] | None = None
        for warning in outcome.warnings:
            _warnings.warn(warning, stacklevel=4)
        for failure in outcome.failures:
            _warnings.warn(failure, RuntimeWarning, stacklevel=4)
        if outcome.partial is not None:
            _warnings.warn(f"interrupted: {outcome.partial}", RuntimeWarning, stacklevel=4)

    @property
    def _all(self) -> dict[str, Any]:
        if self._values is None:
            self._values = self._outcome.values()
        return self._values

    def __getitem__(self, key: str) -> Any:
        return self._all[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._outcome.model

    @property
    def digest(self) -> str:
        """Digest of the results, equal on every device."""
        return self._outcome.digest

    @property
    def device(self) -> str:
        """Name of the device, or of the part of the host that ran it."""
        return self._outcome.device

    @property
    def backend(self) -> str | None:
        """Name of the backend; `None` for an engine of the host that uses none."""
        return self._outcome.backend

    @property
    def why(self) -> str | None:
        """Reason for the choice of the device."""
        return self._outcome.why

    @property
    def seconds(self) -> dict[str, float] | None:
        """Wall times of set-up, simulation and reading, if the model measures them."""
        if self._outcome.seconds is None:
            return None
        return dict(zip(("set_up", "simulation", "reading"), self._outcome.seconds))

    @property
    def warnings(self) -> list[str]:
        """Warnings that readers need before they trust the results."""
        return self._outcome.warnings

    @property
    def notes(self) -> list[str]:
        """Remarks."""
        return self._outcome.notes

    @property
    def failures(self) -> list[str]:
        """Replications that failed, each with the reason."""
        return self._outcome.failures

    @property
    def partial(self) -> str | None:
        """Part that had ended when the run was interrupted; `None` for a whole run."""
        return self._outcome.partial

    @property
    def tables(self) -> dict[str, Table]:
        """Tables by name, such as `nodes`."""
        return {table.name: Table(table) for table in self._outcome.tables}

    @property
    def replications(self) -> dict[str, list[float | None]]:
        """Values of each measure, replication by replication."""
        return dict(self._outcome.replications)

    @property
    def files(self) -> dict[str, bytes]:
        """Other files of results by name, such as rasters."""
        return self._outcome.files()

    @property
    def rasters(self) -> dict[str, Raster]:
        """Rasters of results by name, such as `arrival`: arrays of NumPy with their place on a map."""
        return {name: Raster._of(name, raster) for name, raster in self._outcome.rasters().items()}

    @property
    def trajectories(self) -> Trajectories | None:
        """Positions of nodes over time, if the run was asked for them; `None` otherwise."""
        table = self.tables.get("trajectories")
        return None if table is None else Trajectories._of(table)

    @property
    def isochrones(self) -> dict[str, Any] | None:
        """Lines of equal arrival time as GeoJSON, in map coordinates; `None` for models without such times."""
        contents = self.files.get("isochrones.geojson")
        if contents is not None:
            lines: dict[str, Any] = json.loads(contents)
            return lines
        arrival = self.rasters.get("arrival")
        return None if arrival is None else arrival.isochrones()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws how the estimate converges, or the first raster, by Matplotlib. Returns the axes."""
        from . import _plots

        return _plots.result(self, ax)

    def save_files(self, folder: str | os.PathLike[str]) -> list[pathlib.Path]:
        """Writes the other files of results into a folder, and returns their paths."""
        target = pathlib.Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        paths = []
        for name, contents in self.files.items():
            path = target / name
            path.write_bytes(contents)
            paths.append(path)
        return paths

    def __str__(self) -> str:
        lines = [self._outcome.title]
        lines += [f"{name}: {value}" for name, value in self._outcome.facts]
        for heading, columns, rows in self._outcome.sections:
            lines += ["", *plain_table(heading, columns, rows)]
        lines += ["", *(f"note: {note}" for note in self.notes), *(f"warning: {warning}" for warning in self.warnings)]
        return "\n".join([*lines, self._outcome.speed, f"digest {self.digest}"])

    def __repr__(self) -> str:
        return f"<Result of {self.model}: {self._outcome.title}; digest {self.digest}>"

    def _repr_html_(self) -> str:
        facts = "".join(f"<li>{html.escape(name)}: {html.escape(value)}</li>" for name, value in self._outcome.facts)
        parts = [f"<h4>{html.escape(self._outcome.title)}</h4><ul>{facts}</ul>"]
        for heading, columns, rows in self._outcome.sections:
            parts.append(f"<h5>{html.escape(heading)}</h5>" + markup(columns, rows))
        parts += [f"<p>warning: {html.escape(warning)}</p>" for warning in self.warnings]
        parts.append(f"<p>{html.escape(self._outcome.speed)}; digest <code>{html.escape(self.digest)}</code></p>")
        return "".join(parts)


class StudyResult:
    """The result of a study."""

    def __init__(self, outcome: _native.StudyOutcome) -> None:
        self._outcome = outcome
        for warning in outcome.warnings:
            _warnings.warn(warning, stacklevel=4)
        for run, why in outcome.failures:
            _warnings.warn(f"run {run}: {why}", RuntimeWarning, stacklevel=4)

    @property
    def runs(self) -> Table:
        """A row for each run that ended: parameters, seed, number of events, measures."""
        return Table(self._outcome.runs)

    @property
    def points(self) -> Table:
        """A row for each measure at each point: mean, half-width of its interval, quantiles."""
        return Table(self._outcome.points)

    @property
    def partial(self) -> str | None:
        """Part that had ended when the study was interrupted; `None` for a whole study."""
        return self._outcome.partial

    @property
    def failures(self) -> dict[int, str]:
        """Reasons of the runs that failed, by number."""
        return dict(self._outcome.failures)

    @property
    def device(self) -> str:
        """Name of the device."""
        return self._outcome.device

    def plot(self, measure: str | None = None, ax: Axes | None = None) -> Axes:
        """Draws the mean of a measure over the first parameter that varies, by Matplotlib. Returns the axes."""
        from . import _plots

        return _plots.study(self, measure, ax)

    def __repr__(self) -> str:
        return f"<StudyResult of {self._outcome.model}: {self.runs.rows} runs>"

    def _repr_html_(self) -> str:
        return self.points._repr_html_()


class Comparison(Mapping[str, dict[str, Any]]):
    """Differences of a configuration from the first, by measure, on common random numbers."""

    def __init__(self, results: list[Result], names: list[str], confidence: float) -> None:
        self.results = results
        self.names = names
        self.confidence = confidence
        replications = [list(result.replications.items()) for result in results]
        self._measures: list[dict[str, dict[str, Any]]] = _native.compared(replications, confidence)

    def difference(self, place: int) -> dict[str, dict[str, Any]]:
        """Returns the differences of the configuration at a place, from 1, and the first one, by measure."""
        if not 1 <= place < len(self.results):
            raise IndexError(f"configurations are compared with the first: give a place from 1 to {len(self.results) - 1}")
        return self._measures[place - 1]

    def __getitem__(self, measure: str) -> dict[str, Any]:
        return self._measures[0][measure]

    def __iter__(self) -> Iterator[str]:
        return iter(self._measures[0])

    def __len__(self) -> int:
        return len(self._measures[0])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the differences in percent with their intervals, by Matplotlib. Returns the axes."""
        from . import _plots

        return _plots.comparison(self, ax)

    def _rows(self, place: int) -> list[list[str]]:
        half = f"ci{self.confidence * 100:g}"
        return [
            [
                name.replace("_", " "),
                digits(of["first"]["mean"]),
                digits(of["second"]["mean"]),
                digits(of["difference"]["mean"]),
                "± " + digits(of["difference"].get(half)),
            ]
            for name, of in self.difference(place).items()
        ]

    def __str__(self) -> str:
        parts = []
        for place, name in enumerate(self.names[1:], 1):
            columns = ["measure", self.names[0], name, "difference", f"{self.confidence * 100:g} % interval"]
            parts += plain_table("", columns, self._rows(place))
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        parts = []
        for place, name in enumerate(self.names[1:], 1):
            columns = ["measure", self.names[0], name, "difference", f"{self.confidence * 100:g} % interval"]
            parts.append(markup(columns, self._rows(place)))
        return "".join(parts)


def digits(value: Any) -> str:
    """Returns a value for people."""
    if value is None:
        return "–"
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def markup(columns: list[str], rows: list[list[str]]) -> str:
    """Returns a table as HTML, or sentences if there are no columns."""
    if not columns:
        return "".join(f"<p>{html.escape(cell)}</p>" for row in rows for cell in row)
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def plain_table(heading: str, columns: list[str], rows: list[list[str]]) -> list[str]:
    """Returns a table as lines, or sentences if there are no columns."""
    if not columns:
        return [cell for row in rows for cell in row]
    if not columns[0]:
        columns = [heading, *columns[1:]]
    elif heading:
        return [heading, *plain_table("", columns, rows)]
    widths = [max(map(len, column)) for column in zip(columns, *rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [columns, *rows]]
