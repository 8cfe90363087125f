"""Find the quotes in a sheet: the row of headings, and the column and unit of each field."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scenarios.faults import Fault
from scenarios.fields import LARGEST
from scenarios.formatting import folded
from scenarios.model.quote_fields import BY_NAME
from scenarios.model.quote_mapping import QuoteTable
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError, is_blank, one_line, quoted
from scenarios.tables.cells import Cell, Table, Unreadable
from scenarios.tables.columns import unit_at_end
from scenarios.tables.heading_words import other_quantity, unsure_unit
from scenarios.tables.headings import heading_text, split_unit
from scenarios.tables.money_words import joined_money, parts_of, scale_among_words
from scenarios.tables.units import WrongCurrencyError, factor, unit_among_words

MOST_QUOTES = 1000
_ONLY_NUMBERS = re.compile(r"[0-9\s.,;:/'\u2019+-]*")

_RATE = re.compile(r"([KMGT])(i?)B(?:ytes?)?[_/ ]?(?:per[_ ])?s$", re.IGNORECASE)
_NO_WEEKS = re.compile(r"days?|months?|years?|tagen?|tage|monaten?|monate|jahren?", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """Where the quotes are in a sheet.

    Attributes
    ----------
    cells
        The sheet.
    header
        Index of the row of the headings.
    places, readings
        Index of the column of each target, and how its cells are read.
    rows
        Indices of the rows that hold quotes.
    left_out
        Indices of rows below the headings that are not quotes, by the reason.
    meanings
        What cells of a target mean, by their folded text.
    """

    cells: Table
    header: int
    places: dict[str, int]
    readings: dict[str, Reading]
    rows: list[int]
    left_out: dict[str, list[int]]
    meanings: dict[str, dict[str, Cell]]

    def cell(self, row: int, target: str) -> Cell:
        """What a target's cell means."""
        return _meaning(self.cells.cell(row, self.places[target]), self.meanings.get(target, {}))


NO_PRICE, SKIPPED, HEADINGS_AGAIN = "no price", "skip_rows", "headings"
"""Words of the vocabulary ``left out``."""
"""Why a row below the headings is not a quote."""


def lay_out(
    table: QuoteTable, cells: Table, shown: str, currency: str, until: float = LARGEST
) -> tuple[Layout | None, list[Fault]]:
    """Find the headings that the mapping names, their units, and the rows below them.

    Parameters
    ----------
    table
        The mapping.
    cells
        The sheet.
    shown
        What to call the scenario in errors of the mapping.
    currency
        Currency of the scenario.
    until
        Last row of the table, where another one follows in the sheet.

    Returns
    -------
    layout, errors
        The layout is complete only if there is no error, and ``None`` without a row of headings.
    """
    wanted = {t: given.heading for t, given in table.columns.items() if given.heading is not None}
    rows = [row for row, line in enumerate(cells.lines) if table.header_row in {None, line}]
    if not rows:
        message = f"row {table.header_row} does not exist or is blank; correct header_row"
        return None, [Fault(shown, 0, "quotes.header_row", message)]
    header = _header(cells, rows, list(wanted.values()))
    places, faults = _places(cells, header, wanted)
    layout = Layout(cells, header, places, {}, [], {}, _meanings(table))
    _choose_rows(layout, table, until)
    chosen = layout.rows
    faults += _skipped_faults(table, cells, shown)
    readings = layout.readings
    for target, place in places.items():
        heading = heading_text(cells.cell(header, place))
        reading = reading_of(target, table, currency)
        try:
            readings[target] = _with_heading_unit(reading, heading)
            if any(_lacks_unit(layout.cell(row, target)) for row in chosen):
                refuse_bare_unit(readings[target], heading)
        except CellError as error:
            faults.append(cells.fault(header, place, str(error)))
    if not faults and not chosen:
        message = f"there are no quotes below the headings in row {cells.lines[header]}; add them"
        if NO_PRICE in layout.left_out:
            message += ", or check why no row has a price"
        faults.append(cells.whole_fault(message))
    if len(chosen) > MOST_QUOTES:
        message = (
            f"contains {len(chosen)} quotes, more than {MOST_QUOTES}; write rows = [first, last]"
        )
        faults.append(cells.whole_fault(message))
    return layout, faults


