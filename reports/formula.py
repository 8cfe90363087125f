"""Formulas that a workbook works out anew when somebody changes a number."""

from __future__ import annotations

import re
from collections.abc import Mapping


def formula_text(formula: str, row: int, last: int, letters: Mapping[str, str]) -> str:
    """A formula of a column as a spreadsheet writes it.

    Parameters
    ----------
    formula
        As a column of a table has it: ``{price}`` is the cell of the row under that key, and
        ``{price:all}`` are the cells of all rows.
    row, last
        The row of the cell, and the last row of the table; row 1 has the headings.
    letters
        Letters of the columns by their keys.

    Examples
    --------
    >>> formula_text("{nodes}*{price}", 3, 9, {"nodes": "B", "price": "C"})
    '=B3*C3'
    >>> formula_text("{price}/SUM({price:all})", 3, 9, {"price": "C"})
    '=C3/SUM(C$2:C$9)'
    """

    def cell(found: re.Match[str]) -> str:
        letter = letters[found[1]]
        return f"{letter}$2:{letter}${last}" if found[2] else f"{letter}{row}"

    return "=" + re.sub(r"\{(\w+)(:all)?\}", cell, formula)
