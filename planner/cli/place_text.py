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


def show(found: Placement) -> None:
    """Print what was read, the answer, its warnings, and the ranks of each node."""
    from planner.placement.warnings import placement_warnings
    from planner.placement.wording import summary

    click.echo(_read_line(found.communication))
    click.echo(summary(found))
    for warning in placement_warnings(found):
        click.echo(f"Warning: {warning}")
    _show_nodes(found)
    if found.hierarchical:
        _show_levels(found)


def rank_file_hint(found: Placement, out: str | None) -> tuple[str, ...]:
    """How to get a rank file, where one gains something and none is written."""
    from planner.placement.verdict import verdict

    if out is not None or (verdict(found) != "better" and not found.moved_by_pins):
        return ()
    return ("--rank-file FILE writes the rank file, -o DIR those of all launchers and a report.",)


def _read_line(found: Communication) -> str:
    """The form that was read, and how many ranks it has."""
    from planner.formatting import plural
    from scenarios.faults import printable

    name, form = printable(found.name), FORM_NAMES.get(found.form, found.form)
    return f"Read {name} as {form}, {plural(found.ranks, 'rank')}."


def _show_nodes(found: Placement) -> None:
    headings = ("node", "ranks", "cores") if found.hierarchical else ("node", "ranks")
    rows = [
        (f"{node}", *(" ".join(map(str, each)) for each in row))
        for node, *row in zip(found.nodes.numbers, found.groups, found.cores, strict=True)
    ]
    show_table(headings, [row[: len(headings)] for row in rows[:_MOST_SHOWN]])
    if len(rows) > _MOST_SHOWN:
        click.echo(f"... and {len(rows) - _MOST_SHOWN} more; --json has all")


def _show_levels(found: Placement) -> None:
    from planner.placement.wording import amount

    levels = [
        (row.level, amount(row.bytes, "B"), amount(row.bytes_rank_order, "B"))
        for row in found.by_level
    ]
    show_table(("share no more than", "bytes", "in rank order"), levels)
