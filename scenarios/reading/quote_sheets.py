"""Vendors' sheets that a scenario names: each table takes over what it is ``like``, and is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scenarios.faults import Fault
from scenarios.fields import LARGEST
from scenarios.files import TextFile
from scenarios.formatting import nearest, short
from scenarios.model.quote_fields import BY_NAME
from scenarios.model.quote_mapping import QuoteTable
from scenarios.positions import KeyPath
from scenarios.quotes.package_lines import PackageLines
from scenarios.quotes.reader import Quotes, read_quotes
from scenarios.reading.groups import Rows, entries, table_of, whole
from scenarios.reading.source import Source
from scenarios.remark import Remark
from scenarios.understood import ReadSheet

_OWN = {"name", "like", "rows", "header_row", "skip_rows", "units_row"}
"""Keys that say where one table is, and are never taken over."""


@dataclass
class Attached:
    """What vendors' sheets added to a scenario.

    Attributes
    ----------
    faults, files
        The errors of all files, and the files.
    remarks
        What was read and may not have been meant.
    sheets
        What was taken from the columns of each sheet.
    whole
        Whether every mapping could be used and every quote was read.
    """

    faults: list[Fault] = field(default_factory=list)
    files: list[TextFile] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    sheets: list[ReadSheet] = field(default_factory=list)
    whole: bool = True

    def take(
        self, read: Quotes | PackageLines, faults: Iterable[Fault], source: Source, index: int
    ) -> None:
        """Add what one mapping gave; errors of this entry of the scenario get their lines."""
        for fault in faults:
            if fault.file == source.shown and not fault.line:
                group, *keys = fault.where.split(".")
                where: KeyPath = (group, index, *(int(k) if k.isdigit() else k for k in keys))
                fault = source.here(where, fault.message)  # noqa: PLW2901
            if fault not in self.faults:  # a file that cannot be read may be named often
                self.faults.append(fault)
        self.files += read.files
        self.remarks += read.remarks


def attach_quotes(source: Source, folder: Path) -> Attached:
    """Read the quotes of vendors' sheets into the catalogue, behind what is typed there.

    The scenario's own validation reports the errors of mappings; with what is right in them, the
    sheets are read for theirs.
    """
    raw, attached = source.raw, Attached()
    currency = table_of(raw, "budget").get("currency", "USD")
    catalogue = raw.get("node_types", [])
    if not isinstance(catalogue, list) or not isinstance(currency, str):
        attached.whole = False
        return attached
    listed = entries(raw, "quotes")
    attached.faults += [source.here(*each) for each in _inherit(listed)]
    if listed:
        raw["quotes"] = listed
    quotes: Rows = []
    tables: dict[int, QuoteTable] = {}
    for index, entry in enumerate(listed):
        table = whole(QuoteTable, entry)
        attached.whole &= table is not None
        if table is None:
            table = whole(QuoteTable, _without_unknown(entry))
        if table is not None:
            tables[index] = table
    found: list[tuple[QuoteTable, Quotes]] = []
    for index, table in tables.items():
        until = last_row(table, tables.values())
        read = read_quotes(table, folder, source.shown, currency, until)
        found.append((table, read))
        attached.take(read, read.faults, source, index)
        quotes += read.found
        attached.sheets += [read.understood] if read.understood else []
    attached.faults += dict.fromkeys(_without_quote(found))
    attached.whole &= not attached.faults
    if quotes:
        raw["node_types"] = [*catalogue, *quotes]
    return attached


def _without_quote(found: Iterable[tuple[QuoteTable, Quotes]]) -> Iterator[Fault]:
    """Errors of answers for a node type that no table with these answers quotes."""
    names: dict[str | None, set[str]] = {}
    for table, read in found:
        names.setdefault(table.answers, set()).update(read.names)
    for table, read in found:
        known = sorted(names[table.answers])
        for name, spot in read.answers.items():
            if name not in known:
                yield spot.fault(f"no quote is called {short(name)}; {nearest(name, known)}")


def _without_unknown(entry: dict[str, Any]) -> dict[str, Any]:
    """A table without keys and columns that do not exist."""
    columns = {key: value for key, value in table_of(entry, "columns").items() if key in BY_NAME}
    known = {key: value for key, value in entry.items() if key in QuoteTable.model_fields}
    return known | {"columns": columns}


def _inherit(tables: Rows) -> Iterator[tuple[KeyPath, str]]:
    """Fill in what a table takes over from the one that it is ``like``; yield what is wrong.

    Columns are taken over one by one, the sheet only together with the file.
    """
    named: dict[str, dict[str, Any]] = {}
    for index, entry in enumerate(tables):
        like = entry.get("like")
        if isinstance(like, str) and like in named:
            tables[index] = entry = _like(named[like], entry)  # noqa: PLW2901
        elif isinstance(like, str):
            message = f"there is no table {short(like)} above; {nearest(like, [*named])}"
            yield ("quotes", index, "like"), message
        name = entry.get("name")
        if isinstance(name, str) and name in named:
            yield (
                ("quotes", index, "name"),
                f"{short(name)} is already the name of another table; change it",
            )
        elif isinstance(name, str):
            named[name] = entry


def _like(base: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    taken = {key: value for key, value in base.items() if key not in _OWN}
    if "file" in entry:
        taken.pop("sheet", None)
    if "rows" in table_of(base, "options"):
        taken.pop("options")
    for key in ("columns", "attributes"):
        if key in base:
            taken[key] = {**table_of(base, key), **table_of(entry, key)}
            entry = {each: value for each, value in entry.items() if each != key}
    return taken | entry


def last_row(table: QuoteTable, tables: Iterable[QuoteTable]) -> float:
    """The row above the headings of the next table in the same sheet, where these are given."""
    own = table.header_row or 0
    here = (table.file, table.sheet, table.orientation)
    below = [row for other in tables for place, row in _headings(other) if place == here]
    return min((row for row in below if row > own), default=LARGEST + 1) - 1


def _headings(table: QuoteTable) -> Iterator[tuple[tuple[str, str | None, str], int]]:
    """Sheets in which a table and its further tables have a given row of headings."""
    if table.header_row is not None:
        yield (table.file, table.sheet, table.orientation), table.header_row
    for also in table.also:
        if also.header_row is not None:
            yield table.place_of(also), also.header_row
