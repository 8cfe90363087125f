"""Rows of headings and of units above a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scenarios.proposal.columns import is_number
from scenarios.proposal.grid import Grid
from scenarios.proposal.unit_words import BELOW, Unit, reads_unit, unit_in, unit_named
from scenarios.proposal.words import has_word, plain, words_of
from scenarios.tables.cells import NumberWithUnit, Unreadable


def headings_of(grid: Grid, row: int, depth: int) -> list[str]:
    """Headings of one row, or of two, the upper of which spans what is right of it."""
    lower = grid.texts[row + depth - 1]
    if depth == 1:
        return list(lower)
    upper, group, end = [], "", 0
    first = next((place for place, text in enumerate(lower) if text), 0)
    for place, text in enumerate(grid.texts[row]):
        if text:
            cell = grid.cells[row][place]
            merge = cell.merge if isinstance(cell, Unreadable) else None
            wide = 1 if merge is None else merge.rows if grid.turned else merge.columns
            group, end = text, place + wide if wide > 1 else len(lower)
        elif not lower[place] or place <= first or place >= end:
            group = ""
        upper.append(group)
    return [" ".join(filter(None, pair)) for pair in zip(upper, lower, strict=True)]


def move_to_fullest(headings: list[str], grid: Grid, row: int, body: Sequence[int]) -> None:
    """Give a heading that is merged over several places to that with the most cells.

    The others have headings of groups of node types, which are merged too.
    """
    for place, cell in enumerate(grid.cells[row]):
        merge = cell.merge if isinstance(cell, Unreadable) else None
        if merge is None or merge.down or merge.across or not headings[place]:
            continue
        spanned = range(place, min(place + merge.rows, len(headings)))
        if any(headings[each] != headings[place] for each in spanned if headings[each]):
            continue  # it is a group of headings
        filled = [sum(bool(grid.texts[each][other]) for each in body) for other in spanned]
        fullest = spanned[filled.index(max(filled))]
        headings[place], headings[fullest] = "", headings[place]


def units_of(grid: Grid, row: int) -> dict[int, Unit]:
    """Units in a row without numbers, most cells of which are units; empty for another row.

    A cell without anything below it is none of the table: a date in the block of the title.
    """
    units, filled = {}, 0
    for place, text in enumerate(grid.texts[row]):
        if not any(below[place] for below in grid.texts[row + 1 :]):
            continue
        if not text or re.fullmatch(r"[-\u2013\u2014#/.]", text):
            continue
        if has_word(plain(text), words_of("rows")["units"]) and grid.turned:
            continue  # the heading of the column of units
        if isinstance(grid.cells[row][place], Unreadable | float | NumberWithUnit):
            return {}
        if text[0].isdigit():
            return {}
        filled += 1
        unit = unit_named(text, BELOW)
        unit = unit if unit.name else unit_in(text)[1]
        if unit.name:
            reads = reads_unit(text, unit.dimension, unit.currency)
            units[place] = unit if reads else replace(unit, place="respelt")
    return units if len(units) >= max(1, filled / 2) else {}


def holds_values(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a row has a number for most headings of the fullest row, so that it has values."""
    headings = max(sum(map(bool, texts)) for texts in rows)
    return any(2 * sum(map(is_number, texts)) > headings for texts in rows)
