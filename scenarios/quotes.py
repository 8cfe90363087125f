"""Vendors' quotes from a spreadsheet, each vendor's columns mapped to our fields.

Nothing is guessed: a number whose digits are grouped oddly, a unit or a currency that does not
fit, a date that may be two dates is a fault of its cell, with the remedy.
"""

from __future__ import annotations

import datetime as dt
import decimal as exact
import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from scenarios.faults import Fault, ScenarioError, printable
from scenarios.fields import LARGEST, SMALLEST, Count, Group, Label, Text
from scenarios.files import TextFile, inside
from scenarios.spreadsheet import Cell, Table, Unreadable, read_cells

MOST_QUOTES = 1000
MOST_CAPS = 100
MOST_DISCOUNTS = 20
_LEAST_PEAK_W, _LARGEST_PEAK_W = 20.0, 200_000.0
_NODE_W = 1.0
_LEAST_PERCENT = 0.02

_UNITS: dict[str, dict[str, str]] = {
    "power": {"W": "1", "watt": "1", "watts": "1", "kW": "1000", "MW": "1e6"},
    "memory": {"GB": "1", "TB": "1000", "GiB": "1.073741824", "TiB": "1099.511627776"},
    "bandwidth": {"GB/s": "1", "TB/s": "1000"},
    "time": {"weeks": "1", "week": "1", "wk": "1", "wks": "1"},
    "fraction": {"%": "0.01"},
    "carbon": {"kg": "1", "t": "1000", "kgCO2e": "1", "tCO2e": "1000"},
}
"""What one of each unit is in ours: watts, decimal gigabytes, GB/s, weeks, fractions, kg."""

_SYMBOLS = {
    "$": ("USD", "CAD", "AUD", "NZD", "SGD"),
    "US$": ("USD",),
    "€": ("EUR",),
    "£": ("GBP",),
    "¥": ("JPY", "CNY"),
}
_CODE = r"US\$|[$€£¥]|[A-Z]{3}"
_MONEY = re.compile(rf"(?P<k1>[kKM]?)(?P<c1>{_CODE})|(?P<c2>{_CODE})(?P<k2>[kKM])|(?P<k3>[kKM])")
_AMOUNT = re.compile(
    r"(?P<before>[^0-9.,+-]*)"
    r"(?P<number>[+-]?[0-9.,](?:[0-9.,'\u2019 ]*[0-9.,])?(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?)"
    r"(?P<after>.*)"
)
_BRACKETED = re.compile(r"(.*\S)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\))")
_DISCOUNT = re.compile(
    r"(?:from |ab |>=|≥)? ?([0-9][0-9.,'\u2019 ]*?)(?: nodes)? ?: ?([0-9.,]+) ?%", re.IGNORECASE
)
_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_NUMBERS = {
    name: re.compile(
        rf"[+-]?(?:[0-9]+|[1-9][0-9]{{0,2}}(?:(?P<gap>[{group}'\u2019 ])[0-9]{{3}})"
        rf"(?:(?P=gap)[0-9]{{3}})*)?(?:{point}[0-9]+)?(?:[eE][+-]?[0-9]+)?"
    )
    for name, group, point in (("point", ",", r"\."), ("comma", ".", ","))
}
_DATES = (
    (re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})"), ((1, 2, 3),)),
    (re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})"), ((3, 2, 1),)),
    (re.compile(r"([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{4})"), ((3, 2, 1), (3, 1, 2))),
)
"""Ways to write a date, and in which groups year, month and day may stand."""

_GAPS = {"point": re.compile(r"[,'\u2019 ]"), "comma": re.compile(r"[.'\u2019 ]")}
Decimal = Literal["point", "comma"]
_OTHER: dict[Decimal, Decimal] = {"point": "comma", "comma": "point"}


class CellError(ValueError):
    """A cell cannot be read as what it should hold; the message says the remedy."""


class _WrongCurrencyError(CellError):
    """A price in another currency, which no mapping explains away."""


@dataclass(frozen=True)
class _Column:
    """How the cells of one target are read: where from, and in which unit."""

    target: str
    unit: str
    decimal: Decimal
    currency: str


