"""Dots: a row for each category, and on it a marker for each series."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from planner.formatting import clipped_apart
from reports.colours import PALETTE, VERMILLION
from reports.figures.axes import by_rows, few_waits_axis
from reports.figures.drawn import Drawn
from reports.style import wrapped

_MARKERS = "oDs^vPX*"
_LEGEND = 4
_SHARE, _APART = 0.8, 0.065
"""Share of a row for markers, and the height of each [inches]."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    row = max(0.26, _APART * len([*data.series()]) / _SHARE)
    return 6.8, min(8.0, 1.0 + row * len(data.categories()))


def paint(canvas: Canvas, data: Drawn) -> None:
    """The first category on top; markers of one row are shifted apart."""
    axes, figure = canvas.subplots(), data.figure
    categories, column = data.categories(), figure.y[0]
    places = {name: place for place, name in enumerate(categories)}
    series = list(data.series())
    for index, (place, name, rows) in enumerate(series):
        shift = _SHARE * ((index + 0.5) / len(series) - 0.5)
        axes.plot([row[column] for row in rows], [places[row[figure.x]] + shift for row in rows],
                  linestyle="", marker=_MARKERS[place % len(_MARKERS)], ms=5,
                  color=PALETTE[place % len(PALETTE)], markeredgecolor="black",
                  markeredgewidth=0.5, label=name)  # fmt: skip
    axes.set_yticks(range(len(categories)),
                    clipped_apart([data.text(figure.x, each) for each in categories]))  # fmt: skip
    axes.set_ylim(len(categories) - 0.5, -0.5)
    if figure.scale.get("x") == "time":
        few_waits_axis(axes, max(row[column] for row in data.rows))
    else:
        _amounts(axes, data)
    axes.set_xlabel(wrapped(data.axis("y"), 60))
    axes.set_ylabel((data.texts.catalogue.get("axes", figure.name) or ("",))[0])
    handles = by_rows(axes.get_legend_handles_labels()[0], _LEGEND)
    canvas.legend(handles=handles, loc="outside upper left", ncols=_LEGEND, handlelength=1.2)


def _amounts(axes: Axes, data: Drawn) -> None:
    """An axis from 0 on, or with limits across."""
    figure, column = data.figure, data.figure.y[0]
    for limit in figure.limits:
        axes.axvline(limit.value, color=VERMILLION, linewidth=1.1, zorder=1,
                     linestyle=(0, (5, 2)), label=data.limit(limit.label))  # fmt: skip
    if not figure.limits:
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(data.ticks(column))
