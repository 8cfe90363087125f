"""Formulas that a workbook works out anew when somebody changes a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Formula:
    """A formula over other cells, with its value for programs that work nothing out.

    Attributes
    ----------
    words
        As a spreadsheet writes it, without ``=``. ``{price}`` is the cell of the same row in the
        column of that name, and ``{price:all}`` are all cells of that column above this one.
        ``{price:9}`` are its cells down to row 9, wherever the formula is.
    value
        What it gives for the numbers of the study.
    """

    words: str
    value: float

    def text(self, row: int, columns: Mapping[str, str]) -> str:
        """The formula in a row, counted from 1, where columns have these letters.

        Examples
        --------
        >>> Formula("{nodes}*{price}", 12.0).text(3, {"nodes": "B", "price": "C"})
        '=B3*C3'
        >>> Formula("SUM({price:all})", 9.0).text(5, {"price": "C"})
        '=SUM(C2:C4)'
        >>> Formula("{price}/SUM({price:9})", 0.5).text(3, {"price": "C"})
        '=C3/SUM(C$2:C$9)'
        """

        def cell(found: re.Match[str]) -> str:
            letters = columns[found[1]]
            if found[2] is None:
                return f"{letters}{row}"
            if found[2] == "all":
                return f"{letters}2:{letters}{row - 1}"
            return f"{letters}$2:{letters}${found[2]}"

        return "=" + re.sub(r"\{(\w+)(?::(all|\d+))?\}", cell, self.words)
