"""Several tables of quotes that share a mapping: in one sheet, one workbook, or many files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scenarios.fields import LARGEST
from scenarios.formatting import entries, nearest, short
from scenarios.model.quote_mapping import QuoteTable
from scenarios.positions import KeyPath

_OWN = {"name", "like", "rows", "header_row", "skip_rows"}
"""Keys that say where one table is, and are never taken over."""


def inherit(raw: dict[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Fill in what a table takes over from the one that it is ``like``; yield what is wrong.

    Columns are taken over one by one, the sheet only together with the file.
    """
    named: dict[str, dict[str, Any]] = {}
    tables = entries(raw, "quotes")
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
    if tables:
        raw["quotes"] = tables


def _like(base: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    taken = {key: value for key, value in base.items() if key not in _OWN}
    if "file" in entry:
        taken.pop("sheet", None)
    columns: dict[str, Any] = {}
    for given in (base.get("columns"), entry.get("columns")):
        columns |= given if isinstance(given, dict) else {}
    return taken | entry | {"columns": columns}


def last_row(table: QuoteTable, tables: Iterable[QuoteTable]) -> float:
    """The row above the headings of the next table in the same sheet, where these are given."""
    own = table.header_row or 0
    below = [
        other.header_row
        for other in tables
        if (other.file, other.sheet) == (table.file, table.sheet)
        and other.header_row is not None
        and other.header_row > own
    ]
    return min(below) - 1 if below else LARGEST
