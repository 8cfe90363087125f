"""The command ``headroom check-schedule``: faults of a schedule, from here or elsewhere."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.edges import Failure, explained, json_option, json_text
from planner.cli.options import option
from planner.cli.simulate_inputs import CHECKED, EVERY_SCHEDULE
from planner.cli.simulate_options import PROCESSORS, event_order_option
from planner.cli.simulate_text import show_violations

if TYPE_CHECKING:
    from planner.scheduling.policies.task import EventOrder


@click.command("check-schedule")
@click.argument("file", type=click.Path())
@option("--processors", type=PROCESSORS, required=True, help="Number of processors of the machine.")
@option(
    "--policy",
    type=click.Choice(CHECKED),
    help="Whose rules hold; without it what holds for every schedule.",
)
@event_order_option
@option(
    "--estimates",
    type=click.Choice(["user", "perfect"]),
    default="user",
    help="What was planned with: requested times, or run times.",
)
@json_option
def check_schedule(
    file: str,
    *,
    processors: int,
    policy: str | None,
    event_order: EventOrder,
    estimates: str,
    as_json: bool,
) -> None:
    """Look for faults in a schedule, from here or elsewhere.

    FILE is a CSV table, plain or gzipped: job, submit, start, run, processors (or procs),
    requested (or req), in seconds.
    """
    with explained():
        from planner.scheduling.simulation.checker import violations
        from planner.scheduling.simulation.schedule_reader import read_schedule

        schedule = read_schedule(Path(file), processors)
        believed = schedule.run_s if estimates == "perfect" else None
        checked = f"the rules of {policy}" if policy else EVERY_SCHEDULE
        broken = violations(schedule, policy=policy, event_order=event_order, estimated_s=believed)
    if as_json:
        found = {
            "jobs": len(schedule),
            "checked": checked,
            "violations": [asdict(each) for each in broken],
        }
        click.echo(json_text(found))
    else:
        show_violations(broken, checked)
    if broken:
        raise Failure("the schedule breaks the rules")
