"""The decimal mark of ticks that matplotlib writes, as the language of a study has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import Formatter, ScalarFormatter

from planner.formatting import GERMAN


class _DecimalComma(Formatter):
    """Ticks as another formatter writes them, then with a decimal comma."""

    def __init__(self, formatter: Formatter) -> None:
        self._formatter = formatter

    def set_axis(self, axis: Axis | None) -> None:  # type: ignore[override]
        super().set_axis(axis)
        self._formatter.set_axis(axis)

    def set_locs(self, locs: list[float]) -> None:
        self._formatter.set_locs(locs)

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self._formatter(x, pos).translate(GERMAN)

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        return [text.translate(GERMAN) for text in self._formatter.format_ticks([*values])]

    def get_offset(self) -> str:
        return self._formatter.get_offset().translate(GERMAN)


def write_plain_ticks(panels: Iterable[Axes]) -> None:
    """Give a decimal comma to ticks that matplotlib writes; those of painters have it already."""
    for axes in panels:
        for axis in (axes.xaxis, axes.yaxis):
            if type(axis.get_major_formatter()) is ScalarFormatter:
                axis.set_major_formatter(_DecimalComma(axis.get_major_formatter()))
