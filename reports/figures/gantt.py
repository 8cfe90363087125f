"""Jobs on processors over time: a panel for each series; marked jobs have another look."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.colours import BLUE, ORANGE
from reports.figures.axes import times_axis
from reports.figures.drawn import Drawn, Rows
from reports.style import wrapped

_LOOKS: dict[str, dict[str, Any]] = {
    "in_order": {"facecolor": BLUE, "edgecolor": "#004166"},
    "overtook": {"facecolor": ORANGE, "edgecolor": "#7A5400", "hatch": "///"},
}
"""By mark; edges are darker, so that a job of a few dots is still seen."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 0.85 + 1.35 * len(data.names())


def paint(canvas: Canvas, data: Drawn) -> None:
    """A rectangle for each row, from ``x`` to ``high``, of the first row and height in ``y``."""
    figure, names = data.figure, data.names()
    panels = canvas.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names, strict=True):
        rows = [row for row in data.rows if row[figure.series] == name]
        for look, marked in (("in_order", False), ("overtook", True)):
            _boxes(axes, data, [row for row in rows if row[figure.marked] == marked], look)
        axes.set_ylim(0, figure.limits[0].value)
        axes.set_xlim(0, max(row[figure.high] for row in data.rows))
        axes.set_title(data.name(name), loc="left")
        axes.set_ylabel(wrapped(data.axis("y"), 22))
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.grid(visible=False)
    unit = times_axis(panels[-1].xaxis, *panels[-1].get_xlim())
    panels[-1].set_xlabel(f"{data.axis('x')} ({unit})")
    handles = [Patch(label=data.limit(name), **look) for name, look in _LOOKS.items()]
    canvas.legend(handles=handles, loc="outside upper left", ncols=2)


def _boxes(axes: Axes, data: Drawn, rows: Rows, look: str) -> None:
    figure = data.figure
    first, count = figure.y
    boxes = [
        Rectangle((row[figure.x], row[first]), row[figure.high] - row[figure.x], row[count])
        for row in rows
    ]
    axes.add_collection(PatchCollection(boxes, linewidth=0.25, **_LOOKS[look]))
