"""What ``headroom simulate`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from planner.cli.edges import show_columns
from planner.formatting import count, plural, seconds
from planner.scheduling.simulation.wait_text import interval_ends, jobs, share, slowdown
from planner.table import Column

if TYPE_CHECKING:
    from planner.scheduling.simulation.comparison import PolicyComparison
    from planner.scheduling.simulation.explain import Explanation
    from planner.scheduling.simulation.study import SimulationStudy
    from planner.scheduling.violation import Violation

_MOST = 20


_PARTITION = (
    Column("measures.policy", "policy"),
    Column("partition", "partition"),
    Column("processors", "processors", count),
    Column("measures.jobs", "jobs", count),
)


def _measures(of: str = "") -> tuple[Column, ...]:
    """Columns of measures, which are the rows or an attribute ``of`` them."""
    return (
        Column(f"{of}wait_s.mean", "mean wait", seconds),
        Column(f"{of}wait_s.median", "median", seconds),
        Column(f"{of}wait_s.p99", "99 %", seconds),
        Column(f"{of}wait_s.largest", "longest", seconds),
        Column(f"{of}bounded_slowdown.mean", "slowdown", slowdown),
        Column(f"{of}utilisation", "used", share),
    )


def show(study: SimulationStudy) -> None:
    """Print the log, the measures of each policy, and how they differ."""
    schedule = study.simulations[0].schedule
    log = study.log
    machine = plural(schedule.machine_processors, "processor")
    click.echo(f"{log.name}: {jobs(len(log))} on {machine}")
    for words, number in log.counts.items():
        if number and words not in ("jobs read", "jobs kept"):
            click.echo(f"  {words}: {number:,}")
    click.echo(f"{study.headline} {study.confidence}".strip())
    for warning in study.warnings:
        click.echo(f"Warning: {warning}")
    show_columns((Column("policy", "policy"), *_measures()), study.rows)
    if study.by_partition:
        show_columns((*_PARTITION, *_measures("measures.")), study.by_partition)
    first = study.measures[0]
    planned = dict.fromkeys(measure.estimates for measure in study.measures)
    click.echo(
        f"Planned with estimates {' and '.join(planned)}. slowdown: mean bounded slowdown; used: "
        "utilisation."
    )
    if study.recorded is not None:
        click.echo(f"{study.recorded.name}: {study.recorded.meaning}.")
    if first.jobs_left_out:
        click.echo(f"Measured: {first.rule} ({jobs(first.jobs)}).")
    for comparison in study.comparisons:
        click.echo(_compared(study, comparison))
    for measures, explanation in zip(study.measures, study.explanations, strict=False):
        show_explanation(measures.policy, explanation)
    if study.violations is not None:
        for line in violation_lines(study.violations, study.checked):
            click.echo(line)


def _compared(study: SimulationStudy, comparison: PolicyComparison) -> str:
    from planner.scheduling.simulation.summary import difference

    first, second, wait = comparison.first, comparison.second, comparison.differences["wait"]
    if wait.mean == 0 and wait.half_width == 0:
        return f"Under {second} jobs wait as long as under {first}."
    more = "longer" if wait.mean > 0 else "shorter"
    text = (
        f"Under {second} jobs wait {difference(study, comparison)} {more} than under {first} "
        f"({100 * wait.confidence:g} % interval by batch means: {' to '.join(interval_ends(wait))})"
    )
    return f"{text}." if wait.tells_apart else f"{text}, which may be chance."


def show_explanation(policy: str, explanation: Explanation) -> None:
    """Print why a job waited."""
    click.echo(
        f"\nJob {explanation.job} under {policy}: submitted at {explanation.submit_s} s, "
        f"started at {explanation.start_s} s, waited {explanation.wait_s:,} s; "
        f"{plural(explanation.processors, 'processor')} for {explanation.estimate_s:,} s "
        "as believed."
    )
    for period in explanation.periods[:_MOST]:
        last = "" if period.looks == 1 else f" to {period.last.time_s} s, {period.looks:,} looks"
        click.echo(f"  {period.first.time_s} s{last}: {period.first.sentence}")
    if len(explanation.periods) > _MOST:
        more = len(explanation.periods) - _MOST
        click.echo(f"  ... {more:,} more periods; --json has every look")
    if explanation.overtaken_by:
        click.echo(f"  overtaken by {jobs(len(explanation.overtaken_by))} submitted later:")
        for overtaker in explanation.overtaken_by[:_MOST]:
            click.echo(
                f"    job {overtaker.job} at {overtaker.start_s} s, "
                f"{overtaker.processors} processors, to end by {overtaker.expected_end_s} s"
            )
        if len(explanation.overtaken_by) > _MOST:
            click.echo(f"    ... {len(explanation.overtaken_by) - _MOST:,} more; --json has all")
    click.echo(f"  started at {explanation.start_s} s: {explanation.started}")


def violation_lines(broken: Sequence[Violation], checked: str) -> list[str]:
    """Return what the checker found, or that what it ``checked`` holds."""
    if not broken:
        return [f"The checker finds nothing wrong with {checked}."]
    lines = [str(violation) for violation in broken[:_MOST]]
    unlisted = len(broken) - _MOST
    return lines if unlisted <= 0 else [*lines, f"... {unlisted:,} more; --json has all"]
