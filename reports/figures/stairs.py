"""Stairs: amounts over time that hold until the next change, with a panel for each series."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from reports.colours import BLUE, ORANGE, VERMILLION
from reports.figures.axes import times_axis
from reports.figures.drawn import Drawn, Rows

_LOOKS: tuple[dict[str, Any], ...] = (
    {"color": BLUE, "alpha": 0.35, "fill": True},
    {"color": ORANGE, "linewidth": 1.1},
)
"""The first column is an area, the second a line."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 0.9 + 1.0 * len(data.names())


def paint(canvas: Canvas, data: Drawn) -> None:
    """A panel for each series, all with the same part of time; limits in all of them."""
    names = data.names()
    panels: list[Axes] = [*canvas.subplots(len(names), 1, squeeze=False, sharey=True).flat]
    shown = [*data.series()]
    times = [row[data.figure.x] for _, _, rows in shown for row in rows]
    for panel, (_, name, rows) in zip(panels, shown, strict=True):
        _panel(panel, data, rows, (min(times), max(times)))
        panel.set_title(name, loc="left")
    column = data.figure.y[0]
    panels[0].yaxis.set_major_formatter(data.ticks(column))
    panels[0].set_ylim(bottom=0)
    canvas.supylabel(data.axis("y"), fontsize=9)
    handles, labels = panels[0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside upper left", ncols=4, handlelength=1.9)


def _panel(axes: Axes, data: Drawn, rows: Rows, shown: tuple[float, float]) -> None:
    """The last row has the end of the step before it."""
    figure = data.figure
    time_s = [row[figure.x] for row in rows]
    for column, look in zip(figure.y, _LOOKS, strict=False):
        values = [row[column] for row in rows[:-1]]
        axes.stairs(values, time_s, label=data.label(column), **look)
    for limit in figure.limits:
        axes.axhline(limit.value, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)),
                     label=data.limit(limit.label))  # fmt: skip
    axes.set_xlim(*shown)
    unit = times_axis(axes.xaxis, *shown, shown[1])
    axes.set_xlabel(f"{data.axis('x')} ({unit})")
