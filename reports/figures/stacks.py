"""Stacks: a level bar for each category with its parts, in groups; unused space is white."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

from planner.formatting import clipped
from reports.colours import PALETTE, VERMILLION
from reports.figures.axes import by_rows
from reports.figures.drawn import Drawn
from reports.style import wrapped

_HATCHES = ("", "//", "..", "xx")
_MOST_NAMED = 9
"""Parts with a look of their own; further ones are grey."""
_LETTERS = 60
"""Letters of names that fit into a row of the legend."""
_LEAST_SAID = 0.05
"""Part of the longest bar that has room for its value; only groups are that large."""
_OTHERS: dict[str, Any] = {"facecolor": "#C9C9C9"}
_PLAQUE: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
_UNUSED: dict[str, Any] = {"facecolor": "white"}


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    rows = -(-len(_looks(data)) // _columns(data))
    pitch = 0.26 if data.figure.across else 0.34
    return 6.8, 1.0 + pitch * (_places(data)[-1] + 1) + 0.2 * rows


def paint(canvas: Canvas, data: Drawn) -> None:
    """All bars, the first on top."""
    axes, figure, looks = canvas.subplots(), data.figure, _looks(data)
    column, categories, places = figure.y[0], data.categories(), _places(data)
    widest = max(
        math.fsum(row[column] for row in data.rows if row[figure.x] == category)
        for category in categories
    )
    for place, category in zip(places, categories, strict=True):
        left = 0.0
        for row in data.rows:
            if row[figure.x] != category:
                continue
            look = looks.get(row[figure.series], _OTHERS)
            axes.barh(place, row[column], left=left, height=0.62, edgecolor="black",
                      linewidth=0.4, **look)  # fmt: skip
            if figure.across and row[column] >= _LEAST_SAID * widest:
                middle = (left + row[column] / 2, place)
                axes.annotate(data.text(column, row[column]), middle, ha="center", va="center",
                              fontsize=8, bbox=_PLAQUE)  # fmt: skip
            left += row[column]
        whole = next(row.get(figure.high) for row in data.rows if row[figure.x] == category)
        if whole is not None:
            axes.annotate(data.text(figure.high, whole), (left, place), xytext=(4, 0),
                          textcoords="offset points", va="center", fontsize=8)  # fmt: skip
    for place, group in _groups(data):
        axes.annotate(data.text(figure.across, group), (0, place), xytext=(2, 0),
                      textcoords="offset points", va="center", fontsize=8,
                      fontweight="bold")  # fmt: skip
    for limit in figure.limits:
        axes.axvline(limit.value, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)))
    axes.set_yticks(places, [data.text(figure.x, each) for each in categories])
    axes.invert_yaxis()
    if figure.across:
        axes.set_ylim(places[-1] + 0.5, -0.3)
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_formatter(data.ticks(column))
    axes.set_xlabel(wrapped(data.axis("y"), 60))
    handles = [
        Patch(edgecolor="black", linewidth=0.4, label=_name(data, part), **look)
        for part, look in looks.items()
    ]
    if len(data.names()) > len(looks):
        more = data.texts.catalogue.text("labels", "others")
        handles.append(Patch(edgecolor="black", linewidth=0.4, label=more, **_OTHERS))
    columns = _columns(data)
    canvas.legend(handles=by_rows(handles, columns), loc="outside upper left", ncols=columns,
                  handlelength=1.4)  # fmt: skip


def _columns(data: Drawn) -> int:
    """Parts side by side in the legend: three, or more where all names are short."""
    return max(3, min(6, _LETTERS // max(len(_name(data, part)) for part in data.names())))


def _groups(data: Drawn) -> list[tuple[float, Any]]:
    """Each group of bars with the place of its name, which is above its first bar."""
    if not data.figure.across:
        return []
    firsts = dict[Any, float]()
    for place, category in zip(_places(data), data.categories(), strict=True):
        firsts.setdefault(_group(data, category), place - 0.75)
    return [(place, group) for group, place in firsts.items()]


def _group(data: Drawn, category: Any) -> Any:
    figure = data.figure
    return next(row[figure.across] for row in data.rows if row[figure.x] == category)


def _places(data: Drawn) -> list[float]:
    """Places of the bars; each group has room for its name."""
    categories = data.categories()
    if not data.figure.across:
        return [*map(float, range(len(categories)))]
    groups = [_group(data, category) for category in categories]
    every = list(dict.fromkeys(groups))
    return [at + 0.8 * (1 + every.index(group)) for at, group in enumerate(groups)]


def _looks(data: Drawn) -> dict[Any, dict[str, Any]]:
    """The look of the first parts, or of many the largest; what is unused is white."""
    named = [part for part in data.names() if part is not None]
    if len(named) > _MOST_NAMED:
        key, column = data.figure.series, data.figure.y[0]
        named.sort(key=lambda part: -math.fsum(r[column] for r in data.rows if r[key] == part))
    looks: dict[Any, dict[str, Any]] = {
        part: {"facecolor": PALETTE[index % len(PALETTE)],
               "hatch": _HATCHES[index // len(PALETTE) % len(_HATCHES)]}
        for index, part in enumerate(named[:_MOST_NAMED])
    }  # fmt: skip
    return looks | ({None: _UNUSED} if len(named) < len(data.names()) else {})


def _name(data: Drawn, part: Any) -> str:
    return data.limit("unused") if part is None else clipped(data.name(part))
