"""Tables of measurements in CSV: node counts and run times."""

from __future__ import annotations

import csv
import io
import math

from scenarios.faults import Fault
from scenarios.files import TextFile

COLUMNS = ("nodes", "time_s")


def read_times(file: TextFile) -> tuple[dict[str, list[float]], list[Fault]]:
    """Parse columns ``nodes`` and ``time_s`` (any order, others ignored; ``#`` starts a comment).

    Returns
    -------
    columns, faults
        Lists of numbers by column name; node counts are whole numbers.
    """
    faults: list[Fault] = []
    columns: dict[str, list[float]] = {name: [] for name in COLUMNS}
    rows = [
        (number, line)
        for number, line in enumerate(file.text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not rows:
        return columns, [Fault(file.name, 0, "", "holds no rows; give a header and measurements")]
    header = [cell.strip() for cell in _cells(rows[0][1])]
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        message = f"column {missing[0]!r} is missing from the header {header}; add or rename it"
        return columns, [Fault(file.name, rows[0][0], "", message)]
    for number, line in rows[1:]:
        cells = _cells(line)
        if len(cells) != len(header):
            message = f"{len(cells)} cells where the header has {len(header)}"
            faults.append(Fault(file.name, number, "", message))
            continue
        for name in COLUMNS:
            value = _number(cells[header.index(name)].strip(), whole=name == "nodes")
            if isinstance(value, str):
                faults.append(Fault(file.name, number, name, value))
            else:
                columns[name].append(value)
    return columns, faults


def _cells(line: str) -> list[str]:
    return next(csv.reader(io.StringIO(line)), [])


def _number(text: str, *, whole: bool) -> float | str:
    """The number, or what is wrong with it."""
    try:
        value = float(text)
    except ValueError:
        return f"{text!r} is no number; write it with a decimal point and no unit"
    if not math.isfinite(value) or value <= 0:
        return f"{text} is not a positive, finite number"
    if whole and value != int(value):
        return f"{text} is no whole node count"
    return int(value) if whole else value
