"""The command ``headroom diff``: two runs side by side."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from planner.cli.edges import explained, json_option, json_text, show_table
from planner.cli.options import option

if TYPE_CHECKING:
    from planner.difference import Change

_LONG_TABLES = (
    "sensitivity", "designs", "break_even", "printed", "turning_points", "allocation", "plane",
    "heuristics", "requirements", "programs",
)  # fmt: skip
_CERTIFICATES = "certificates"


@click.command()
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@option("--all", "everything", is_flag=True, help="List the long tables too.")
@json_option
def diff(first: str, second: str, everything: bool, as_json: bool) -> None:  # noqa: FBT001
    """Show two runs side by side: FIRST and SECOND are result folders or plan.json files."""
    with explained():
        from planner.difference import difference, read_plan

        changes = difference(read_plan(first), read_plan(second))
        if as_json:
            plain = {
                "first": first,
                "second": second,
                "changes": [change.to_dict() for change in changes],
            }
            click.echo(json_text(plain))
        elif not changes:
            click.echo("The two runs agree in every value.")
        else:
            _show_changes(changes, first, second, everything=everything)


def _show_changes(
    changes: tuple[Change, ...], first: str, second: str, *, everything: bool
) -> None:
    listed = [c for c in changes if everything or not _long_table(c.where)]
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
        show_table(("value", first, second, "change"), rows)
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
