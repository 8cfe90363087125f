"""The fields of a quote that cells may give, and how each is read.

Headroom guesses nothing. A cell has an error if its digits are grouped oddly, its unit or currency
does not fit, or its date may be two dates. The error says how to fix it.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from scenarios.fields import IDENTIFIER_PATTERN, LARGEST, LONGEST_LEAD, SMALLEST
from scenarios.model.node_types import NodeType
from scenarios.model.quote_discounts import read_discounts
from scenarios.tables.amounts import Amount, Likely, Reading, split
from scenarios.tables.cell_text import (
    LONGEST_LABEL,
    CellError,
    as_label,
    as_text,
    check_length,
    quoted,
)
from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable
from scenarios.tables.field import Field, Kind

MOST_CAPS = 100
_LONGEST_SOURCE = 4000
_DATES = (
    (re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})"), ((1, 2, 3),)),
    (re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})"), ((3, 2, 1),)),
    (re.compile(r"([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{4})"), ((3, 2, 1), (3, 1, 2))),
)
"""Ways to write a date, and the groups that may hold year, month and day."""

_MONTHS = (
    "january januar janvier enero", "february februar fevrier febrero",
    "march maerz marz mrz mars marzo", "april avril abril", "may mai mayo", "june juni juin junio",
    "july juli juillet julio", "august aout agosto", "september septembre septiembre",
    "october oktober octobre octubre", "november novembre noviembre",
    "december dezember decembre diciembre",
)  # fmt: skip
_WITH_MONTH = (
    re.compile(r"([0-9]{1,2})(?:\.|st|nd|rd|th)?[ -]+(?:de )?([^\W\d_]{3,})\.?,?[ -]+([0-9]{4})"),
    re.compile(r"()([^\W\d_]{3,})\.? ([0-9]{1,2})(?:st|nd|rd|th)?, ?([0-9]{4})"),
)
"""Ways to write a date with the name of a month: the day before it, or behind it."""


def read_cell(cell: Cell, reading: Reading) -> Any:
    """Read a cell as its target wants it.

    Raises
    ------
    CellError
        It cannot be read so.
    """
    if isinstance(cell, Unreadable):
        raise CellError(cell.message)
    if (
        isinstance(cell, NumberWithUnit)
        and not BY_NAME[reading.target].dimension
        and reading.target != "discounts"
    ):
        cell = cell.plain
    read = _SPECIAL.get(reading.target, _AMOUNTS[reading.target])
    return read(cell, reading)


def _label(cell: Cell, reading: Reading) -> str:
    return as_label(cell, reading.target)


def _source(cell: Cell, reading: Reading) -> str:
    text = as_text(cell).replace("\r\n", "\n").replace("\r", "\n")
    check_length(text, _LONGEST_SOURCE, reading.target)
    return text


def short_name(text: str) -> str:
    """Make a name of a text: runs of characters that names may not hold become hyphens.

    A text without a Latin letter or digit is spelt as Unicode names its letters.

    Examples
    --------
    >>> short_name("NL Zen (rev. 2)"), short_name("Größe L")
    ('NL-Zen-rev.-2', 'Gr-e-L')
    >>> short_name("узел"), short_name("計算ノード")
    ('uzeieel', 'u8a08u7b97no-do')
    """
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).lstrip("._-")[:64].rstrip("-")
    if not name:
        name = re.sub("[^a-z0-9]+", "-", "".join(map(_spelt, text))).strip("-")[:64]
    return name


def _spelt(letter: str) -> str:
    """The end of a letter's name in Unicode; of an ideograph its number."""
    if not letter.isalnum() or unicodedata.category(letter) == "Lm":
        return "-"
    last = unicodedata.name(letter, "").lower().rpartition(" ")[2].rpartition("-")[2]
    return last if last.isalpha() and last.isascii() else f"u{ord(letter):x}"


def as_name(cell: Cell, reading: Reading) -> str:
    """A name made of the text of a cell.

    Raises
    ------
    CellError
        It has no letter or digit.
    """
    text = _label(cell, reading)
    name = short_name(text)
    if not re.fullmatch(IDENTIFIER_PATTERN, name):
        raise CellError(f"{quoted(text)} has no letter or digit; give a name with one")
    return name


