"""A table of a study for a paper or a spreadsheet: the columns of the report, all of its rows."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from planner.formatting import unmarked
from planner.study import Study
from reports.texts import Texts
from reports.view import grid, shown_columns
from reports.workbook_columns import heading_with_unit, plain
from scenarios.tables.inert import inert

_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "\u00a0": "~", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}  # fmt: skip
_SPECIAL = re.compile("[" + re.escape("".join(_LATEX)) + "]")


@dataclass(frozen=True, repr=False)
class ShownTable:
    """A table as the report has it.

    Attributes
    ----------
    study, name
        The study, and the name of its table.
    """

    study: Study
    name: str

    def to_latex(self) -> str:
        r"""A ``tabular`` for the package booktabs, with the texts of the report.

        Examples
        --------
        >>> import headroom as hr
        >>> print(hr.plan("thesis-7kw").table("overprovisioning").to_latex().splitlines()[0])
        \begin{tabular}{lrrrl}
        """
        shown = grid(Texts(self.study), self.study.table(self.name), None)
        sides = "".join("r" if right else "l" for right in shown.right)
        lines = [_latex_row(row) for row in (shown.headings, *shown.rows)]
        return "\n".join((
            f"\\begin{{tabular}}{{{sides}}}", r"\toprule", lines[0], r"\midrule", *lines[1:],
            r"\bottomrule", r"\end{tabular}", "",
        ))  # fmt: skip

    def to_csv(self) -> str:
        """A header with units, and raw numbers; names that begin like a formula stay text."""
        texts = Texts(self.study)
        rows = self.study.rows(self.name)
        table = self.study.table(self.name)
        units = {column.unit_at for column in table.columns}
        columns = [
            *shown_columns(table, rows),
            *(column for column in table.columns if column.key in units),
        ]
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([heading_with_unit(texts, column) for column in columns])
        for row in rows:
            cells = (plain(texts, column, row) for column in columns)
            writer.writerow([inert(cell) for cell in cells])
        return text.getvalue()

    def __repr__(self) -> str:
        return f"<ShownTable {self.name!r}: {len(self.study.rows(self.name))} rows>"


def _latex_row(cells: tuple[str, ...]) -> str:
    escaped = (_SPECIAL.sub(lambda found: _LATEX[found[0]], unmarked(cell)) for cell in cells)
    # a row that begins with [ would be an option of the line above
    return "{}" + " & ".join(escaped) + r" \\"
