"""Price sheets of packages that a scenario names: their lines come before those typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from scenarios.faults import Fault
from scenarios.model.package_sheet import PackageSheet, TotalCell
from scenarios.model.tender import Package, Rounding
from scenarios.package_bill import PackageError, line_quantities
from scenarios.quotes.package_lines import PackageLines, read_package_lines
from scenarios.reading.groups import entries, table_of, whole
from scenarios.reading.quote_sheets import Attached
from scenarios.reading.source import Source


def attach_packages(source: Source, folder: Path) -> Attached:
    """Read the sheets of packages; their lines and printed totals become raw values.

    The scenario's own validation reports the errors of mappings; with what is right in them, the
    sheets are read for theirs.
    """
    attached = Attached()
    for index, entry in enumerate(entries(source.raw, "packages")):
        if "sheet" not in entry:
            continue
        sheet = whole(PackageSheet, entry["sheet"])
        attached.whole &= sheet is not None
        cell = whole(TotalCell, entry.get("printed_total"))
        currency = entry.get("currency") or table_of(source.raw, "budget").get("currency", "USD")
        if sheet is None or not isinstance(currency, str):
            if cell is not None:
                del entry["printed_total"]
            continue
        rounding = entry.get("rounding", "line")
        if rounding not in get_args(Rounding):
            rounding = "line"
        read = read_package_lines(sheet, folder, source.shown, currency, rounding, cell)
        _lay_in(entry, read, cell)
        attached.take(read, (*read.faults, *_miscounted(entry, read)), source, index)
    attached.whole &= not attached.faults
    return attached


def _lay_in(entry: dict[str, Any], read: PackageLines, cell: TotalCell | None) -> None:
    """Put what was read into a raw package."""
    typed = entry.get("lines", [])
    if read.lines and not read.faults and isinstance(typed, list):
        entry["lines"] = [*read.lines, *typed]
    if cell is not None:
        del entry["printed_total"]
    if read.printed is not None:
        entry["printed_total"], address = read.printed
        entry["cells"] = {"printed_total": address}


def _miscounted(entry: dict[str, Any], read: PackageLines) -> Iterator[Fault]:
    """Quantities of the whole offer that do not follow from what the mapping says of one unit."""
    package = whole(Package, entry)
    if package is None or read.faults:
        return
    try:
        counts = line_quantities(package)
    except PackageError:  # the checks between groups report it
        return
    for index, (spot, stated) in read.counted.items():
        line = package.lines[index]
        if counts[index] != stated:
            message = (
                f"quantity = {stated:,}, but quantity = {line.quantity:g} per {line.per} with "
                f"every = {line.every} gives {counts[index]:,}; correct per, or ask the vendor"
            )
            yield spot.fault(message)