def _kind(cell: Cell, reading: Reading) -> str:
    return as_name(cell, reading).lower()  # CPU and cpu are one kind


def _cooling(cell: Cell, reading: Reading) -> str:
    text = _label(cell, reading).lower()
    if text not in {"air", "liquid"}:
        remedy = "write air or liquid, or translate it under values in the mapping"
        raise CellError(f"{quoted(text)} is not a type of cooling; {remedy}")
    return text


def _date(cell: Cell, reading: Reading) -> dt.date:
    if isinstance(cell, dt.date):
        return cell
    text = _label(cell, reading)
    if isinstance(cell, float):
        raise CellError(f"{text} is a number; format the cell as a date")
    for pattern, order in _DATES:
        matched = pattern.fullmatch(text)
        if matched is None:
            continue
        days = {_day(*(int(matched[each]) for each in way)) for way in order} - {None}
        if len(days) == 1 and len(order) == 1:
            return next(day for day in days if day)
        if days:
            listed = " or ".join(sorted(str(day) for day in days))
            raise CellError(f"{quoted(text)} could be two dates; write {listed}")
    if (day := _day_with_month(text)) is not None:
        return day
    raise CellError(f"{quoted(text)} is not a date; write it as in 2027-03-31")


def _day_with_month(text: str) -> dt.date | None:
    """The day of ``31 March 2027``, ``31-Mar-2027`` or ``March 31, 2027``, if it is one."""
    for pattern in _WITH_MONTH:
        matched = pattern.fullmatch(text)
        if matched is None:
            continue
        first, word, *rest = matched.groups()
        plain = unicodedata.normalize("NFKD", word.lower()).encode("ascii", "ignore").decode()
        months = [
            number
            for number, names in enumerate(_MONTHS, 1)
            if any(name.startswith(plain) for name in names.split())
        ]
        if len(months) == 1:
            day, year = (first, rest[0]) if first else (rest[0], rest[1])
            return _day(int(year), months[0], int(day))
    return None


def _day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _caps(cell: Cell, reading: Reading) -> list[float]:
    """Read caps such as ``300/350/400 W``: the last one's unit is the unit of those without."""
    cap = _AMOUNTS["package_caps_w"]
    if not isinstance(cell, str):
        return [cap(cell, reading)]
    comma = r"|,\s+" if reading.decimal == "point" else ""
    parts = [part for part in re.split(rf"[;/\n]{comma}", cell) if part.strip()]
    if len(parts) > MOST_CAPS:
        raise CellError(f"has {len(parts)} caps; give at most {MOST_CAPS}")
    pairs = [split(part, reading) for part in parts]
    last = pairs[-1][1] if pairs else ""
    return sorted({cap.checked(number, unit or last, reading) for number, unit in pairs})


_INSTRUCTIONS = re.compile(r"avx[ -]?(?:(512)\w*|2)")


def _vector_bits(cell: Cell, reading: Reading) -> float | int:
    """Read a width, or the name of an instruction set that has one: AVX-512 or AVX2."""
    named = _INSTRUCTIONS.fullmatch(cell.strip().casefold()) if isinstance(cell, str) else None
    if named is not None:
        return int(named[1] or 256)
    return _AMOUNTS["vector_bits"](cell, reading)


def _minimum(cell: Cell, reading: Reading) -> float | int:
    return max(1, _AMOUNTS["minimum_quantity"](cell, reading))  # the least number sold, if any is


REQUIRED = ("name", "vendor", "price", "idle_w", "peak_w")
"""Fields that every quote has."""


def _field(name: str, kind: Kind, most: float, meaning: str = "", **how: Any) -> Field:
    """Describe a field of a quote: its meaning is that of the field of the node type."""
    meaning = meaning or (NodeType.model_fields[name].description or "").rstrip(".")
    blank = "" if name in REQUIRED else "not given"
    return Field(name, meaning, kind, most=most, required=not blank, blank=blank, **how)


def _special(name: str, most: float = LONGEST_LABEL, **how: Any) -> Field:
    return _field(name, "special", most, **how)


def _number(name: str, least: float = 0.0, most: float = LARGEST, **how: Any) -> Field:
    return _field(name, "number", most, least=least, **how)


def _whole(name: str, least: float = 1, most: float = 1e9, meaning: str = "") -> Field:
    return _field(name, "whole", most, meaning, least=least)


