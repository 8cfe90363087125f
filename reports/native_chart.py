"""The key figure of a study as a chart of the workbook, over the cells of its table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from planner.figure import Figure
from planner.formatting import unmarked
from planner.table import Column
from reports.colours import PALETTE
from reports.sheets import clean
from reports.texts import Texts
from reports.workbook_columns import heading_with_unit

_KINDS: dict[str, dict[str, str]] = {
    "lines": {"type": "scatter", "subtype": "straight_with_markers"},
    "scatter": {"type": "scatter"},
    "dots": {"type": "line"},
    "bars": {"type": "bar"},
    "intervals": {"type": "bar"},
    "stacks": {"type": "bar", "subtype": "stacked"},
}
"""Chart of a spreadsheet by kind of figure; the other kinds have none."""
_MARKERS = ("circle", "square", "triangle", "diamond", "x", "plus", "star")
_LONGEST_RANGE = 8_000
"""Letters of the cells of a series that spreadsheets read."""
_SIZE = {"width": 720, "height": 400}

Rows = Sequence[Mapping[str, Any]]


def native_chart(
    book: Any, texts: Texts, figure: Figure, sheet: str, columns: Sequence[Column], rows: Rows
) -> Any | None:
    """The chart of a figure, or None where a spreadsheet cannot draw it from these cells.

    Parameters
    ----------
    sheet
        Name of the sheet with the rows, whose headings are in its first row.
    """
    kind = _KINDS.get(figure.kind)
    series = list(_series(figure, rows))
    if kind is None or not _has_axes(figure, kind["type"], rows, series):
        return None
    chart = book.add_chart(kind)
    by_key = {column.key: index for index, column in enumerate(columns)}
    for place, (name, lines) in enumerate(series):
        for key in figure.y:
            text = heading_with_unit(texts, columns[by_key[key]])
            if figure.series:
                text = texts.value(name, columns[by_key[figure.series]].unit)
            ranges = [_cells(sheet, by_key[each], lines) for each in (figure.x, key)]
            if max(map(len, ranges)) > _LONGEST_RANGE:
                return None
            chart.add_series(
                {"name": _plain(text), "categories": ranges[0], "values": ranges[1]}
                | _look(kind["type"], len(figure.y) * place + figure.y.index(key))
                | _ends(figure, key, [rows[line] for line in lines])
            )
    x, y = ({"name": _plain(heading_with_unit(texts, columns[by_key[key]]))} for key in
            (figure.x, figure.y[0]))  # fmt: skip
    chart.set_x_axis(x | _scale(figure, "x", (figure.x,), rows))
    chart.set_y_axis(y | _scale(figure, "y", figure.y, rows))
    if kind["type"] == "bar":
        chart.set_x_axis(y | {"major_gridlines": {"visible": True}})
        chart.set_y_axis({"reverse": True, "major_gridlines": {"visible": False}})
    chart.set_title({"name": _plain(_title(texts, figure)), "name_font": {"size": 11}})
    chart.set_legend({"none": True} if len(series) * len(figure.y) == 1 else {"position": "bottom"})
    chart.set_size(_SIZE)
    return chart


def _title(texts: Texts, figure: Figure) -> str:
    if figure.finding is not None:
        return texts.finding(figure.finding)
    return texts.catalogue.text("figures", figure.name)


def _series(figure: Figure, rows: Rows) -> Iterator[tuple[Any, list[int]]]:
    """Value of the column of series, and the indices of its rows."""
    if not figure.series:
        yield None, list(range(len(rows)))
        return
    for value in dict.fromkeys(row.get(figure.series) for row in rows):
        yield value, [i for i, row in enumerate(rows) if row.get(figure.series) == value]


def _has_axes(
    figure: Figure, kind: str, rows: Rows, series: Sequence[tuple[Any, list[int]]]
) -> bool:
    """Whether x is a number wherever the chart needs one, or all series have its categories."""
    if not rows or not figure.y:
        return False
    x = [[rows[line].get(figure.x) for line in lines] for _, lines in series]
    if kind == "scatter":
        return all(isinstance(value, int | float) for values in x for value in values)
    return all(values == x[0] for values in x)


def _cells(sheet: str, column: int, lines: Sequence[int]) -> str:
    """The cells of some rows of a column.

    Examples
    --------
    >>> _cells("Cost parts", 1, [0, 1, 2, 5])
    "=('Cost parts'!$B$2:$B$4,'Cost parts'!$B$7)"
    """
    from xlsxwriter.utility import quote_sheetname, xl_range_abs

    breaks = [0, *(i for i, (a, b) in enumerate(pairwise(lines), 1) if b != a + 1), len(lines)]
    runs = [(lines[low], lines[high - 1]) for low, high in pairwise(breaks)]
    name = quote_sheetname(sheet)
    parts = [f"{name}!{xl_range_abs(low + 1, column, high + 1, column)}" for low, high in runs]
    return f"={parts[0]}" if len(parts) == 1 else f"=({','.join(parts)})"


def _look(kind: str, index: int) -> dict[str, Any]:
    """Colour and marker of the n-th series."""
    colour = PALETTE[index % len(PALETTE)]
    if kind == "bar":
        return {"fill": {"color": colour}}
    line = {"color": colour, "width": 1.25} if kind == "scatter" else {"none": True}
    marker = {"type": _MARKERS[index % len(_MARKERS)], "size": 5, "fill": {"color": "white"},
              "border": {"color": colour}}  # fmt: skip
    return {"line": line, "marker": marker}


def _ends(figure: Figure, key: str, rows: Rows) -> dict[str, Any]:
    """Both ends of intervals, as distances from the values."""
    if figure.kind != "intervals" or not (figure.low or figure.high):
        return {}

    def apart(end: str, sign: int) -> list[float]:
        pairs: list[tuple[Any, Any]] = [(row.get(key), row.get(end)) for row in rows]
        return [0.0 if None in pair else max(0.0, sign * (pair[1] - pair[0])) for pair in pairs]

    return {
        "x_error_bars": {
            "type": "custom",
            "plus_values": apart(figure.high, 1),
            "minus_values": apart(figure.low, -1),
        }
    }


def _scale(figure: Figure, axis: str, keys: Sequence[str], rows: Rows) -> dict[str, Any]:
    """A logarithmic axis where the figure has one and every value has its place on it."""
    values = [row.get(key) for row in rows for key in keys]
    logarithmic = figure.scale.get(axis) in ("log", "time")
    positive = all(isinstance(value, int | float) and value > 0 for value in values)
    return {"log_base": 10} if logarithmic and positive else {}


def _plain(text: str) -> str:
    """A text that is not taken for the name of a cell, of which XlsxWriter knows the sign ``!``."""
    return clean(unmarked(text)).replace("!", "!\u200b")
