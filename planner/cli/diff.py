"""The command ``headroom diff``: two runs side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from planner.cli.answer import Message, show_tables, tell
from planner.cli.edges import explained
from planner.cli.options import json_option, quiet_option
from planner.cli.typed import argument, command, option
from planner.table import Column, Table

if TYPE_CHECKING:
    from planner.difference import ValueChange

_LONG_TABLES = (
    "sensitivity", "designs", "break_even", "printed", "turning_points", "allocation", "plane",
    "heuristics", "requirements", "programs",
)  # fmt: skip
_CERTIFICATES = "certificates"


@dataclass(frozen=True, kw_only=True)
class DiffOptions:
    """Of ``headroom diff``."""

    first: str = argument(type=click.Path())
    second: str = argument(type=click.Path())
    everything: bool = option("--all", is_flag=True, help="List the long tables too.")
    as_json: bool = json_option()
    quiet: bool = quiet_option()


@command(DiffOptions)
def diff(options: DiffOptions) -> None:
    """Show two runs side by side: FIRST and SECOND are result folders or plan.json files."""
    with explained():
        from planner.difference import difference, read_plan

        changes = difference(read_plan(options.first), read_plan(options.second))
        listed = [c for c in changes if options.everything or not _long_table(c.where)]
        tell(_message(changes, listed, options), _show_all, _not_listed(changes, listed), options)


def _message(
    changes: Sequence[ValueChange], listed: Sequence[ValueChange], options: DiffOptions
) -> Message:
    """Return every change as plain values, and those that are listed as a table."""
    columns = (
        Column("where", "value"),
        Column("first", options.first, _short),
        Column("second", options.second, _short),
        Column("difference", "change", lambda number: f"{number:+.6g}"),
    )
    plain = {
        "first": options.first,
        "second": options.second,
        "changes": [change.to_dict() for change in changes],
    }
    headline = "" if changes else "The two runs agree in every value."
    return Message(plain, headline, shown=(Table("changes", "", columns, listed),))


def _show_all(message: Message) -> None:
    show_tables(message, most=None)


def _not_listed(changes: Sequence[ValueChange], listed: Sequence[ValueChange]) -> tuple[str, ...]:
    if len(listed) == len(changes):
        return ()
    unlisted = Counter(_long_table(change.where) for change in changes)
    counts = ", ".join(f"{count} of {name}" for name, count in unlisted.items() if name)
    return (f"Not listed: {counts}; --all or --json lists them.",)


def _long_table(where: str) -> str:
    """Return the long table that a value stands in; empty for what is always listed."""
    names = where.split(".")
    if names[0] in _LONG_TABLES:
        return names[0]
    return _CERTIFICATES if {"certificate", "rounds"} & set(names) else ""


def _short(value: Any) -> str:
    from scenarios.faults import printable

    text = "-" if value is None else f"{value:.8g}" if isinstance(value, float) else str(value)
    text = printable(text)
    return text if len(text) <= 48 else text[:45] + "..."
