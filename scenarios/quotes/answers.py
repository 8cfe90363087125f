"""A vendor's answers to questions about its sheets, laid over what these state."""

from __future__ import annotations

from scenarios.faults import Fault
from scenarios.formatting import folded, nearest, short
from scenarios.model.quote_fields import BY_NAME, PER_CENT
from scenarios.quotes.layout import Spot, heading_of
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import is_blank
from scenarios.tables.cells import Table
from scenarios.tables.number_grammar import Mark

HEADINGS = ("node type", "field", "question", "found at", "answer")
"""Headings of the file of questions; rows without an answer are passed over."""

_NEEDED = ("node type", "field", "answer")
Answers = dict[str, dict[str, Spot]]
"""Cells of answers by the folded name of the node type, and by the target."""


def answers_in(cells: Table, decimal: Mark, currency: str) -> tuple[Answers, list[Fault]]:
    """Find the answers in a file of questions.

    Parameters
    ----------
    cells
        The file.
    decimal, currency
        Decimal mark of its texts, and currency of its prices.
    """
    rows = [[heading_of(cell).casefold() for cell in row] for row in cells.rows]
    header = next((i for i, row in enumerate(rows) if {*_NEEDED} <= {*row}), None)
    if header is None:
        message = f"there are no headings {', '.join(HEADINGS)}; use the file of the questions"
        return {}, [cells.whole_fault(message)]
    name_at, field_at, answer_at = (rows[header].index(heading) for heading in _NEEDED)
    found: Answers = {}
    faults: list[Fault] = []
    for row in range(header + 1, len(cells.rows)):
        answer = cells.cell(row, answer_at)
        if is_blank(answer):
            continue
        name, target = (heading_of(cells.cell(row, at)) for at in (name_at, field_at))
        if target not in BY_NAME or target == "name":
            message = f"there is no field {short(target)}; {nearest(target, [*BY_NAME])}"
            faults.append(cells.fault(row, field_at, message))
            continue
        unit = "%" if target in PER_CENT else ""
        spot = Spot(cells, row, answer_at, answer, Reading(target, unit, decimal, currency))
        of_type = found.setdefault(folded(name), {})
        if target in of_type:
            message = f"{target} of {short(name)} is answered in {of_type[target].address} too"
            faults.append(spot.fault(f"{message}; keep one of them"))
        of_type[target] = spot
    return found, faults
