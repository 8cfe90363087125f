"""What decimals follow in a whole table, and numbers with units that are read by it.

One rule for every table whose user does not declare it: a number that can be read in one way
decides for the file, and a number that can be read in two ways is refused where none decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

from scenarios.tables.cell_text import CellError, quoted
from scenarios.tables.number_grammar import Mark, parse_number

FileMark = Mark | Literal["unclear"]
"""What decimals follow in a file; ``unclear`` where ``1,234`` may be two numbers."""

_NUMBER = re.compile(r"([+-]?[0-9.,](?:[0-9.,'\u2019 ]*[0-9.,])?(?:[eE][+-]?[0-9]{1,3})?)(.*)")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?P<mark>[.,])[0-9]{3}")
_LONGEST = 400


def mark_of(texts: Iterable[str], delimiter: str) -> FileMark:
    """The mark of decimals of a whole file; ``unclear`` where ``1,234`` may be either.

    A comma is a decimal mark if a number cannot be read otherwise, as in ``13,9``. Next to
    semicolons it is one, too, if no number has a point. It never is if commas separate cells. A
    plain ``13.916`` is 13.916: times have three decimals and more.

    Parameters
    ----------
    texts
        Cells of numbers.
    delimiter
        Delimiter of the file; empty where it has none.

    Examples
    --------
    >>> mark_of(["13,9"], "|"), mark_of(["1,234"], ";"), mark_of(["1,234"], "|")
    ('comma', 'comma', 'unclear')
    """
    marked = [text for text in texts if "," in text or "." in text]
    if not any("," in text for text in marked):
        return "point"
    evidence = {".": 0, ",": 0}
    doubtful = {".": 0, ",": 0}
    for text in marked:
        last = max(text.rfind("."), text.rfind(","))
        grouped = _GROUPED.match(text.strip())
        alone = grouped is not None and text.count(".") + text.count(",") == 1
        (doubtful if alone else evidence)[text[last]] += 1
    if evidence[","] > evidence["."] and delimiter != ",":
        return "comma"
    if evidence["."] or not doubtful[","]:
        return "point"
    if delimiter == ";" and not doubtful["."]:
        return "comma"
    return "unclear"


def number_and_unit(text: str, mark: FileMark) -> tuple[Decimal, str]:
    """Take a text apart into a number and the unit behind it, which may be empty.

    Raises
    ------
    CellError
        There is no number, its decimals follow another mark than the file's, or it may be two
        numbers.

    Examples
    --------
    >>> number_and_unit("1,234.5 kW", "point")
    (Decimal('1234.5'), 'kW')
    """
    if text[:1] == "=":
        raise CellError(f"{quoted(text)} is a formula; write its value")
    found = _NUMBER.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or any(each.isdigit() for each in found[2]):
        raise CellError(f"{quoted(text)} is not a number; write it in digits, as in 2.5")
    digits, unit = found[1], found[2].replace(" ", "")
    grouped = _GROUPED.fullmatch(digits)
    if grouped is not None and grouped["mark"] == "." and mark != "comma":
        return Decimal(digits), unit
    if grouped is not None and (mark == "unclear" or (mark == "comma" and grouped["mark"] == ".")):
        low, high = re.sub("[.,]", ".", digits), re.sub("[.,]", "", digits)
        exact = f"{low}0" if mark == "unclear" else f"{low}0".replace(".", ",")
        raise CellError(f"{quoted(text)} may be {low} or {high}; write {high}, or {exact}")
    read_as: Mark = "comma" if mark == "comma" or (mark == "unclear" and "," in digits) else "point"
    try:
        return parse_number(digits, read_as), unit
    except CellError:
        message = f"{quoted(text)} is not a number with a decimal {read_as}"
        raise CellError(f"{message}, which this file uses; correct it") from None


def mark_of_beginning(texts: Iterable[str], delimiter: str) -> FileMark:
    """The mark of decimals of a file of which the beginning is known.

    As :func:`mark_of`. If the beginning has no decimals and no commas separate cells, each later
    number is read by itself. A number that may be two numbers is refused.
    """
    found = [text for text in texts if "," in text or "." in text]
    return mark_of(found, delimiter) if found or delimiter == "," else "unclear"
