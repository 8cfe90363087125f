"""One map shows gains by uptake and largest error; a second shows the deviation over seeds."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from numpy.typing import NDArray

from planner.formatting import given
from planner.scheduling.estimates.gain_text import times
from planner.scheduling.estimates.result import Measure
from planner.scheduling.estimates.study import EstimateStudy
from reports.estimates.cells import CellMap, Floats, cell_map, finding
from reports.estimates.gain_text import in_table, whose
from reports.style import BLUE, PURPLE, VERMILLION, Picture, draw

_GAIN = LinearSegmentedColormap.from_list("gain", [VERMILLION, "#FFFFFF", BLUE])
_SPREAD = LinearSegmentedColormap.from_list("spread", ["#FFFFFF", PURPLE])
_LEAST_RANGE = 1.0
"""The darkest colour stands for this many per cent at least: less is not worth a colour."""
_DEEPEST = 20.0
"""A loss [%] has a colour of its own up to this, or to three times the largest gain."""
_WIDTH, _ROW, _WIDEST = 6.8, 0.26, 0.8
"""Width of the figure, height of a row, and largest width of a cell [inches]."""


def of_mean(study: EstimateStudy) -> list[Picture]:
    """The mean wait."""
    return _pictures(study, "mean_s", "mean", "01-mean")


def of_longest(study: EstimateStudy) -> list[Picture]:
    """The longest wait."""
    return _pictures(study, "max_s", "longest", "02-longest")


def _pictures(study: EstimateStudy, measure: Measure, kind: str, name: str) -> list[Picture]:
    pictures = cell_map(study, measure)
    if not pictures.is_drawn:
        return []
    rows = "; ".join(
        f"uptake {given(uptake)}: {', '.join(map(in_table, row))}"
        for uptake, row in zip(pictures.uptakes, pictures.gain.tolist(), strict=True)
    )
    errors = ", ".join(map(given, pictures.errors))
    text = f"Gain in {whose(study, measure)} at largest errors of {errors}. {rows}."
    height = 0.85 + _ROW * len(pictures.uptakes)
    return [
        draw(kind, name, finding(study, measure), text, (_WIDTH, height),
             lambda figure: paint(figure, pictures))
    ]  # fmt: skip


def paint(figure: Figure, cells: CellMap) -> None:
    """Gains on the left; on the right their deviation, where there is one."""
    panels = 1 + cells.has_spread
    axes = figure.subplots(1, panels, sharey=True, squeeze=False)[0]
    percents = 100 * cells.gain
    limit = darkest(percents)
    _panel(axes[0], cells, percents, (-limit, limit), _GAIN, cells.agreed)
    axes[0].set_ylabel("uptake")
    if not cells.has_spread:
        axes[0].set_title("shorter by (%)", loc="left")
        return
    axes[0].set_title("shorter by (%), mean over seeds", loc="left")
    percents = 100 * cells.deviation
    limit = max(_LEAST_RANGE, float(np.nanmax(percents)))
    _panel(axes[1], cells, percents, (0, limit), _SPREAD, np.zeros_like(cells.agreed))
    axes[1].set_title("standard deviation between seeds (points)", loc="left")


def darkest(percents: Floats) -> float:
    """Where colours end: at the largest gain or loss, losses at three times the largest gain."""
    gain, loss = max(0.0, float(np.nanmax(percents))), max(0.0, -float(np.nanmin(percents)))
    return max(_LEAST_RANGE, gain, min(loss, max(_DEEPEST, 3 * gain)))


def _panel(
    axes: Axes,
    cells: CellMap,
    values: Floats,
    limits: tuple[float, float],
    colours: LinearSegmentedColormap,
    bold: NDArray[np.bool_],
) -> None:
    rows, columns = values.shape
    axes.pcolormesh(np.ma.masked_invalid(values), cmap=colours, vmin=limits[0],
                           vmax=limits[1], edgecolors="#E3E3E3", linewidth=0.5)  # fmt: skip
    size = 8
    for row, column in np.ndindex(rows, columns):
        value = float(values[row, column])
        shade = "black" if np.isnan(value) else _ink(colours(_place(value, limits)))
        axes.text(column + 0.5, row + 0.5, number(value), ha="center", va="center", fontsize=size,
                  color=shade, family="DejaVu Sans",  # as fallbacks have no bold
                  fontweight="bold" if bold[row, column] else "normal")  # fmt: skip
    axes.set_xticks(np.arange(columns) + 0.5, [f"{100 * error:g}" for error in cells.errors],
                    fontsize=8)  # fmt: skip
    axes.set_yticks(np.arange(rows) + 0.5, [given(uptake) for uptake in cells.uptakes], fontsize=8)
    axes.set_xlabel("largest error of the oracle (%)")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    room = (_WIDTH - 0.8) / (1 + cells.has_spread)
    if room / columns > _WIDEST:
        axes.set_aspect(_ROW / _WIDEST, anchor="W")


def _place(value: float, limits: tuple[float, float]) -> float:
    return min(max((value - limits[0]) / (limits[1] - limits[0]), 0.0), 1.0)


def _ink(rgba: tuple[float, float, float, float]) -> str:
    """Return black or white: the one that is easier to read on this colour."""
    red, green, blue = to_rgb(rgba)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"


def number(value: float) -> str:
    """Per cent in a small cell: four signs at most; a wait at least twice as long as a ratio.

    Examples
    --------
    >>> [number(each) for each in (12.34, -4.26, 0.04, -2540.0, -25_400.0, float("nan"))]
    ['12', '−4.3', '0.0', '26×', '255×', '–']
    """  # noqa: RUF002 - a minus and a times sign
    if np.isnan(value):
        return "–"  # noqa: RUF001
    if value <= -100:
        return f"{times(1 - value / 100).replace(',', '')}×"  # noqa: RUF001
    size = abs(value)
    if size >= 9_950:
        text = f"{size / 1000:.0f}k"
    elif size >= 999.5:
        text = f"{size / 1000:.1f}k"
    else:
        text = f"{size:.0f}" if size >= 9.95 else f"{size:.1f}"
    return text if value >= 0 or text == "0.0" else f"−{text}"  # noqa: RUF001