@dataclass(frozen=True)
class _Amount:
    """A number with its unit, within bounds (the unit of ``least`` and ``most`` is ours)."""

    dimension: str = ""
    least: float = 0.0
    most: float = LARGEST
    whole: bool = False

    def __call__(self, cell: Cell, column: _Column) -> float | int:
        number, unit = _split(cell, column)
        return self.checked(number, unit, column)

    def checked(self, number: exact.Decimal, unit: str, column: _Column) -> float | int:
        """Convert and check: the cell's own unit goes before the column's."""
        factor = _factor(unit or column.unit, self.dimension, column.currency)
        value = float(number * factor)
        if not self.least <= value <= self.most or 0 < abs(value) < SMALLEST:
            raise CellError(
                f"{column.target} = {value:g} is outside of {self.least:g} to {self.most:g}; "
                f"correct it{_percent_hint(self.dimension, value)}"
            )
        if self.whole and value != int(value):
            raise CellError(f"{column.target} = {value:g} is no whole number; correct it")
        if not unit and column.unit == "%" and value < _LEAST_PERCENT:
            raise CellError(
                f"{column.target} = {value:.3%} is too little; if the cell is formatted as a "
                "percentage, write unit = '1'"
            )
        return int(value) if self.whole else value


def _percent_hint(dimension: str, value: float) -> str:
    return ", or write unit = '%'" if dimension == "fraction" and 1 < value <= 100 else ""


def _split(cell: Cell, column: _Column) -> tuple[exact.Decimal, str]:
    """Take a cell apart into a number and the unit beside it."""
    if isinstance(cell, bool):
        raise CellError(f"{str(cell).lower()} is no number; write the number")
    if isinstance(cell, float):
        return exact.Decimal(f"{cell:.15g}"), ""  # as the spreadsheet shows it
    if isinstance(cell, dt.date):
        raise CellError(
            f"{cell} is a date and no number; format the cell as a number and retype it"
        )
    text = _line(cell)
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise CellError(f"{_short(text)} is no number; write the number and its unit")
    unit = (found["before"] + found["after"]).replace(" ", "")
    return _number(found["number"], column.decimal), unit


def _number(text: str, decimal: Decimal) -> exact.Decimal:
    if text[-1:] not in ".," and _NUMBERS[decimal].fullmatch(text):
        return exact.Decimal(_GAPS[decimal].sub("", text).replace(",", "."))
    other = _OTHER[decimal]
    remedy = "correct it"
    if _NUMBERS[other].fullmatch(text):
        remedy = f"correct it, or write decimal = '{other}' if its decimals follow a {other}"
    raise CellError(f"{_short(text)} is no number with decimal = '{decimal}'; {remedy}")


def _factor(unit: str, dimension: str, currency: str) -> exact.Decimal:
    unit = unit.replace(" ", "")
    if dimension == "money":
        return _money_factor(unit, currency)
    if not unit or (unit == "1" and dimension == "fraction"):
        return exact.Decimal(1)
    known = _UNITS.get(dimension, {})
    for spelling, factor in known.items():
        if unit == spelling or (unit.lower() == spelling.lower() != "mw"):  # mW are milliwatts
            return exact.Decimal(factor)
    if dimension == "time" and re.match("month|mon|day|year", unit, re.IGNORECASE):
        raise CellError(f"{_short(unit)} are no weeks; write the number of weeks")
    if not known:
        raise CellError(f"{_short(unit)} stands beside the number; write the number alone")
    raise CellError(f"{_short(unit)} is no unit of {dimension}; use {', '.join(list(known)[:5])}")


def _money_factor(unit: str, currency: str) -> exact.Decimal:
    found = _MONEY.fullmatch(unit)
    if unit and found is None:
        raise CellError(f"{_short(unit)} is no unit of money; use {currency} or k{currency}")
    if found is None:
        return exact.Decimal(1)
    code = found["c1"] or found["c2"] or currency
    if currency not in _SYMBOLS.get(code, (code,)):
        raise _WrongCurrencyError(
            f"the price is in {code}, the scenario in {currency}; convert it, with the rate in "
            "a note: nothing is converted here"
        )
    thousands = found["k1"] or found["k2"] or found["k3"]
    return exact.Decimal({None: 1, "": 1, "M": 1_000_000}.get(thousands, 1000))


