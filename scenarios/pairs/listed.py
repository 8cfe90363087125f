"""A pair table with one measured pair per row: ``a,b,solo_a_s,solo_b_s,co_a_s,co_b_s``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scenarios.faults import MOST_FAULTS, Fault
from scenarios.pairs.cells import LEAST, MOST, Sheet, label, value
from scenarios.tables.cell_text import LONGEST_LABEL, CellError
from scenarios.tables.columns import Layout, known_headings, lay_out
from scenarios.tables.decimal_marks import FileMark, mark_of
from scenarios.tables.field import Field
from scenarios.tables.field_table import excess
from scenarios.wording import short


def _time(name: str, meaning: str) -> Field:
    return Field(name, meaning, unit="s", least=LEAST, most=MOST, blank="not measured")


FIELDS = (
    Field("a", "Name of the first application", "text", least=1, most=LONGEST_LABEL),
    Field("b", "Name of the second application", "text", least=1, most=LONGEST_LABEL),
    _time("solo_a_s", "Run time of the first application alone"),
    _time("solo_b_s", "Run time of the second application alone"),
    _time("co_a_s", "Run time of the first application together with the second"),
    _time("co_b_s", "Run time of the second application together with the first"),
)
COLUMNS = tuple(each.name for each in FIELDS)
TIMES = COLUMNS[2:]


@dataclass
class Found:
    """Measurements as they are read: names, and relative speeds of both.

    Attributes
    ----------
    half
        Names of pairs of which half is missing.
    names
        All names of a matrix, also those without a value.
    """

    pairs: list[tuple[str, str, float, float]] = field(default_factory=list)
    half: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def known_columns(cells: Sequence[str]) -> int:
    """How many headings of a pair table are in a row."""
    return known_headings(cells, FIELDS)


def read_list(sheet: Sheet) -> Found:
    """Read every row below the headings.

    Raises
    ------
    ScenarioError
        All faults, each with its line.
    """
    line, headings = sheet.rows[0]
    layout = lay_out(headings, FIELDS)
    faults = [
        sheet.fault(line, message, "" if place is None else headings[place])
        for place, message in layout.problems
    ]
    if faults:
        raise sheet.refuse(faults)
    places = [layout.places[name] for name in TIMES]
    cells = (row[place] for _, row in sheet.rows[1:] for place in places if place < len(row))
    mark = mark_of(cells, sheet.delimiter)
    found = Found()
    for at, row in sheet.rows[1:]:
        if trouble := excess(row, headings):
            faults.append(sheet.fault(at, trouble))
        else:
            _read_row(sheet, at, row, layout, mark, found, faults)
        if len(faults) > MOST_FAULTS:
            break
    if faults:
        raise sheet.refuse(faults)
    if not found.pairs and not found.half:
        raise sheet.refuse([sheet.fault(line, "has no pairs below the headings; add them")])
    return found


def _read_row(
    sheet: Sheet,
    line: int,
    row: Sequence[str],
    layout: Layout,
    mark: FileMark,
    found: Found,
    faults: list[Fault],
) -> None:
    try:
        a, b = (label(row[layout.places[name]], name) for name in ("a", "b"))
    except CellError as error:
        faults.append(sheet.fault(line, str(error)))
        return
    times: list[float | None] = []
    for each in FIELDS[2:]:
        name = each.name
        try:
            text, unit = row[layout.places[name]], layout.units.get(name, "")
            times.append(value(text, each, mark, unit))
        except CellError as error:
            faults.append(sheet.fault(line, f"{error} ({short(a)} with {short(b)})", name))
            return
    solo_a, solo_b, co_a, co_b = times
    if solo_a is None or solo_b is None or co_a is None or co_b is None:
        found.half.append((a, b))
    else:
        found.pairs.append((a, b, solo_a / co_a, solo_b / co_b))
