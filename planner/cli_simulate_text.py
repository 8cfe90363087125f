"""What ``headroom simulate`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from planner.cli_edges import show_table

if TYPE_CHECKING:
    from planner.simulation.batch_means import Interval
    from planner.simulation.checker_words import Violation
    from planner.simulation.explain import Explanation
    from planner.simulation.measures import Measures
    from planner.simulation.study import SimulationStudy

_MOST = 20


def show(found: SimulationStudy) -> None:
    """Print the log, the measures of each policy, and how they differ."""
    schedule = found.simulations[0].schedule
    log = found.log
    click.echo(f"{log.name}: {len(log):,} jobs on {schedule.machine_processors:,} processors")
    for words, count in log.counts.items():
        if count and words not in ("jobs read", "jobs kept"):
            click.echo(f"  {words}: {count:,}")
    for warning in found.warnings:
        click.echo(f"Warning: {warning}")
    headings = (
        "policy", "estimates", "jobs", "mean wait", "median", "99 %", "longest",
        "mean bounded slowdown", "utilisation",
    )  # fmt: skip
    show_table(headings, [_row(each) for each in found.measures])
    if found.measures[0].jobs_left_out:
        first = found.measures[0]
        click.echo(f"Measured: {first.rule} ({first.jobs:,} jobs).")
    for comparison in found.comparisons:
        click.echo(_compared(comparison.first, comparison.second, comparison.differences["wait"]))


def _row(each: Measures) -> tuple[str, ...]:
    wait, slowdown = each.wait_s, each.bounded_slowdown
    numbers = (wait.mean, wait.median, wait.p99, wait.largest) if wait else ()
    waits = [f"{number:,.0f} s" for number in numbers] or ["-"] * 4
    return (
        each.policy,
        each.estimates,
        f"{each.jobs:,}",
        *waits,
        "-" if slowdown is None else f"{slowdown.mean:,.2f}",
        "-" if each.utilisation is None else f"{each.utilisation:.2%}",
    )


def _compared(first: str, second: str, wait: Interval) -> str:
    more = "longer" if wait.mean > 0 else "shorter"
    text = (
        f"Under {second} jobs wait {abs(wait.mean):,.0f} s {more} than under {first} "
        f"({100 * wait.confidence:g} % interval by batch means: {wait.low:+,.0f} to "
        f"{wait.high:+,.0f} s)"
    )
    return f"{text}." if wait.tells_apart else f"{text}, which may be chance."


def show_explanation(found: Explanation) -> None:
    """Print why a job waited."""
    click.echo(
        f"\nJob {found.job}: submitted at {found.submit_s} s, started at {found.start_s} s, waited "
        f"{found.wait_s:,} s; {found.processors} processors for {found.estimate_s:,} s as believed."
    )
    for period in found.periods[:_MOST]:
        last = "" if period.looks == 1 else f" to {period.last.time_s} s, {period.looks:,} looks"
        click.echo(f"  {period.first.time_s} s{last}: {period.first.sentence}")
    if len(found.periods) > _MOST:
        more = len(found.periods) - _MOST
        click.echo(f"  ... {more:,} more periods; --json has every look")
    if found.overtaken_by:
        click.echo(f"  overtaken by {len(found.overtaken_by):,} jobs that were submitted later:")
        for each in found.overtaken_by[:_MOST]:
            click.echo(
                f"    job {each.job} at {each.start_s} s, {each.processors} processors, to end by "
                f"{each.expected_end_s} s"
            )
    click.echo(f"  started at {found.start_s} s: {found.started}")


def show_violations(broken: Sequence[Violation]) -> None:
    """Print what the checker found."""
    if not broken:
        click.echo("The checker finds nothing wrong.")
        return
    for each in broken[:_MOST]:
        click.echo(str(each))
    if len(broken) > _MOST:
        click.echo(f"... {len(broken) - _MOST:,} more; --json has all")
