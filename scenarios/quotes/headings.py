"""Find a table in a sheet: the row of headings, and the column and unit of each field."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scenarios.faults import Fault
from scenarios.fields import LARGEST
from scenarios.formatting import folded
from scenarios.model.package_sheet import PackageSheet
from scenarios.model.quote_fields import BY_NAME, PER_CENT
from scenarios.model.quote_mapping import Column, QuoteTable
from scenarios.quotes.heading_units import (
    check_unit,
    lacks_unit,
    money_in_brackets,
    refuse_bare_unit,
    with_heading_unit,
    with_unit,
)
from scenarios.quotes.layout import OPTIONS, Layout, heading_of
from scenarios.quotes.rows import Mapped, choose_rows, skipped_faults
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError, one_line, quoted
from scenarios.tables.cells import Cell, Table, Unreadable
from scenarios.tables.field import Field
from scenarios.tables.headings import split_unit
from scenarios.tables.number_grammar import Mark

DISCOUNTS_FROM = " from "
"""Between target and quantity in the key of a column of discounts, as ``discounts from 100``."""


def lay_out(
    table: Mapped,
    columns: Mapping[str, Column],
    cells: Table,
    *,
    decimal: Mark,
    currency: str,
    at: Callable[[str, str], Fault],
    until: float = LARGEST,
    fields: Mapping[str, Field] = BY_NAME,
) -> tuple[Layout | None, list[Fault]]:
    """Find the headings that the mapping names, their units, and the rows below them.

    Parameters
    ----------
    table
        The mapping, for its rows.
    columns
        The headings that are looked for, by what their columns hold.
    cells
        The sheet.
    decimal, currency
        Decimal mark of its texts, and currency of its prices.
    at
        Builds the error of a key of the table.
    until
        Last row of the table, where another one follows in the sheet.
    fields
        What columns may hold; by default the fields of a quote.

    Returns
    -------
    layout, errors
        The layout is complete only if there is no error, and ``None`` without a row of headings.
    """
    wanted = {key: given.heading for key, given in columns.items() if given.heading is not None}
    rows = [row for row, line in enumerate(cells.lines) if table.header_row in {None, line}]
    if not rows:
        kind = "column" if cells.across else "row"
        message = f"{kind} {table.header_row} does not exist or is blank; correct header_row"
        return None, [at("header_row", message)]
    header = _header(cells, rows, list(wanted.values()))
    places, faults = _places(cells, header, columns)
    layout = Layout(cells, header, places, {}, [], {}, _meanings(columns))
    units = None
    if table.units_row is not None:
        units = next((r for r, line in enumerate(cells.lines) if line == table.units_row), None)
        if units is None:
            kind = "column" if cells.across else "row"
            message = f"{kind} {table.units_row} does not exist or is blank; correct units_row"
            return None, [at("units_row", message)]
    choose_rows(layout, table, until)
    faults += skipped_faults(table, cells, at)
    for key, place in places.items():
        heading = layout.heading(place)
        reading = layout.readings[key] = reading_of(key, columns[key], decimal, currency)
        try:
            _refuse_wide(layout, place)
            if key == OPTIONS:
                layout.readings[key] = replace(reading, unit=money_in_brackets(heading, currency))
            if reading.target not in fields:
                continue
            reading = with_heading_unit(reading, heading, fields)
            reading = layout.readings[key] = _with_unit_below(reading, layout, place, units, fields)
            if any(lacks_unit(layout.cell(row, key)) for row in layout.rows):
                refuse_bare_unit(reading, heading, fields)
        except CellError as error:
            faults.append(cells.fault(header, place, str(error)))
    return layout, faults


def given_values(
    table: QuoteTable | PackageSheet,
    currency: str,
    at: Callable[[str, str], Fault],
    fields: Mapping[str, Field],
    read: Callable[[Cell, Reading], Any],
) -> tuple[dict[str, Any], list[Fault]]:
    """Read the values that a mapping gives for all rows, and check the units that it gives.

    ``read`` reads a cell of one of ``fields``; all else is as for :func:`lay_out`.
    """
    values, faults = dict[str, Any](), list[Fault]()
    for target, given in table.columns.items():
        reading = reading_of(target, given, table.decimal, currency)
        key = "unit"
        try:
            if given.unit is not None:
                check_unit(reading, fields)
            if given.value is not None:
                key = "value"
                values[target] = read(given.cell, reading)
        except CellError as error:
            faults.append(at(f"columns.{target}.{key}", str(error)))
    return values, faults


def reading_of(key: str, column: Column, decimal: Mark, currency: str) -> Reading:
    """How the mapping alone wants the cells of a column read."""
    unit = (column.unit or "").replace(" ", "")
    target, _, start = key.partition(DISCOUNTS_FROM)
    if start:
        return Reading(target, "%", decimal, currency, int(start))
    if target in PER_CENT:
        unit = unit or "%"
    return Reading(target, unit, decimal, currency)


def _with_unit_below(
    reading: Reading,
    layout: Layout,
    place: int,
    units: int | None,
    fields: Mapping[str, Field],
) -> Reading:
    """Take the unit in the row of units, where the column has one."""
    unit = "" if units is None else heading_of(layout.cells.cell(units, place))
    has_letter = any(each.isalpha() or each in "%$€£¥" for each in unit)
    return with_unit(reading, unit, "in the row of units", fields) if has_letter else reading


def _refuse_wide(layout: Layout, place: int) -> None:
    """Refuse a merged heading if more than one of the columns below it holds something.

    Raises
    ------
    CellError
        It is not clear which column is meant.
    """
    cell = layout.cells.cell(layout.header, place)
    if not isinstance(cell, Unreadable):
        return
    if cell.merge is None:
        raise CellError(cell.message)
    others = range(place + 1, place - cell.merge.across + cell.merge.columns)
    for row in layout.rows:
        if not all(layout.shows_nothing(row, other) for other in others):
            raise CellError(cell.message)


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
    return [heading_of(cell) for cell in cells.rows[row]]


def _hits(headings: list[str], wanted: str) -> list[int]:
    """Return the places of a heading: as written, or else without the unit in brackets."""
    key = one_line(wanted).casefold()
    hits = [place for place, heading in enumerate(headings) if heading.casefold() == key]
    bare = [split_unit(heading)[0].casefold() for heading in headings]
    return hits or [place for place, heading in enumerate(bare) if heading == key]


def _places(
    cells: Table, row: int, columns: Mapping[str, Column]
) -> tuple[dict[str, int], list[Fault]]:
    places, faults = dict[str, int](), list[Fault]()
    headings = _headings(cells, row)
    names = [cells.column_name(place) for place in range(max(map(len, cells.rows)))]
    for target, given in columns.items():
        if given.column is not None:
            if given.column.upper() in names:
                places[target] = names.index(given.column.upper())
            else:
                message = f"there is no column {quoted(given.column)} for {target}"
                faults.append(cells.row_fault(row, f"{message}; the last one is {names[-1]}"))
            continue
        heading = given.heading or ""
        hits = _hits(headings, heading) or _hits(_above(cells, row, headings), heading)
        if not hits:
            faults.append(cells.row_fault(row, _missing(target, heading, headings)))
            continue
        places[target] = hits[0]
        if len(hits) > 1:
            other = cells.address(row, hits[0])
            message = f"{quoted(heading)} is also the heading of {other}; rename one of them"
            faults.append(cells.fault(row, hits[1], message))
    return places, faults


def _above(cells: Table, row: int, headings: list[str]) -> list[str]:
    """Headings in the row above, where their columns have none of their own."""
    above = _headings(cells, row - 1) if row else []
    return ["" if own else text for text, own in zip(above, headings, strict=False)]


def _missing(target: str, wanted: str, headings: list[str]) -> str:
    folded = {text.casefold(): text for text in headings if text}
    close = difflib.get_close_matches(one_line(wanted).casefold(), list(folded), n=3, cutoff=0.5)
    if close:
        remedy = "did you mean " + " or ".join(quoted(folded[each]) for each in close) + "?"
    else:
        remedy = "headings: " + (", ".join(quoted(e) for e in list(folded.values())[:20]) or "none")
    return f"there is no heading {quoted(wanted)} for {target}; {remedy}"


def _meanings(columns: Mapping[str, Column]) -> dict[str, dict[str, Cell]]:
    return {
        target: {
            folded(text): float(value) if type(value) is int else value or None
            for text, value in given.values.items()
        }
        for target, given in columns.items()
        if given.values
    }
