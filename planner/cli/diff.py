"""The command ``headroom diff``: two runs side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from planner.cli.edges import explained, json_text, show_table
from planner.cli.options import json_option
from planner.cli.typed import argument, command, option

if TYPE_CHECKING:
    from planner.difference import Change

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


@command(DiffOptions)
def diff(asked: DiffOptions) -> None:
    """Show two runs side by side: FIRST and SECOND are result folders or plan.json files."""
    with explained():
        from planner.difference import difference, read_plan

        changes = difference(read_plan(asked.first), read_plan(asked.second))
        if asked.as_json:
            plain = {
                "first": asked.first,
                "second": asked.second,
                "changes": [change.to_dict() for change in changes],
            }
            click.echo(json_text(plain))
        elif not changes:
            click.echo("The two runs agree in every value.")
        else:
            _show_changes(changes, asked)


def _show_changes(changes: tuple[Change, ...], asked: DiffOptions) -> None:
    listed = [c for c in changes if asked.everything or not _long_table(c.where)]
    rows: list[tuple[str, ...]] = [
        (
            change.where,
            _short(change.first),
            _short(change.second),
            "" if change.difference is None else f"{change.difference:+.6g}",
        )
        for change in listed
    ]
    if rows:
        show_table(("value", asked.first, asked.second, "change"), rows)
    if len(listed) < len(changes):
        left = Counter(_long_table(change.where) for change in changes)
        counts = ", ".join(f"{count} of {name}" for name, count in left.items() if name)
        click.echo(f"Not listed: {counts}; --all or --json lists them.")


def _long_table(where: str) -> str:
    """The long table that a value stands in; empty for what is always listed."""
    names = where.split(".")
    if names[0] in _LONG_TABLES:
        return names[0]
    return _CERTIFICATES if {"certificate", "rounds"} & set(names) else ""


def _short(value: Any) -> str:
    from scenarios.faults import printable

    text = "-" if value is None else f"{value:.8g}" if isinstance(value, float) else str(value)
    text = printable(text)
    return text if len(text) <= 48 else text[:45] + "..."