def _text(most: int) -> Callable[[Cell, _Column], str]:
    def read(cell: Cell, column: _Column) -> str:
        if isinstance(cell, float):
            cell = f"{cell:.15g}"
        text = str(cell).strip()
        bare = re.sub(r"[\t\n\r]", " ", text)
        control = _CONTROL.search(bare)
        if control:
            message = f"holds the control character U+{ord(control[0]):04X}; delete it"
            raise CellError(message)
        text = text.replace("\r\n", "\n").replace("\r", "\n") if most > 120 else _line(bare)
        if len(text) > most:
            raise CellError(f"{column.target} has {len(text)} characters; give at most {most}")
        return text

    return read


_label = _text(120)


def _name(cell: Cell, column: _Column) -> str:
    """Make the valid name: runs of other characters become hyphens."""
    text = _label(cell, column)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).lstrip("._-")[:64].rstrip("-")
    if not _IDENTIFIER.fullmatch(name):
        raise CellError(f"{_short(text)} has no Latin letter or digit; give a name that has")
    return name


def _kind(cell: Cell, column: _Column) -> str:
    return _name(cell, column).lower()  # CPU and cpu are one kind


def _cooling(cell: Cell, column: _Column) -> str:
    text = _label(cell, column).lower()
    if text not in {"air", "liquid"}:
        raise CellError(f"{_short(text)} is no cooling; write air or liquid")
    return text


def _date(cell: Cell, column: _Column) -> dt.date:
    if isinstance(cell, dt.date):
        return cell
    text = _label(cell, column)
    if isinstance(cell, float):
        raise CellError(f"{text} is a number; format the cell as a date")
    for pattern, order in _DATES:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        days = {_day(*(int(found[each]) for each in way)) for way in order} - {None}
        if len(days) == 1 and len(order) == 1:
            return next(day for day in days if day)
        if days:
            listed = " or ".join(sorted(str(day) for day in days))
            raise CellError(f"{_short(text)} has no sure order; write {listed}")
    raise CellError(f"{_short(text)} is no date; write it as in 2027-03-31")


def _day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _caps(cell: Cell, column: _Column) -> list[float]:
    """Read caps such as ``300/350/400 W``: the last one's unit is the unit of those without."""
    amount = _Amount("power", SMALLEST)
    if not isinstance(cell, str):
        return [amount(cell, column)]
    comma = r"|,\s+" if column.decimal == "point" else ""
    parts = [part for part in re.split(rf"[;/\n]{comma}", cell) if part.strip()]
    if len(parts) > MOST_CAPS:
        raise CellError(f"has {len(parts)} caps; give at most {MOST_CAPS}")
    pairs = [_split(part, column) for part in parts]
    last = pairs[-1][1] if pairs else ""
    return sorted({amount.checked(number, unit or last, column) for number, unit in pairs})


def _discounts(cell: Cell, column: _Column) -> list[dict[str, float | int]]:
    found: list[dict[str, float | int]] = []
    for part in re.split(r"[;\n]", str(cell)):
        text = _line(part)
        if not text:
            continue
        match = _DISCOUNT.fullmatch(text)
        if match is None:
            raise CellError(f"{_short(text)} is no discount; write it as in 500: 8 %; 1000: 12 %")
        start = _number(match[1].strip(), column.decimal)
        percent = _number(match[2], column.decimal)
        if start != int(start) or not 1 <= start <= 10**9 or not 0 <= percent < 100:
            raise CellError(f"{_short(text)} is out of range; give a whole number and below 100 %")
        if found and start <= found[-1]["from_quantity"]:
            raise CellError(f"{_short(text)} does not ascend; list each quantity once, ascending")
        found.append({"from_quantity": int(start), "fraction": float(percent / 100)})
    if len(found) > MOST_DISCOUNTS:
        raise CellError(f"has {len(found)} discounts; give at most {MOST_DISCOUNTS}")
    return found


_count = _Amount(least=1, most=1e9, whole=True)
_quantity = _Amount(least=0, most=1e9, whole=True)


