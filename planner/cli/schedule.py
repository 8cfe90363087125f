"""The command ``headroom schedule``: power-aware policies on the logs of a scenario."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from planner.cli.edges import counted_progress
from planner.cli.help_page import HelpfulCommand
from planner.cli.idle_options import refuse_idle
from planner.cli.options import (
    POWER,
    TIME_LIMIT,
    OutputOptions,
    keep_option,
    scenario_argument,
    workers_option,
)
from planner.cli.own_parts import is_own, portable
from planner.cli.runner import start
from planner.cli.typed import command, group, option
from planner.cli.values import words_of
from planner.cli.vary import SweepOptions, refuse_sweep_options, swept
from planner.scheduling.power.policy_texts import OWN, POLICY_TEXTS

if TYPE_CHECKING:
    from planner.scheduling.power.offline.schedule import Goal


@dataclass(frozen=True, kw_only=True)
class ScheduleOptions:
    """Options of ``headroom schedule``."""

    given: frozenset[str]
    scenario: str = scenario_argument()
    policies: tuple[str, ...] = option(
        "--policy",
        listed=True,
        metavar="NAME",
        help="Policy of the list below, or your own FILE.py:CLASS; repeatable. Default: the "
        "scenario's.",
    )
    bounds_w: tuple[float, ...] = option(
        "--power-bound",
        listed=True,
        type=POWER,
        help="Power bounds of the system, as in 6.5kW,8kW; by default those of the scenario.",
    )
    logs: tuple[str, ...] = option(
        "--log", listed=True, metavar="NAME", help="Logs of the scenario; by default all."
    )
    seeds: int | None = option(
        type=click.IntRange(1, 1000), help="Number of seeds. Default: as in the scenario."
    )
    workers: int = workers_option(type=click.IntRange(1, 1024), help="Number of processes.")
    keep: str | None = keep_option()
    optimum: Goal | None = option(
        type=click.Choice(["turnaround", "makespan"]),
        help="Also prove a limit in hindsight on mean turnaround or makespan (at most about 20 "
        "jobs, identical nodes).",
    )
    optimum_time_limit: float | None = option(
        type=TIME_LIMIT,
        help="Time for each program of --optimum; results may then differ.  [default: work limits]",
    )
    sweep: SweepOptions = group(SweepOptions)
    output: OutputOptions = group(OutputOptions)


@command(ScheduleOptions)
def schedule(options: ScheduleOptions) -> None:
    """Run power-aware scheduling policies on the logs of a scenario.

    SCENARIO is a file with [schedule], or a bundled scenario: thesis-rmap or
    thesis-table-5-2. Every policy runs the same jobs under every power bound.
    """
    from planner.scheduling.power.schedule import schedule as scheduled

    if options.sweep.vary:
        _sweep(options)
        return
    refuse_sweep_options(options.given - {"--workers"})
    run = start("schedule", options)
    with counted_progress("parts", quiet=options.output.quiet) as say:
        study = scheduled(
            options.scenario,
            policies=options.policies,
            bounds_w=options.bounds_w,
            logs=options.logs,
            seeds=options.seeds,
            workers=options.workers,
            keep=options.keep,
            optimum=options.optimum,
            optimum_time_limit_s=options.optimum_time_limit,
            progress=say,
        )
    portably = replace(options, policies=tuple(map(portable, options.policies)))
    run.finish(replace(study, command=words_of("schedule", portably)))


def _sweep(options: ScheduleOptions) -> None:
    from planner.scheduling.power.schedule import schedule as scheduled
    from scenarios import load

    refuse_idle(options.given, "a sweep", dict.fromkeys(("--keep", "--html"), ("one scenario",)))
    own = next((name for name in options.policies if is_own(name)), "")
    if own:
        raise click.UsageError(f"--policy {own} is your own; sweep it by hr.sweep in Python")
    how = {
        "policies": options.policies,
        "bounds_w": options.bounds_w,
        "logs": options.logs,
        "seeds": options.seeds,
        "optimum": options.optimum,
        "optimum_time_limit_s": options.optimum_time_limit,
    }
    swept("schedule", options, load(options.scenario), scheduled, how)


if isinstance(schedule, HelpfulCommand):
    schedule.names = {"Policies": POLICY_TEXTS | {"FILE.py:CLASS": OWN}}
