"""A vendor's answers to questions about its sheets, laid over what these state."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.faults import Fault
from scenarios.formatting import folded, nearest, short
from scenarios.model.quote_fields import PER_CENT
from scenarios.quotes.layout import Spot, heading_of
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import is_blank
from scenarios.tables.cells import Table
from scenarios.tables.number_grammar import Mark

NODE_TYPE, LINE = "node type", "line"
"""What questions are about, the first heading of their file. A line begins with its row, as in
``7: Rack``."""
Answers = dict[str, dict[str, Spot]]
"""Cells of answers by the folded node type or line, and by the target."""


def headings(about: str) -> tuple[str, ...]:
    """Headings of a file of questions; rows without an answer are passed over."""
    return about, "field", "question", "found at", "answer"


def answers_in(
    cells: Table, about: str, fields: Sequence[str], decimal: Mark, currency: str
) -> tuple[Answers, list[Fault]]:
    """Find the answers in a file of questions.

    Parameters
    ----------
    cells
        The file.
    about
        What the questions are about: ``NODE_TYPE`` or ``LINE``.
    fields
        What may be answered.
    decimal, currency
        Decimal mark of its texts, and currency of its prices.
    """
    needed = about, "field", "answer"
    rows = [[heading_of(cell).casefold() for cell in row] for row in cells.rows]
    header = next((i for i, row in enumerate(rows) if {*needed} <= {*row}), None)
    if header is None:
        message = f"there are no headings {', '.join(headings(about))}"
        return {}, [cells.whole_fault(f"{message}; use the file of the questions")]
    name_at, field_at, answer_at = (rows[header].index(heading) for heading in needed)
    found: Answers = {}
    faults: list[Fault] = []
    for row in range(header + 1, len(cells.rows)):
        answer = cells.cell(row, answer_at)
        if is_blank(answer):
            continue
        name, target = (heading_of(cells.cell(row, at)) for at in (name_at, field_at))
        if target not in fields:
            message = f"there is no field {short(target)}; {nearest(target, [*fields])}"
            faults.append(cells.fault(row, field_at, message))
            continue
        unit = "%" if target in PER_CENT else ""
        spot = Spot(cells, row, answer_at, answer, Reading(target, unit, decimal, currency))
        answered = found.setdefault(folded(name), {})
        if target in answered:
            message = f"{target} of {short(name)} is answered in {answered[target].address} too"
            faults.append(spot.fault(f"{message}; keep one of them"))
        answered[target] = spot
    return found, faults
