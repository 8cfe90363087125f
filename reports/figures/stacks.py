"""Stacks: a level bar for each category with its parts; unused space is white."""

from __future__ import annotations

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
_OTHERS: dict[str, Any] = {"facecolor": "#C9C9C9"}
_UNUSED: dict[str, Any] = {"facecolor": "white"}


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    rows = -(-len(_looks(data)) // _columns(data))
    return 6.8, 1.0 + 0.34 * len(_categories(data)) + 0.2 * rows


def paint(canvas: Canvas, data: Drawn) -> None:
    """All bars, the first on top."""
    axes, figure, looks = canvas.subplots(), data.figure, _looks(data)
    column, categories = figure.y[0], _categories(data)
    for place, category in enumerate(categories):
        left = 0.0
        for row in data.rows:
            if row[figure.x] != category:
                continue
            look = looks.get(row[figure.series], _OTHERS)
            axes.barh(place, row[column], left=left, height=0.62, edgecolor="black",
                      linewidth=0.4, **look)  # fmt: skip
            left += row[column]
    for limit in figure.limits:
        axes.axvline(limit.value, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)))
    axes.set_yticks(range(len(categories)), [data.text(figure.x, each) for each in categories])
    axes.invert_yaxis()
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


def _categories(data: Drawn) -> list[Any]:
    return list(dict.fromkeys(row[data.figure.x] for row in data.rows))


def _looks(data: Drawn) -> dict[Any, dict[str, Any]]:
    """The look of the first parts; what is unused is white."""
    named = [part for part in data.names() if part is not None]
    looks: dict[Any, dict[str, Any]] = {
        part: {"facecolor": PALETTE[index % len(PALETTE)],
               "hatch": _HATCHES[index // len(PALETTE) % len(_HATCHES)]}
        for index, part in enumerate(named[:_MOST_NAMED])
    }  # fmt: skip
    return looks | ({None: _UNUSED} if len(named) < len(data.names()) else {})


def _name(data: Drawn, part: Any) -> str:
    return data.limit("unused") if part is None else clipped(data.name(part))
