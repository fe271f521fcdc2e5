"""Arrays that models read in place of files: rasters, and matrices of demands."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import ConfigurationError
from ._memory import InMemory
from ._trajectories import Trajectories

if TYPE_CHECKING:
    import numpy
    import xarray
    from matplotlib.axes import Axes


class Raster(InMemory):
    """Values over a grid of cells, row by row from the north, with their place on a map.

    A configuration takes a raster wherever it takes the file of one: `imminent.run("flood", {"elevation": raster})`.

    >>> import numpy
    >>> hill = Raster(numpy.array([[3.0, 2.0], [1.0, 0.0]]), cell=30.0, crs="EPSG:32633")
    >>> hill.shape, hill.transform
    ((2, 2), (30.0, 0.0, 0.0, 0.0, -30.0, 60.0))
    """

    def __init__(
        self,
        values: Any,
        *,
        transform: Iterable[float] | None = None,
        cell: float | None = None,
        crs: Any = None,
        nodata: float | None = None,
        name: str = "raster",
    ) -> None:
        """Takes an array of two dimensions: of any order in memory, of integers, `float32` or `float64`.

        `transform` is the affine transformation of rasterio, as an `Affine` or the numbers `a, b, c, d, e, f`; or
        `cell` is the side of a cell, in metres. `crs` is a code such as `EPSG:32633`, a well-known text, or an object
        that has one. `nodata` is the value of cells without data; without it, NaN is refused.

        The values are copied once, into the type in which models read them; they may change afterwards.
        """
        if not isinstance(name, str):
            raise ConfigurationError(f"name: takes a text, not {name!r}", key="name")
        if (transform is None) == (cell is None):
            raise ConfigurationError(f"{name}: give one of `transform` and `cell`, the side of a cell", key=name)
        if transform is None:
            side = number(cell, "cell")
            if not 0 < side < float("inf"):
                raise ConfigurationError(f"cell: is {side}: expected the side of a cell in metres, above 0", key="cell")
            transform = (side, 0.0, 0.0, 0.0, -side, (getattr(values, "shape", None) or (0,))[0] * side)
        numbers = [number(of, "transform") for of in transform][:6]
        if len(numbers) < 6:
            raise ConfigurationError(f"transform: has {len(numbers)} numbers: expected a, b, c, d, e and f", key="transform")
        text, code = system(crs)
        gap = None if nodata is None else number(nodata, "nodata")
        self._raster = _native.Raster(values, name, numbers, text, code, gap)
        self._name = name

    @classmethod
    def _of(cls, name: str, raster: _native.Raster) -> Raster:
        made = cls.__new__(cls)
        made._raster, made._name = raster, name
        return made

    @property
    def _file_name(self) -> str:
        return f"{self._name}.tif"

    def _file(self) -> _native.Raster:
        return self._raster

    @classmethod
    def from_rasterio(cls, dataset: Any, band: int = 1, *, name: str = "raster") -> Raster:
        """Takes a band of an open dataset of rasterio, with its transform, coordinate system and no-data value."""
        return cls(
            dataset.read(band), transform=dataset.transform, crs=dataset.crs, nodata=dataset.nodata, name=name
        )

    @classmethod
    def from_xarray(cls, array: xarray.DataArray, *, crs: Any = None, name: str = "raster") -> Raster:
        """Takes a data array of xarray, whose last two dimensions are rows and columns, with equal distances.

        The coordinate system is `crs`, or that of rioxarray (`spatial_ref`). NaN is a cell without data, and so is the
        value `_FillValue`.
        """
        while array.ndim > 2 and array.shape[0] == 1:
            array = array[0]
        if array.ndim != 2:
            raise ConfigurationError(f"{name}: has the dimensions {array.dims}: give rows and columns alone", key=name)
        down, right = (axis(array, dimension, name) for dimension in array.dims)
        values = array.values
        if down[1] > 0:
            # Rows from the south: a view from the north.
            values, down = values[::-1], (down[0] + down[1] * (len(values) - 1), -down[1])
        west, north = right[0] - right[1] / 2, down[0] - down[1] / 2
        reference = array.coords["spatial_ref"].attrs if "spatial_ref" in array.coords else {}
        nodata = array.attrs.get("_FillValue", array.encoding.get("_FillValue"))
        if nodata is None and values.dtype.kind == "f":
            nodata = float("nan")
        return cls(
            values,
            transform=(right[1], 0.0, west, 0.0, down[1], north),
            crs=crs if crs is not None else reference.get("crs_wkt"),
            nodata=None if nodata is None else float(nodata),
            name=name,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self._raster.shape

    @property
    def transform(self) -> tuple[float, ...]:
        """Affine transformation from columns and rows to the map, in the order of rasterio's `Affine`."""
        return tuple(self._raster.transform)

    @property
    def crs(self) -> str | None:
        """Coordinate system, as `EPSG:32633` or in well-known text; `None` if it is unknown."""
        return self._raster.crs

    @property
    def values(self) -> numpy.ndarray[Any, Any]:
        """Values as an array of NumPy that is not copied and cannot be written; NaN where there is no data."""
        import numpy

        return numpy.asarray(self._raster)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self._raster.__array_interface__

    def isochrones(self, times: Sequence[float] | None = None) -> dict[str, Any]:
        """Returns lines around all cells whose value is at most each of some times, as GeoJSON, in map coordinates.

        The values are times, usually hours, and the property `hours` of a line is its time. Without `times` there are
        eight at equal distances.
        """
        if times is None:
            import numpy

            last = float(numpy.nanmax(self.values))
            times = [last * (mark + 1) / 8 for mark in range(8)]
        marks = sorted(number(time, "times") for time in times)
        if any(mark != mark for mark in marks):
            raise ConfigurationError("times: has NaN: expected times in the unit of the values", key="times")
        steps = [later - earlier for earlier, later in zip(marks, marks[1:]) if later > earlier]
        blur = min(steps, default=marks[0] if marks and marks[0] > 0 else 1.0)
        lines: dict[str, Any] = json.loads(self._raster.isochrones(marks, blur))
        return lines

    def to_xarray(self) -> xarray.DataArray:
        """Returns a data array of xarray with the coordinates of the centres of cells; the values are not copied."""
        import numpy
        import xarray

        width, _, west, _, height, north = self.transform
        rows, columns = self.shape
        coords = {"y": north + height * (numpy.arange(rows) + 0.5), "x": west + width * (numpy.arange(columns) + 0.5)}
        return xarray.DataArray(self.values, coords=coords, dims=("y", "x"), attrs={"crs": self.crs})

    def to_rasterio(self) -> Any:
        """Returns an open dataset of rasterio, in memory, with the same values and place."""
        import io

        import rasterio

        return rasterio.open(io.BytesIO(self._raster.geotiff()))

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draws the raster by Matplotlib, with options of `imshow`. Returns the axes."""
        from . import _plots

        return _plots.raster(self, ax, options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a GeoTIFF file."""
        pathlib.Path(path).write_bytes(self._raster.geotiff())

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<Raster: {rows} rows and {columns} columns, {(self.crs or 'unknown coordinate system')[:40]}>"


