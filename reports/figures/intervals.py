"""A row for each thing: a dot for its value, and a line to its ends."""

from __future__ import annotations

from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import FuncFormatter

from planner.formatting import clipped
from reports.figures.drawn import Drawn
from reports.style import BLUE, GREY, VERMILLION, rows_high

MOST_ROWS = 24
_LIMITS = ((VERMILLION, (0, (5, 2))), (GREY, ":"))
"""Colour and dashes of lines across, the main one last."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, rows_high(len(data.rows[:MOST_ROWS]), 0.18, 0.8)


def paint(canvas: Canvas, data: Drawn) -> None:
    """The first rows, from the top."""
    axes, figure = canvas.subplots(), data.figure
    rows, (column, *_) = data.rows[:MOST_ROWS], figure.y
    for index, row in enumerate(rows):
        ends = [float(row[end]) for end in (figure.low or column, figure.high or column)]
        axes.hlines(index, min(ends), max(ends), color=BLUE, linewidth=1.2, zorder=2)
        axes.plot([row[column]], [index], "o", color=BLUE, ms=5, zorder=3)
        for end in ends:
            if end != row[column]:
                axes.plot([end], [index], "|", color=BLUE, ms=8, markeredgewidth=1.4, zorder=3)
    for limit, (colour, dashes) in zip(reversed(figure.limits), _LIMITS, strict=False):
        axes.axvline(limit.value, color=colour, linewidth=1.1, linestyle=dashes, zorder=1,
                     label=data.limit(limit.label))  # fmt: skip
    names = [clipped(data.text(figure.x, row[figure.x]), 28) for row in rows]
    axes.set_yticks(range(len(rows)), names, fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    if all(row[column] >= 0 for row in rows):
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: data.text(column, value)))
    axes.set_xlabel(data.axis("x"))
    axes.grid(visible=False, axis="y")
    if figure.limits:
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, ncols=2)
