"""A row for each thing: a dot for its value, and a line to its ends."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from planner.formatting import DASH, clipped_apart
from reports.colours import BLUE, GREY, VERMILLION
from reports.figures.axes import times_axis
from reports.figures.drawn import Drawn
from reports.style import rows_high

MOST_ROWS = 24
_LONGEST = 44
"""Letters of a name."""
_LEAST_CUT = 0.2
"""Where an axis of changes ends at the earliest."""
_LIMITS = ((VERMILLION, (0, (5, 2))), (GREY, ":"))
"""Colour and dashes of lines across, the main one last."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, rows_high(len(data.rows[:MOST_ROWS]), 0.18, 0.8)


def paint(canvas: Canvas, data: Drawn) -> None:
    """The first rows, from the top; what an axis that is cut cannot show is an arrow at its end."""
    axes, figure = canvas.subplots(), data.figure
    rows, column = data.rows[:MOST_ROWS], figure.y[0]
    most = _most(data) if figure.scale.get("x") == "cut" else math.inf
    for index, row in enumerate(rows):
        _row(axes, data, index, row, most)
    for limit, (colour, dashes) in zip(reversed(figure.limits), _LIMITS, strict=False):
        axes.axvline(limit.value, color=colour, linewidth=1.1, linestyle=dashes, zorder=1,
                     label=data.limit(limit.label))  # fmt: skip
    names = clipped_apart([data.text(figure.x, row[figure.x]) for row in rows], _LONGEST)
    axes.set_yticks(range(len(rows)), names, fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    values = [value for row in rows for value in _values(data, row)]
    if min(values, default=0.0) >= 0 and not _about_a_limit(data, values):
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(data.ticks(column))
    axes.set_xlabel(data.axis("x", column))
    if len(rows) < len(data.rows):
        book = f"{data.texts.study.command}.xlsx"
        every = len(data.rows)
        axes.set_title(data.texts.left_out(len(rows), every, every, book), loc="left")
    if figure.scale.get("x") == "time":
        unit = times_axis(axes.xaxis, *axes.get_xlim())
        axes.set_xlabel(f"{data.axis('x', column)} ({unit})")
    axes.grid(visible=False, axis="y")
    if figure.limits:
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, ncols=2)


def _values(data: Drawn, row: dict[str, Any]) -> list[float]:
    """What is known of a row: the value, and the ends of its interval."""
    keys = (data.figure.y[0], data.figure.low, data.figure.high)
    return [float(row[key]) for key in keys if key and row.get(key) is not None]


def _row(axes: Axes, data: Drawn, index: int, row: dict[str, Any], most: float) -> None:
    known, value = _values(data, row), row.get(data.figure.y[0])
    if not known:
        axes.annotate(DASH, (0, index), xycoords=("axes fraction", "data"), xytext=(3, 0),
                      textcoords="offset points", va="center", fontsize=8)  # fmt: skip
        return
    shown = [min(each, most) for each in known]
    axes.hlines(index, min(shown), max(shown), color=BLUE, linewidth=1.2, zorder=2)
    ends = known if value is None else known[1:]
    if value is not None and value > most:
        axes.plot([most], [index], ">", color=BLUE, ms=5, zorder=3)
        text = data.text(data.figure.y[0], value)
        axes.annotate(text, (most, index), xytext=(-6, 0), textcoords="offset points",
                      ha="right", va="center", fontsize=8)  # fmt: skip
        return
    if value is not None:
        axes.plot([value], [index], "o", color=BLUE, ms=5, zorder=3, clip_on=False)
    for end in ends:
        if end not in (value, math.inf) and end <= most:
            axes.plot([end], [index], "|", color=BLUE, ms=8, markeredgewidth=1.4, zorder=3,
                      clip_on=False)  # fmt: skip


def _about_a_limit(data: Drawn, values: list[float]) -> bool:
    """Whether all values are between half of the first limit and its double.

    From 0 on they would crowd.
    """
    if not data.figure.limits:
        return False
    limit = data.figure.limits[0].value
    return 0 < limit / 2 <= min(values) and max(values) <= 2 * limit


def _most(data: Drawn) -> float:
    """The end of an axis of changes: three times the largest fall, 20 % at least."""
    column = data.figure.y[0]
    values = [row[column] for row in data.rows if row.get(column) is not None]
    return max(_LEAST_CUT, -3 * min(values, default=0.0))
