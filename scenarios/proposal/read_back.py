"""Proposed mappings are read back, so that no column that was guessed spoils a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from scenarios.faults import Fault
from scenarios.model.quote_fields import REQUIRED
from scenarios.proposal.mapping import Mapping
from scenarios.proposal.render import toml
from scenarios.quotes.reader import Quotes
from scenarios.tables.cell_text import LONGEST_LABEL

_KEPT = {*REQUIRED, "total_price"}
"""Fields without which there is no node type: their errors stay, each with its question."""


def read_back(mapping: Mapping, read: Callable[[], Quotes]) -> tuple[Quotes, tuple[Fault, ...]]:
    """Read a sheet, and leave out of its proposed mapping what cannot be read.

    Texts that cannot be read count as blank, where the column has more cells that can be read.
    Any other column with an error becomes a comment.

    Parameters
    ----------
    mapping
        The proposed mapping, which is changed.
    read
        Reads the sheet with the mapping as it is.

    Returns
    -------
    quotes, errors
        The quotes of the changed mapping, and the errors of the proposed one.
    """
    result = read()
    faults = result.faults
    if "answers" in mapping.entry:  # they may be of a column that is wrong
        return result, faults
    for target, given in list(mapping.columns.items()):
        if not result.faults:
            break
        if target in _KEPT:
            continue
        columns = mapping.columns
        blanks = _blanks(mapping, target, given, result.faults)
        if blanks:
            named: dict[str, Any] = {"heading": given} if isinstance(given, str) else given
            values = {**named.get("values", {}), **blanks}
            changed = columns | {target: {**named, "values": values}}
            result = _tried(mapping, "columns", changed, result, read) or result
        others = {key: each for key, each in mapping.columns.items() if key != target}
        without = _tried(mapping, "columns", others, result, read)
        if without is not None:
            _note(mapping, f"{target} = {toml(given)}", result, without)
            result = without
    for given in mapping.entry.get("discount_columns", []):
        left = [each for each in mapping.entry["discount_columns"] if each is not given]
        without = _tried(mapping, "discount_columns", left, result, read)
        if without is not None:
            _note(mapping, f"discount_columns = {toml([given])}", result, without)
            result = without
    return result, faults


def _tried(
    mapping: Mapping, key: str, changed: Any, result: Quotes, read: Callable[[], Quotes]
) -> Quotes | None:
    """What is read with another value of a key, which is kept if it has fewer errors."""
    before = mapping.entry[key]
    mapping.entry[key] = changed
    tried = read() if result.faults else result
    if len(tried.faults) < len(result.faults):
        return tried
    mapping.entry[key] = before
    return None


def _blanks(mapping: Mapping, target: str, given: Any, faults: Sequence[Fault]) -> dict[str, str]:
    """The texts of a column with an error, as blanks; none where they are most of its cells."""
    found = mapping.found
    if mapping.join is not None and isinstance(given, dict) and "table" in given:
        found = mapping.join.other
    choice = found.choices.get(target)
    if choice is None:
        return {}
    grid, place = found.grid, choice.column.place
    wrong = {each.where for each in faults}
    rows = [row for row in found.body if grid.texts[row][place]]
    texts = [grid.texts[row][place] for row in rows if grid.address(row, place) in wrong]
    short = all(len(each) <= LONGEST_LABEL for each in texts)
    return dict.fromkeys(texts, "") if short and 2 * len(texts) < len(rows) else {}


def _note(mapping: Mapping, line: str, before: Quotes, after: Quotes) -> None:
    """Keep a key as a comment, with the first error that is gone without it."""
    gone = next(iter((Counter(before.faults) - Counter(after.faults)).elements()))
    text = f"{line}, left out: {gone.where} {gone.message}"
    mapping.others.setdefault("left_out", []).append(text)
