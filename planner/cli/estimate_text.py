"""What ``headroom estimate`` prints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from planner.cli.edges import show_table
from planner.formatting import plural, seconds
from planner.scheduling.estimates.gain_text import cell, in_table

if TYPE_CHECKING:
    from planner.scheduling.estimates.study import EstimateStudy

_MOST_COLUMNS = 6


def show(found: EstimateStudy) -> None:
    """Print the answer, the cells, the claims, and what predictors leave of the gain."""
    workload = found.workload
    group = workload.group_size(workload.seed_group)
    machine = plural(workload.problem.processors, "processor")
    jobs, users = plural(len(workload.log), "job"), plural(workload.users, "user")
    played = plural(len(found.outcomes), "simulation")
    click.echo(f"{workload.log.name}: {jobs} of {users} on {machine}, {played}")
    click.echo(found.headline)
    for warning in found.warnings:
        click.echo(f"Warning: {warning}")
    click.echo(
        f"\nGain of the seed group's mean queue time ({plural(group, 'user')}), by uptake and "
        "largest error: mean over seeds of each one's gain (deviation)"
        f"{'; some of the errors' if len(found.settings.errors) > _MOST_COLUMNS else ''}"
    )
    _show_cells(found)
    if found.remains:
        click.echo("What predictors leave of the gain, all users using them")
        _show_predictors(found)
    click.echo("Claims of Smith, Hammond and Jarvis (2011)")
    rows = [(claim.claim, claim.printed or "-", claim.found, claim.holds) for claim in found.claims]
    show_table(("claim", "printed", "here", "verdict"), rows)


def _show_cells(found: EstimateStudy) -> None:
    errors = _some(found.settings.errors)
    gains = {(each.uptake, each.error): each.gain for each in found.cells()}
    rows = [
        (f"{100 * uptake:g} %", *(cell(gains.get((uptake, error))) for error in errors))
        for uptake in found.settings.uptakes
        if uptake > 0
    ]
    show_table(("uptake", *(f"error {100 * error:g} %" for error in errors)), rows)


def _show_predictors(found: EstimateStudy) -> None:
    bare, exact = found.no_tool.everybody, found.exact.everybody
    rows = [
        ("no tool", _seconds(bare.mean_s), "-", "-", "-"),
        ("exact run times", _seconds(exact.mean_s), in_table(found.gain_of(found.exact)), "-", "-"),
    ]
    rows += [
        (
            each.tool.words,
            _seconds(each.outcome.everybody.mean_s),
            in_table(each.gain),
            f"{each.outcome.jobs_killed:,}",
            _percent(each.outcome.lost_share),
        )
        for each in found.remains
    ]
    show_table(("tool", "mean queue time", "gain", "jobs killed", "work lost"), rows)


def _some(errors: tuple[float, ...]) -> tuple[float, ...]:
    """The first, the last and some between."""
    if len(errors) <= _MOST_COLUMNS:
        return errors
    step = (len(errors) - 1) / (_MOST_COLUMNS - 1)
    return tuple(errors[round(k * step)] for k in range(_MOST_COLUMNS))


def _percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.1f} %"


def _seconds(value: float | None) -> str:
    return "-" if value is None else seconds(value)
