"""Steps: values that hold over periods, one line for each column."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from reports.colours import PALETTE
from reports.figures.axes import times_axis
from reports.figures.drawn import Drawn
from reports.style import wrapped

_STYLES = ("-", "--", "-.", ":")


def size(_data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 1.9


def paint(canvas: Canvas, data: Drawn) -> None:
    """All lines, and the limits behind them; periods without ends are numbered."""
    axes, figure = canvas.subplots(), data.figure
    edges: Any = np.arange(len(data.rows) + 1) + 0.5
    if figure.high:
        edges = [*(row[figure.x] for row in data.rows), data.rows[-1][figure.high]]
    for index, column in enumerate(figure.y):
        values = [np.nan if row.get(column) is None else row[column] for row in data.rows]
        axes.stairs(values, edges, baseline=None, color=PALETTE[index % len(PALETTE)],
                    linewidth=1.3 + 0.3 * (index > 0), linestyle=_STYLES[index % len(_STYLES)],
                    label=data.label(column))  # fmt: skip
    for limit in dict.fromkeys(figure.limits):
        line = axes.axhline if limit.axis == "y" else axes.axvline
        line(limit.value, color="black", linestyle=":", linewidth=1.3,
             label=data.limit(limit.label))  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.set_xlabel(data.axis("x"))
    if figure.high:
        axes.set_xlim(edges[0], edges[-1])
        axes.set_xlabel(f"{data.axis('x')} ({times_axis(axes.xaxis, *axes.get_xlim())})")
    else:
        axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    if data.columns[figure.y[0]].unit == "share":
        axes.yaxis.set_major_formatter(data.ticks(figure.y[0]))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True, min_n_ticks=3))
    axes.set_ylabel(wrapped(data.axis("y"), 16))
    handles, labels = axes.get_legend_handles_labels()
    named = dict(zip(labels, handles, strict=True))
    canvas.legend([*named.values()], [*named], loc="outside upper left", ncols=3, handlelength=2.4)
