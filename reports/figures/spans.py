"""Spans: values that hold from one end of a row to the other, a line for each series."""

from __future__ import annotations

from itertools import groupby

from matplotlib.figure import Figure as Canvas

from reports.colours import VERMILLION
from reports.figures.axes import look
from reports.figures.drawn import Drawn
from reports.style import wrapped

_LIMITS = ((VERMILLION, (0, (5, 2))), ("black", ":"))
"""Colour and dashes of lines across."""


def size(_data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 2.6


def paint(canvas: Canvas, data: Drawn) -> None:
    """All lines; rows that are ``marked`` are pale, those without a value are left out."""
    axes, figure = canvas.subplots(), data.figure
    column = figure.y[0]
    for index, name, rows in data.series():
        colour, dashes, _ = look(index)
        axes.plot([], [], color=colour, linestyle=dashes, linewidth=1.4, label=name)
        for (known, pale), part in groupby(
            rows, lambda row: (row.get(column) is not None, bool(row.get(figure.marked)))
        ):
            steps = [*part] if known else []
            x = [row[end] for row in steps for end in (figure.low, figure.high)]
            y = [row[column] for row in steps for _ in range(2)]
            axes.plot(x, y, color=colour, linestyle=dashes, linewidth=1.4, alpha=0.4 if pale else 1)
    for limit, (colour, dashes) in zip(figure.limits, _LIMITS, strict=False):
        line = axes.axhline if limit.axis == "y" else axes.axvline
        line(limit.value, color=colour, linewidth=1.1, linestyle=dashes, zorder=1,
             label=data.limit(limit.label))  # fmt: skip
    if data.columns[figure.x].unit != "ratio":
        axes.xaxis.set_major_formatter(data.ticks(figure.x))
    axes.set_xlabel(data.axis("x"))
    axes.set_ylabel(wrapped(data.axis("y"), 16))
    canvas.legend(loc="outside upper left", ncols=5, handlelength=2.4, columnspacing=1.2)
