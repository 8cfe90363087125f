"""What ``headroom estimate`` prints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from planner.cli.edges import show_table
from planner.formatting import duration, percent, plural
from planner.scheduling.estimates.gain_text import cell, in_table

if TYPE_CHECKING:
    from planner.scheduling.estimates.study import EstimateStudy

_MOST_COLUMNS = 6


def show(study: EstimateStudy) -> None:
    """Print the answer, the cells, the claims, and what predictors leave of the gain."""
    workload = study.workload
    group = workload.group_size(workload.seed_group)
    machine = plural(workload.problem.processors, "processor")
    jobs, users = plural(len(workload.log), "job"), plural(workload.users, "user")
    simulated = f"{plural(len(study.outcomes), 'simulation')}{_shared(study)}"
    click.echo(f"{workload.log.name}: {jobs} of {users} on {machine}, {simulated}")
    click.echo(study.headline)
    for finding in study.findings:
        click.echo(finding)
    click.echo(study.confidence)
    for warning in study.warnings:
        click.echo(f"Warning: {warning}")
    click.echo(
        f"\nGain in mean queue time of the sampled users ({plural(group, 'user')}) by uptake and "
        "largest error of the tool's run-time predictions: mean over seeds (standard deviation)"
        f"{'; some of the errors' if len(study.settings.errors) > _MOST_COLUMNS else ''}"
    )
    _show_cells(study)
    if study.remains:
        click.echo("Gain with real predictors, used by all users")
        _show_predictors(study)
    click.echo("Claims of Smith, Hammond and Jarvis (2011)")
    rows = [(claim.claim, claim.found, claim.holds) for claim in study.claims]
    show_table(("claim", "here", "result"), rows)


def _shared(study: EstimateStudy) -> str:
    """Why there are fewer simulations than cases: without a choice of users no seed matters."""
    everybody = [f"{100 * u:g} %" for u in sorted(set(study.settings.uptakes)) if u in (0, 1)]
    if not everybody or len(set(study.settings.seeds)) < 2:
        return ""
    uptakes = "an uptake" if len(everybody) == 1 else "uptakes"
    return f" (all seeds share those at {uptakes} of {' and '.join(everybody)})"


def _show_cells(study: EstimateStudy) -> None:
    errors = _some(study.settings.errors)
    gains = {(cell.uptake, cell.error): cell.gain for cell in study.cells()}
    rows = [
        (f"{100 * uptake:g} %", *(cell(gains.get((uptake, error))) for error in errors))
        for uptake in study.settings.uptakes
        if uptake > 0
    ]
    show_table(("uptake", *(f"error {100 * error:g} %" for error in errors)), rows)


def _show_predictors(study: EstimateStudy) -> None:
    bare, exact = study.no_tool.everybody, study.exact.everybody
    rows = [
        ("no tool", _seconds(bare.mean_s), "-", "-", "-"),
        ("exact run times", _seconds(exact.mean_s), in_table(study.gain_of(study.exact)), "-", "-"),
    ]
    rows += [
        (
            remaining.tool.words,
            _seconds(remaining.outcome.everybody.mean_s),
            in_table(remaining.gain),
            f"{remaining.outcome.jobs_killed:,}",
            _percent(remaining.outcome.lost_share),
        )
        for remaining in study.remains
    ]
    show_table(("tool", "mean queue time", "gain", "jobs killed", "work lost"), rows)


def _some(errors: tuple[float, ...]) -> tuple[float, ...]:
    """Return the first, the last and some between."""
    if len(errors) <= _MOST_COLUMNS:
        return errors
    step = (len(errors) - 1) / (_MOST_COLUMNS - 1)
    return tuple(errors[round(k * step)] for k in range(_MOST_COLUMNS))


def _percent(value: float) -> str:
    return "-" if math.isnan(value) else percent(value)


def _seconds(value: float | None) -> str:
    return "-" if value is None else duration(value)
