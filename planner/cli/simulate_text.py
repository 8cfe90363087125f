"""What ``headroom simulate`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from planner.cli.edges import show_columns
from planner.formatting import count, own_unit, plural
from planner.scheduling.policies.display import in_prose, in_table
from planner.scheduling.simulation.wait_text import alike, interval_ends, jobs, share, slowdown
from planner.worded_table import Column

if TYPE_CHECKING:
    from planner.scheduling.simulation.comparison import PolicyComparison
    from planner.scheduling.simulation.explain import Explanation
    from planner.scheduling.simulation.measures import Measures
    from planner.scheduling.simulation.study import SimulationStudy
    from planner.scheduling.violation import Violation

_MOST = 20
_ESTIMATES = {
    "user": "user requests",
    "perfect": "true run times",
    "tsafrir": "predictions from the user's last two jobs",
}


_PARTITION = (
    Column("measures.policy", "policy", in_table),
    Column("partition", "partition"),
    Column("processors", "processors", count),
    Column("measures.jobs", "jobs", count),
)


def _measures(rows: Sequence[Measures], of: str = "") -> tuple[Column, ...]:
    """Columns of measures, which are the rows or an attribute ``of`` them."""
    waits = [measures.wait_s for measures in rows if measures.wait_s]
    return (
        Column(f"{of}wait_s.mean", "mean wait", alike(wait.mean for wait in waits)),
        Column(f"{of}wait_s.median", "median", alike(wait.median for wait in waits)),
        Column(f"{of}wait_s.p99", "99th percentile", alike(wait.p99 for wait in waits)),
        Column(f"{of}wait_s.largest", "longest", alike(wait.largest for wait in waits)),
        Column(f"{of}bounded_slowdown.mean", "slowdown", slowdown),
        Column(f"{of}utilisation", "utilisation", share),
    )


def show(study: SimulationStudy) -> None:
    """Print the log, the measures of each policy, and how they differ."""
    from planner.scheduling.simulation.summary import measured_jobs

    schedule = study.simulations[0].schedule
    log = study.log
    machine = plural(schedule.machine_processors, "processor")
    click.echo(f"{log.name}: {jobs(len(log))} on {machine}")
    for words, number in log.counts.items():
        if number and words not in ("jobs read", "jobs kept"):
            click.echo(f"  {words}: {number:,}")
    click.echo(f"{study.headline} {study.confidence}".strip())
    for finding in study.findings:
        click.echo(finding)
    for warning in study.warnings:
        click.echo(f"Warning: {warning}")
    show_columns((Column("policy", "policy", in_table), *_measures(study.rows)), study.rows)
    if study.by_partition:
        rows = [partition.measures for partition in study.by_partition]
        show_columns((*_PARTITION, *_measures(rows, "measures.")), study.by_partition)
    planned = dict.fromkeys(measure.estimates for measure in study.measures)
    click.echo(
        f"Run-time estimates: {' and '.join(_ESTIMATES.get(kind, kind) for kind in planned)}. "
        "slowdown: mean bounded slowdown."
    )
    if study.recorded is not None:
        click.echo(f"{study.recorded.name}: {study.recorded.meaning}.")
    if measured := measured_jobs(study):
        click.echo(measured)
    for comparison in study.comparisons:
        click.echo(_compared(comparison))
    for measures, explanation in zip(study.measures, study.explanations, strict=False):
        show_explanation(measures.policy, explanation)
    if study.violations is not None:
        for line in violation_lines(study.violations, study.checked):
            click.echo(line)


def _compared(comparison: PolicyComparison) -> str:
    from planner.scheduling.simulation.summary import difference

    first, second = in_prose(comparison.first), in_prose(comparison.second)
    wait = comparison.differences["wait"]
    if wait.mean == 0 and wait.half_width == 0:
        return f"The mean wait under {second} equals that under {first}."
    more = "longer" if wait.mean > 0 else "shorter"
    text = (
        f"The mean wait under {second} is {difference(comparison)} {more} than under {first} "
        f"({100 * wait.confidence:g} % interval by batch means: {' to '.join(interval_ends(wait))})"
    )
    return f"{text}." if wait.tells_apart else f"{text}; this may be chance."


def show_explanation(policy: str, explanation: Explanation) -> None:
    """Print why a job waited."""
    click.echo(
        f"\nJob {explanation.job} under {in_prose(policy)}: submitted at {explanation.submit_s} s, "
        f"started at {explanation.start_s} s, waited {own_unit(explanation.wait_s)}; "
        f"{plural(explanation.processors, 'processor')}, estimated run time "
        f"{own_unit(explanation.estimate_s)}."
    )
    for period in explanation.periods[:_MOST]:
        last = (
            ""
            if period.looks == 1
            else f" to {period.last.time_s} s, checked {period.looks:,} times"
        )
        click.echo(f"  {period.first.time_s} s{last}: {period.first.sentence}")
    if len(explanation.periods) > _MOST:
        more = len(explanation.periods) - _MOST
        click.echo(f"  ... {more:,} more periods; --json lists every check")
    if explanation.overtaken_by:
        click.echo(f"  overtaken by {jobs(len(explanation.overtaken_by))} submitted later:")
        for overtaker in explanation.overtaken_by[:_MOST]:
            click.echo(
                f"    job {overtaker.job} at {overtaker.start_s} s, "
                f"{plural(overtaker.processors, 'processor')}, expected to end by "
                f"{overtaker.expected_end_s} s"
            )
        if len(explanation.overtaken_by) > _MOST:
            click.echo(f"    ... {len(explanation.overtaken_by) - _MOST:,} more; --json lists all")
    click.echo(f"  started at {explanation.start_s} s: {explanation.started}")


def violation_lines(broken: Sequence[Violation], checked: str) -> list[str]:
    """Return what the checker found, or that what it ``checked`` holds."""
    if not broken:
        return [f"The checker found no violation of {checked}."]
    lines = [str(violation) for violation in broken[:_MOST]]
    unlisted = len(broken) - _MOST
    return lines if unlisted <= 0 else [*lines, f"... {unlisted:,} more; --json lists all"]
