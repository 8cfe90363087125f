"""Points in classes: those of later classes are drawn over the earlier ones."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import LogLocator, NullLocator

from reports.colours import BLUE, ORANGE, SKY
from reports.figures.drawn import Drawn
from reports.style import wrapped

_LOOKS: tuple[dict[str, Any], ...] = (
    {"color": "#C9C9C9", "marker": ".", "ms": 3},
    {"color": SKY, "marker": ".", "ms": 4},
    {"color": BLUE, "marker": "o", "ms": 4.5},
    {"color": ORANGE, "marker": "D", "ms": 6.5, "markeredgecolor": "black"},
)
"""By class, in the order of the vocabulary; few classes have the last ones."""
_HOLLOW: dict[str, Any] = {"color": "#6B6B6B", "marker": "o", "mfc": "none"}
"""The first of all classes where points have names, as those that cannot be chosen."""

_LETTER, _LINE = 0.012, 0.115
"""Parts of the axes: width of a letter of a name, and height of a line."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, 1.8 if data.figure.marked else 3.0


def paint(canvas: Canvas, data: Drawn) -> None:
    """Every point; the look of a class is that of its place in the vocabulary."""
    axes, figure = canvas.subplots(), data.figure
    classes = data.texts.words(data.columns[figure.series].unit)
    looks = dict(zip(classes, _LOOKS[-len(classes) :], strict=False))
    column, larger = figure.y[0], {"ms": 6.5} if figure.marked else {}
    if figure.marked and len(classes) == len(_LOOKS):
        looks[next(iter(classes))] = _HOLLOW
    for value in data.names():
        rows = [row for row in data.rows if row[figure.series] == value]
        axes.plot([row[figure.x] for row in rows], [row[column] for row in rows],
                  linestyle="", label=data.name(value), zorder=3 + list(classes).index(value),
                  **looks[value] | larger)  # fmt: skip
    _names(axes, data)
    for limit in figure.limits:
        line = axes.axhline if limit.axis == "y" else axes.axvline
        dashes = (0, (5, 2)) if limit.axis == "y" else (0, (1, 1.5))
        line(limit.value, color="#D55E00", linewidth=1.1, linestyle=dashes,
             label=data.limit(limit.label))  # fmt: skip
    if figure.scale.get("y") == "log":
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_locator(NullLocator())
    else:
        axes.set_ylim(bottom=0)
    pairs: tuple[tuple[Axis, str], ...] = ((axes.xaxis, figure.x), (axes.yaxis, column))
    for axis, key in pairs:
        axis.set_major_formatter(data.ticks(key))
    axes.set_xlabel(data.axis("x"))
    axes.set_ylabel(wrapped(data.axis("y"), 26))
    canvas.legend(loc="outside upper left", ncols=5, handlelength=1.4, columnspacing=1.2)


def _names(axes: Axes, data: Drawn) -> None:
    """The name of each marked point, right or left of it, where it lies on no other name."""
    figure, column = data.figure, data.figure.y[0]
    if not figure.marked:
        return
    axes.set_ylim(0, 1.15 * max(row[column] for row in data.rows) or 1.0)
    axes.margins(x=0.08)
    named: list[tuple[float, float, float]] = []
    for row in data.rows:
        name = data.text(figure.marked, row[figure.marked])
        place = axes.transData.transform((row[figure.x], row[column]))
        x, y = axes.transAxes.inverted().transform(place).tolist()
        width = _LETTER * (len(name) + 2)
        sides = [
            (begin, end)
            for begin, end in ((x, x + width), (x - width, x))
            if begin >= 0
            and end <= 1
            and not any(begin < b and a < end and abs(y - c) < _LINE for a, b, c in named)
        ]
        if not sides:
            continue
        named.append((*sides[0], y))
        left = sides[0][0] < x
        axes.annotate(name, (row[figure.x], row[column]),
                      xytext=(-6 if left else 6, 0), textcoords="offset points", va="center",
                      ha="right" if left else "left", fontsize=8)  # fmt: skip
