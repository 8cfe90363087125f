"""The fields of a package's line that cells may give, and how each is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args

from pydantic import Field as Described

from scenarios.fields import IDENTIFIER_PATTERN, LARGEST
from scenarios.model.quote_fields import as_name
from scenarios.tables.amounts import Amount, Reading
from scenarios.tables.cell_text import (
    LONGEST_LABEL,
    CellError,
    as_label,
    as_text,
    is_blank,
    one_line,
    quoted,
)
from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable
from scenarios.tables.field import Field, Kind

LineKind = Literal[
    "node", "rack", "cooling", "network", "storage", "login", "spare", "installation", "service",
    "removal", "other",
]  # fmt: skip
LINE_KINDS: tuple[str, ...] = get_args(LineKind)
Followed = Annotated[str, Described(pattern=rf"^(node|rack):{IDENTIFIER_PATTERN[1:]}")]
"""What a line follows: nodes of a node type, or racks of a line."""


def read_line_cell(cell: Cell, reading: Reading) -> Any:
    """Read a cell as its target wants it.

    Raises
    ------
    CellError
        It cannot be read so.
    """
    if isinstance(cell, Unreadable):
        raise CellError(cell.message)
    if isinstance(cell, NumberWithUnit) and not BY_NAME[reading.target].dimension:
        cell = cell.plain
    read = _SPECIAL.get(reading.target, _AMOUNTS[reading.target])
    return read(cell, reading)


def read_printed_total(cell: Cell, reading: Reading) -> float:
    """Read the cell of a printed total.

    Raises
    ------
    CellError
        It is blank, or not an amount of money.
    """
    if isinstance(cell, Unreadable):
        raise CellError(cell.message)
    if is_blank(cell):
        raise CellError("is blank; name the cell of the printed total")
    return float(_PRINTED_TOTAL(cell, reading))


def _item(cell: Cell, _: Reading) -> str:
    """The text of a line; a long one is cut, since its cell has the whole."""
    text = one_line(as_text(cell))
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 3].rstrip()}..."


def _kind(cell: Cell, _: Reading) -> str:
    text = as_label(cell, "kind")
    if text.casefold() not in LINE_KINDS:
        remedy = f"write one of {', '.join(LINE_KINDS)}, or translate it under values"
        raise CellError(f"{quoted(text)} is not a kind of line; {remedy}")
    return text.casefold()


def _yes_or_no(cell: Cell, _: Reading) -> bool:
    text = as_label(cell, "per_year").casefold()
    if text not in {"true", "false"}:
        raise CellError(f"{quoted(text)} is not true or false; translate it under values")
    return text == "true"


def _field(
    name: str, meaning: str, kind: Kind = "number", blank: str = "not given", **how: Any
) -> Field:
    return Field(name, meaning, kind, required=not blank, blank=blank, **how)


_MONEY: dict[str, Any] = {"least": -LARGEST, "quantity": "money"}
FIELDS = (
    _field("item", "Text of the line; a long one is cut", "special", ""),
    _field("price", "Price of one unit; negative for a rebate", blank="that of `total`", **_MONEY),
    _field("quantity", "Units in the whole offer", "whole", "1", most=1e9),
    _field("total", "Price x quantity, which is checked", **_MONEY),
    _field("watts", "IT power of one unit; not of nodes", blank="0", unit="W"),
    _field("kind", "What the line is", "special", choices=LINE_KINDS),
    _field("name", "Node type of a line of nodes; else the name for `per`", "special"),
    _field("per_year", "Whether the price is due in every year", "special", "false",
           choices=("true", "false")),
    _field("minimum_quantity", "Least number of nodes", "whole", most=1e9),
    _field("maximum_quantity", "Largest number of nodes", "whole", least=1, most=1e9),
)  # fmt: skip
"""What a sheet with the lines of a package may hold, as ``docs/tables.md`` lists it."""

BY_NAME = {field.name: field for field in FIELDS}
ANSWERED = (*(name for name in BY_NAME if name != "item"), "printed_total")
"""What a vendor's answers may replace; the line of ``printed_total`` does not matter."""
NUMBERS = tuple(field.name for field in FIELDS if field.kind != "special")
_PRINTED_TOTAL = Amount(Field("printed_total", "", quantity="money"))
_AMOUNTS = {name: Amount(field) for name, field in BY_NAME.items()}
_SPECIAL: dict[str, Callable[[Cell, Reading], Any]] = {
    "item": _item,
    "kind": _kind,
    "name": as_name,
    "per_year": _yes_or_no,
}
