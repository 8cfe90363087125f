"""Axes, and looks of series, that the kinds of figures share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from reports.colours import PALETTE

_STYLES: tuple[Any, ...] = (
    "-", "--", "-.", ":", (0, (7, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 2)), (0, (9, 3)),
)  # fmt: skip
_MARKERS = "o^sDvPX*"


def look(series: int) -> tuple[str, Any, str]:
    """Colour, dashes and marker of the n-th series: no two of eight share both."""
    return PALETTE[series % len(PALETTE)], _STYLES[series % 8], _MARKERS[series % 8]


_TIME_TICKS = {
    0: "0", 1: "1 s", 10: "10 s", 60: "1 min", 600: "10 min", 3600: "1 h", 36_000: "10 h",
    864_000: "10 d", 8_640_000: "100 d", 86_400_000: "1,000 d",
}  # fmt: skip
_CROWDED_S = 36_000
"""Longest axis [s] that still has the label of 10 s."""


def waits_axis(axes: Axes, axis: str, largest_s: float) -> None:
    """Times: linear up to 1 s, logarithmic above, so that a wait of 0 has its place."""
    labels = dict(_TIME_TICKS)
    if largest_s > _CROWDED_S:
        del labels[10]
    later = [tick for tick in labels if tick >= largest_s]
    ticks = [tick for tick in labels if not later or tick <= later[0]]
    _linear_to_1(
        axes, axis, [float(tick) for tick in ticks], largest_s, lambda x: labels.get(round(x), "")
    )


def few_waits_axis(axes: Axes, largest_s: float) -> None:
    """As :func:`waits_axis` along a narrow x axis: few ticks, and room for a number at the end."""
    labels = {0: "0", 1: "1 s", 60: "1 min", 3600: "1 h", 36_000: "10 h", 3_600_000: "1,000 h"}
    ticks = [float(tick) for tick in labels if tick <= max(largest_s, 1)]
    _linear_to_1(axes, "x", ticks, largest_s, lambda x: labels.get(round(x), ""))
    axes.set_xlim(0, max(1.0, largest_s) ** 1.3 * 1.5)


def _linear_to_1(
    axes: Axes, axis: str, ticks: list[float], largest: float, text: Callable[[float], str]
) -> None:
    top = max(1.0, largest)
    scale, limits, chosen = (
        (axes.set_xscale, axes.set_xlim, axes.xaxis)
        if axis == "x"
        else (axes.set_yscale, axes.set_ylim, axes.yaxis)
    )
    scale("symlog", linthresh=1.0, linscale=0.5)
    chosen.set_ticks(ticks)
    chosen.set_major_formatter(FuncFormatter(lambda value, _: text(value)))
    chosen.set_minor_locator(NullLocator())
    chosen.set_minor_formatter(NullFormatter())
    limits(-0.15, top * 1.5)


def times_axis(axis: Axis, low_s: float, high_s: float, largest_s: float = 0.0) -> str:
    """Round ticks between two times, in the unit that suits them, which is returned.

    ``largest_s`` is the largest time of several axes that have one unit.
    """
    size, unit = wait_unit(max(abs(low_s), abs(high_s), largest_s))
    ticks = [tick * size for tick in MaxNLocator(5).tick_values(low_s / size, high_s / size)]
    axis.set_ticks([tick for tick in ticks if low_s <= tick <= high_s])
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / size:,.4g}"))
    return unit


def short_number(value: float) -> str:
    """A round number for an axis.

    Examples
    --------
    >>> short_number(0), short_number(1000), short_number(100_000), short_number(10**7)
    ('0', '1,000', '100k', '10M')
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if value >= size:
            return f"{value / (1000 if letter == 'k' else size):g}{letter}"
    return f"{value:,g}"


def wait_unit(largest_s: float) -> tuple[int, str]:
    """The unit of an axis of waits, in seconds, and its name.

    Examples
    --------
    >>> wait_unit(90), wait_unit(3600), wait_unit(86_400)
    ((1, 's'), (60, 'min'), (3600, 'h'))
    """
    pairs = ((3600, "h"), (60, "min"))
    return next((pair for pair in pairs if largest_s > 2 * pair[0]), (1, "s"))


def by_rows(entries: Sequence[Any], columns: int) -> list[Any]:
    """Entries of a legend in the order in which its rows, not its columns, are read.

    Examples
    --------
    >>> by_rows("abcde", 4)
    ['a', 'e', 'b', 'c', 'd']
    """
    return [entry for column in range(columns) for entry in entries[column::columns]]
