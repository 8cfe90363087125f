"""Samples of several series: a dot for each, the interval with its middle, and one more value."""

from __future__ import annotations

from collections import Counter

from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from reports.colours import GREY
from reports.figures.axes import look, times_axis
from reports.figures.drawn import Drawn
from reports.style import rows_high

_LEAST_TALL = 3
_SPREAD = 0.62
"""Share of a row's height for its dots."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, rows_high(len(data.rows), 0.35 + 0.07 * _tallest(data), 0.8)


def paint(canvas: Canvas, data: Drawn) -> None:
    """One row for each series; equal samples are stacked."""
    axes, figure = canvas.subplots(), data.figure
    high = _tallest(data)
    for index, row in enumerate(data.rows):
        colour, _, marker = look(index)
        base = -float(index)
        counts = _counts(data, row[figure.series])
        dots = [(x, base + _SPREAD * k / high) for x, n in counts.items() for k in range(n)]
        axes.plot([x for x, _ in dots], [y for _, y in dots], marker, color=colour, ms=4,
                  markerfacecolor="white")  # fmt: skip
        low, top = row.get(figure.low), row.get(figure.high)
        if low is not None and top is not None:
            axes.plot([low, top], [base - 0.14] * 2, "-", color=colour, linewidth=2)
        for column in figure.y:
            if row.get(column) is not None:
                axes.plot([row[column]], [base - 0.14], "|", color=colour, ms=11, markeredgewidth=2)
        if row.get(figure.x) is not None:
            axes.plot([row[figure.x]] * 2, [base - 0.24, base + 0.68], ":", color=GREY,
                      linewidth=1.4)  # fmt: skip
    labels = [data.name(row[figure.series]) for row in data.rows]
    axes.set_yticks([-float(k) for k in range(len(labels))], labels)
    axes.set_ylim(0.4 - len(labels), 0.85)
    left, right = axes.get_xlim()
    if right - left < 2:  # one value, which is whole
        middle = round((left + right) / 2)
        axes.set_xlim(middle - 2, middle + 2)
    axes.grid(visible=False, axis="y")
    if figure.scale.get("x") == "time":
        axes.set_xlim(left=0)
        unit = times_axis(axes.xaxis, *axes.get_xlim())
        axes.set_xlabel(f"{data.axis('x')} ({unit})")
        return
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set_xlabel(data.axis("x"))


def _counts(data: Drawn, series: object) -> Counter[float]:
    figure = data.figure
    return Counter(
        row[figure.x] for row in data.dots
        if row[figure.series] == series and row.get(figure.x) is not None
    )  # fmt: skip


def _tallest(data: Drawn) -> int:
    stacks = (_counts(data, row[data.figure.series]) for row in data.rows)
    return max([_LEAST_TALL, *(max(stack.values()) for stack in stacks if stack)])
