"""Anything else that a vendor states of a node type: a text, a number, or yes and no."""

from __future__ import annotations

from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError, as_label
from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable
from scenarios.tables.number_grammar import parse_number

ATTRIBUTE = "attributes."
"""Before the name of an attribute, in the key of its column."""

_YES_AND_NO = {"true": True, "false": False}


def stated(cell: Cell, reading: Reading) -> str | float | bool:
    """What a cell states; a text that is a number, true or false is read as such.

    So a sheet means the same as a workbook and as CSV.

    Raises
    ------
    CellError
        It cannot be used, or is too long.
    """
    if isinstance(cell, Unreadable):
        raise CellError(cell.message)
    if isinstance(cell, NumberWithUnit):
        cell = cell.plain
    if isinstance(cell, bool | float):
        return cell
    text = as_label(cell, reading.target.removeprefix(ATTRIBUTE))
    if text.casefold() in _YES_AND_NO:
        return _YES_AND_NO[text.casefold()]
    try:
        return float(parse_number(text, reading.decimal))
    except CellError:
        return text
