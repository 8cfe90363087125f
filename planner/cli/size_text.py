"""What ``headroom simulate --size-for`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from planner.cli.edges import show_table
from planner.formatting import plural, seconds

if TYPE_CHECKING:
    from planner.scheduling.sizing.sizing import Sizing, Tried
    from planner.scheduling.sizing.study import SizingStudy


def show_sizing(found: SizingStudy) -> None:
    """Print the answer, what may be wrong with it, and the sizes around it."""
    from planner.scheduling.sizing.wording import how_grown

    click.echo(f"{found.headline} {found.confidence}".strip())
    for warning in found.warnings:
        click.echo(f"Warning: {warning}")
    for line in how_grown(found):
        click.echo(line)
    level = found.asked.level
    headings = ("policy", "nodes", level.name, "mean wait", "used", "")
    rows = [row for sizing in found.sizings for row in _rows(found, sizing)]
    show_table(headings, rows)
    if found.sizings[0].nodes is not None:
        looked = plural(found.sizings[0].found.looked, "node")
        click.echo(
            f"The answer: the smallest size of which it and all larger ones tried keep the level; "
            f"up to {looked} around it every size was tried under {found.sizings[0].policy}, up to "
            "10 % above it one in each per cent."
        )


def _rows(found: SizingStudy, sizing: Sizing) -> list[tuple[str, ...]]:
    rows = []
    if sizing.today is not None:
        rows.append(_row(found, sizing, sizing.today, "the log as it is, on its machine"))
    around = [
        (sizing.below, "one node less"),
        (sizing.answer, "the answer"),
        (sizing.above, "one node more"),
    ]
    if sizing.answer is None:
        around = [(sizing.largest, "the largest that was tried")]
    rows += [_row(found, sizing, each, words) for each, words in around if each]
    return rows


def _row(found: SizingStudy, sizing: Sizing, each: Tried, words: str) -> tuple[str, ...]:
    from planner.scheduling.simulation.wording import share

    return (
        sizing.policy,
        f"{each.nodes:,}",
        found.asked.level.shown(each.value),
        "-" if each.mean_wait_s is None else seconds(each.mean_wait_s),
        "-" if each.utilisation is None else share(each.utilisation),
        words,
    )
