"""Questions to vendors: a file for each, and the answers that came back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scenarios.faults import ScenarioError
from scenarios.model.quote_fields import short_name
from scenarios.proposal.mapping import Mapping
from scenarios.quotes.answers import NODE_TYPE, headings
from scenarios.tables.cell_text import is_blank
from scenarios.tables.spreadsheet import read_cells

OF_PACKAGES = "package-questions"
"""Beginning of the names of files with questions about lines of packages."""


@dataclass(frozen=True)
class Question:
    """What a vendor's sheets do not state, or state in two ways.

    ``node_type`` may also be a line of a package, whose questions have a ``file`` of their own.
    """

    vendor: str
    node_type: str
    field: str
    question: str
    found_at: str
    file: str = ""


def in_unit(question: Question, currency: str) -> Question:
    """A question of money that says in which unit an answer is read."""
    end = "" if question.question.endswith(("?", ".")) else "."
    unit = f"{end} Answer in {currency or 'the currency of the budget'}, or write the unit"
    return replace(question, question=question.question + unit)


def file_of(vendor: str, what: str = "questions") -> str:
    """Name of the file of questions to a vendor.

    Examples
    --------
    >>> file_of("Muster GmbH & Co. KG")
    'questions-Muster-GmbH-Co.-KG.xlsx'
    """
    return f"{what}-{short_name(vendor).rstrip('.') or 'vendor'}.xlsx"


def question_files(
    questions: Sequence[Question], what: str = "questions"
) -> dict[str, list[Question]]:
    """The questions by the file that they are mailed in, whose name begins with ``what``."""
    files: dict[str, list[Question]] = {}
    for each in questions:
        files.setdefault(each.file or file_of(each.vendor, what), []).append(each)
    return files


def answered(mappings: Sequence[Mapping], folder: Path) -> None:
    """Let a mapping read the answers of a file of questions that came back filled in."""
    for mapping in mappings:
        vendor = mapping.columns.get("vendor")
        if not isinstance(vendor, dict):
            continue
        name = file_of(str(vendor.get("value", "")))
        if has_answers(folder / name):
            mapping.entry["answers"] = name
            mapping.why["answers"] = "the vendor's answers go before what the sheets state"


def has_answers(path: Path) -> bool:
    """Whether a file of questions came back filled in."""
    if not path.is_file():
        return False
    try:
        table = read_cells(path, str(path))
    except ScenarioError:  # said when the file is to be written
        return False
    last = len(headings(NODE_TYPE)) - 1
    return any(not is_blank(table.cell(row, last)) for row in range(1, len(table.rows)))
