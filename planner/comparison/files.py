"""The comparison as files for a paper: CSV, a LaTeX table, and the times apart from both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from planner.formatting import DASH, percent
from scenarios.tables.inert import csv_text

if TYPE_CHECKING:
    from planner.comparison.result import ComparisonResult

FILES = ("compare.csv", "compare.tex", "times.csv")
"""In the folder of a report. Only times.csv differs from run to run."""

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_HEADINGS = {
    "method": "method", "solved": "plans", "optimal": "optimal", "proved": "proved optimal",
    "level": "certificate", "tolerance": "tolerance", "best_of_all": "best or tied",
    "median_gap": "median gap", "worst_gap": "largest gap",
}  # fmt: skip
_NAMES = ("method", "level")


def files(result: ComparisonResult) -> dict[str, bytes]:
    """Every answer as CSV, the methods as a LaTeX table, and the times of this run."""
    methods = [{key: getattr(each, key) for key in _HEADINGS} for each in result.summaries]
    texts = (_csv(result.answers()), latex(methods, result.decision.title), _csv(result.times()))
    return {name: text.encode() for name, text in zip(FILES, texts, strict=True)}


def latex(rows: Sequence[Mapping[str, Any]], caption: str) -> str:
    """The methods as a table for the package booktabs."""
    columns = "".join("l" if key in _NAMES else "r" for key in _HEADINGS)
    body = [
        " & ".join(_escaped(_cell(key, row[key])) for key in _HEADINGS) + r" \\" for row in rows
    ]
    return "\n".join(
        (
            r"\begin{table}",
            rf"\caption{{{_escaped(caption)}: methods; gaps are to the best limit of any method.}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            " & ".join(_HEADINGS.values()) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        )
    )


def _cell(key: str, value: Any) -> str:
    if value is None:
        return DASH
    return percent(value) if key.endswith("_gap") else str(value)


def _escaped(text: str) -> str:
    plain = text.replace("\u2013", "--").replace("\u2212", "-")
    return "".join(_LATEX.get(letter, letter) for letter in plain)


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    headings = list(rows[0]) if rows else []
    return csv_text([headings, *([row[key] for key in headings] for row in rows)])
