"""Positions of nodes over time: what the model `manet` reads in place of a trace, and what it has found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import ConfigurationError
from ._memory import InMemory

if TYPE_CHECKING:
    import numpy
    import xarray
    from matplotlib.axes import Axes

    from ._results import Table

NAME = "trajectories"


class Trajectories(InMemory):
    """Positions of nodes over time, in metres. The key `network.trace` of `manet` takes them in place of a file.

    >>> import numpy
    >>> positions = numpy.array([[[0.0, 0.0], [300.0, 0.0]], [[100.0, 50.0], [300.0, 0.0]]])
    >>> Trajectories([0.0, 10.0], positions)
    <Trajectories: 2 nodes at 2 times>
    """

    def __init__(self, times: Iterable[float], positions: Any) -> None:
        """Takes an array whose sides are times, nodes, and the coordinates x and y.

        `times` are in seconds, and ascend from 0. From one time to the next a node moves in a straight line; after the
        last it stays. It is there from its first position until the time after its last one: before and after, both
        coordinates are NaN. Times are rounded to microseconds, and positions to millimetres. If coordinates are negative, all
        positions are moved so that the least ones are 0. The values are copied; they may change afterwards.
        """
        shape = getattr(positions, "shape", None)
        if shape is None or len(shape) != 3 or shape[2] != 2:
            given = type(positions).__name__ if shape is None else f"the shape {tuple(shape)}"
            raise ConfigurationError(
                f"{NAME}: has {given}: expected an array with sides for times, nodes, and 2 coordinates", key=NAME
            )
        import numpy

        moments = [float(time) for time in times]
        x, y = numpy.moveaxis(numpy.asarray(positions), -1, 0)
        # Positions that no trace can have are refused here.
        self._trace: _native.MemoryFile | None = _native.trajectories(moments, x, y)
        self._times: numpy.ndarray[Any, Any] = numpy.array(moments)
        self._x: numpy.ndarray[Any, Any] = x.astype(float)
        self._y: numpy.ndarray[Any, Any] = y.astype(float)

    @classmethod
    def _of(cls, table: Table) -> Trajectories:
        """Takes a table with a row for each node that is there at each time, time by time.

        A time at which nobody is there has a row without a node. The values are not copied if all nodes are there at all times.
        """
        import numpy

        columns = {name: numpy.asarray(table[name]) for name in ("time", "node", "x", "y")}
        times, moments = numpy.unique(columns["time"], return_inverse=True)
        there = ~numpy.isnan(columns["node"])
        numbers = columns["node"][there].astype(int)
        nodes = int(numbers.max(initial=0)) + 1
        made = cls.__new__(cls)
        made._trace, made._times = None, times
        if len(columns["node"]) == len(times) * nodes:
            made._x, made._y = (columns[axis].reshape(-1, nodes) for axis in ("x", "y"))
            return made
        made._x, made._y = numpy.full((len(times), nodes), numpy.nan), numpy.full((len(times), nodes), numpy.nan)
        made._x[moments[there], numbers] = columns["x"][there]
        made._y[moments[there], numbers] = columns["y"][there]
        return made

    @property
    def times(self) -> numpy.ndarray[Any, Any]:
        """Times in seconds."""
        return self._times

    @property
    def x(self) -> numpy.ndarray[Any, Any]:
        """Coordinates x in metres: a row for each time, and a column for each node; NaN where it is away."""
        return self._x

    @property
    def y(self) -> numpy.ndarray[Any, Any]:
        """Coordinates y in metres: a row for each time, and a column for each node; NaN where it is away."""
        return self._y

    @property
    def positions(self) -> numpy.ndarray[Any, Any]:
        """Copy of the positions in metres: its sides are times, nodes, and the coordinates x and y."""
        import numpy

        return numpy.stack([self.x, self.y], axis=-1)

    @property
    def _file_name(self) -> str:
        return "trace.tcl"

    def _file(self) -> _native.MemoryFile:
        if self._trace is None:
            self._trace = _native.trajectories([float(time) for time in self._times], self._x, self._y)
        return self._trace

    def to_xarray(self) -> xarray.Dataset:
        """Returns a dataset of xarray with the variables `x` and `y` over time and node; the values are not copied."""
        import xarray

        sides = ("time", "node")
        return xarray.Dataset({"x": (sides, self.x), "y": (sides, self.y)}, coords={"time": self.times})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the path of each node by Matplotlib. Returns the axes."""
        from . import _plots

        return _plots.trajectories(self, ax)

    def __repr__(self) -> str:
        moments, nodes = self.x.shape
        return f"<Trajectories: {nodes} nodes at {moments} times>"
