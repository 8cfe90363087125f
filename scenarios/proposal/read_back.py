"""Proposed mappings are read back, so that nothing that was guessed spoils a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scenarios.faults import Fault
from scenarios.formatting import folded
from scenarios.model.quote_fields import BY_NAME, REQUIRED
from scenarios.proposal.columns import Column
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
    hid may then appear, and has its own. An error of a figure that no node type can lack leaves
    out its node type, and of all of them the column, if there is no other one.

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
        fault = left[0]
        before = (mapping.entry, mapping.found, mapping.join)
        for line in _remedies(mapping, fault, _Wrong(result.faults, spots)):
            tried = read()
            places = {*map(_place, tried.faults)}
            if _place(fault) not in places and none_left not in places:
                result = tried
                met |= dict.fromkeys(tried.faults)
                _note(mapping, line, fault)
                break
            mapping.entry, mapping.found, mapping.join = before
        else:
            hopeless.add(_place(fault))
    return result, tuple(met)


@dataclass(frozen=True)
class _Spot:
    """A cell of a table; without a column, a whole row."""

    found: Found
    row: int
    column: int | None


class _Wrong:
    """Where the errors are."""

    def __init__(self, faults: Sequence[Fault], spots: dict[_Place, _Spot]) -> None:
        self._spots = spots
        self._all = [spot for each in faults if (spot := spots.get(_place(each))) is not None]

    def spot(self, fault: Fault) -> _Spot | None:
        """The cell of an error; ``None`` where it is of a key or a whole sheet."""
        return self._spots.get(_place(fault))

    def rows(self, spot: _Spot) -> list[int]:
        """Rows with an error in the same column."""
        return [
            each.row for each in self._all
            if each.found is spot.found and each.column == spot.column
        ]  # fmt: skip


def _place(fault: Fault) -> _Place:
    return Path(fault.file).name, 0 if fault.where else fault.line, fault.where


def _spots(mapping: Mapping) -> dict[_Place, _Spot]:
    """All cells and rows by the places of their errors; a row is of the table that has it."""
    founds = [mapping.found, *([mapping.join.other] if mapping.join is not None else [])]
    spots: dict[_Place, _Spot] = {}
    own = [(found, (found.header, *found.body)) for found in founds]
    every = [(found, range(len(found.grid.cells))) for found in founds]
    for found, rows in [*own, *every]:
        table = found.grid.table.turned() if found.grid.turned else found.grid.table
        for row in rows:
            spots.setdefault(_place(table.row_fault(row, "")), _Spot(found, row, None))
            for column in range(len(found.grid.cells[row])):
                place = (Path(table.name).name, 0, found.grid.address(row, column))
                spots.setdefault(place, _Spot(found, row, column))
    return spots


def _remedies(mapping: Mapping, fault: Fault, wrong: _Wrong) -> Iterator[str]:
    """Change the mapping, one way after the other; yield the line that is left out."""
    spot = wrong.spot(fault)
    if spot is None:
        yield from _of_a_key(mapping, fault.where.split("."))
        return
    joined = mapping.join is not None and spot.found is mapping.join.other
    below = spot.row > spot.found.header
    rows = _types_of(mapping, spot.row) if joined else [spot.row]
    targets = [*_targets(mapping, spot, joined=joined)]
    if below:
        yield from _without_stray(mapping, spot, rows, joined=joined)
    for target in targets:
        yield from _of_a_column(mapping, target, spot, wrong.rows(spot), joined=joined)
    if not {*targets} <= _KEPT:  # several fields may share the column
        together = [each for each in targets if each not in _KEPT]
        for each in together:
            _without(mapping, each)
        yield ", ".join(together)
    if not joined:
        yield from _without_others(mapping, spot)
    if below:
        yield from _without_types(mapping, rows)
    for target in (each for each in targets if each in _KEPT - {"name"}):
        yield _without(mapping, target)
    if joined:
        yield _unjoined(mapping)


def _without_stray(
    mapping: Mapping, spot: _Spot, rows: Sequence[int], *, joined: bool
) -> Iterator[str]:
    """Leave out a row that is of no node type, as a note below the table or in it."""
    if joined and not rows:
        yield _skipped_further(mapping, spot)
    elif not joined and spot.row not in {*mapping.rows.quotes, *mapping.rows.parts}:
        yield _skipped(mapping, rows)


def _of_a_column(
    mapping: Mapping, target: str, spot: _Spot, wrong: Sequence[int], *, joined: bool
) -> Iterator[str]:
    """What helps where the column of a field cannot be read, or some of its cells."""
    below = spot.row > spot.found.header
    if not below:
        yield from _with_unit(mapping, target)
    if target == "name" or not (below and 2 * len(wrong) < len(mapping.rows.quotes)):
        yield from _next_best(mapping, target, spot, joined=joined)
    if target not in _KEPT:
        yield from _blanked(mapping, target, spot, wrong)
        yield _without(mapping, target)


def _of_a_key(mapping: Mapping, keys: Sequence[str]) -> Iterator[str]:
    """Leave out a key of the mapping itself that is wrong."""
    if keys[0] != "quotes" or len(keys) < len(("quotes", "key")):
        return
    key, target = keys[1], keys[2] if keys[2:] else ""
    if key == "also":
        yield _unjoined(mapping)
    elif key == "columns" and target in mapping.columns and target != "name":
        yield _without(mapping, target)
    elif key in {"discount_columns", "options"} & mapping.entry.keys():
        yield _left(mapping, key)


def _place_of(given: Any, found: Found) -> int | None:
    """The column that a mapping names; ``None`` where it gives a value."""
    named = {"heading": given} if isinstance(given, str) else given
    columns = (*found.columns, *(each.column for each in found.choices.values()))
    fits = (each.place for each in columns if each.named.items() <= named.items())
    return next(fits, None)


def _targets(mapping: Mapping, spot: _Spot, *, joined: bool) -> Iterator[str]:
    for target, given in mapping.columns.items():
        further = isinstance(given, dict) and "table" in given
        if further == joined and _place_of(given, spot.found) == spot.column is not None:
            yield target


def _types_of(mapping: Mapping, row: int) -> list[int]:
    """The node types that a row of the further table is joined to."""
    join = mapping.join
    if join is None or row not in join.other.body:
        return []
    key, texts = folded(join.other.grid.texts[row][join.own_key.place]), mapping.found.grid.texts
    return [each for each in mapping.rows.quotes if folded(texts[each][join.key.place]) == key]


def _with_unit(mapping: Mapping, target: str) -> Iterator[str]:
    """Give our unit, where the sheet states what is none."""
    given, unit = mapping.columns[target], BY_NAME[target].unit
    named: dict[str, Any] = {"heading": given} if isinstance(given, str) else given
    unit = unit or (mapping.currency if BY_NAME[target].dimension == "money" else "")
    if unit and "unit" not in named:
        changed = {**mapping.columns, target: {**named, "unit": unit}}
        mapping.entry = mapping.entry | {"columns": changed}
        yield f"{target} without unit = {toml(unit)}"


def _next_best(mapping: Mapping, target: str, spot: _Spot, *, joined: bool) -> Iterator[str]:
    """Take the next column that may state a field; for repeated names, the part numbers."""
    found, line = spot.found, f"{target} = {toml(mapping.columns[target])}"
    choice = found.choices.get(target)
    if choice is None or target not in REQUIRED:
        return
    others: list[Column] = [*choice.others]
    if target == "name" and (part := found.choices.get("part_number")) is not None:
        others.append(part.column)
    for rank, column in enumerate(others):
        other = replace(choice, column=column, others=tuple(others[rank + 1 :]))
        changed = replace(found, choices={**found.choices, target: other})
        table = mapping.join.name if mapping.join is not None and joined else ""
        given = column_given(mapping, other, found, table)
        mapping.entry = mapping.entry | {"columns": {**mapping.columns, target: given}}
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
        given = mapping.columns[target]
        named: dict[str, Any] = {"heading": given} if isinstance(given, str) else given
        values = {**named.get("values", {}), **dict.fromkeys(bad, "")}
        changed = {**mapping.columns, target: {**named, "values": values}}
        mapping.entry = mapping.entry | {"columns": changed}
        yield ""


def _without(mapping: Mapping, target: str) -> str:
    given = mapping.columns[target]
    columns = {key: each for key, each in mapping.columns.items() if key != target}
    mapping.entry = mapping.entry | {"columns": columns}
    parts = mapping.entry.get("parts", {})
    if target in parts.get("per_part", ()):
        per_part = [each for each in parts["per_part"] if each != target]
        kept = {key: each for key, each in parts.items() if key != "per_part"}
        kept |= {"per_part": per_part} if per_part else {}
        mapping.entry = mapping.entry | {"parts": kept}
    return f"{target} = {toml(given)}"


def _left(mapping: Mapping, key: str) -> str:
    line = f"{key} = {toml(mapping.entry[key])}"
    mapping.entry = {each: value for each, value in mapping.entry.items() if each != key}
    return line


def _without_others(mapping: Mapping, spot: _Spot) -> Iterator[str]:
    """Leave out a column of discounts or options."""
    discounts = mapping.entry.get("discount_columns", [])
    of_it = [each for each in discounts if _place_of(each, spot.found) == spot.column]
    if of_it:
        left = [each for each in discounts if each not in of_it]
        mapping.entry = mapping.entry | {"discount_columns": left}
        yield f"discount_columns = {toml(of_it)}"
    options = mapping.entry.get("options", {})
    if "heading" in options and _place_of(options, spot.found) == spot.column:
        yield _left(mapping, "options")


def _without_types(mapping: Mapping, rows: Sequence[int]) -> Iterator[str]:
    """Leave out node types with their parts and options; not all, and none that was asked for."""
    quotes, line = mapping.rows.quotes, mapping.found.grid.line
    if "answers" in mapping.entry:
        return
    firsts = [max((each for each in quotes if each <= row), default=row) for row in rows]
    read = (*quotes, *mapping.rows.parts, *mapping.rows.options)
    left = [
        row for row in sorted(read)
        if max((each for each in quotes if each <= row), default=row) in firsts
    ]  # fmt: skip
    skipped = mapping.entry.get("skip_rows", ())
    if left and any(line(each) not in skipped for each in quotes if each not in firsts):
        yield _skipped(mapping, left)


def _skipped(mapping: Mapping, rows: Sequence[int]) -> str:
    lines = [mapping.found.grid.line(row) for row in rows]
    skipped = sorted({*mapping.entry.get("skip_rows", ()), *lines})
    mapping.entry = mapping.entry | {"skip_rows": skipped}
    options = [
        each for each in mapping.entry.get("options", {}).get("rows", ()) if each not in lines
    ]
    if options:
        mapping.entry["options"] = {"rows": options}
    elif "rows" in mapping.entry.get("options", {}):
        del mapping.entry["options"]
    return f"read {', '.join(map(str, lines))}"


def _skipped_further(mapping: Mapping, spot: _Spot) -> str:
    """Leave out a row of the further table that is of no node type, as a note."""
    (also,) = mapping.entry["also"]
    skipped = sorted({*also.get("skip_rows", ()), spot.found.grid.line(spot.row)})
    mapping.entry = mapping.entry | {"also": [{**also, "skip_rows": skipped}]}
    return ""


def _unjoined(mapping: Mapping) -> str:
    """Leave out the further table with its columns."""
    line = _left(mapping, "also")
    columns = {
        key: each for key, each in mapping.columns.items()
        if not (isinstance(each, dict) and "table" in each)
    }  # fmt: skip
    mapping.entry = mapping.entry | {"columns": columns}
    mapping.join = None
    return line


def _note(mapping: Mapping, line: str, fault: Fault) -> None:
    """Keep what was left out as a comment, with the error that is gone without it."""
    if line:
        text = f"{line}, left out: {fault.where} {fault.message}"
        mapping.others.setdefault("left_out", []).append(text)
