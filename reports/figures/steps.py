"""Steps: values that hold over periods, one line for each column or for each series."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.figures.axes import look
from reports.figures.drawn import Drawn
from reports.style import PALETTE, VERMILLION, wrapped

_STYLES = ("-", "--", "-.", ":")
_LIMITS = ((VERMILLION, (0, (5, 2))), ("black", ":"))
"""Colour and dashes of lines across."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 2.6 if data.figure.high else 1.9


def paint(canvas: Canvas, data: Drawn) -> None:
    """All lines, and the limits behind them."""
    axes = canvas.subplots()
    if data.figure.high:
        _spans(axes, data)
    else:
        _periods(axes, data)
    axes.set_xlabel(data.axis("x"))
    axes.set_ylabel(wrapped(data.axis("y"), 16))
    canvas.legend(loc="outside upper left", ncols=5 if data.figure.high else 3, handlelength=2.4,
                  columnspacing=1.2)  # fmt: skip


def _periods(axes: Axes, data: Drawn) -> None:
    """A line for each column; every row is a period, all as long as one another."""
    figure = data.figure
    edges = np.arange(len(data.rows) + 1) + 0.5
    for index, column in enumerate(figure.y):
        values = [np.nan if row.get(column) is None else row[column] for row in data.rows]
        axes.stairs(values, edges, baseline=None, color=PALETTE[index % len(PALETTE)],
                    linewidth=1.3 + 0.3 * (index > 0), linestyle=_STYLES[index % len(_STYLES)],
                    label=data.label(column))  # fmt: skip
    for limit in figure.limits:
        axes.axhline(limit.value, color="black", linestyle=":", linewidth=1.3,
                     label=data.limit(limit.label))  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True, min_n_ticks=3))


def _spans(axes: Axes, data: Drawn) -> None:
    """A line for each series; rows have both ends of their period, and ``marked`` ones are pale."""
    figure, (column, *_) = data.figure, data.figure.y
    for index, (name, rows) in enumerate(data.series()):
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
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: data.text(figure.x, value)))
