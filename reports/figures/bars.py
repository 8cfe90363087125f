"""Columns by category: a panel for each value, classes by look, a second set of values as dots."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from planner.formatting import DASH, clipped_apart
from reports.colours import BLUE, GREY, ORANGE, SKY, VERMILLION
from reports.figures.axes import by_rows
from reports.figures.drawn import Drawn
from reports.style import wrapped

_LOOKS: tuple[dict[str, Any], ...] = (
    {"facecolor": BLUE, "zorder": 3},
    {"facecolor": SKY, "zorder": 2},
    {"facecolor": "#C9C9C9", "hatch": "//", "edgecolor": "white", "zorder": 2},
    {"facecolor": ORANGE, "hatch": "..", "edgecolor": "white", "zorder": 2},
)
"""By class: the marked one comes first."""
_DOT: dict[str, Any] = {
    "marker": "D", "ms": 4.5, "linestyle": "", "color": ORANGE, "markeredgecolor": "black",
    "markeredgewidth": 0.6, "zorder": 4,
}  # fmt: skip
_LEGEND, _LINE = 5, 95
"""Entries of a legend side by side, or all whose names and signs fit on one line of letters."""
_FEW = 4
"""Columns that are narrow, in a low figure."""
_MOST_LABELS = 8
"""Columns of a panel that have their values above them."""
_LETTERS = 110
"""Letters of names that fit side by side below the panels; more are turned, and clipped."""


_MOST_LYING = 12
"""Columns of one panel that lie, so that their names are read without turning the head."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    if _lie(data):
        return 6.8, 0.8 + 0.27 * len(data.rows) + 0.25 * bool(data.figure.series)
    return 6.8, 2.4 if len(data.rows) <= _FEW or len(data.figure.y) > 1 else 2.8 if _level(
        data
    ) else 3.2


def paint(canvas: Canvas, data: Drawn) -> None:
    """A panel for each value; limits are on the last."""
    figure = data.figure
    if _lie(data):
        _lying(canvas.subplots(), data)
        _with_legend(canvas, data)
        return
    panels = canvas.subplots(1, len(figure.y), squeeze=False)[0]
    for panel, column in zip(panels, figure.y, strict=True):
        _columns(panel, data, column)
    for limit in figure.limits:
        panels[-1].axhline(limit.value, color=VERMILLION, linewidth=1.1, linestyle=(0, (5, 2)))
    _with_legend(canvas, data)


def _with_legend(canvas: Canvas, data: Drawn) -> None:
    handles = _legend(data)
    if handles:
        letters = sum(len(handle.get_label()) + 4 for handle in handles)
        side_by_side = len(handles) if letters <= _LINE else _LEGEND
        canvas.legend(handles=by_rows(handles, side_by_side), loc="outside upper left",
                      ncols=side_by_side, handlelength=1.5, columnspacing=1.2)  # fmt: skip


def _lie(data: Drawn) -> bool:
    few = len(data.figure.y) == 1 and len(data.rows) <= _MOST_LYING
    apart = data.figure.series and not data.figure.marked
    return few and not (data.dots or apart or data.figure.limits)


