"""Proposed mappings are read back, so that nothing that was guessed spoils a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scenarios.faults import Fault
from scenarios.formatting import folded
from scenarios.model.quote_fields import REQUIRED
from scenarios.proposal.cell_meanings import unit_to_write
from scenarios.proposal.found_tables import Found
from scenarios.proposal.mapping import Mapping, column_given
from scenarios.proposal.render import toml
from scenarios.quotes.reader import Quotes
from scenarios.tables.cell_text import LONGEST_LABEL

_KEPT = {*REQUIRED, "total_price"}
"""Fields without which there is no node type."""
_Place = tuple[str, int, str]


def read_back(mapping: Mapping, read: Callable[[], Quotes]) -> tuple[Quotes, tuple[Fault, ...]]:
    """Read a sheet, and leave out of its proposed mapping what cannot be read.

    Each error has remedies, the mildest first; the first one by which it is gone is kept. What it
    hid may then appear, and has its own. Errors of a figure that no node type can lack leave out
    their node types together, and of all of them the column, if there is no other one.

    Parameters
    ----------
    mapping
        The proposed mapping, which is changed.
    read
        Reads the sheet with the mapping as it is.

    Returns
    -------
    quotes, errors
        The quotes of the changed mapping, and all errors that were met.
    """
    result = read()
    met = dict.fromkeys(result.faults)
    spots = _spots(mapping) if met else {}
    none_left = _place(mapping.found.grid.table.whole_fault(""))
    hopeless: set[_Place] = set()
    while left := [each for each in result.faults if _place(each) not in hopeless]:
        fault, spot = left[0], spots.get(_place(left[0]))
        places = (spots.get(_place(each)) for each in result.faults)
        wrong = [
            each.row for each in places
            if each and spot and (each.found, each.column) == (spot.found, spot.column)
        ]  # fmt: skip
        before = (mapping.entry, mapping.found, mapping.join, mapping.why)
        for line in _remedies(mapping, fault, spot, wrong):
            tried = read()
            if not {_place(fault), none_left} & {*map(_place, tried.faults)}:
                result = tried
                met |= dict.fromkeys(tried.faults)
                if line:
                    text = f"{line}, left out: {fault.where} {fault.message}"
                    mapping.others.setdefault("left_out", []).append(text)
                break
            mapping.entry, mapping.found, mapping.join, mapping.why = before
        else:
            hopeless.add(_place(fault))
    return result, tuple(met)


@dataclass(frozen=True)
class _Spot:
    """A cell of a table; without a column, a whole row."""

    found: Found
    row: int
    column: int | None


def _place(fault: Fault) -> _Place:
    return Path(fault.file).name, 0 if fault.where else fault.line, fault.where


def _spots(mapping: Mapping) -> dict[_Place, _Spot]:
    """All cells and rows by the places of their errors; a row is of the table that has it."""
    founds = [mapping.found, *([mapping.join.other] if mapping.join is not None else [])]
    spots: dict[_Place, _Spot] = {}
    own = [(found, (found.header, *found.body)) for found in founds]
    for found, rows in [*own, *((found, range(len(found.grid.cells))) for found in founds)]:
        table = found.grid.table.turned() if found.grid.turned else found.grid.table
        for row in rows:
            spots.setdefault(_place(table.row_fault(row, "")), _Spot(found, row, None))
            for column in range(len(found.grid.cells[row])):
                place = (Path(table.name).name, 0, found.grid.address(row, column))
                spots.setdefault(place, _Spot(found, row, column))
    return spots


def _remedies(
    mapping: Mapping, fault: Fault, spot: _Spot | None, wrong: Sequence[int]
) -> Iterator[str]:
    """Change the mapping, one way after the other; yield the line that is left out.

    ``wrong`` are all rows with an error in the column.
    """
    if spot is None:  # of a key of the mapping itself
        target = fault.where.removeprefix("quotes.columns.").split(".")[0]
        if target in mapping.columns.keys() - _KEPT:
            yield _without(mapping, [target])
        return
    joined = mapping.join is not None and spot.found is mapping.join.other
    below = spot.row > spot.found.header
    of = {row: _types_of(mapping, row) if joined else [row] for row in wrong}
    stated = {*mapping.rows.quotes, *mapping.rows.parts}
    notes = [row for row in wrong if stated.isdisjoint(of[row])]
    targets = [
        target for target, given in mapping.columns.items()
        if ("table" in _named(given)) == joined and _at(given, spot)
    ]  # fmt: skip
    if below and spot.row in notes:  # or an option
        yield (_skipped_further if joined else _skipped)(mapping, notes, fault)
    many = not below or 2 * len(wrong) >= len(mapping.rows.quotes)
    for target in (each for each in REQUIRED if each in targets and (many or each == "name")):
        yield from _next_best(mapping, target, spot, joined=joined)
    yield from _without_loose(mapping, [each for each in targets if each not in _KEPT], spot, wrong)
    if not joined:
        yield from _without_others(mapping, spot)
    if below:
        yield from _without_types(mapping, [each for rows in of.values() for each in rows], fault)
    for target in [each for each in targets if each in _KEPT] or ["price"]:
        if target in mapping.columns and target != "name":
            yield _without(mapping, [target])
    if joined:
        further = [key for key, each in mapping.columns.items() if "table" in _named(each)]
        _set(mapping, also=None)
        mapping.join = None
        yield _without(mapping, further)


def _without_loose(
    mapping: Mapping, targets: Sequence[str], spot: _Spot, wrong: Sequence[int]
) -> Iterator[str]:
    """Leave out cells or the column of fields that a node type may lack; they may share it."""
    for target in targets:
        yield from _blanked(mapping, target, spot, wrong)
        yield _without(mapping, [target])
    if targets[1:]:
        yield _without(mapping, targets)


def _set(mapping: Mapping, **changed: Any) -> None:
    """Give keys of the mapping other values; one without a value is left out."""
    entry = {**mapping.entry, **changed}
    mapping.entry = {key: value for key, value in entry.items() if value is not None}


def _named(given: Any) -> dict[str, Any]:
    return {"heading": given} if isinstance(given, str) else given


def _at(given: Any, spot: _Spot) -> bool:
    """Whether a mapping names the column of a spot by this."""
    columns = (*spot.found.columns, *(each.column for each in spot.found.choices.values()))
    own = (each for each in columns if each.place == spot.column)
    return any(each.named.items() <= _named(given).items() for each in own)


def _types_of(mapping: Mapping, row: int) -> list[int]:
    """The node types that a row of the further table is joined to."""
    join = mapping.join
    if join is None or row not in join.other.body:
        return []
    key, texts = folded(join.other.grid.texts[row][join.own_key.place]), mapping.found.grid.texts
    return [each for each in mapping.rows.quotes if join.called(texts[each][join.key.place]) == key]


def _next_best(mapping: Mapping, target: str, spot: _Spot, *, joined: bool) -> Iterator[str]:
    """Take the next column that may state a field; for repeated names, the part numbers."""
    found, line = spot.found, f"{target} = {toml(mapping.columns[target])}"
    choices = [found.choices[key] for key in (target, "part_number") if key in found.choices]
    others = [*choices[0].others, *(each.column for each in choices[1:] if target == "name")]
    table = mapping.join.name if mapping.join is not None and joined else ""
    for rank, column in enumerate(others):
        other = replace(choices[0], target=target, column=column, others=(*others[rank + 1 :],))
        changed = replace(found, choices={**found.choices, target: other})
        unit = unit_to_write(other, mapping.currency)[0]
        given = column_given(mapping, other, found, unit, table)
        _set(mapping, columns={**mapping.columns, target: given})
        if mapping.join is not None and joined:
            mapping.join = replace(mapping.join, other=changed)
        else:
            mapping.found = changed
        yield line


def _blanked(mapping: Mapping, target: str, spot: _Spot, wrong: Sequence[int]) -> Iterator[str]:
    """Let the texts of a column with an error count as blanks, where they are not most of it."""
    texts, place = spot.found.grid.texts, spot.column or 0
    filled = [row for row in spot.found.body if texts[row][place]]
    bad = [texts[row][place] for row in wrong if row in filled]
    if 0 < 2 * len(bad) < len(filled) and all(len(each) <= LONGEST_LABEL for each in bad):
        named = _named(mapping.columns[target])
        values = {**named.get("values", {}), **dict.fromkeys(bad, "")}
        _set(mapping, columns={**mapping.columns, target: {**named, "values": values}})
        yield ""


def _without(mapping: Mapping, targets: Sequence[str]) -> str:
    """Leave out columns, of parts too."""
    left = {key: each for key, each in mapping.columns.items() if key not in targets}
    lines = [f"{key} = {toml(mapping.columns[key])}" for key in targets]
    parts = {**mapping.entry.get("parts", {})}
    per_part = [each for each in parts.pop("per_part", ()) if each in left]
    parts |= {"per_part": per_part} if per_part else {}
    _set(mapping, columns=left, parts=parts or None)
    return lines[0] if len(lines) == 1 else ", ".join(targets)


def _without_others(mapping: Mapping, spot: _Spot) -> Iterator[str]:
    """Leave out a column of discounts or options."""
    discounts = mapping.entry.get("discount_columns", [])
    of_it = [each for each in discounts if _at(each, spot)]
    if of_it:
        _set(mapping, discount_columns=[each for each in discounts if each not in of_it])
        yield f"discount_columns = {toml(of_it)}"
    options = mapping.entry.get("options", {})
    if "heading" in options and _at(options, spot):
        _set(mapping, options=None)
        yield f"options = {toml(options)}"


def _without_types(mapping: Mapping, rows: Sequence[int], fault: Fault) -> Iterator[str]:
    """Leave out node types with their parts and options; none that answers may complete."""
    quotes = mapping.rows.quotes
    above = {
        row: max((each for each in quotes if each <= row), default=row)
        for row in sorted((*quotes, *mapping.rows.parts, *mapping.rows.options))
    }  # fmt: skip
    left = [row for row, first in above.items() if first in {above.get(each) for each in rows}]
    if left and "answers" not in mapping.entry:
        yield _skipped(mapping, left, fault)


def _skipped(mapping: Mapping, rows: Sequence[int], fault: Fault) -> str:
    """Leave out rows; the reason of the first one is that of all."""
    lines = [mapping.found.grid.line(row) for row in rows]
    options = mapping.entry.get("options", {})
    if "rows" in options:
        kept = [each for each in options["rows"] if each not in lines]
        options = {"rows": kept} if kept else {}
    _set(mapping, options=options or None)
    mapping.why = {**mapping.why}  # what is tried may be undone
    mapping.skip(lines, _reason(lines, fault))
    return ""


def _skipped_further(mapping: Mapping, rows: Sequence[int], fault: Fault) -> str:
    """Leave out rows of the further table that are of no node type."""
    if mapping.join is not None:
        (also,) = mapping.entry["also"]
        lines = [mapping.join.other.grid.line(row) for row in rows]
        _set(mapping, also=[{**also, "skip_rows": sorted({*also.get("skip_rows", ()), *lines})}])
        why = f"{mapping.why['also']}; left out: {_reason(lines, fault)}"
        mapping.why = {**mapping.why, "also": why}
    return ""


def _reason(lines: Sequence[int], fault: Fault) -> str:
    """Why rows are left out."""
    more = f", and {len(lines) - 1} more" if lines[1:] else ""
    return f"{lines[0]}{more}: {fault.where} {fault.message}"
