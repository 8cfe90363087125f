"""The sheets that one mapping names: each is read once, and its headings are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile, inside
from scenarios.model.quote_fields import ANSWERED
from scenarios.model.quote_layouts import FurtherTable, Orientation
from scenarios.model.quote_mapping import Column, QuoteTable
from scenarios.quotes.answers import NODE_TYPE, Answers, answers_in
from scenarios.quotes.attributes import ATTRIBUTE
from scenarios.quotes.headings import DISCOUNTS_FROM, lay_out
from scenarios.quotes.layout import OPTIONS, PART_OF, PART_QUANTITY, Layout
from scenarios.quotes.rows import JOIN_KEY, OWN_KEY
from scenarios.tables.blocks import in_blocks
from scenarios.tables.cells import Table
from scenarios.tables.spreadsheet import read_cells

ReadCells = Callable[[Path, str, str | None], Table]
"""Reads the cells of a sheet: its file, what to call it, and the name of the sheet."""


@dataclass
class Sheets:
    """The sheets of one mapping.

    Attributes
    ----------
    main
        The table of quotes; ``None`` where it could not be read.
    joined
        The further tables, by their names.
    answers
        The vendor's answers.
    files, faults
        All files with their hashes and without their texts, and all errors.
    read
        Reads the cells of a sheet, as :func:`scenarios.tables.spreadsheet.read_cells`.
    """

    main: Layout | None = None
    joined: dict[str, Layout] = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)
    files: list[TextFile] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    read: ReadCells = read_cells


def open_sheets(
    table: QuoteTable,
    folder: Path,
    shown: str,
    currency: str,
    until: float,
    read: ReadCells = read_cells,
) -> Sheets:
    """Read all sheets of a mapping and find their headings.

    Parameters
    ----------
    currency
        Currency of the prices in the sheets.
    table, folder, shown, until, read
        As in :func:`scenarios.quotes.reader.read_quotes`.
    """
    sheets = Sheets(read=read)
    at = partial(key_fault, shown, "quotes")
    cells = read_sheet(sheets, folder, table.file, table.sheet, at)
    if cells is None:
        return sheets
    cells = _laid(cells, table.orientation)
    sheets.main, faults = lay_out(
        table,
        _own_columns(table),
        cells,
        decimal=table.decimal,
        currency=currency,
        at=at,
        until=until,
    )
    sheets.faults += faults
    for index, also in enumerate(table.also):
        layout = _further(
            sheets, table, also, folder, currency, partial(key_fault, shown, f"quotes.also.{index}")
        )
        if layout is not None:
            sheets.joined[also.name] = layout
    if table.answers is not None:
        answers = read_sheet(sheets, folder, table.answers, None, at, "answers")
        if answers is not None:
            sheets.answers, faults = answers_in(
                answers, NODE_TYPE, ANSWERED, table.decimal, currency
            )
            sheets.faults += faults
    return sheets


def key_fault(shown: str, where: str, key: str, message: str) -> Fault:
    """Build the error of a key of a mapping, without its line."""
    return Fault(shown, 0, f"{where}.{key}", message)


def read_sheet(
    sheets: Sheets,
    folder: Path,
    file: str,
    sheet: str | None,
    at: Callable[[str, str], Fault],
    key: str = "file",
) -> Table | None:
    """The cells of a sheet; ``None``, with its errors noted, where it cannot be read."""
    path = inside(folder, file)
    if path is None:
        message = f"{file!r} is outside the scenario's folder; copy the file into it"
        sheets.faults.append(at(key, message))
        return None
    try:
        cells = sheets.read(path, str(folder / file), sheet)
    except ScenarioError as error:
        sheets.faults += error.faults
        return None
    sheets.files.append(TextFile(cells.name, "", cells.sha256))
    return cells


def _further(
    sheets: Sheets,
    table: QuoteTable,
    also: FurtherTable,
    folder: Path,
    currency: str,
    at: Callable[[str, str], Fault],
) -> Layout | None:
    file, sheet, orientation = table.place_of(also)
    cells = read_sheet(sheets, folder, file, sheet, at)
    if cells is None:
        return None
    cells = _laid(cells, orientation)
    columns = {JOIN_KEY: Column(heading=also.key), **_mapped(table, also.name)}
    layout, faults = lay_out(
        also,
        columns,
        cells,
        decimal=also.decimal or table.decimal,
        currency=currency,
        at=at,
    )
    sheets.faults += faults
    return layout


def _laid(cells: Table, orientation: Orientation) -> Table:
    """The cells with a row for each node type."""
    if orientation == "blocks":
        return in_blocks(cells)
    return cells.turned() if orientation == "columns" else cells


def _own_columns(table: QuoteTable) -> Mapping[str, Column]:
    """The columns of the table of quotes itself, by what they hold."""
    columns = _mapped(table, None)
    for each in table.discount_columns:
        columns[f"discounts{DISCOUNTS_FROM}{each.from_quantity}"] = each.place
    if table.parts is not None:
        columns[PART_OF] = Column(heading=table.parts.of)
        columns.setdefault("name", columns[PART_OF])
        if table.parts.quantity is not None:
            columns[PART_QUANTITY] = Column(heading=table.parts.quantity)
    if table.options is not None and table.options.heading is not None:
        columns[OPTIONS] = Column(heading=table.options.heading)
    for also in table.also:
        key = Column(heading=also.own_key or also.key)
        named = columns.get("name", key)  # the key is what the cells of the name mean
        columns[f"{OWN_KEY}{also.name}"] = named if named.heading == key.heading else key
    return columns


def _mapped(table: QuoteTable, name: str | None) -> dict[str, Column]:
    """Fields and attributes whose columns are in the table of that name."""
    columns = {**table.columns}
    columns |= {f"{ATTRIBUTE}{key}": given for key, given in table.attributes.items()}
    return {
        key: given for key, given in columns.items() if given.value is None and given.table == name
    }
