"""Texts of cells, as quotes are compared and shown by them."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata

from scenarios.formatting import clipped
from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable

LONGEST_LABEL = 120
_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
"""The pattern finds terminal controls, characters without width and non-characters.

With a character without width, two different names look alike.
"""


class CellError(ValueError):
    """A cell cannot be read as what it should hold; the message says the remedy."""


def is_blank(cell: Cell) -> bool:
    """Whether a cell is empty or holds blanks only."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def one_line(text: str) -> str:
    """One line: blanks of any kind and number made one space, accents joined to their letters."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def shown(cell: Cell) -> str:
    """The text of a cell on one line; empty where it shows nothing."""
    if isinstance(cell, Unreadable):
        return one_line(cell.text)
    if is_blank(cell):
        return ""
    if isinstance(cell, NumberWithUnit):
        return f"{cell.shown.normalize():f} {cell.unit}".strip()
    if isinstance(cell, float):
        return f"{cell:.15g}"
    if isinstance(cell, dt.date):
        return cell.isoformat()
    return one_line(str(cell))


def quoted(text: str) -> str:
    """The beginning of a text, in quotation marks."""
    return repr(clipped(text))


def as_text(cell: Cell) -> str:
    """What a cell holds, without blanks around it.

    Raises
    ------
    CellError
        It is blank, or holds a control character other than a tab or a line end.
    """
    if isinstance(cell, NumberWithUnit):
        cell = cell.stored
    text = (f"{cell:.15g}" if isinstance(cell, float) else str(cell)).strip()
    if not text:
        raise CellError("is blank; write a text")
    control = _CONTROL.search(re.sub(r"[\t\n\r]", " ", text))
    if control:
        raise CellError(f"contains the control character U+{ord(control[0]):04X}; delete it")
    return text


def as_label(cell: Cell, target: str) -> str:
    """What a cell holds, on one line.

    Raises
    ------
    CellError
        It is blank, too long, or holds a control character.
    """
    text = one_line(as_text(cell))
    check_length(text, LONGEST_LABEL, target)
    return text


def check_length(text: str, most: int, target: str) -> None:
    """Refuse a text of more than ``most`` characters.

    Raises
    ------
    CellError
        It is too long.
    """
    if len(text) > most:
        raise CellError(f"{target} has {len(text)} characters; give at most {most}")