FIELDS = (
    _special("name"),
    _special("vendor"),
    _number("price", quantity="money"),
    _number("idle_w", unit="W"),
    _number("peak_w", unit="W"),
    _special("label"),
    _special("kind"),
    _whole("minimum_quantity", least=0),
    _whole("maximum_quantity"),
    _whole("as_bid_quantity", least=0),
    _whole("nodes_per_rack"),
    _whole("ports", most=1e6),
    _whole("cores"),
    _whole("sockets"),
    _whole("capped_packages"),
    _number("memory_gb", SMALLEST, unit="GB"),
    _special("package_caps_w", least=SMALLEST, most=LARGEST, unit="W"),
    _special("cooling", choices=("air", "liquid")),
    _number("lead_weeks", most=LONGEST_LEAD, unit="weeks"),
    _special("valid_until"),
    _special("discounts"),
    _number("compute_rate", SMALLEST),
    _number("bandwidth_gb_s", SMALLEST, unit="GB/s"),
    _number("efficiency", SMALLEST, 1, quantity="fraction"),
    _number("clock_exponent", 1, 10),
    _number("embodied_kg_co2e", unit="kg"),
    _special("source", most=_LONGEST_SOURCE),
    _special("part_number"),
    _whole(
        "nodes_per_unit",
        most=1000,
        meaning="Nodes of one unit, such as a chassis: price and power of the row are of the unit",
    ),
    _number(
        "support_per_year",
        quantity="money",
        meaning="Price of a year of support, added to the price for `support_years`",
    ),
    _number(
        "support_percent",
        most=1,
        quantity="fraction",
        meaning="The same in per cent of the price; a bare 4 is 4 %",
    ),
    _number(
        "total_price",
        quantity="money",
        meaning="Price of all nodes of `as_bid_quantity`, where no column states the price of one",
    ),
    _number(
        "rebate",
        most=1 - SMALLEST,
        quantity="fraction",
        meaning="Rebate on the price of the row, where this is a list price; a bare 4 is 4 %",
    ),
    _whole(
        "cores_per_socket",
        most=1e6,
        meaning="Cores of a socket: with `sockets` they give `cores` where no column states it",
    ),
    _number(
        "clock_ghz",
        SMALLEST,
        1000,
        unit="GHz",
        meaning="Clock of the cores, for `compute_rate` where no column states it",
    ),
    _whole(
        "vector_bits",
        64,
        65536,
        "Width of a vector unit, or AVX2 or AVX-512; 256 has the relative width 1",
    ),
    _number(
        "flops_per_cycle",
        SMALLEST,
        1e6,
        meaning="Operations in double precision per core and cycle; 16 is the relative width 1",
    ),
)
"""What a vendor's sheet may hold, as ``docs/tables.md`` lists it."""

BY_NAME = {field.name: field for field in FIELDS}
ANSWERED = tuple(name for name in BY_NAME if name != "name")
"""What a vendor's answers may replace."""
_LIKELY = {
    "price": Likely(1.0, LARGEST, "node's price"),
    "idle_w": Likely(1.0, 2e5, "node's power", or_zero=True),
    "peak_w": Likely(20.0, 2e5, "node's power"),
    "package_caps_w": Likely(1.0, 30_000.0, "package's power"),
}
PRICES = ("price", "total_price")
"""Fields of which a table has one: what a row costs."""

PER_CENT = ("support_percent", "rebate")
"""Fields whose bare numbers are percentages."""

PART_PRICE = Amount(Field("price", "", least=-LARGEST, quantity="money"))
"""Price of a part or option, which may be a rebate."""

PART_QUANTITY = Amount(Field("quantity", "", least=SMALLEST, most=1e9))
_AMOUNTS = {name: Amount(field, _LIKELY.get(name)) for name, field in BY_NAME.items()}
_SPECIAL: dict[str, Callable[[Cell, Reading], Any]] = {
    "name": as_name,
    "vendor": _label,
    "label": _label,
    "kind": _kind,
    "minimum_quantity": _minimum,
    "package_caps_w": _caps,
    "cooling": _cooling,
    "valid_until": _date,
    "vector_bits": _vector_bits,
    "discounts": read_discounts,
    "source": _source,
    "part_number": _label,
}
