"""Numbers of a column of measurements: plain ones all at once, the others one by one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import Fault
from scenarios.fields import SMALLEST
from scenarios.measurements.fields import BY_NAME, OPTIONAL
from scenarios.measurements.table import MOST_FAULTS, Cells, RunTable
from scenarios.tables.amounts import Reading, split
from scenarios.tables.cell_text import CellError, is_blank, one_line
from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable
from scenarios.tables.decimal_marks import FileMark, mark_of
from scenarios.tables.field import Field, scale

_MOST_LISTED = 5
_NOT_PLAIN = re.compile(r"[^0-9eE.+\-\s]")  # float() takes 1_0, nan and the digits of every script

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NumberColumn:
    """The numbers of a column in Headroom's unit, and its errors; an invalid number is NaN."""

    values: Floats
    faults: list[Fault]


def file_mark(table: RunTable) -> FileMark:
    """The mark of decimals of a whole file, as :func:`scenarios.tables.decimal_marks.mark_of`.

    Here decimals may follow a comma in quotation marks, even if commas separate cells.
    """
    columns = (
        cells
        for target, cells in table.cells.items()
        if target != "application" and not isinstance(cells, np.ndarray)
    )
    texts = (cell for cells in columns for cell in cells if isinstance(cell, str))
    return mark_of(texts, table.delimiter.replace(",", ""))


def read_column(table: RunTable, target: str, mark: FileMark) -> NumberColumn:
    """Read a column of numbers; stop after more errors than Headroom shows."""
    cells = table.cells[target]
    field = BY_NAME[target]
    unit = table.layout.units.get(target, "")
    values = _scaled(_plain(cells, mark), scale(field, unit))
    fine = (values >= SMALLEST) & (values <= field.most)
    if not field.above:
        fine |= values == field.least
    if field.kind == "whole":
        fine &= values == np.floor(values)
    faults: list[Fault] = []
    blank: list[int] = []
    for run in np.flatnonzero(~fine).tolist():
        values[run] = np.nan
        if is_blank(cells[run]):
            blank.append(run)
            continue
        try:
            values[run] = _value(cells[run], field, unit, mark)
        except CellError as error:
            faults.append(table.fault(run, target, str(error)))
            if len(faults) > MOST_FAULTS:
                break
    return NumberColumn(values, _blank_fault(table, target, blank) + faults)


def _blank_fault(table: RunTable, target: str, blank: list[int]) -> list[Fault]:
    """Return one error for all blank cells: a column is measured throughout, or not at all."""
    if not blank:
        return []
    others = [table.position(run) for run in blank[1:_MOST_LISTED]]
    more = f" and {len(blank) - _MOST_LISTED} more" if blank[_MOST_LISTED:] else ""
    alike = f", as in {', '.join(others)}{more}" if others else ""
    message = f"is blank{alike}; write the number, or delete the run"
    if target in OPTIONAL:
        message += ", or delete the whole column"
    return [table.fault(blank[0], target, message)]


def _plain(cells: Cells, mark: FileMark) -> Floats:
    """Return numbers of the plain cells; NaN for all others."""
    if isinstance(cells, np.ndarray):
        return np.array(cells, dtype=np.float64)
    texts: list[str] = []
    if all(type(cell) is str for cell in cells):
        texts = list(cells)  # type: ignore[arg-type]
        if mark == "comma":
            texts = ["x" if "." in text else text.replace(",", ".") for text in texts]
        try:
            values = np.array([float(text) for text in texts])
        except ValueError:
            values = np.array([_float(text) for text in texts])
        if _NOT_PLAIN.search("".join(texts)):
            odd = [i for i, text in enumerate(texts) if _NOT_PLAIN.search(text)]
            values[odd] = np.nan
        return values
    return np.array([cell if type(cell) is float else np.nan for cell in cells], dtype=np.float64)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _scaled(values: Floats, by: Decimal) -> Floats:
    """Multiply, or divide where that is exact before rounding: 0.001 has no exact double."""
    if by == 1:
        return values
    with np.errstate(over="ignore"):
        if by < 1 and (1 / by) == int(1 / by):
            return values / int(1 / by)
        return values * float(by)


def _value(cell: Cell, field: Field, unit: str, mark: FileMark) -> float:
    """Read one cell that is not plain: with its own unit, with grouped digits, or out of range."""
    if isinstance(cell, Unreadable):
        raise CellError(cell.message)
    if isinstance(cell, str):
        text = one_line(cell)
        return field.checked(field.amount(text, mark, unit), text)
    shown = f"{cell:.10g}" if isinstance(cell, float) else str(cell)
    if isinstance(cell, NumberWithUnit):
        shown = f"{float(cell.shown):g} {cell.unit}".strip()
        if not field.dimension and (not cell.power or not cell.unit):
            cell = cell.plain  # a format such as 0 "nodes"
    if isinstance(cell, float):
        number = cell * float(scale(field, unit)) if unit else cell
        return field.checked(number, shown)
    amount, own = split(cell, Reading(field.name, "", "point", ""))
    return field.checked(field.in_unit(amount, own, unit, shown), shown)
