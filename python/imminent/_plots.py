"""Plots by Matplotlib, where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import ConfigurationError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._arrays import Raster
    from ._results import Comparison, Result, StudyResult
    from ._trajectories import Trajectories


def axes(given: Axes | None) -> Axes:
    """Returns the axes to draw on: those given, or new ones."""
    if given is not None:
        return given
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots are drawn by Matplotlib: pip install imminent[plots]") from error
    # Names of measures are long: the layout leaves room for them.
    return pyplot.subplots(layout="constrained")[1]


def raster(of: Raster, ax: Axes | None, options: dict[str, Any]) -> Axes:
    """Draws the values of a raster in map coordinates, with a bar of colours."""
    ax = axes(ax)
    width, _, west, _, height, north = of.transform
    rows, columns = of.shape
    extent = (west, west + width * columns, north + height * rows, north)
    image = ax.imshow(of.values, extent=extent, **{"interpolation": "nearest", **options})
    if ax.figure is not None:
        ax.figure.colorbar(image, ax=ax)
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    return ax


def trajectories(of: Trajectories, ax: Axes | None) -> Axes:
    """Draws the path of each node, with a point where it ends."""
    ax = axes(ax)
    ax.plot(of.x, of.y, linewidth=0.8)
    ax.scatter(of.x[-1], of.y[-1], s=9, color="black")
    ax.set_aspect("equal")
    ax.set_xlabel("x (m)")
    ax.set_ylabel("y (m)")
    return ax


def result(of: Result, ax: Axes | None) -> Axes:
    """Draws how the estimate of a run converges, with its interval; or else its first raster."""
    curves = of._outcome.curves
    if not curves:
        for first in of.rasters.values():
            return raster(first, ax, {})
        raise ConfigurationError("plot: this result has neither a series of estimates nor a raster")
    ax = axes(ax)
    caption, (x_label, y_label), points = curves[0]
    x, y, half = zip(*points)
    ax.plot(x, y)
    known = [(a, b, c) for a, b, c in points if c is not None]
    if known:
        a, b, c = zip(*known)
        low, high = [u - v for u, v in zip(b, c)], [u + v for u, v in zip(b, c)]
        ax.fill_between(a, low, high, alpha=0.2)
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    ax.set_title(caption, fontsize="small")
    return ax


def study(of: StudyResult, measure: str | None, ax: Axes | None) -> Axes:
    """Draws the mean of a measure over the first parameter, with its intervals: a line for each value of the others."""
    points = of.points
    names = list(points["measure"])
    measure = measure or names[0]
    if measure not in names:
        raise ConfigurationError(f"measure: there is no {measure!r} in the study: {', '.join(dict.fromkeys(names))}")
    columns = {name: list(points[name]) for name in points.columns}
    parameters = points.columns[points.columns.index("point") + 1 : points.columns.index("measure")]
    varied = [name for name in parameters if len(set(columns[name])) > 1]
    if not varied:
        raise ConfigurationError("plot: no parameter of the study has two values")
    first, *others = varied
    width = next(name for name in points.columns if name.startswith("ci"))
    lines: dict[tuple[Any, ...], list[tuple[float, float, float]]] = {}
    for row, name in enumerate(names):
        if name == measure:
            half = columns[width][row]
            key = tuple(columns[other][row] for other in others)
            # A point of one run has no interval.
            point = (columns[first][row], columns["mean"][row], half if half is not None and half == half else 0.0)
            lines.setdefault(key, []).append(point)
    ax = axes(ax)
    for key, line in lines.items():
        x, y, half = zip(*line)
        label = ", ".join(f"{name} {value}" for name, value in zip(others, key))
        ax.errorbar(x, y, yerr=half, marker="o", capsize=3, label=label or None)
    if others:
        ax.legend()
    ax.set_xlabel(first)
    ax.set_ylabel(measure.replace("_", " "))
    return ax


def comparison(of: Comparison, ax: Axes | None) -> Axes:
    """Draws the differences from the first configuration in percent of its means, with their intervals."""
    ax = axes(ax)
    half = f"ci{of.confidence * 100:g}"
    for place, name in enumerate(of.names[1:], 1):
        shares = []
        for measure, values in of.difference(place).items():
            first, difference = values["first"]["mean"], values["difference"]
            if first:
                width = difference.get(half) or 0.0
                shares.append((measure.replace("_", " "), 100 * difference["mean"] / first, 100 * width / abs(first)))
        if shares:
            names, means, widths = zip(*shares)
            ax.errorbar(means, names, xerr=widths, fmt="o", capsize=3, label=name)
    ax.axvline(0, linewidth=0.8, color="grey")
    ax.set_xlabel(f"difference from {of.names[0]}, percent")
    ax.legend()
    return ax