def reading_of(target: str, table: QuoteTable, currency: str) -> Reading:
    """How the mapping alone wants the cells of a target read."""
    unit = (table.columns[target].unit or "").replace(" ", "")
    return Reading(target, unit, table.decimal, currency)


def _choose_rows(layout: Layout, table: QuoteTable, until: float) -> None:
    """Tell rows that hold quotes from those that do not, and note why."""
    cells, places = layout.cells, list(layout.places.values())
    first, last = table.rows or (1, until)
    for row in range(layout.header + 1, len(cells.rows)):
        if not first <= cells.lines[row] <= last or all(
            _shows_nothing(layout, row, place) for place in places
        ):
            continue
        reason = _not_a_quote(layout, table, row)
        if reason:
            layout.left_out.setdefault(reason, []).append(row)
        else:
            layout.rows.append(row)


def _not_a_quote(layout: Layout, table: QuoteTable, row: int) -> str:
    """Why a row is not a quote; empty if it is one."""
    cells, header = layout.cells, layout.header
    if cells.lines[row] in table.skip_rows:
        return SKIPPED
    headings = [heading_text(cells.cell(header, place)) for place in layout.places.values()]
    texts = [heading_text(cells.cell(row, place)) for place in layout.places.values()]
    if headings == texts:
        return HEADINGS_AGAIN
    price = layout.places.get("price")
    if price is None:
        return ""
    blank = is_blank(layout.cell(row, "price")) or _shows_nothing(layout, row, price)
    return NO_PRICE if blank else ""


def _shows_nothing(layout: Layout, row: int, place: int) -> bool:
    """Whether a cell is blank, or covered by another one's or by the heading's merged range."""
    cell, heading = layout.cells.cell(row, place), layout.cells.cell(layout.header, place)
    if isinstance(cell, Unreadable):
        below = isinstance(heading, Unreadable) and heading.message == cell.message
        return cell.aside or below
    return is_blank(cell)


def _skipped_faults(table: QuoteTable, cells: Table, shown: str) -> list[Fault]:
    last = max(cells.lines, default=0)
    beyond = [row for row in table.skip_rows if row > last]
    message = f"there is no row {beyond[0]}; the last one is {last}" if beyond else ""
    return [Fault(shown, 0, "quotes.skip_rows", message)] if beyond else []


def _meanings(table: QuoteTable) -> dict[str, dict[str, Cell]]:
    return {
        target: {
            folded(text): float(value) if type(value) is int else value or None
            for text, value in given.values.items()
        }
        for target, given in table.columns.items()
        if given.values
    }


def _meaning(cell: Cell, meanings: Mapping[str, Cell]) -> Cell:
    if not meanings or not isinstance(cell, str | float) or isinstance(cell, bool):
        return cell
    text = cell if isinstance(cell, str) else f"{cell:.15g}"
    return meanings.get(folded(text), cell)


def _header(cells: Table, rows: list[int], wanted: list[str]) -> int:
    """Find the first row with all headings, or else the first with most of them."""
    keys = [one_line(each).casefold() for each in wanted]

    def count(row: int) -> int:
        headings = _headings(cells, row)
        there = {heading.casefold() for heading in headings}
        there |= {split_unit(heading)[0].casefold() for heading in headings}
        return sum(key in there for key in keys)

    return max(rows, key=count)


def _headings(cells: Table, row: int) -> list[str]:
    return [heading_text(cell) for cell in cells.rows[row]]


