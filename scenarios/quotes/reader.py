"""Vendors' quotes from a spreadsheet, each vendor's columns mapped to our fields."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError, printable
from scenarios.fields import LARGEST
from scenarios.files import TextFile, inside
from scenarios.model.quote_fields import BY_NAME, REQUIRED, read_cell
from scenarios.model.quote_mapping import QuoteTable
from scenarios.quotes.headings import Layout, lay_out, reading_of
from scenarios.quotes.pairs import pair_faults
from scenarios.remark import Remark, remark_at
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_references import column_letters
from scenarios.tables.cell_text import CellError, as_label, is_blank
from scenarios.tables.cells import Cell, Table
from scenarios.tables.headings import heading_text
from scenarios.tables.spreadsheet import read_cells
from scenarios.tables.units import factor
from scenarios.understood import SAMPLES, ReadColumn, ReadSheet

_NAMES = {"name", "label", "kind", "vendor"}


@dataclass(frozen=True)
class Quotes:
    """The quotes of one sheet.

    Attributes
    ----------
    found
        One dictionary per quote, with the mapped fields that its row fills, ``label``, and
        ``origin``, its row; quotes with an error are left out.
    faults
        Errors of the mapping have the scenario's file, line 0 and a key path that begins with
        ``quotes``; the caller looks up its line.
    files
        The sheet's file with its hash and without its text, where it could be read.
    remarks
        What was read and may not have been meant: hidden rows and columns.
    understood
        What was taken from the columns.
    places
        For each quote the cell of each field that a cell states.
    """

    found: tuple[dict[str, Any], ...] = ()
    faults: tuple[Fault, ...] = ()
    files: tuple[TextFile, ...] = ()
    remarks: tuple[Remark, ...] = ()
    understood: ReadSheet | None = None
    places: tuple[dict[str, str], ...] = ()


def read_quotes(
    table: QuoteTable, folder: Path, shown: str, currency: str, until: float = LARGEST
) -> Quotes:
    """Read the quotes of one table as raw node types.

    Parameters
    ----------
    table
        The mapping.
    folder
        The scenario's folder; the file must lie in it.
    shown
        What to call the scenario in errors of the mapping itself.
    currency
        Currency of the scenario; no price is converted.
    until
        Last row of the table, where another one follows in the sheet.
    """
    path = inside(folder, table.file)
    if path is None:
        message = f"{table.file!r} is outside the scenario's folder; copy the file into it"
        return Quotes(faults=(Fault(shown, 0, "quotes.file", message),))
    try:
        cells = read_cells(path, str(folder / table.file), table.sheet)
    except ScenarioError as error:
        return Quotes(faults=error.faults)
    files = (TextFile(cells.name, "", cells.sha256),)
    constants, faults = _constants(table, shown, currency)
    layout, wrong = lay_out(table, cells, shown, currency, until)
    if layout is None or wrong or faults:
        return Quotes((), (*faults, *wrong), files)
    quotes, faults = _all_quotes(layout, constants)
    doubts = (*_left_out(layout), *_hidden(layout), *_no_texts(layout))
    rows = {
        quote["origin"]: row for row in layout.rows for quote in [{"origin": _origin(cells, row)}]
    }
    places = tuple(
        {
            target: cells.address(rows[quote["origin"]], place)
            for target, place in layout.places.items()
            if target in quote
        }
        for quote in quotes
    )
    return Quotes(tuple(quotes), tuple(faults), files, doubts, _understood(layout), places)


def _understood(layout: Layout) -> ReadSheet:
    cells = layout.cells
    columns = (
        ReadColumn(
            target,
            heading_text(cells.cell(layout.header, place)),
            layout.readings[target].unit,
            tuple(_sample(cells.cell(row, place), target) for row in layout.rows[:SAMPLES]),
        )
        for target, place in layout.places.items()
    )
    name = Path(cells.name).name
    return ReadSheet(name, cells.sheet, len(layout.rows), tuple(columns))


def _sample(cell: Cell, target: str) -> str:
    """A cell as it is written; empty if it shows nothing."""
    with suppress(CellError):
        return "" if is_blank(cell) else as_label(cell, target)
    return ""


def _constants(table: QuoteTable, shown: str, currency: str) -> tuple[dict[str, Any], list[Fault]]:
    """Read the values that the mapping gives, and check the units that it gives."""
    values, faults = {}, []
    for target, given in table.columns.items():
        reading = reading_of(target, table, currency)
        key = "unit"
        try:
            if given.unit is not None:
                _check_unit(reading)
            if given.value is not None:
                key = "value"
                cell = float(given.value) if type(given.value) is int else given.value
                values[target] = read_cell(cell, reading)
        except CellError as error:
            faults.append(Fault(shown, 0, f"quotes.columns.{target}.{key}", str(error)))
    return values, faults


def _check_unit(reading: Reading) -> None:
    kind = BY_NAME[reading.target].dimension
    if not kind:
        raise CellError(f"{reading.target} has no unit; delete the key unit")
    factor(reading.unit, kind, reading.currency)


def _left_out(layout: Layout) -> Iterator[Remark]:
    """Which rows below the headings were not taken for quotes, and why."""
    cells = layout.cells
    for reason, rows in layout.left_out.items():
        yield remark_at(
            cells.whole_fault(""),
            "quotes-left-out",
            why=(reason, "left out"),
            rows=(tuple(str(cells.lines[row]) for row in rows), "id"),
            texts=(tuple(filter(None, (_first_text(cells, row) for row in rows))), "text"),
        )


def _first_text(cells: Table, row: int) -> str:
    texts = (heading_text(cell) for cell in cells.rows[row])
    return next((each for each in texts if each), "")


def _hidden(layout: Layout) -> Iterator[Remark]:
    """Which hidden rows and columns are read: they may be what the vendor withdrew."""
    cells = layout.cells
    rows = tuple(str(cells.lines[row]) for row in layout.rows if row in cells.hidden_rows)
    if rows:
        part = ((len(rows), len(layout.rows)), "of:quote")
        yield remark_at(cells.whole_fault(""), "quotes-hidden-rows", quotes=part, rows=(rows, "id"))
    columns = sorted({*layout.places.values()} & {*cells.hidden_columns})
    if columns:
        letters = tuple(column_letters(place) for place in columns)
        yield remark_at(cells.whole_fault(""), "quotes-hidden-columns", columns=(letters, "id"))


def _no_texts(layout: Layout) -> Iterator[Remark]:
    """Names that a spreadsheet holds as a date or a truth value: it may have changed them."""
    cells = layout.cells
    for row in layout.rows:
        for target in sorted(_NAMES & layout.places.keys()):
            cell = layout.cell(row, target)
            if isinstance(cell, bool | dt.date):
                yield remark_at(
                    cells.fault(row, layout.places[target], ""),
                    "quotes-no-text",
                    field=(target, "id"),
                    held=("truth value" if isinstance(cell, bool) else "date", "cell"),
                    text=(as_label(cell, target), "text"),
                )


def _all_quotes(
    layout: Layout, constants: dict[str, Any]
) -> tuple[list[dict[str, Any]], list[Fault]]:
    quotes, faults = [], []
    names: dict[str, int] = {}
    cells, place = layout.cells, layout.places["name"]
    for row in layout.rows:
        quote, wrong = _quote(layout, row, constants)
        name = quote.get("name")
        if name in names:
            other = cells.address(names[name], place)
            message = f"becomes the name {name!r}, like {other}; rename one of them"
            wrong.append(cells.fault(row, place, message))
        elif name is not None:
            names[name] = row
        faults += wrong
        if not wrong:
            quotes.append(quote)
    return quotes, faults


def _quote(
    layout: Layout, row: int, constants: dict[str, Any]
) -> tuple[dict[str, Any], list[Fault]]:
    cells = layout.cells
    excess = _excess_fault(layout, row)
    if excess is not None:
        return {}, [excess]
    quote, faults = dict(constants), []
    for target, place in layout.places.items():
        cell = layout.cell(row, target)
        if is_blank(cell):
            if target in REQUIRED:
                remedy = f"fill it in, or write skip_rows = [{cells.lines[row]}]"
                message = f"{target} is missing; {remedy} if the row is not a quote"
                faults.append(cells.fault(row, place, message))
            continue
        try:
            quote[target] = read_cell(cell, layout.readings[target])
        except CellError as error:
            faults.append(cells.fault(row, place, str(error)))
    if "name" in quote and "label" not in quote:
        place = layout.places["name"]
        quote["label"] = as_label(cells.cell(row, place), "name")
    faults += pair_faults(layout, row, quote)
    quote["origin"] = _origin(cells, row)
    return quote, faults


def _excess_fault(layout: Layout, row: int) -> Fault | None:
    """Return the error of a CSV record in which a delimiter in a cell may have shifted others."""
    cells = layout.cells
    if cells.sheet:
        return None
    last = _last_filled(cells, row)
    remedy = "put quotation marks around cells that contain delimiters"
    if last > _last_filled(cells, layout.header):
        return cells.fault(row, last, f"is to the right of the last heading; {remedy}")
    width = len(cells.rows[layout.header])
    if len(cells.rows[row]) > width:
        message = f"is one cell more than there are headings; {remedy}, or delete the delimiter"
        return cells.fault(row, width, message)
    return None


def _last_filled(cells: Table, row: int) -> int:
    return max(i for i, cell in enumerate(cells.rows[row]) if not is_blank(cell))


def _origin(cells: Table, row: int) -> str:
    name = printable(Path(cells.name).name)[:60]
    if not cells.sheet:
        return f"{name}:{cells.lines[row]}"
    prefix = cells.address(row, 0).rpartition("!")[0]
    return f"{name}: {printable(prefix)[:40]}!{cells.lines[row]}"
