"""Matrices with one scale: what ranks exchange with each other, under several orders of them.

Special, since no other kind shows a weight for each pair: cells over both axes, and squares for
the nodes along the diagonal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, StrMethodFormatter
from numpy.typing import NDArray

from reports.colours import VERMILLION
from reports.figures.drawn import Drawn, Rows

Floats = NDArray[np.float64]
_PIXELS = 1024
"""Least number of pixels in a row: cells stay sharp at every scale of the figure."""
_LEAST_SPAN = 10.0
"""Least ratio between the ends of the scale, so that nearly equal weights look alike."""
_MOST_NAMED = 20
"""Ranks of which each has its number."""
_MOST_TICKS = 8
_MOST_WRITTEN = 6
"""Cells in a row up to which each has its weight."""
_DARK = 0.45
"""Share of the scale from which on a cell is dark."""
_LINES = {"square": ("-", 1.1), "within": (":", 0.9)}


def size(_data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 3.45


def paint(canvas: Canvas, data: Drawn) -> None:
    """A matrix for each column of values."""
    made = [matrix(data, column) for column in data.figure.y]
    there = np.concatenate([values[values > 0] for values in made])
    norm = LogNorm(min(float(there.min()), float(there.max()) / _LEAST_SPAN), float(there.max()))
    nodes = [row for row in data.dots if row["level"] != "within"]
    ranks = max(int(row["end"]) for row in data.dots)
    panels = canvas.subplots(1, len(made), squeeze=False)[0]
    for axes, values, column in zip(panels, made, data.figure.y, strict=True):
        _cells(axes, values, ranks, norm)
        if len(values) <= _MOST_WRITTEN:
            _write(axes, values, ranks, norm, data)
        for row in data.dots:
            _block(axes, row)
        axes.set_title(data.label(column))
    _ticks(panels[0], [str(rank) for rank in range(ranks)], data.texts.nouns("rank")[0])
    placed = [rank for row in nodes for rank in str(row["ranks"] or "").split()]
    if ranks <= _MOST_NAMED:
        _ticks(panels[-1], placed, "")
    else:
        _node_ticks(panels[-1], nodes, data.texts.nouns("node")[0])


def matrix(data: Drawn, column: str) -> Floats:
    """The symmetric matrix of a column, from the rows of its upper half; shape (cells, cells)."""
    count = 1 + max(int(row[data.figure.across]) for row in data.rows)
    values = np.zeros((count, count))
    for row in data.rows:
        at = int(row[data.figure.x]), int(row[data.figure.across])
        values[at] = values[at[::-1]] = row[column] or 0.0
    return values


def _cells(axes: Axes, values: Floats, ranks: int, norm: LogNorm) -> None:
    """Cells as blocks of equal pixels: scaling an image of few pixels would blur them."""
    each = -(-_PIXELS // len(values))
    shown = np.ma.masked_less_equal(np.kron(values, np.ones((each, each))), 0.0)
    side = len(values) * -(-ranks // len(values))
    axes.imshow(shown, cmap=_colours(), norm=norm, extent=(0, side, side, 0),
                        interpolation="none")  # fmt: skip
    axes.set(xlim=(0, ranks), ylim=(ranks, 0))
    axes.grid(visible=False)
    axes.xaxis.tick_top()
    axes.tick_params(labelsize=8, length=2)
    for spine in axes.spines.values():
        spine.set(visible=True, linewidth=0.6)


def _write(axes: Axes, values: Floats, ranks: int, norm: LogNorm, data: Drawn) -> None:
    """Write what two cells exchange into the field of both."""
    step = ranks / len(values)
    for (row, column), value in np.ndenumerate(values):
        if value > 0:
            at = ((column + 0.5) * step, (row + 0.5) * step)
            colour = "white" if float(norm(value)) > _DARK else "black"
            text = data.text(data.figure.y[0], float(value))
            axes.annotate(text, at, ha="center", va="center", fontsize=8, color=colour)


def _colours() -> Colormap:
    """Light is little: even to the eye, in print without colour too; white is left for nothing."""
    part = colormaps["viridis_r"](np.linspace(0.08, 1, 256))
    return LinearSegmentedColormap.from_list("viridis_r_dark", part).with_extremes(bad="white")


def _block(axes: Axes, row: dict[str, Any]) -> None:
    """A square around a node, or a line where there are many."""
    first, end = int(row["first"]), int(row["end"])
    if row["level"] in _LINES:
        dashes, width = _LINES[row["level"]]
        axes.add_patch(
            Rectangle((first, first), end - first, end - first, fill=False, linewidth=width,
                      edgecolor=VERMILLION, linestyle=dashes, zorder=3)
        )  # fmt: skip
    elif first:
        axes.axhline(first, color="#A8A8A8", linewidth=0.35, zorder=2)
        axes.axvline(first, color="#A8A8A8", linewidth=0.35, zorder=2)


def _ticks(axes: Axes, names: list[str], label: str) -> None:
    """Each rank by its number where there is room, else round ones."""
    axes.set_ylabel(label)
    if len(names) > _MOST_NAMED:
        for one in (axes.xaxis, axes.yaxis):
            one.set_major_locator(MaxNLocator(_MOST_TICKS - 2, integer=True))
            one.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        return
    at = np.arange(len(names)) + 0.5
    axes.set_xticks(at, names, fontsize=8, rotation=0 if len(names) <= 8 else 90)
    axes.set_yticks(at, names, fontsize=8)


def _node_ticks(axes: Axes, nodes: Rows, label: str) -> None:
    """Some nodes, at their middles."""
    shown = nodes[:: max(1, -(-len(nodes) // _MOST_TICKS))]
    at = [(int(row["first"]) + int(row["end"])) / 2 for row in shown]
    names = [f"{row['node']:,}" for row in shown]
    axes.set_xticks(at, names)
    axes.set_yticks(at, names)
    axes.set_ylabel(label, labelpad=1)