def _minimum(cell: Cell, column: _Column) -> float | int:
    return max(1, _quantity(cell, column))  # the least number sold, if any is


REQUIRED: dict[str, Callable[[Cell, _Column], Any]] = {
    "name": _name,
    "vendor": _label,
    "price": _Amount("money"),
    "idle_w": _Amount("power"),
    "peak_w": _Amount("power"),
}
TARGETS = REQUIRED | {
    "label": _label,
    "kind": _kind,
    "minimum_quantity": _minimum,
    "maximum_quantity": _count,
    "as_bid_quantity": _quantity,
    "nodes_per_rack": _count,
    "ports": _Amount(least=1, most=1e6, whole=True),
    "cores": _count,
    "sockets": _count,
    "capped_packages": _count,
    "memory_gb": _Amount("memory", SMALLEST),
    "package_caps_w": _caps,
    "cooling": _cooling,
    "lead_weeks": _Amount("time"),
    "valid_until": _date,
    "discounts": _discounts,
    "compute_rate": _Amount(least=SMALLEST),
    "bandwidth_gb_s": _Amount("bandwidth", SMALLEST),
    "efficiency": _Amount("fraction", SMALLEST, 1),
    "clock_exponent": _Amount(least=1, most=10),
    "embodied_kg_co2e": _Amount("carbon"),
    "source": _text(4000),
}


def _read_cell(cell: Cell, column: _Column) -> Any:
    if isinstance(cell, Unreadable):
        raise CellError(cell.message)
    value = TARGETS[column.target](cell, column)
    _plausible(column.target, value, cell, column)
    return value


def _dimension(target: str) -> str:
    reader = TARGETS[target]
    if target == "package_caps_w":
        return "power"
    return reader.dimension if isinstance(reader, _Amount) else ""


def _plausible(target: str, value: Any, cell: Cell, column: _Column) -> None:
    """Ask for the unit where a quantity is no node's.

    Raises
    ------
    ValueError
        It is beyond all nodes, and which unit would explain it.
    """
    least, most, unit = {
        "peak_w": (_LEAST_PEAK_W, _LARGEST_PEAK_W, "W"),
        "idle_w": (_NODE_W if value else 0, _LARGEST_PEAK_W, "W"),
        "price": (1.0, LARGEST, column.currency),
    }.get(target, (None, None, ""))
    if least is None or most is None or least <= value <= most:
        return
    number, own = _split(cell, column)
    what = "price" if target == "price" else "power"
    remedy = "correct it"
    for other in (unit, f"k{unit}", "MW") if not own else ():
        if other == "MW" and target == "price":
            continue
        factor = _factor(other, _dimension(target), column.currency)
        if least <= float(number * factor) <= most:
            remedy = f"is the column in {other}? write unit = '{other}'"
            break
    raise CellError(f"{target} = {value:g} {unit} is no node's {what}; {remedy}")


