"""Numbers in cells before the decimal mark of their table is known."""

from __future__ import annotations

import re

from scenarios.proposal.columns import Column
from scenarios.tables.cell_text import CellError, one_line, shown
from scenarios.tables.cells import Cell, NumberWithUnit
from scenarios.tables.number_grammar import Mark, plain_signs
from scenarios.tables.units import factor

WITH_UNIT = re.compile(r"(?P<number>[+-]?\d[\d.,'\u2019 ]*?)\s*(?P<unit>(?:[^\d.,][^\d,]*)?)")

_CURRENCY = re.compile(r"^(?:[€$£₺]|[A-Z]{3}) ?(?=[\d+-])")
"""A currency in front of a number."""


def mark_of(number: str) -> Mark | None:
    """The decimal mark of a number that can be read in one way only."""
    marks = [each for each in number if each in ".,"]
    if not marks:
        return None
    if len(set(marks)) == 2:
        return "point" if marks[-1] == "." else "comma"
    if len(marks) > 1:
        return "comma" if marks[0] == "." else "point"
    head, tail = re.split("[.,]", number)
    if len(tail) == 3 and 0 < len(head) <= 3 and head != "0":
        return None
    return "point" if marks[0] == "." else "comma"


def number_in(cell: Cell) -> float | None:
    """The number of a cell without its unit; ``None`` where there is none."""
    if isinstance(cell, float):
        return cell
    if isinstance(cell, NumberWithUnit):
        return cell.stored
    text = _CURRENCY.sub("", plain_signs(one_line(cell))) if isinstance(cell, str) else ""
    found = WITH_UNIT.fullmatch(text)
    if found is None:
        return None
    text = found["number"]
    mark = mark_of(text)
    digits = re.sub(r"[' \u2019]", "", text)
    digits = digits.replace(".", "") if mark == "comma" else digits
    digits = digits.replace(",", "." if mark == "comma" else "")
    try:
        return float(digits)
    except ValueError:
        return None


def amounts(column: Column) -> dict[int, float]:
    """The numbers of a column by the index of the cell, in our unit where its unit is known.

    A grouped number such as 18.200 is taken for a price; one of a percentage is a fraction.
    """
    unit = column.unit
    try:
        scale = float(factor(unit.name, unit.dimension, unit.currency)) if unit.name else 1.0
    except CellError:
        scale = 1.0
    found = {}
    for place, cell in enumerate(column.cells):
        number = number_in(cell) if shown(cell) else None
        if number is not None:
            plain = isinstance(cell, NumberWithUnit) and cell.stored != float(cell.shown)
            found[place] = number if plain else number * scale
    if unit.dimension == "money" and any(_grouped(cell) for cell in column.cells):
        found = {
            place: 1000 * number if _grouped(column.cells[place]) else number
            for place, number in found.items()
        }
    return found


def _grouped(cell: Cell) -> bool:
    """Whether a text is a number that a point groups, as in 18.200."""
    return (
        isinstance(cell, str)
        and re.search(r"(?<!\d)[1-9]\d{0,2}\.\d{3}(?![\d,])", cell) is not None
    )
