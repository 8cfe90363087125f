"""A pair table with one measured pair per row: ``a,b,solo_a_s,solo_b_s,co_a_s,co_b_s``.

Further columns may give the memory of both jobs (:mod:`scenarios.pairs.needs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scenarios.faults import MOST_FAULTS
from scenarios.formatting import short
from scenarios.pairs.cells import LEAST, MOST, Sheet, label, value
from scenarios.pairs.needs import LIST_FIELDS, OF_LIST, Need, Needs, noted
from scenarios.remark import Remark
from scenarios.tables.cell_text import LONGEST_LABEL, CellError
from scenarios.tables.columns import known_headings, lay_out
from scenarios.tables.decimal_marks import FileMark, mark_of
from scenarios.tables.field import Field
from scenarios.tables.field_table import excess


def _time(name: str, meaning: str) -> Field:
    return Field(name, meaning, unit="s", least=LEAST, most=MOST, blank="not measured")


MEASURED = (
    Field("a", "Name of the first application", "text", least=1, most=LONGEST_LABEL),
    Field("b", "Name of the second application", "text", least=1, most=LONGEST_LABEL),
    _time("solo_a_s", "Run time of the first application alone"),
    _time("solo_b_s", "Run time of the second application alone"),
    _time("co_a_s", "Run time of the first application together with the second"),
    _time("co_b_s", "Run time of the second application together with the first"),
)
COLUMNS = tuple(field.name for field in MEASURED)
FIELDS = MEASURED + LIST_FIELDS


@dataclass
class ListedPairs:
    """Measurements as they are read: names, and relative speeds of both.

    Attributes
    ----------
    half
        Names of pairs of which half is missing.
    names
        All names of a matrix, also those without a value.
    needs
        Memory of jobs, where the table has columns for it.
    remarks
        What was read and may not have been meant.
    """

    pairs: list[tuple[str, str, float, float]] = field(default_factory=list)
    half: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    needs: Needs = field(default_factory=dict)


def known_columns(cells: Sequence[str]) -> int:
    """Return how many headings of a pair table are in a row."""
    return known_headings(cells, FIELDS)


def read_list(sheet: Sheet) -> ListedPairs:
    """Read every row below the headings.

    Raises
    ------
    ScenarioError
        It lists all errors, each with its line.
    """
    line, headings = sheet.rows[0]
    layout = lay_out(headings, FIELDS)
    faults = [
        sheet.fault(line, message, "" if index is None else headings[index])
        for index, message in layout.problems
    ]
    if faults:
        raise sheet.refuse(faults)
    columns = [
        (field, layout.places[field.name], layout.units[field.name])
        for field in FIELDS[2:]
        if field.name in layout.places
    ]
    names = layout.places["a"], layout.places["b"]
    cells = (row[index] for _, row in sheet.rows[1:] for _, index, _ in columns if index < len(row))
    mark = mark_of(cells, sheet.delimiter)
    content = ListedPairs(remarks=[*layout.remarks])
    for at, row in sheet.rows[1:]:
        if error := excess(row, headings):
            faults.append(sheet.fault(at, error))
        else:
            fault = _read_row(row, f"{sheet.file_name}:{at}", names, columns, mark, content)
            faults += [sheet.fault(at, *fault)] if fault else []
        if len(faults) > MOST_FAULTS:
            break
    if faults:
        raise sheet.refuse(faults)
    if not content.pairs and not content.half:
        raise sheet.refuse([sheet.fault(line, "contains no pairs below the headings; add them")])
    return content


def _read_row(
    row: Sequence[str],
    place: str,
    names: tuple[int, int],
    columns: Sequence[tuple[Field, int, str]],
    mark: FileMark,
    content: ListedPairs,
) -> tuple[str, ...]:
    """Add the pair of a row; or give what is wrong with it, and in which column."""
    try:
        a, b = label(row[names[0]], "a"), label(row[names[1]], "b")
    except CellError as error:
        return (str(error),)
    times: list[float | None] = []
    for quantity, index, unit in columns:
        try:
            number = value(row[index], quantity, mark, unit)
            if quantity.name not in OF_LIST:
                times.append(number)
            elif number is not None:
                name = a if "_a_" in quantity.name else b
                need = Need(number, f"{place}: {quantity.name}")
                noted(content.needs, OF_LIST[quantity.name], name, need)
        except CellError as error:
            return f"{error} ({short(a)} with {short(b)})", quantity.name
    solo_a, solo_b, co_a, co_b = times
    if solo_a is None or solo_b is None or co_a is None or co_b is None:
        content.half.append((a, b))
    else:
        content.pairs.append((a, b, solo_a / co_a, solo_b / co_b))
    return ()
