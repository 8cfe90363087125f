"""The command ``headroom check-schedule``: rules that a schedule breaks."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.answer import Message
from planner.cli.edges import Failure
from planner.cli.options import PROCESSORS, json_option, quiet_option
from planner.cli.simulate_inputs import CHECKED, EVERY_SCHEDULE
from planner.cli.simulate_options import event_order_option
from planner.cli.simulate_text import violation_lines
from planner.cli.typed import argument, command, option

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import EventOrder


@dataclass(frozen=True, kw_only=True)
class CheckScheduleOptions:
    """Options of ``headroom check-schedule``."""

    file: str = argument(type=click.Path())
    processors: int = option(
        type=PROCESSORS, required=True, help="Number of processors of the machine."
    )
    policy: str | None = option(
        type=click.Choice(CHECKED),
        help="Policy whose rules are checked. Default: the rules of every schedule.",
    )
    event_order: EventOrder = event_order_option()
    estimates: str = option(
        type=click.Choice(["user", "perfect"]),
        default="user",
        help="Estimates used for planning: requested times (user) or run times (perfect).",
    )
    as_json: bool = json_option()
    quiet: bool = quiet_option()


@command(CheckScheduleOptions)
def check_schedule(options: CheckScheduleOptions) -> None:
    """Check a schedule, made by Headroom or another program.

    FILE is a CSV table, plain or gzipped: job, submit, start, run, processors (or procs),
    requested (or req), in seconds.
    """
    from planner.scheduling.simulation.checker import violations
    from planner.scheduling.simulation.schedule_reader import read_schedule

    schedule = read_schedule(Path(options.file), options.processors)
    believed = schedule.run_s if options.estimates == "perfect" else None
    checked = f"the rules of {options.policy}" if options.policy else EVERY_SCHEDULE
    broken = violations(
        schedule, policy=options.policy, event_order=options.event_order, estimated_s=believed
    )
    plain = {
        "jobs": len(schedule),
        "checked": checked,
        "violations": [asdict(violation) for violation in broken],
    }
    lines = violation_lines(broken) or [f"The checker found no violation of {checked}."]
    Message(plain, further=tuple(lines)).tell(options)
    if broken:
        raise Failure("the schedule breaks the rules")
