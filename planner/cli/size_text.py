"""What ``headroom size`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from planner.cli.edges import show_columns
from planner.formatting import count, plural
from planner.worded_table import Column

if TYPE_CHECKING:
    from planner.scheduling.sizing.sizing import Sizing
    from planner.scheduling.sizing.study import SizingStudy


_CALLED = {"answer": "the answer", "largest tried": "largest size tried"}


def show_sizing(study: SizingStudy) -> None:
    """Print the answer, what may be wrong with it, and the sizes around it."""
    from planner.scheduling.policies.display import in_prose
    from planner.scheduling.sizing.summary import how_grown, sized_in

    click.echo(f"{study.log.name}: {plural(len(study.log), 'job')}")
    click.echo(f"{study.headline} {study.confidence}".strip())
    for finding in study.findings:
        click.echo(finding)
    for warning in study.warnings:
        click.echo(f"Warning: {warning}")
    for line in how_grown(study):
        click.echo(line)
    show_columns(_columns(study), [row for sizing in study.sizings for row in _rows(sizing)])
    if study.sizings[0].nodes is not None:
        looked = sized_in(study.sizings[0].search.looked, study)
        click.echo(
            "Answer: smallest size from which every larger size tried meets the target. Under "
            f"{in_prose(study.sizings[0].policy)} every size within {looked} of it was tried, and "
            "one per percent up to 10 % above it."
        )


def _rows(sizing: Sizing) -> list[dict[str, Any]]:
    from planner.scheduling.sizing.tables import around, tried

    if sizing.today is None:
        return around(sizing)
    today = {"what": "the log unchanged, on its own machine"}
    return [tried(sizing.policy, sizing.today) | today, *around(sizing)]


def _columns(study: SizingStudy) -> tuple[Column, ...]:
    from planner.scheduling.policies.display import in_table
    from planner.scheduling.simulation.wait_text import own_unit, share
    from planner.scheduling.sizing.summary import unit_of

    level = study.settings.level
    mean = () if level.name == "mean-wait" else (Column("mean_wait_s", "mean wait", own_unit),)
    return (
        Column("policy", "policy", in_table),
        Column("nodes", f"{unit_of(study.rules.node_processors)}s", count),
        Column(lambda row: level.text(row["value"]), level.quantity.removeprefix("the ")),
        *mean,
        Column("utilisation", "utilisation", share),
        Column("what", "", lambda quantity: _CALLED.get(quantity, quantity)),
    )
