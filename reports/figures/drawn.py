"""The data of a figure as painters ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from matplotlib.ticker import FuncFormatter

from planner.figure import Figure
from planner.formatting import FIXED, SCALES
from planner.table import Column
from reports.texts import Texts

Rows = list[dict[str, Any]]
_SHARES = ("share", "share given", "share at most", "share at least")
_CHANGES = ("change", "certain change", "certain change down", "certain change up")
_PLAIN = ("score", "number", "ratio", "value", "index")
LOOKS = 7
"""Series that differ in colour."""
MOST_POINTS = 2_000
"""Points of a series; of more every n-th is drawn."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A figure with its rows and texts.

    Attributes
    ----------
    texts, figure
        The texts of the study, and what to draw.
    rows, dots
        Rows of the table, and of the second one.
    columns
        The columns of the table by key.
    """

    texts: Texts
    figure: Figure
    rows: Rows
    dots: Rows
    columns: dict[str, Column]

    @classmethod
    def of(cls, texts: Texts, figure: Figure) -> Drawn:
        """The data of a figure of a study."""
        study = texts.study
        columns = {column.key: column for column in study.table(figure.table).columns}
        dots = study.rows(figure.dots) if figure.dots else []
        return cls(texts, figure, study.rows(figure.table), dots, columns)

    def series(self) -> Iterator[tuple[int, str, Rows]]:
        """Look, name and rows of each series; one without a name where there is no such column.

        A series has one look in all figures of a study, while all of a figure are apart.
        """
        if not self.figure.series:
            yield 0, "", _reduced(self.rows)
            return
        names, everywhere = self.names(), self._everywhere()
        looks = [everywhere.index(value) for value in names]
        if len({look % LOOKS for look in looks}) < len(names):
            looks = [*range(len(names))]
        for look, value in zip(looks, names, strict=True):
            rows = [row for row in self.rows if row[self.figure.series] == value]
            yield look, self.name(value), _reduced(rows)

    def _everywhere(self) -> list[Any]:
        """The series of all figures that are of the kind of those of this one."""
        study, unit = self.texts.study, self.columns[self.figure.series].unit
        found: dict[Any, None] = {}
        for figure in study.figures:
            units = {column.key: column.unit for column in study.table(figure.table).columns}
            if figure.series and units.get(figure.series) == unit:
                found |= dict.fromkeys(row[figure.series] for row in study.rows(figure.table))
        return [*found]

    def names(self) -> list[Any]:
        """The series, in order."""
        return list(dict.fromkeys(row[self.figure.series] for row in self.rows))

    def categories(self) -> list[Any]:
        """Values of x, in the order in which they first occur."""
        return list(dict.fromkeys(row[self.figure.x] for row in self.rows))

    def name(self, series: Any) -> str:
        """A series as people read it."""
        return self.texts.value(series, self.columns[self.figure.series].unit)

    def text(self, column: str, value: Any) -> str:
        """A value of a column as people read it."""
        found = self.columns[column]
        unit = "count" if self.texts.is_noun(found.unit) else found.unit
        return self.texts.value(value, unit, found.limit)

    def ticks(self, column: str) -> FuncFormatter:
        """Values of a column at the ticks of an axis, which are round: no zeros at their end."""
        unit = self.columns[column].unit
        short = unit in _PLAIN or unit.partition(" ")[0] in ("s", "money")
        mark = "," if self.texts.study.language == "de" else "."

        def tick(value: float, _: int | None) -> str:
            if unit in _SHARES:  # 12.5 %, not 12 %
                number = self.texts.localised(f"{100 * value:.6g}")
                return f"{number}\xa0%"
            text = self.text(column, value)
            if unit in _CHANGES:
                if not text.endswith("%"):  # no multiples next to percentages
                    return f"+{self.texts.value(round(100 * value, 6), 'count')}\xa0%"
                return text.replace(f"{mark}0\xa0%", "\xa0%")
            number, gap, behind = text.partition("\xa0")
            if not (short and number.rpartition(mark)[1]):
                return text
            return number.rstrip("0").removesuffix(mark) + gap + behind

        return FuncFormatter(tick)

    def is_amount(self, column: str) -> bool:
        """Whether the values of a column are written with units that suit their size."""
        return self.columns[column].unit in (*SCALES, *FIXED)

    def label(self, column: str) -> str:
        """The heading of a column."""
        return self.texts.heading(self.columns[column])

    def axis(self, axis: str, column: str = "") -> str:
        """The label of an axis: from the catalogue, or else the heading of its (first) column."""
        labels = self.texts.catalogue.get("axes", self.figure.name) or ("", "")
        own = self.figure.x if axis == "x" else next(iter(self.figure.y), self.figure.x)
        column = column or own
        label = labels[axis == "y"]
        return self.texts.with_unit(label, self.columns[column].unit) or self.label(column)

    def limit(self, label: str) -> str:
        """The name of a line across the figure."""
        return self.texts.catalogue.text("figures", label)


def _reduced(rows: Rows) -> Rows:
    """At most 2,000 of the rows, at equal distances, with the last."""
    if len(rows) <= MOST_POINTS:
        return rows
    step = -(-len(rows) // (MOST_POINTS - 1))
    return [*rows[::step], *([] if (len(rows) - 1) % step == 0 else [rows[-1]])]
