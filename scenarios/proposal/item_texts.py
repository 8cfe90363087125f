"""Figures of node types in the texts of items: of the lines of a package, of parts of a bill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scenarios.proposal.cell_meanings import part_of
from scenarios.proposal.cell_numbers import number_in
from scenarios.proposal.figures import described
from scenarios.proposal.found_tables import (
    FROM_ITEMS,
    FROM_LINES,
    FROM_PARTS,
    FROM_TEXTS,
    Choice,
    Found,
)
from scenarios.proposal.joins import Join
from scenarios.proposal.rows import parts_of, rows_of

_SCORE = 0.5
_POWERS = ("idle_w", "peak_w")
_DESCRIBED = (*_POWERS, "memory_gb", "sockets", "cores_per_socket", "bandwidth_gb_s", "clock_ghz")
PER_PART = ("cores", "sockets", "memory_gb")
"""Fields that a part states of itself: a node has them times the quantity of the part."""


def with_item_figures(found: Found, nodes: Sequence[int], join: Join | None) -> Found:
    """Take what the texts of all nodes of a package state, in a column each; clocks of most."""
    choices = dict(found.choices)
    known = _known(found, join)
    for target in _DESCRIBED:
        for column in found.columns if target not in known else ():
            stated = [described(target, found.grid.texts[row][column.place]) for row in nodes]
            if all(stated) or (target not in _POWERS and any(stated)):
                choices[target] = Choice(target, column, _SCORE, (), FROM_ITEMS)
                break
    return replace(found, choices=choices)


def with_part_figures(found: Found, join: Join | None) -> Found:
    """Take what texts within every node type of a bill of materials state.

    Power is of the whole node; cores and memory are of a part, which has a quantity.
    """
    if not found.is_bill:
        return found
    found = _with_rebates(found)
    choices, known = dict(found.choices), _known(found, join)
    counted = "quantity" in parts_of(found)
    for target in (*_POWERS, *(PER_PART if counted else ())):
        why = FROM_PARTS if target in PER_PART else FROM_TEXTS
        for column in found.columns if target not in known else ():
            choice = Choice(target, column, _SCORE, (), why)
            if _in_each_type(found, choice):
                choices[target] = choice
                break
    return replace(found, choices=choices)


def _with_rebates(found: Found) -> Found:
    """Take totals of lines for prices, where a negative one has no price of one."""
    total = found.choices.get("line_total")
    rows = [row for row in rows_of(found, None).parts if not found.text(row, "price")]
    cells = [found.grid.cells[row][total.column.place] for row in rows] if total else []
    if total is None or not any((number_in(cell) or 0.0) < 0.0 for cell in cells):
        return found
    price = replace(total, target="price", why=FROM_LINES)
    others = {key: each for key, each in found.choices.items() if key != "line_total"}
    return replace(found, choices=others | {"price": price})


def _known(found: Found, join: Join | None) -> set[str]:
    """Fields that columns state; a number of cores is one, whether of a node or a socket."""
    known = {*found.choices} | ({*join.other.choices} if join is not None else set())
    if known & {"cores", "cores_per_socket"}:
        known |= {"cores", "cores_per_socket"}
    return known


def _in_each_type(found: Found, choice: Choice) -> bool:
    """Whether a column states something in the rows of every node type."""
    rows = rows_of(found, None)
    texts = found.grid.texts
    read = (*rows.quotes, *rows.parts)
    stating = {row for row in read if part_of(choice, texts[row][choice.column.place])}
    ends = (*rows.quotes[1:], len(texts))
    return all(
        any(first <= row < end for row in stating)
        for first, end in zip(rows.quotes, ends, strict=True)
    )
