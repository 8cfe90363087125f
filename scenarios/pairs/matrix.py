"""A pair table as a matrix: the row's application runs with the column's one.

The value is the row's relative speed (time alone over time together), or its slowdown (time
together over time alone) where the user says so. Columns ``memory_gb`` and ``gpu_memory_gb`` give
the memory of a job of the row's application (:mod:`scenarios.pairs.needs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from scenarios.alike import alike
from scenarios.faults import Fault
from scenarios.formatting import nearest, short
from scenarios.pairs.cells import LEAST, MOST, Sheet, label, value
from scenarios.pairs.listed import ListedPairs
from scenarios.pairs.needs import memory_columns, needs_of_rows, without_columns
from scenarios.remark import remark
from scenarios.tables.cell_text import CellError
from scenarios.tables.decimal_marks import FileMark, mark_of
from scenarios.tables.field import Field
from scenarios.tables.field_table import excess

Values = Literal["speed", "slowdown"]

CELL = Field(
    "speed",
    "Relative speed, or slowdown, of the row's application with the column's",
    least=LEAST,
    most=MOST,
    blank="not measured",
)
_MOST_FAULTS = 100


def is_matrix(sheet: Sheet) -> bool:
    """Return whether the headings name what the first column names, or nearly all of it."""
    memory = {*memory_columns(sheet).places.values()}
    _, headings = sheet.rows[0]
    columns = {each for at, each in enumerate(headings) if at and each and at not in memory}
    rows = {cells[0] for _, cells in sheet.rows[1:]}
    return bool(columns) and len(columns & rows) * 2 >= len(columns | rows)


def read_matrix(sheet: Sheet, values: Values = "speed") -> ListedPairs:
    """Read both halves of every pair.

    Raises
    ------
    ScenarioError
        It lists all errors, each with its line.
    """
    whole, memory = sheet, memory_columns(sheet)
    sheet = without_columns(whole, [*memory.places.values()])
    line, headings = sheet.rows[0]
    faults = [
        sheet.fault(line, message, "" if at is None else whole.rows[0][1][at])
        for at, message in memory.problems
    ]
    columns = _names(sheet, headings[1:], [line] * len(headings), "column", faults)
    listed = [(at, cells) for at, cells in sheet.rows[1:]]
    rows = _names(sheet, [cells[0] for _, cells in listed], [at for at, _ in listed], "row", faults)
    for name in columns:
        if name not in rows:
            remedy = f"add it, or correct the name; {nearest(name, [*rows])}"
            message = f"column {short(name)} has no row; {remedy}"
            faults.append(sheet.fault(line, message))
    for name, at in rows.items():
        if name not in columns:
            message = f"row {short(name)} has no column; {nearest(name, [*columns])}"
            faults.append(sheet.fault(listed[at][0], message))
    if faults:
        raise sheet.refuse(faults)
    for at, cells in listed:
        if len(cells) > len(headings) and (error := excess(cells, headings)):
            faults.append(sheet.fault(at, error))
    mark = mark_of((cell for _, cells in whole.rows[1:] for cell in cells[1:]), sheet.delimiter)
    speeds = [_row(sheet, *listed[rows[name]], columns, values, mark, faults) for name in columns]
    of_names = {name: whole.rows[at + 1] for name, at in rows.items()}
    needs = needs_of_rows(sheet, of_names, memory, mark, faults)
    if faults:
        raise sheet.refuse(faults)
    pairs = ListedPairs(names=[*columns], needs=needs, remarks=[*memory.remarks])
    _add_pairs(pairs, speeds, values)
    return pairs


def _names(
    sheet: Sheet, texts: list[str], lines: list[int], noun: str, faults: list[Fault]
) -> dict[str, int]:
    """Index of each name; blank columns at the end are left out."""
    while texts and not texts[-1] and noun == "column":
        texts = texts[:-1]
    names: dict[str, int] = {}
    for index, text in enumerate(texts):
        try:
            name = label(text, f"the name of {noun} {index + 1}")
        except CellError as error:
            faults.append(sheet.fault(lines[index], str(error)))
            continue
        if name in names:
            message = f"{noun} {short(name)} is listed twice; keep one"
            faults.append(sheet.fault(lines[index], message))
        names.setdefault(name, index)
    faults += [
        sheet.fault(lines[twin.position], twin.message(f"{noun} {twin.earlier_position + 1}"))
        for twin in alike(names.items())
    ]
    return names


def _row(
    sheet: Sheet, line: int, cells: list[str], columns: Mapping[str, int], values: Values,
    mark: FileMark, faults: list[Fault],
) -> list[float | None]:  # fmt: skip
    speeds: list[float | None] = []
    for name, index in columns.items():
        text = cells[index + 1] if index + 1 < len(cells) else ""
        try:
            speed = value(text, CELL, mark)
        except CellError as error:
            if len(faults) <= _MOST_FAULTS:
                message = f"{error} ({values} of {cells[0]} with {name})"
                faults.append(sheet.fault(line, message, name))
            continue
        speeds.append(1 / speed if speed and values == "slowdown" else speed)
    return speeds


def _add_pairs(pairs: ListedPairs, speeds: list[list[float | None]], values: Values) -> None:
    names = pairs.names
    used = high = 0
    for i, a in enumerate(names):
        for j in range(i, len(names)):
            forth, back = speeds[i][j], speeds[j][i]
            if forth is not None and back is not None:
                cells = (forth,) if i == j else (forth, back)
                used += len(cells)
                high += sum(speed > 1 for speed in cells)
                pairs.pairs.append((a, names[j], forth, back))
            elif (forth is None) is not (back is None):
                pairs.half.append((a, names[j]))
    if 2 * high > used:
        pairs.remarks.append(remark(
            "pairs-above-1", speeds=((high, used), "of:count"), read=(values, "id"),
            other=("speed" if values == "slowdown" else "slowdown", "id"),
        ))  # fmt: skip
