"""Steps: values that hold over equal periods, one line for each column."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from reports.figures.drawn import Drawn
from reports.style import PALETTE, wrapped

_STYLES = ("-", "--", "-.", ":")


def size(_data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 1.9


def paint(canvas: Canvas, data: Drawn) -> None:
    """All lines, and the limits behind them."""
    axes, figure = canvas.subplots(), data.figure
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
    axes.set_xlabel(data.axis("x"))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True, min_n_ticks=3))
    axes.set_ylabel(wrapped(data.axis("y"), 16))
    canvas.legend(loc="outside upper left", ncols=3, handlelength=2.4)
