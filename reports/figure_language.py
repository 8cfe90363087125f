"""The numbers of a painted figure, as the language of its report writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import Formatter, ScalarFormatter

from reports.language import with_decimal_comma


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
        return with_decimal_comma(self._formatter(x, pos))

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        return [with_decimal_comma(text) for text in self._formatter.format_ticks([*values])]

    def get_offset(self) -> str:
        return with_decimal_comma(self._formatter.get_offset())


def write_plain_ticks(panels: Iterable[Axes]) -> None:
    """Give a decimal comma to ticks that matplotlib writes; those of painters have it already."""
    for axes in panels:
        for axis in (axes.xaxis, axes.yaxis):
            if type(axis.get_major_formatter()) is ScalarFormatter:
                axis.set_major_formatter(_DecimalComma(axis.get_major_formatter()))


def write_decimal_commas(figure: Figure) -> None:
    """Give all texts and ticks of a figure a decimal comma; call it once, before the layout."""
    for axis in set(figure.findobj(Axis)):
        if isinstance(axis, Axis):
            for current, replace in (
                (axis.get_major_formatter(), axis.set_major_formatter),
                (axis.get_minor_formatter(), axis.set_minor_formatter),
            ):
                if not isinstance(current, _DecimalComma):  # shared axes share their formatter
                    replace(_DecimalComma(current))
    for text in set(figure.findobj(Text)):
        if isinstance(text, Text):
            text.set_text(with_decimal_comma(text.get_text()))