def _hits(headings: list[str], wanted: str) -> list[int]:
    """Return the places of a heading: as written, or else without the unit in brackets."""
    key = one_line(wanted).casefold()
    hits = [place for place, heading in enumerate(headings) if heading.casefold() == key]
    bare = [split_unit(heading)[0].casefold() for heading in headings]
    return hits or [place for place, heading in enumerate(bare) if heading == key]


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
            message = f"{quoted(heading)} is also the heading of {other}; rename one of them"
            faults.append(cells.fault(row, hits[1], message))
        elif isinstance(cell, Unreadable) and not cell.upright:
            faults.append(cells.fault(row, hits[0], cell.message))
    return places, faults


def _missing(target: str, wanted: str, headings: list[str]) -> str:
    folded = {text.casefold(): text for text in headings if text}
    close = difflib.get_close_matches(one_line(wanted).casefold(), list(folded), n=3, cutoff=0.5)
    if close:
        remedy = "did you mean " + " or ".join(quoted(folded[each]) for each in close) + "?"
    else:
        remedy = "headings: " + (", ".join(quoted(e) for e in list(folded.values())[:20]) or "none")
    return f"there is no heading {quoted(wanted)} for {target}; {remedy}"


def _with_heading_unit(reading: Reading, heading: str) -> Reading:
    """Take the unit in the heading's brackets, unless the mapping has given one."""
    bracket = split_unit(heading)[1]
    kind = BY_NAME[reading.target].dimension
    if not bracket or not kind or reading.unit == "1":
        return reading
    try:
        stated = factor(bracket, kind, reading.currency)
    except CellError as error:
        if reading.unit and not isinstance(error, WrongCurrencyError):
            return reading  # the mapping says what the heading does not
        message = f"in the heading, {error}; or set unit in columns.{reading.target}"
        raise CellError(message) from None
    if reading.unit and stated != factor(reading.unit, kind, reading.currency):
        message = f"contradicts unit = {reading.unit!r}; delete unit or correct the heading"
        raise CellError(f"{quoted(heading)} {message}")
    return reading if reading.unit else replace(reading, unit=bracket)


def _lacks_unit(cell: Cell) -> bool:
    if isinstance(cell, str):
        return _ONLY_NUMBERS.fullmatch(cell) is not None and not is_blank(cell)
    return isinstance(cell, float)


def refuse_bare_unit(reading: Reading, heading: str) -> None:
    """Ask for the unit where only the heading's words name one, and it is not ours."""
    if reading.unit:
        return
    kind = BY_NAME[reading.target].dimension
    remedy = f"or set unit in columns.{reading.target}"
    unit = unit_among_words(heading, kind, reading.currency)
    unit = unit or (_unit_joined(heading, kind, reading.currency) if kind else "")
    other = "" if unit else other_quantity(heading, kind)
    scale = scale_among_words(heading, reading.currency) if kind == "money" else ""
    if other:
        message = f"in the heading, {quoted(other)} names no {kind}"
        raise CellError(
            f"{message}; set unit in columns.{reading.target}, or choose another column"
        )
    if scale:
        message = f"in the heading, {quoted(scale)} may scale the price; write its unit in brackets"
        raise CellError(f"{message}, as in [k{reading.currency}], {remedy}")
    try:
        value = factor(unit, kind, reading.currency)
    except CellError as error:
        raise CellError(f"in the heading, {error}; {remedy}") from None
    if value != 1:
        message = f"in the heading, {quoted(unit)} is not in brackets; put it in brackets"
        raise CellError(f"{message}, {remedy}")


def _unit_joined(heading: str, dimension: str, currency: str) -> str:
    """Return the unit at the end of joined words, as in ``memory_tb`` or ``PriceKEUR``."""
    if dimension == "money":
        return joined_money(heading, currency)
    parts = parts_of(heading)
    if dimension == "time" and parts and _NO_WEEKS.fullmatch(parts[-1]):
        return parts[-1]
    if dimension == "bandwidth" and (rate := _RATE.search(heading)):
        return f"{rate[1].upper()}{rate[2].lower()}B/s"
    at_end = unsure_unit(heading) or unit_at_end(heading)
    return at_end or unit_among_words(" ".join(parts), dimension, currency)
