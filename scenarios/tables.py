"""Tables of measurements in CSV: node counts and run times."""

from __future__ import annotations

import csv
import io
import math
import re

from scenarios.faults import Fault
from scenarios.fields import LARGEST
from scenarios.files import TextFile

COLUMNS = ("nodes", "time_s")
_LARGEST_COUNT = 10**9
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_LINE_END = re.compile(r"\r\n|\r|\n")


def read_times(file: TextFile) -> tuple[dict[str, list[float]], list[Fault]]:
    """Parse columns ``nodes`` and ``time_s`` (any order, others ignored; ``#`` starts a comment).

    Returns
    -------
    columns, faults
        Lists of numbers by column name; node counts are whole numbers and ascend.
    """
    columns: dict[str, list[float]] = {name: [] for name in COLUMNS}
    rows = [
        (number, _cells(line))
        for number, line in enumerate(_LINE_END.split(file.text), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if len(rows) < 2:
        return columns, [Fault(file.name, 0, "", "holds no rows; give a header and measurements")]
    line, header = rows[0]
    if len(header) == 1 and ";" in header[0]:
        message = "cells are separated by semicolons; use commas, and points for decimals"
        return columns, [Fault(file.name, line, "", message)]
    for name in COLUMNS:
        if header.count(name) != 1:
            trouble = "stands twice in" if name in header else "is missing from"
            message = f"column {name!r} {trouble} the header {_short(header)}; add or rename it"
            return columns, [Fault(file.name, line, "", message)]
    faults = []
    before = 0.0
    for number, cells in rows[1:]:
        if len(cells) != len(header):
            message = f"{len(cells)} cells where the header has {len(header)}; give one per column"
            faults.append(Fault(file.name, number, "", message))
            continue
        row = {name: _number(cells[header.index(name)], name) for name in COLUMNS}
        wrong = [Fault(file.name, number, n, v) for n, v in row.items() if isinstance(v, str)]
        nodes = row["nodes"]
        if isinstance(nodes, int):
            if nodes <= before:
                message = f"{nodes} follows {before}; list each node count once, ascending"
                wrong.append(Fault(file.name, number, "nodes", message))
            before = nodes
        faults += wrong
        for name, value in row.items():
            if not isinstance(value, str):
                columns[name].append(value)
    return columns, faults


def _cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader(io.StringIO(line), strict=True), [])]
    except csv.Error:  # an open quote, or a cell of more than 128 KiB
        return []


def _number(text: str, column: str) -> float | str:
    """Give the number, or say what is wrong with it."""
    if not _NUMBER.fullmatch(text):  # float() takes 1_0, nan and the digits of every script
        return f"{_short(text)} is no number; write it with a decimal point and no unit"
    value = float(text)
    most = _LARGEST_COUNT if column == "nodes" else LARGEST
    if not math.isfinite(value) or not 0 < value <= most:
        return f"{_short(text)} is outside of 0 to {most:g}; correct it"
    if column == "nodes" and value != int(value):
        return f"{_short(text)} is no whole node count; correct it"
    return int(value) if column == "nodes" else value


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