def _lying(axes: Axes, data: Drawn) -> None:
    """Bars from the top, with their values at the ends; behind these, values of a marked column."""
    figure, (column,), classes = data.figure, data.figure.y, _classes(data)
    for index, row in enumerate(data.rows):
        value = row.get(column)
        if value is None:
            continue
        look = classes[row[figure.series]] if figure.series else _LOOKS[0]
        axes.barh(index, value, height=0.62, **look)
        text = data.text(column, value)
        if figure.marked:
            text = f"{text}, {data.text(figure.marked, row[figure.marked])}"
        axes.annotate(text, (value, index), xytext=(3 if value >= 0 else -3, 0),
                      textcoords="offset points", ha="left" if value >= 0 else "right",
                      va="center", fontsize=8)  # fmt: skip
    axes.axvline(0, color="black", linewidth=0.6)
    axes.margins(x=0.28 if figure.marked else 0.14)
    axes.set_yticks(
        range(len(data.rows)), [data.text(figure.x, row[figure.x]) for row in data.rows]
    )
    axes.set_ylim(len(data.rows) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_formatter(data.ticks(column))
    axes.set_xlabel(data.label(column))


def _columns(axes: Axes, data: Drawn, column: str) -> None:
    figure, classes = data.figure, _classes(data)
    turned = len(data.rows) * len(figure.y) > _MOST_LABELS
    texts = data.texts.column(data.columns[column], [row.get(column) for row in data.rows])
    near = 6 if data.dots else 2
    for index, row in enumerate(data.rows):
        if row.get(column) is None:
            name = data.name(row[figure.series]) if figure.series else DASH
            axes.annotate(name, (index, 0), xytext=(0, 4),
                          textcoords="offset points", ha="center", va="bottom", fontsize=8,
                          color=GREY, rotation=90)  # fmt: skip
            continue
        look = classes[row[figure.series]] if figure.series else _LOOKS[0]
        axes.bar(index, row[column], width=0.66 if len(data.rows) > _FEW else 0.4, **look)
        if len(data.rows) <= _MOST_LABELS:
            up = row[column] >= 0
            over = [row.get(figure.high)] if column == figure.y[-1] and figure.high else []
            over += [dot.get(column) for dot in data.dots if dot[figure.x] == row[figure.x]]
            end = max(row[column], *(each for each in over if each is not None and up), -math.inf)
            axes.annotate(texts[index], (index, end),
                          xytext=(0, near if up else -near), textcoords="offset points",
                          ha="center", va="bottom" if up else "top", fontsize=8,
                          rotation=90 if turned else 0)  # fmt: skip
    places = {row[figure.x]: index for index, row in enumerate(data.rows)}
    dots = [(places[row[figure.x]], row[column]) for row in data.dots
            if row[figure.x] in places and row.get(column) is not None]  # fmt: skip
    if dots:
        axes.plot([x for x, _ in dots], [y for _, y in dots], **_DOT)
    spread = data.rows if figure.low and column == figure.y[-1] else []
    ends = [(places[row[figure.x]], row[figure.low], row[figure.high])
            for row in spread if row[figure.low] is not None]  # fmt: skip
    if ends:
        axes.vlines(*zip(*ends, strict=True), color="black", linewidth=1.2, zorder=3)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.margins(y=0.25 if turned and len(data.rows) <= _MOST_LABELS else 0.12)
    names = [data.text(figure.x, row[figure.x]) for row in data.rows]
    level = _level(data)
    names = names if level else clipped_apart(names)
    axes.set_xticks(range(len(names)), names, fontsize=8, rotation=0 if level else 90)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_formatter(data.ticks(column))
    axes.set_ylabel(wrapped(data.label(column), 26))
    axes.set_xlabel(data.axis("x"))


def _level(data: Drawn) -> bool:
    """Whether the names of all categories fit side by side."""
    names = [data.text(data.figure.x, row[data.figure.x]) for row in data.rows]
    return len(data.figure.y) * sum(len(name) + 2 for name in names) <= _LETTERS


def _classes(data: Drawn) -> dict[Any, dict[str, Any]]:
    """The look of each class of the vocabulary, whether or not it occurs."""
    if not data.figure.series:
        return {}
    words = [*data.texts.words(data.columns[data.figure.series].unit)]
    words = words[::-1] if data.figure.marked else words  # the last one is that of the plan
    return {word: _LOOKS[index % len(_LOOKS)] for index, word in enumerate(words)}


def _legend(data: Drawn) -> list[Any]:
    drawn = {row.get(data.figure.series) for row in data.rows
             if any(row.get(column) is not None for column in data.figure.y)}  # fmt: skip
    handles: list[Any] = [
        Patch(**{key: value for key, value in look.items() if key != "zorder"},
              label=data.name(word))
        for word, look in _classes(data).items() if word in drawn
    ]  # fmt: skip
    if data.dots:
        handles.append(Line2D([], [], **_DOT, label=data.limit("dots")))
    handles += [
        Line2D([], [], color=VERMILLION, linewidth=1.1, linestyle=(0, (5, 2)),
               label=data.limit(limit.label))
        for limit in data.figure.limits
    ]  # fmt: skip
    return handles
