"""Heat maps: a cell for each pair of keys with its number, a panel for each column of values."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import FuncNorm, LinearSegmentedColormap, Normalize, to_rgb
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from planner.formatting import clipped_apart, rounded
from reports.colours import BLUE, PURPLE, VERMILLION
from reports.figures.drawn import Drawn

Floats = NDArray[np.float64]
_INSET = 0.05
"""Space between a marked cell and its outline, which touches no neighbour."""
_CHANGE = LinearSegmentedColormap.from_list("change", [BLUE, "#FFFFFF", VERMILLION])
_AMOUNT = LinearSegmentedColormap.from_list("amount", ["#FFFFFF", PURPLE])
_LEAST_RANGE = 0.01
"""The darkest colour stands for this much at least: less is not worth a colour."""
_DEEPEST = 0.2
"""A rise has a colour of its own up to this, or to three times the largest fall."""
_TICKS = (-0.75, -0.5, -0.25, 0.0, 1.0, 4.0, 9.0, 19.0)
"""Changes that a logarithmic scale of colours names."""
_LETTERS = 70
"""Letters of all names below that fit side by side."""
_BELOW = 0.9
"""Height of names that are upright [inches]."""
_WIDTH, _ROW, _WIDEST, _LEGEND = 6.8, 0.26, 0.55, 0.45
"""Width of the figure, height of a row, largest width of a cell, height of a legend [inches]."""


def size(data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    below = 0.0 if _is_level(data) else _BELOW
    legend = _LEGEND if _has_scale(data) else 0.0
    return _WIDTH, 0.85 + below + legend + _ROW * len(keys(data, data.figure.across))


def _has_scale(data: Drawn) -> bool:
    """Whether several panels share the scale of colours, which then has a legend."""
    units = {data.columns[column].unit for column in data.figure.y}
    return len(data.figure.y) > 1 == len(units)


def _is_level(data: Drawn) -> bool:
    """Whether the names below fit side by side."""
    names = [data.text(data.figure.x, key) for key in keys(data, data.figure.x)]
    return len(names) * max(map(len, names)) * len(data.figure.y) <= _LETTERS


def keys(data: Drawn, column: str) -> list[float]:
    """The values of a key, ascending."""
    return sorted({row[column] for row in data.rows})


def values(data: Drawn, column: str) -> Floats:
    """The values of a column by both keys; NaN where there is none."""
    across, along = keys(data, data.figure.across), keys(data, data.figure.x)
    found = np.full((len(across), len(along)), np.nan)
    for row in data.rows:
        if row.get(column) is not None:
            at = across.index(row[data.figure.across]), along.index(row[data.figure.x])
            found[at] = float(row[column])
    return found


def paint(canvas: Canvas, data: Drawn) -> None:
    """A panel for each column; cells that are marked have an outline."""
    figure = data.figure
    panels = canvas.subplots(1, len(figure.y), sharey=True, squeeze=False)[0]
    marked = values(data, figure.marked) == 1 if figure.marked else None
    for panel, column in zip(panels, figure.y, strict=True):
        unit = data.columns[column].unit
        alike = [each for each in figure.y if data.columns[each].unit == unit]
        norm = _norm([values(data, each) for each in alike], unit, figure.scale.get("colour"))
        first = unit == data.columns[figure.y[0]].unit
        drawn = _panel(panel, data, column, marked if first else None, norm)
    if _has_scale(data):
        scale = canvas.colorbar(drawn, ax=list(panels), location="bottom", shrink=0.5, aspect=50)
        scale.ax.xaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
        if "colour" in figure.scale:
            shown = np.array([values(data, each) for each in figure.y])
            low, high = min(0.0, float(np.nanmin(shown))), max(0.0, float(np.nanmax(shown)))
            ticks = [each for each in _TICKS if low <= each <= high]
            scale.set_ticks(ticks, labels=[_tick(each) for each in ticks])
            scale.ax.set_xlim(low, high)
        scale.ax.tick_params(labelsize=8)
        scale.outline.set_visible(False)
    panels[0].set_ylabel(data.texts.heading(data.columns[figure.across]))


def darkest(found: Floats) -> float:
    """Where colours end: at the largest fall or rise, rises at three times the largest fall."""
    fall, rise = max(0.0, -float(np.nanmin(found))), max(0.0, float(np.nanmax(found)))
    return max(_LEAST_RANGE, fall, min(rise, max(_DEEPEST, 3 * fall)))


def _norm(found: list[Floats], unit: str, scale: str | None) -> Normalize:
    """Colours of the panels of one unit; logarithmic ones tell 3 from 12 times as long."""
    if scale == "log":
        most = 1 + max(
            _LEAST_RANGE, *(np.nanmax(np.expm1(np.abs(np.log1p(each)))) for each in found)
        )
        return FuncNorm((np.log1p, np.expm1), 1 / most - 1, most - 1)
    if unit == "change":
        most = max(map(darkest, found))
        return Normalize(-most, most)
    return Normalize(0.0, max(_LEAST_RANGE, *(float(np.nanmax(each)) for each in found)))


def _tick(value: float) -> str:
    """A change as per cent, or as a multiple, in a scale of colours."""
    return f"{rounded(1 + value, 0)}×" if value >= 1 else f"{rounded(100 * value, 0)} %"  # noqa: RUF001


def _panel(
    axes: Axes, data: Drawn, column: str, marked: NDArray[np.bool_] | None, norm: Normalize
) -> QuadMesh:
    found, panels = values(data, column), len(data.figure.y)
    signed = data.columns[column].unit == "change"
    colours = _CHANGE if signed else _AMOUNT
    drawn = axes.pcolormesh(np.ma.masked_invalid(found), cmap=colours, norm=norm,
                            edgecolors="#E3E3E3", linewidth=0.5)  # fmt: skip
    for (row, place), value in np.ndenumerate(found):
        shade = "black"
        if not np.isnan(value):
            shade = _ink(colours(float(norm(value))))
        if marked is not None and marked[row, place]:
            inside = (place + _INSET, row + _INSET), 1 - 2 * _INSET, 1 - 2 * _INSET
            axes.add_patch(Rectangle(*inside, fill=False, edgecolor="black", linewidth=1.6,
                                     zorder=3))  # fmt: skip
        text = data.texts.localised(number(float(value), signed=signed))
        axes.text(place + 0.5, row + 0.5, text, ha="center",
                  va="center", fontsize=8, color=shade, family="DejaVu Sans")  # fmt: skip
    for axis, key, name in (
        (axes.xaxis, data.figure.x, "x"), (axes.yaxis, data.figure.across, "y"),
    ):  # fmt: skip
        names = clipped_apart([data.text(key, value) for value in keys(data, key)], 18)
        upright = name == "x" and not _is_level(data)
        axis.set_ticks(np.arange(len(names)) + 0.5, names, fontsize=8,
                       rotation=90 if upright else 0)  # fmt: skip
        if name == "x":
            axes.set_xlabel(data.label(key))
        elif isinstance(data.rows[0][key], str):
            axes.yaxis.set_inverted(True)  # names are read from the top, amounts from the bottom
    axes.set_title(f"{data.label(column)} (%)", loc="left")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if (_WIDTH - 0.8) / panels / found.shape[1] > _WIDEST:
        axes.set_aspect(_ROW / _WIDEST, anchor="W")
    return drawn


def _ink(rgba: tuple[float, float, float, float]) -> str:
    """Return black or white: the one that is easier to read on this colour."""
    red, green, blue = to_rgb(rgba)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"


def number(value: float, *, signed: bool) -> str:
    """Per cent in a small cell: few signs; what at least doubles as a multiple.

    Examples
    --------
    >>> [number(each, signed=True) for each in (-0.1234, 0.0426, 0.0004, 25.4, math.nan)]
    ['−12', '+4.3', '0.0', '26×', '–']
    >>> [number(each, signed=True) for each in (1.49, 1.51)]
    ['2.5×', '2.5×']
    """  # noqa: RUF002 - a minus and a times sign
    if math.isnan(value):
        return "–"  # noqa: RUF001
    if value >= 1:
        times = 1 + value if signed else value
        return f"{rounded(times, 1 if times < 9.95 else 0)}×"  # noqa: RUF001
    text = rounded(100 * value, 0 if abs(value) >= 0.0995 else 1)
    return f"+{text}" if signed and value > 0 and text != "0.0" else text
