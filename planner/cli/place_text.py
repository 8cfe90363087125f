"""What ``headroom place`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from planner.cli.edges import show_table
from planner.cli.place_read import FORM_NAMES

if TYPE_CHECKING:
    from planner.placement.placement import Placement
    from scenarios.communication.matrix import Communication

_MOST_SHOWN = 16


def show(placement: Placement, headline: str | None = None) -> None:
    """Print what was read, the answer, its warnings, and the ranks of each node.

    If a report is written, ``headline`` is that of the report.
    """
    from planner.placement.summary import summary
    from planner.placement.warnings import placement_warnings

    click.echo(_read_line(placement.communication))
    click.echo(summary(placement, headline))
    for warning in placement_warnings(placement):
        click.echo(f"Warning: {warning}")
    _show_nodes(placement)
    if placement.hierarchical:
        _show_levels(placement)


def rank_file_hint(placement: Placement, out: str | None) -> tuple[str, ...]:
    """Return how to get a rank file, where one gains something and none is written."""
    from planner.placement.summary import comparison

    if out is not None or (comparison(placement) != "better" and not placement.moved_by_pins):
        return ()
    return ("--write-rank-file FILE writes the rank file; -o DIR also writes a report.",)


def _read_line(communication: Communication) -> str:
    """Return the form that was read, and how many ranks it has."""
    from planner.formatting import plural
    from scenarios.faults import printable

    name, form = (
        printable(communication.name),
        FORM_NAMES.get(communication.form, communication.form),
    )
    return f"Read {name} as {form}, {plural(communication.ranks, 'rank')}."


def _show_nodes(placement: Placement) -> None:
    from planner.formatting import plural

    headings = ("node", "ranks", "cores") if placement.hierarchical else ("node", "ranks")
    rows = [
        (f"{node}", *(" ".join(map(str, numbers)) for numbers in row))
        for node, *row in zip(
            placement.nodes.numbers, placement.groups, placement.cores, strict=True
        )
    ]
    show_table(headings, [row[: len(headings)] for row in rows[:_MOST_SHOWN]])
    if len(rows) > _MOST_SHOWN:
        click.echo(f"... and {plural(len(rows) - _MOST_SHOWN, 'more node')}; --json lists all")


def _show_levels(placement: Placement) -> None:
    from planner.placement.summary import amount

    levels = [
        (row.level, amount(row.bytes, "B"), amount(row.bytes_rank_order, "B"))
        for row in placement.by_level
    ]
    show_table(("innermost level shared", "bytes as placed", "bytes by default"), levels)
