"""A pair table with one measured pair per row: ``a,b,solo_a_s,solo_b_s,co_a_s,co_b_s``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scenarios.faults import Fault
from scenarios.pairs.cells import Sheet, label, number
from scenarios.tables.cell_text import CellError
from scenarios.wording import nearest, short

COLUMNS = ("a", "b", "solo_a_s", "solo_b_s", "co_a_s", "co_b_s")
_TIMES = COLUMNS[2:]
_MOST_FAULTS = 100


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
    return len({cell.lower() for cell in cells} & {*COLUMNS})


def read_list(sheet: Sheet) -> Found:
    """Read every row below the headings.

    Raises
    ------
    ScenarioError
        All faults, each with its line.
    """
    line, headings = sheet.rows[0]
    places = _places(sheet, line, headings)
    found, faults = Found(), list[Fault]()
    for at, cells in sheet.rows[1:]:
        if len(cells) < len(headings) and len(cells) <= max(places.values()):
            message = f"has {len(cells)} cells under {len(headings)} headings; make them equal"
            faults.append(sheet.fault(at, message))
        else:
            _read_row(sheet, at, {name: cells[place] for name, place in places.items()},
                      found, faults)  # fmt: skip
        if len(faults) > _MOST_FAULTS:
            break
    if faults:
        raise sheet.refuse(faults)
    if not found.pairs and not found.half:
        raise sheet.refuse([sheet.fault(line, "has no pairs below the headings; add them")])
    return found


def _places(sheet: Sheet, line: int, headings: Sequence[str]) -> dict[str, int]:
    lowered = [heading.lower() for heading in headings]
    faults = []
    for name in COLUMNS:
        if name not in lowered:
            rest = [heading for heading in headings if heading and heading.lower() not in COLUMNS]
            message = f"there is no column {name!r}; {nearest(name, rest)}"
            faults.append(sheet.fault(line, message))
        elif lowered.count(name) > 1:
            message = f"{lowered.count(name)} columns are called {name!r}; keep one"
            faults.append(sheet.fault(line, message))
    if faults:
        raise sheet.refuse(faults)
    return {name: lowered.index(name) for name in COLUMNS}


def _read_row(
    sheet: Sheet, line: int, cells: Mapping[str, str], found: Found, faults: list[Fault]
) -> None:
    try:
        a, b = label(cells["a"], "a"), label(cells["b"], "b")
    except CellError as error:
        faults.append(sheet.fault(line, str(error)))
        return
    times: dict[str, float | None] = {}
    for name in _TIMES:
        try:
            times[name] = number(cells[name], name, comma=sheet.comma)
        except CellError as error:
            faults.append(sheet.fault(line, f"{error} ({short(a)} with {short(b)})", name))
            return
    solo_a, solo_b, co_a, co_b = (times[name] for name in _TIMES)
    if solo_a is None or solo_b is None or co_a is None or co_b is None:
        found.half.append((a, b))
    else:
        found.pairs.append((a, b, solo_a / co_a, solo_b / co_b))
