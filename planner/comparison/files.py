"""The comparison as files for a paper: CSV, a LaTeX table, and the times apart from both."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from planner.comparison.study import ComparisonStudy
from planner.worded_table import Table
from scenarios.tables.inert import inert

FILES = ("compare.csv", "compare.tex", "times.csv")
"""In the folder of a report. Only times.csv differs from run to run."""

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def files(study: ComparisonStudy) -> Mapping[str, bytes]:
    """Every answer as CSV, the methods as a LaTeX table, and the times of this run."""
    methods, *_, answers = study.shown
    texts = (_csv(answers.plain()), latex(methods, study.decision.title), _csv(study.times()))
    return {name: text.encode() for name, text in zip(FILES, texts, strict=True)}


def latex(table: Table, caption: str) -> str:
    """A table for the package booktabs.

    Parameters
    ----------
    caption
        What is compared; the table's own caption follows it.
    """
    columns = "".join("r" if column.number else "l" for column in table.columns)
    rows = [" & ".join(map(_escaped, cells)) + r" \\" for cells in table.cells()]
    return "\n".join(
        (
            r"\begin{table}",
            rf"\caption{{{_escaped(caption)}. {_escaped(table.caption)}.}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            " & ".join(map(_escaped, table.headings())) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        )
    )


def _escaped(text: str) -> str:
    plain = text.replace("\u2013", "--").replace("\u2212", "-")
    return "".join(_LATEX.get(letter, letter) for letter in plain)


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: inert(value) for key, value in row.items()} for row in rows)
    return text.getvalue()