class Demands(InMemory):
    """Demands between nodes, which the key `traffic.matrix` takes in place of a file."""

    def __init__(self, matrix: Any, nodes: Iterable[Any] | None = None) -> None:
        """Takes a matrix in bits per second: a row for each node that sends, and a column for each that receives.

        `nodes` are their names, in the order of rows. A data frame of pandas has them as its index and its columns.
        """
        if nodes is None:
            if not hasattr(matrix, "index") or not hasattr(matrix, "columns"):
                raise ConfigurationError("demands: give the names of `nodes`, or a data frame that has them", key="demands")
            nodes = list(matrix.index)
            if nodes != list(matrix.columns):
                raise ConfigurationError("demands: the columns are not the index, in its order", key="demands")
        if isinstance(nodes, str):
            raise ConfigurationError(f"nodes: takes a list of names, not the text {nodes!r}", key="nodes")
        if hasattr(matrix, "to_numpy"):
            matrix = matrix.to_numpy()
        self._table = _native.demands(matrix, [str(node) for node in nodes])

    @property
    def _file_name(self) -> str:
        return "demands.csv"

    def _file(self) -> _native.MemoryFile:
        return self._table


def system(crs: Any) -> tuple[str | None, int | None]:
    """Returns a coordinate system as well-known text, or as a code of the EPSG's registry."""
    if crs is None:
        return None, None
    if isinstance(crs, str) and crs.upper().startswith("EPSG:"):
        crs = crs[len("EPSG:") :]
        crs = int(crs) if crs.isdigit() else crs
    if isinstance(crs, int) and 0 < crs < 32767:
        return None, crs
    if hasattr(crs, "to_wkt"):
        crs = crs.to_wkt()
    if isinstance(crs, str) and "[" in crs:
        return crs, None
    raise ConfigurationError(f"crs: takes a code such as 'EPSG:32633' or a well-known text, not {crs!r}", key="crs")


def number(value: Any, key: str) -> float:
    """Returns an argument as a number."""
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"{key}: takes a number, not {value!r}", key=key) from error


def axis(array: xarray.DataArray, dimension: Any, name: str) -> tuple[float, float]:
    """Returns the first coordinate of a dimension, and the distance to the next."""
    places = array.coords[dimension].values if dimension in array.coords else []
    if len(places) < 2:
        raise ConfigurationError(f"{name}: the dimension {dimension!r} needs two coordinates or more", key=name)
    first, step = float(places[0]), float(places[-1] - places[0]) / (len(places) - 1)
    far = max(abs(float(place) - first - step * number) for number, place in enumerate(places))
    if step == 0 or far > 0.01 * abs(step):
        raise ConfigurationError(f"{name}: the coordinates of {dimension!r} are not at equal distances", key=name)
    return first, step


def in_memory(value: Any, key: str) -> InMemory | None:
    """Returns what a value is in place of a file: a raster, of rasterio and xarray too, demands, or trajectories."""
    if isinstance(value, InMemory):
        return value
    name = key.rpartition(".")[2] or "raster"
    if all(hasattr(value, attribute) for attribute in ("read", "transform", "crs", "nodata")):
        return Raster.from_rasterio(value, name=name)
    if all(hasattr(value, attribute) for attribute in ("dims", "coords", "attrs", "encoding")) and value.ndim > 1:
        return Raster.from_xarray(value, name=name)
    return None


def lists(array: Any, key: str) -> tuple[Any, bool]:
    """Returns an array as lists, and whether these are of finite numbers and booleans alone."""
    dtype = getattr(array, "dtype", None)
    kind = getattr(dtype, "kind", "O")
    if kind not in "biufUO":
        raise ConfigurationError(f"{key}: has the dtype {dtype}: expected integers, floats, booleans or texts", key=key)
    if kind == "f":
        import numpy

        strange = numpy.argwhere(~numpy.isfinite(array))
        if len(strange):
            place = [int(side) for side in strange[0]]
            value = numpy.asarray(array)[tuple(place)]
            at = f" at {place}" if place else ""
            raise ConfigurationError(f"{key}: has {value}{at}: expected finite numbers", key=key)
    return array.tolist(), kind in "biuf"