def _blank(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _line(text: object) -> str:
    """One line, blanks of any kind and number made one space."""
    return " ".join(str(text).split())


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


_Whole = Annotated[int, Field(ge=0, le=LARGEST)]


class Column(Group):
    """Where one field comes from."""

    heading: Label | None = Field(default=None, description="The sheet's heading.")
    unit: Label | None = Field(default=None, description="Unit of cells that have none.")
    value: Label | _Whole | float | bool | dt.date | None = Field(
        default=None, description="Instead of a heading: the value of all rows."
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.heading is None) == (self.value is None):
            raise ValueError("heading or value: give one of them")
        return self


def _as_column(given: object) -> object:
    return {"heading": given} if isinstance(given, str) else given


class QuoteTable(Group):
    """A vendor's quotes in a spreadsheet, and what its columns mean."""

    file: Text = Field(description="XLSX or CSV file in the scenario's folder.")
    sheet: Text | None = Field(default=None, description="Sheet; by default the only filled one.")
    decimal: Decimal = Field(
        default="point",
        description="What decimals follow in texts: 'point' as in 1,234.5, 'comma' as in 1.234,5.",
    )
    header_row: Count | None = Field(
        default=None, description="Row of the headings; by default the first that has them all."
    )
    rows: Annotated[tuple[Count, ...], Field(strict=False, min_length=2, max_length=2)] | None = (
        Field(default=None, description="First and last row of the quotes; by default all.")
    )
    columns: dict[
        str, Annotated[Column, BeforeValidator(_as_column, json_schema_input_type=Label | Column)]
    ] = Field(description="Our field = the sheet's heading, or { heading, unit }, or { value }.")

    @field_validator("columns")
    @classmethod
    def _known(cls, columns: dict[str, Column]) -> dict[str, Column]:
        for target in columns:
            if target not in TARGETS:
                close = difflib.get_close_matches(target[:80], list(TARGETS), n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"use {', '.join(TARGETS)}"
                raise ValueError(f"unknown field {_short(target)}; {hint}")
        missing = [target for target in REQUIRED if target not in columns]
        if missing:
            raise ValueError(f"no column for {', '.join(missing)}; name its heading or its value")
        if columns["name"].heading is None:
            raise ValueError("name differs from row to row; give its heading")
        return columns

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        if self.rows is not None and self.rows[0] > self.rows[1]:
            raise ValueError(f"rows = {list(self.rows)} do not ascend; give the first and the last")
        return self


def read_quotes(
    table: QuoteTable | Mapping[str, Any], folder: Path, shown: str, currency: str
) -> tuple[list[dict[str, Any]], list[Fault], list[TextFile]]:
    """Read the quotes of one table as raw node types.

    Parameters
    ----------
    table
        The mapping, validated or raw.
    folder
        The scenario's folder; the file must lie in it.
    shown
        What to call the scenario in faults of the mapping itself: these have that file, line 0
        and a key path that begins with ``quotes``, for the caller to look its line up.
    currency
        Of the scenario; no price is converted.

    Returns
    -------
    quotes, faults, files
        One dictionary per quote, with the mapped fields that its row fills, ``label``, and
        ``origin``, the row that it stands in; quotes with a fault are left out. The file comes
        with its hash and without its text.
    """
    if not isinstance(table, QuoteTable):
        try:
            table = QuoteTable.model_validate(table)
        except ValidationError as error:
            return [], [_mapping_fault(each, shown) for each in error.errors()], []
    path = inside(folder, table.file)
    if path is None:
        message = f"{table.file!r} leaves the scenario's folder; copy the file into it"
        return [], [Fault(shown, 0, "quotes.file", message)], []
    try:
        cells = read_cells(path, str(folder / table.file), table.sheet)
    except ScenarioError as error:
        return [], list(error.faults), []
    files = [TextFile(cells.name, "", cells.sha256)]
    constants, faults = _constants(table, shown, currency)
    layout, wrong = _lay_out(table, cells, shown, currency)
    if layout is None or wrong or faults:
        return [], faults + wrong, files
    quotes, faults = _all_quotes(layout, constants)
    return quotes, faults, files


def _mapping_fault(details: ErrorDetails, shown: str) -> Fault:
    path = ".".join(str(part) for part in ("quotes", *details["loc"]))
    if details["type"] == "value_error":
        message = str(details["ctx"]["error"])
    else:
        message = f"{details['msg'][0].lower()}{details['msg'][1:]}; correct it"
    return Fault(shown, 0, path, message)


def _constants(table: QuoteTable, shown: str, currency: str) -> tuple[dict[str, Any], list[Fault]]:
    """Read the values that the mapping gives, and check the units that it gives."""
    values, faults = {}, []
    for target, given in table.columns.items():
        column = _Column(target, given.unit or "", table.decimal, currency)
        key = "unit"
        try:
            if given.unit is not None:
                _check_unit(column)
            if given.value is not None:
                key = "value"
                cell = float(given.value) if type(given.value) is int else given.value
                values[target] = _read_cell(cell, column)
        except CellError as error:
            faults.append(Fault(shown, 0, f"quotes.columns.{target}.{key}", str(error)))
    return values, faults


def _check_unit(column: _Column) -> None:
    dimension = _dimension(column.target)
    if not dimension:
        raise CellError(f"{column.target} has no unit here; delete unit")
    _factor(column.unit, dimension, column.currency)


@dataclass(frozen=True)
class _Layout:
    """Where the quotes stand in a sheet: index of the header row, places and readers by target."""

    cells: Table
    header: int
    places: dict[str, int]
    columns: dict[str, _Column]
    rows: list[int]


def _lay_out(
    table: QuoteTable, cells: Table, shown: str, currency: str
) -> tuple[_Layout | None, list[Fault]]:
    wanted = {t: given.heading for t, given in table.columns.items() if given.heading is not None}
    rows = range(len(cells.rows))
    if table.header_row is not None:
        rows_there = [row for row in rows if cells.lines[row] == table.header_row]
        if not rows_there:
            message = f"there is no row {table.header_row}, or it is blank; correct it"
            return None, [Fault(shown, 0, "quotes.header_row", message)]
        rows = range(rows_there[0], rows_there[0] + 1)
    header = _header(cells, rows, list(wanted.values()))
    places, faults = _places(cells, header, wanted)
    columns = {}
    for target, place in places.items():
        unit = table.columns[target].unit or ""
        column = _Column(target, unit, table.decimal, currency)
        try:
            columns[target] = _with_heading_unit(column, _heading(cells.cell(header, place)))
        except CellError as error:
            faults.append(cells.fault(header, place, str(error)))
    first, last = table.rows or (1, LARGEST)
    chosen = [
        row
        for row in range(header + 1, len(cells.rows))
        if first <= cells.lines[row] <= last
        and any(not _blank(cells.cell(row, place)) for place in places.values())
    ]
    if not faults and not chosen:
        message = f"no quotes below the headings in row {cells.lines[header]}; add them"
        faults.append(cells.whole_fault(message))
    if len(chosen) > MOST_QUOTES:
        message = f"holds {len(chosen)} quotes, more than {MOST_QUOTES}; write rows = [first, last]"
        faults.append(cells.whole_fault(message))
    return _Layout(cells, header, places, columns, chosen), faults


def _header(cells: Table, rows: range, wanted: list[str]) -> int:
    """Find the first row with all headings, or else the first with most of them."""
    keys = [_line(each).casefold() for each in wanted]

    def count(row: int) -> int:
        headings = _headings(cells, row)
        there = {heading.casefold() for heading in headings}
        there |= {_without_brackets(heading).casefold() for heading in headings}
        return sum(key in there for key in keys)

    return max(rows, key=count)


def _headings(cells: Table, row: int) -> list[str]:
    return [_heading(cell) for cell in cells.rows[row]]


def _heading(cell: Cell) -> str:
    text = cell.text if isinstance(cell, Unreadable) else cell
    return _line(text)[:200] if isinstance(text, str) else ""


def _hits(headings: list[str], wanted: str) -> list[int]:
    """Places of a heading: as it stands, or else without the unit in brackets."""
    key = _line(wanted).casefold()
    hits = [place for place, heading in enumerate(headings) if heading.casefold() == key]
    bare = [_without_brackets(heading).casefold() for heading in headings]
    return hits or [place for place, heading in enumerate(bare) if heading == key]


def _without_brackets(heading: str) -> str:
    found = _BRACKETED.fullmatch(heading) if heading[-1:] in ("]", ")") else None
    return found[1] if found else heading


def _places(cells: Table, row: int, wanted: dict[str, str]) -> tuple[dict[str, int], list[Fault]]:
    places, faults = {}, []
    headings = _headings(cells, row)
    for target, heading in wanted.items():
        hits = _hits(headings, heading)
        if not hits:
            faults.append(cells.row_fault(row, _missing(target, heading, headings)))
            continue
        places[target] = hits[0]
        cell = cells.cell(row, hits[0])
        if len(hits) > 1:
            other = cells.address(row, hits[0])
            message = f"{_short(heading)} is the heading of {other} too; rename one of them"
            faults.append(cells.fault(row, hits[1], message))
        elif isinstance(cell, Unreadable):
            faults.append(cells.fault(row, hits[0], cell.message))
    return places, faults


def _missing(target: str, wanted: str, headings: list[str]) -> str:
    folded = {text.casefold(): text for text in headings if text}
    close = difflib.get_close_matches(_line(wanted).casefold(), list(folded), n=3, cutoff=0.5)
    if close:
        remedy = "did you mean " + " or ".join(_short(folded[each]) for each in close) + "?"
    else:
        remedy = "there is " + (", ".join(_short(e) for e in list(folded.values())[:20]) or "none")
    return f"no heading {_short(wanted)} for {target}; {remedy}"


def _with_heading_unit(column: _Column, heading: str) -> _Column:
    """Take the unit in the heading's brackets, unless the mapping has given one."""
    found = _BRACKETED.fullmatch(heading)
    bracket = (found[2] or found[3] or "").strip() if found else ""
    dimension = _dimension(column.target)
    if not bracket or not dimension or column.unit == "1":
        return column
    try:
        stated = _factor(bracket, dimension, column.currency)
    except CellError as error:
        if column.unit and not isinstance(error, _WrongCurrencyError):
            return column  # the mapping says what the heading does not
        message = f"in the heading, {error}; or say unit = in columns.{column.target}"
        raise CellError(message) from None
    if column.unit and stated != _factor(column.unit, dimension, column.currency):
        message = f"contradicts unit = {column.unit!r}; delete unit or correct the heading"
        raise CellError(f"{_short(heading)} {message}")
    return column if column.unit else replace(column, unit=bracket)


def _all_quotes(
    layout: _Layout, constants: dict[str, Any]
) -> tuple[list[dict[str, Any]], list[Fault]]:
    quotes, faults = [], []
    names: dict[str, int] = {}
    cells, place = layout.cells, layout.places["name"]
    for row in layout.rows:
        quote, wrong = _quote(layout, row, constants)
        name = quote.get("name")
        if name in names:
            other = cells.address(names[name], place)
            message = f"becomes the name {name!r}, as {other} does; rename one of them"
            wrong.append(cells.fault(row, place, message))
        elif name is not None:
            names[name] = row
        faults += wrong
        if not wrong:
            quotes.append(quote)
    return quotes, faults


def _quote(
    layout: _Layout, row: int, constants: dict[str, Any]
) -> tuple[dict[str, Any], list[Fault]]:
    cells = layout.cells
    excess = _last_filled(cells, row)
    if not cells.sheet and excess > _last_filled(cells, layout.header):
        message = "stands right of all headings; put quotation marks around cells with delimiters"
        return {}, [cells.fault(row, excess, message)]
    quote, faults = dict(constants), []
    for target, place in layout.places.items():
        cell = cells.cell(row, place)
        if _blank(cell):
            if target in REQUIRED:
                message = f"{target} is missing; fill it in or delete the row"
                faults.append(cells.fault(row, place, message))
            continue
        try:
            quote[target] = _read_cell(cell, layout.columns[target])
        except CellError as error:
            faults.append(cells.fault(row, place, str(error)))
    if "name" in quote and "label" not in quote:
        place = layout.places["name"]
        quote["label"] = _label(cells.cell(row, place), layout.columns["name"])
    faults += _pair_faults(layout, row, quote)
    quote["origin"] = _origin(cells, row)
    return quote, faults


def _last_filled(cells: Table, row: int) -> int:
    return max(i for i, cell in enumerate(cells.rows[row]) if not _blank(cell))


def _pair_faults(layout: _Layout, row: int, quote: dict[str, Any]) -> list[Fault]:
    """Faults between two fields of one quote."""
    faults = []
    for low, high, unit in (
        ("idle_w", "peak_w", " W"),
        ("minimum_quantity", "maximum_quantity", ""),
    ):
        if low not in quote or high not in quote or quote[low] <= quote[high]:
            continue
        places = layout.places
        there = f" ({layout.cells.address(row, places[high])})" if high in places else ""
        message = (
            f"{low} = {quote[low]:g}{unit} is above {high} = {quote[high]:g}{unit}{there}; "
            "correct one of them"
        )
        place = places.get(low, places.get(high, places["name"]))
        faults.append(layout.cells.fault(row, place, message))
    return faults


def _origin(cells: Table, row: int) -> str:
    name = printable(Path(cells.name).name)[:60]
    if not cells.sheet:
        return f"{name}:{cells.lines[row]}"
    prefix = cells.address(row, 0).rpartition("!")[0]
    return f"{name}: {printable(prefix)[:40]}!{cells.lines[row]}"
