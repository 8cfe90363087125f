"""Tables of measurements in CSV: run times over node counts, figures of merit.

The delimiter is found as in every table (:mod:`scenarios.tables.delimiters`). Decimals follow a
point; in a table with semicolons or tabs they may follow a comma, where no number of the table has
a point.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scenarios.faults import Fault
from scenarios.fields import LARGEST
from scenarios.files import TextFile
from scenarios.tables.delimiters import cells_of, delimiter_of
from scenarios.wording import nearest

COLUMNS = ("nodes", "time_s")
_MERIT_COLUMNS = ("node_type", "figure_of_merit")
_MERIT_EXTRAS = ("cap_w", "drawn_w", "workload")
_NUMBERS = ("nodes", "time_s", "figure_of_merit", "cap_w", "drawn_w")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
_LARGEST_COUNT = 10**9
_ALIKE = 0.8  # headings as alike as drawn and drawn_w are one, misspelt
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_LINE_END = re.compile(r"\r\n|\r|\n")

Rows = list[tuple[int, dict[str, str]]]
"""Line number, and cells by column name."""


def read_times(file: TextFile) -> tuple[dict[str, list[float]], list[Fault]]:
    """Parse columns ``nodes`` and ``time_s`` (any order, others ignored; ``#`` starts a comment).

    Returns
    -------
    columns, faults
        Lists of numbers by column name; node counts are whole numbers and ascend.
    """
    columns: dict[str, list[float]] = {name: [] for name in COLUMNS}
    rows, faults = _rows(file, COLUMNS)
    before = 0.0
    for line, cells in rows:
        row = {name: _number(cells[name], name) for name in COLUMNS}
        wrong = _wrong(file, line, row)
        nodes = row["nodes"]
        if isinstance(nodes, int):
            if nodes <= before:
                message = f"{nodes} follows {before}; list each node count once, ascending"
                wrong.append(Fault(file.name, line, "nodes", message))
            before = nodes
        faults += wrong
        for name, value in row.items():
            if not isinstance(value, str):
                columns[name].append(value)
    return columns, faults


def read_merits(
    file: TextFile, workload: str, known: Sequence[str]
) -> tuple[dict[str, Any], list[Fault]]:
    """Parse columns ``node_type`` and ``figure_of_merit``; ``cap_w`` and ``drawn_w`` may be there.

    Where there is a column ``workload``, only the rows of this workload are taken, so that one
    file may serve many; each must name one of the ``known``.

    Returns
    -------
    columns, faults
        ``rows``: one mapping per row, with ``origin``, the line that it stands in.
    """
    rows, faults = _rows(file, _MERIT_COLUMNS, _MERIT_EXTRAS)
    if faults:
        return {}, faults
    own = [(line, cells) for line, cells in rows if cells.get("workload", workload) == workload]
    strange = []
    for line, cells in rows:
        name = cells.get("workload", workload)
        if name not in known:
            message = f"{_short(name)} is no workload; {nearest(name, [*known])}"
            strange.append(Fault(file.name, line, "workload", message))
    if strange:
        return {}, strange
    if not own:
        message = f"holds no row of workload {_short(workload)}; add some, or correct its name"
        return {}, [Fault(file.name, 0, "workload", message)]
    found, place = [], Path(file.name).name
    for line, cells in own:
        numbers = {
            name: _number(cells[name], name)
            for name in ("figure_of_merit", "cap_w", "drawn_w")
            if cells.get(name) or name == "figure_of_merit"
        }
        faults += _wrong(file, line, numbers)
        found.append(numbers | {"node_type": cells["node_type"], "origin": f"{place}:{line}"})
    return {"rows": found}, faults


def _rows(
    file: TextFile, needed: Sequence[str], optional: Sequence[str] = ()
) -> tuple[Rows, list[Fault]]:
    """Cells of the named columns, line by line."""
    filled = [
        (number, line)
        for number, line in enumerate(_LINE_END.split(file.text), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    known = {*needed, *optional}
    delimiter = delimiter_of((line for _, line in filled), lambda cells: len(known & {*cells}))
    lines = [(number, cells_of(line, delimiter)) for number, line in filled]
    if len(lines) < 2:
        return [], [Fault(file.name, 0, "", "holds no rows; give a header and measurements")]
    line, header = lines[0]
    for name in (*needed, *optional):
        count = header.count(name)
        if count > 1 or (not count and name in needed):
            trouble = "stands twice in" if count else "is missing from"
            message = f"column {name!r} {trouble} the header {_short(header)}; add or rename it"
            return [], [Fault(file.name, line, "", message)]
    names = (*needed, *optional)
    for heading in header:  # a name that is nearly right would be ignored, and with it its values
        close = difflib.get_close_matches(heading.casefold(), names, n=1, cutoff=_ALIKE)
        if heading not in names and close:
            message = f"column {_short(heading)} is not known; is it {close[0]!r}? rename it"
            return [], [Fault(file.name, line, "", message)]
    rows: Rows = []
    faults = []
    for number, cells in lines[1:]:
        if len(cells) != len(header):
            message = f"{len(cells)} cells where the header has {len(header)}; give one per column"
            faults.append(Fault(file.name, number, "", message))
            continue
        rows.append((number, dict(zip(header, cells, strict=True))))
    return _with_points(rows, delimiter), faults


def _with_points(rows: Rows, delimiter: str) -> Rows:
    """The same with points before decimals, where the whole table writes commas."""
    numbers = [cells[name] for _, cells in rows for name in _NUMBERS if name in cells]
    commas = [number for number in numbers if "," in number]
    if delimiter == "," or not commas or any("." in number for number in numbers):
        return rows
    if delimiter != ";" and all(_THOUSANDS.fullmatch(comma) for comma in commas):
        return rows  # 1,234 may be either, and nothing else says which
    return [
        (line, {k: v.replace(",", ".", 1) if k in _NUMBERS else v for k, v in cells.items()})
        for line, cells in rows
    ]


def _wrong(file: TextFile, line: int, row: dict[str, float | str]) -> list[Fault]:
    """What is said of a value instead of its number is its fault."""
    return [Fault(file.name, line, n, v) for n, v in row.items() if isinstance(v, str)]


def _number(text: str, column: str) -> float | str:
    """Give the number, or say what is wrong with it."""
    if not _NUMBER.fullmatch(text):  # float() takes 1_0, nan and the digits of every script
        return f"{_short(text)} is no number; write it with a decimal point and no unit"
    value = float(text)
    most = _LARGEST_COUNT if column == "nodes" else LARGEST
    if not math.isfinite(value) or not 0 < value <= most:
        return f"{_short(text)} is not above 0 and at most {most:g}; correct it"
    if column == "nodes" and value != int(value):
        return f"{_short(text)} is no whole node count; correct it"
    return int(value) if column == "nodes" else value


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
