"""Lines with markers: one or several series over an axis, with limits and enlarged ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from planner.figure import Panel
from reports.colours import GREY, VERMILLION
from reports.figures.axes import look, short_number, times_axis, waits_axis
from reports.figures.drawn import Drawn, Rows
from reports.style import wrapped

_APART = 1.04
"""Least ratio of values on x whose markers do not overlap on a logarithmic axis."""
_TICKS = 5
_RATIOS = ("share", "change")
"""Units that are written in per cent."""
_LABEL = 26
"""Letters of a line of the label of an axis."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 2.5 if len([*data.series()]) > 1 or data.figure.panels else 2.0


def paint(canvas: Canvas, data: Drawn) -> None:
    """Everything on the left, and the enlarged ranges to the right of it."""
    panels = data.figure.panels
    axes = canvas.subplots(
        1, 1 + len(panels), width_ratios=(3, *(2 for _ in panels)), squeeze=False
    )
    whole, *others = axes[0]
    limits: dict[str, Line2D] = {}
    for panel, part in zip((whole, *others), (None, *panels), strict=True):
        for index, name, rows in data.series():
            inside = [row for row in rows
                      if part is None or part.low <= row[data.figure.x] <= part.high]  # fmt: skip
            _line(panel, data, index, name, inside, () if part else panels)
        for limit in data.figure.limits:
            if limit.axis == "y":
                line = panel.axhline(limit.value, color=VERMILLION, linestyle=(0, (5, 2)))
            else:
                line = panel.axvline(limit.value, color=GREY, linestyle="-.")
            line.set_linewidth(1.1)
            limits[data.limit(limit.label)] = line
        panel.set_xlabel(data.axis("x"))
    _whole(whole, data)
    for panel, part in zip(others, panels, strict=True):
        _part(panel, data, part)
    handles, labels = whole.get_legend_handles_labels()
    handles, labels = [*handles, *limits.values()], [*labels, *limits]
    if data.figure.marked and any(row.get(data.figure.marked) for row in data.rows):
        handles.append(Line2D([], [], color=look(0)[0], linewidth=0.8, linestyle=":"))
        labels.append(data.label(data.figure.marked))
    if len(labels) > 1 or labels != [data.axis("y")]:  # else the axis names the only line
        canvas.legend(handles, labels, loc="outside upper left", ncols=6, handlelength=1.9,
                      columnspacing=1.2)  # fmt: skip


def _line(
    axes: Axes, data: Drawn, index: int, name: str, rows: Rows, bare: Sequence[Panel]
) -> None:
    """A series; without markers over the ``bare`` ranges, which are drawn once more."""
    figure = data.figure
    colour, dashes, marker = look(index)
    for column in figure.y:
        there = [row for row in rows if row.get(column) is not None]
        x, y = [row[figure.x] for row in there], [row[column] for row in there]
        axes.plot(x, y, color=colour, linestyle=dashes, marker=marker, ms=3.2, linewidth=1.2,
                  markevery=_marked(x, bare), markerfacecolor="white",
                  label=name or data.label(column))  # fmt: skip
        for row in there:
            if figure.marked and row.get(figure.marked):
                axes.plot([row[figure.x]], [row[column]], marker, color=colour, ms=6.5)
                axes.axvline(row[figure.x], color=colour, linewidth=0.8, linestyle=":")


def _marked(x: Sequence[float], bare: Sequence[Panel]) -> list[int]:
    """Indices of points with a marker: none over the bare ranges, others at least 4 % apart.

    Examples
    --------
    >>> _marked([100, 300, 304, 308, 400, 404], [Panel(303, 309)]), _marked([1, 2], [])
    ([0, 1, 4], [0, 1])
    """
    if not bare:
        return list(range(len(x)))
    marked: list[int] = []
    for index, value in enumerate(x):
        apart = not marked or value > _APART * x[marked[-1]]
        if apart and not any(part.low <= value <= part.high for part in bare):
            marked.append(index)
    return marked


def _whole(axes: Axes, data: Drawn) -> None:
    figure = data.figure
    values = [
        row[column] for row in data.rows for column in figure.y if row.get(column) is not None
    ]
    values += [limit.value for limit in figure.limits if limit.axis == "y"]
    axes.set_ylabel(wrapped(data.axis("y"), _LABEL))
    if figure.scale.get("y") == "time":
        waits_axis(axes, "y", max(values, default=0.0))
    elif data.columns[figure.y[0]].unit == "s" and "y" not in figure.scale:
        axes.set_ylim(bottom=0)
        axes.set_ylabel(f"{data.axis('y')} ({times_axis(axes.yaxis, *axes.get_ylim())})")
    elif data.is_amount(figure.y[0]) or data.columns[figure.y[0]].unit.startswith(_RATIOS):
        axes.yaxis.set_major_formatter(data.ticks(figure.y[0]))
        if min(values) >= 0:
            axes.set_ylim(bottom=0)
    elif figure.scale.get("y") == "log" and all(value > 0 for value in values):
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    if data.columns[figure.x].unit.startswith((*_RATIOS, "W", "money")):
        axes.xaxis.set_major_formatter(data.ticks(figure.x))
    elif all(isinstance(row[figure.x], int) for row in data.rows):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if figure.scale.get("x") == "log" and all(row[figure.x] > 0 for row in data.rows):
        axes.set_xscale("log")
        axes.set_xticks(_round_ticks([row[figure.x] for row in data.rows]))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _round_ticks(x: Sequence[float]) -> list[float]:
    """Round whole values in about equal ratios, each once."""
    low, high = min(x), max(x)
    ratios = (low * (high / low) ** (k / (_TICKS - 1)) for k in range(_TICKS))
    return list(dict.fromkeys(float(round(float(f"{value:.2g}"))) for value in ratios))


def _part(axes: Axes, data: Drawn, part: Panel) -> None:
    """A range of x, as high as the series of the first marked point is there."""
    figure = data.figure
    marked = [row for row in data.rows if figure.marked and row.get(figure.marked)]
    near = [
        row for row in data.rows
        if part.low <= row[figure.x] <= part.high
        and (not (marked and figure.series) or row[figure.series] in _series_in(marked, data, part))
    ]  # fmt: skip
    values: list[Any] = [row.get(column) for row in near for column in figure.y]
    values += [limit.value for limit in figure.limits if limit.axis == "y"]
    span = [value for value in values if value is not None]
    room = 0.08 * (max(span) - min(span)) or 0.5
    axes.set_xlim(part.low - 0.6, part.high + 0.6)
    axes.set_ylim(min(span) - room, max(span) + room)
    axes.xaxis.set_major_locator(MaxNLocator(_TICKS, integer=True))
    if figure.scale.get("y") == "time":
        unit = times_axis(axes.yaxis, *axes.get_ylim())
        axes.set_ylabel(wrapped(f"{data.axis('y')} ({unit})", _LABEL))


def _series_in(marked: Rows, data: Drawn, part: Panel) -> list[Any]:
    """The series whose marked point lies next to the middle of a range."""
    middle = (part.low + part.high) / 2
    nearest = min(marked, key=lambda row: abs(row[data.figure.x] - middle))
    return [nearest[data.figure.series]]
