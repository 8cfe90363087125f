"""The fields of a quote that cells may give, and how each is read.

Nothing is guessed: a number whose digits are grouped oddly, a unit or a currency that does not
fit, a date that may be two dates is a fault of its cell, with the remedy.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

from scenarios.fields import LARGEST, LONGEST_LEAD, SMALLEST
from scenarios.tables.amounts import Amount, Reading, parse_number, refuse_thousandths, split
from scenarios.tables.cell_text import CellError, as_label, as_text, check_length, one_line, quoted
from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable

MOST_CAPS = 100
MOST_DISCOUNTS = 20
_LONGEST_SOURCE = 4000
_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DISCOUNT = re.compile(
    r"(?:from |ab |>=|≥)? ?([0-9][0-9.,'\u2019 ]*?)(?: nodes| Knoten)? ?: ?([0-9.,]+) ?%",
    re.IGNORECASE,
)
_DATES = (
    (re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})"), ((1, 2, 3),)),
    (re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})"), ((3, 2, 1),)),
    (re.compile(r"([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{4})"), ((3, 2, 1), (3, 1, 2))),
)
"""Ways to write a date, and in which groups year, month and day may stand."""


def read_cell(cell: Cell, reading: Reading) -> Any:
    """Read a cell as its target wants it.

    Raises
    ------
    CellError
        It cannot be read so.
    """
    if isinstance(cell, Unreadable):
        raise CellError(cell.message)
    if isinstance(cell, NumberWithUnit) and not dimension(reading.target):
        cell = cell.stored
    return TARGETS[reading.target](cell, reading)


def dimension(target: str) -> str:
    """Of the target's units; empty where it has none."""
    if target == "package_caps_w":
        return _CAP.dimension
    reader = TARGETS[target]
    return reader.dimension if isinstance(reader, Amount) else ""


def _label(cell: Cell, reading: Reading) -> str:
    return as_label(cell, reading.target)


def _source(cell: Cell, reading: Reading) -> str:
    text = as_text(cell).replace("\r\n", "\n").replace("\r", "\n")
    check_length(text, _LONGEST_SOURCE, reading.target)
    return text


def short_name(text: str) -> str:
    """Make a name of a text: runs of characters that names may not hold become hyphens.

    Examples
    --------
    >>> short_name("NL Zen (rev. 2)"), short_name("Größe L")
    ('NL-Zen-rev.-2', 'Gr-e-L')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).lstrip("._-")[:64].rstrip("-")


def _name(cell: Cell, reading: Reading) -> str:
    text = _label(cell, reading)
    name = short_name(text)
    if not _IDENTIFIER.fullmatch(name):
        raise CellError(f"{quoted(text)} has no Latin letter or digit; give a name that has")
    return name


def _kind(cell: Cell, reading: Reading) -> str:
    return _name(cell, reading).lower()  # CPU and cpu are one kind


def _cooling(cell: Cell, reading: Reading) -> str:
    text = _label(cell, reading).lower()
    if text not in {"air", "liquid"}:
        remedy = "write air or liquid, or give its meaning in values of the mapping"
        raise CellError(f"{quoted(text)} is no cooling; {remedy}")
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
            raise CellError(f"{quoted(text)} has no sure order; write {listed}")
    raise CellError(f"{quoted(text)} is no date; write it as in 2027-03-31")


def _day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _caps(cell: Cell, reading: Reading) -> list[float]:
    """Read caps such as ``300/350/400 W``: the last one's unit is the unit of those without."""
    if not isinstance(cell, str):
        return [_CAP(cell, reading)]
    comma = r"|,\s+" if reading.decimal == "point" else ""
    parts = [part for part in re.split(rf"[;/\n]{comma}", cell) if part.strip()]
    if len(parts) > MOST_CAPS:
        raise CellError(f"has {len(parts)} caps; give at most {MOST_CAPS}")
    pairs = [split(part, reading) for part in parts]
    last = pairs[-1][1] if pairs else ""
    return sorted({_CAP.checked(number, unit or last, reading) for number, unit in pairs})


def _discounts(cell: Cell, reading: Reading) -> list[dict[str, float | int]]:
    discounts: list[dict[str, float | int]] = []
    for part in re.split(r"[;\n]", str(cell)):
        text = one_line(part)
        if not text:
            continue
        match = _DISCOUNT.fullmatch(text)
        if match is None:
            raise CellError(f"{quoted(text)} is no discount; write it as in 500: 8 %; 1000: 12 %")
        start = parse_number(match[1].strip(), reading.decimal)
        percent = parse_number(match[2], reading.decimal)
        refuse_thousandths(start, reading.decimal)
        if start != int(start) or not 1 <= start <= 10**9 or not 0 <= percent < 100:
            raise CellError(f"{quoted(text)} is out of range; give a whole number and below 100 %")
        if discounts and start <= discounts[-1]["from_quantity"]:
            raise CellError(f"{quoted(text)} does not ascend; list each quantity once, ascending")
        discounts.append({"from_quantity": int(start), "fraction": float(percent / 100)})
    if len(discounts) > MOST_DISCOUNTS:
        raise CellError(f"has {len(discounts)} discounts; give at most {MOST_DISCOUNTS}")
    return discounts


def _minimum(cell: Cell, reading: Reading) -> float | int:
    return max(1, _QUANTITY(cell, reading))  # the least number sold, if any is


_CAP = Amount("power", SMALLEST, likely=(1.0, 30_000.0), likely_of="package's power")
_COUNT = Amount(least=1, most=1e9, whole=True)
_QUANTITY = Amount(least=0, most=1e9, whole=True)

REQUIRED: dict[str, Callable[[Cell, Reading], Any]] = {
    "name": _name,
    "vendor": _label,
    "price": Amount("money", likely=(1.0, LARGEST), likely_of="node's price"),
    "idle_w": Amount("power", likely=(1.0, 2e5), likely_of="node's power", or_zero=True),
    "peak_w": Amount("power", likely=(20.0, 2e5), likely_of="node's power"),
}
TARGETS = REQUIRED | {
    "label": _label,
    "kind": _kind,
    "minimum_quantity": _minimum,
    "maximum_quantity": _COUNT,
    "as_bid_quantity": _QUANTITY,
    "nodes_per_rack": _COUNT,
    "ports": Amount(least=1, most=1e6, whole=True),
    "cores": _COUNT,
    "sockets": _COUNT,
    "capped_packages": _COUNT,
    "memory_gb": Amount("memory", SMALLEST),
    "package_caps_w": _caps,
    "cooling": _cooling,
    "lead_weeks": Amount("time", most=LONGEST_LEAD),
    "valid_until": _date,
    "discounts": _discounts,
    "compute_rate": Amount(least=SMALLEST),
    "bandwidth_gb_s": Amount("bandwidth", SMALLEST),
    "efficiency": Amount("fraction", SMALLEST, 1),
    "clock_exponent": Amount(least=1, most=10),
    "embodied_kg_co2e": Amount("carbon"),
    "source": _source,
}
