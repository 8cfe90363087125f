"""Formulas that a workbook works out anew when somebody changes a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Place:
    """Where a table lies in a workbook.

    Attributes
    ----------
    sheet
        Title of its sheet.
    last
        Its last row; row 1 has the headings.
    letters
        Letters of its columns by their keys.
    """

    sheet: str
    last: int
    letters: Mapping[str, str]


def formula_text(
    formula: str,
    row: int,
    last: int,
    letters: Mapping[str, str],
    others: Mapping[str, Place] = MappingProxyType({}),
) -> str:
    """A formula of a column as a spreadsheet writes it.

    Parameters
    ----------
    formula
        As a column of a table has it: ``{price}`` is the cell of the row under that key, and
        ``{price:all}`` are the cells of all rows, ``{lines.price:all}`` those of another table.
    row, last
        The row of the cell, and the last row of the table; row 1 has the headings.
    letters
        Letters of the columns by their keys.
    others
        The other tables of the workbook by their names.

    Examples
    --------
    >>> formula_text("{nodes}*{price}", 3, 9, {"nodes": "B", "price": "C"})
    '=B3*C3'
    >>> formula_text("{price}/SUM({price:all})", 3, 9, {"price": "C"})
    '=C3/SUM(C$2:C$9)'
    >>> lines = Place("Lines", 7, {"price": "D"})
    >>> formula_text("SUM({lines.price:all})", 3, 9, {}, {"lines": lines})
    "=SUM('Lines'!D$2:D$7)"
    """

    def cell(found: re.Match[str]) -> str:
        if found[1]:
            other = others[found[1]]
            letter = other.letters[found[2]]
            return f"'{other.sheet}'!{letter}$2:{letter}${other.last}"
        letter = letters[found[2]]
        return f"{letter}$2:{letter}${last}" if found[3] else f"{letter}{row}"

    return "=" + re.sub(r"\{(?:(\w+)\.)?(\w+)(:all)?\}", cell, formula)
