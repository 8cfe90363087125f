"""What ``headroom simulate`` makes of its arguments, and what it asks of a study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli_values import pairs

if TYPE_CHECKING:
    from planner.policies.task import Policy, Unavailable
    from planner.simulation.checker_words import Violation
    from planner.simulation.explain import Explanation
    from planner.simulation.study import Asked, SimulationStudy, Trim
    from scenarios.job_logs.job_log import JobLog

CHECKED = ("fcfs", "easy", "conservative")
"""Policies whose rules the checker knows."""

_LUBLIN_JOBS, _LUBLIN_PROCESSORS = 10_000, 256


def rules_of(asked: Mapping[str, Any]) -> Asked:
    """Machine, estimates, outages and what is measured."""
    from planner.simulation.study import Asked

    return Asked(
        asked["processors"],
        asked["node_processors"],
        asked["event_order"],
        asked["estimates"],
        tuple(_window(text) for text in asked["windows"]),
        _trim(asked["warm_up"], asked["cool_down"]),
    )


def _window(text: str) -> Unavailable:
    from planner.policies.task import Unavailable

    numbers, colon, kind = text.strip().partition(":outage")
    parts = numbers.split(":")
    if len(parts) != 3 or kind or not all(part.isdecimal() for part in parts):
        message = f"{text!r} is not FROM:TO:PROCESSORS in whole seconds, or that with :outage"
        raise click.BadParameter(message, param_hint="--unavailable")
    begin, end, processors = map(int, parts)
    return Unavailable(begin, end, processors, announced=not colon)


def _trim(warm_up: str, cool_down: float) -> Trim:
    from planner.simulation.study import Trim

    if warm_up == "auto":
        return Trim(None, cool_down)
    try:
        share = float(warm_up)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        message = f"{warm_up!r} is neither a share from 0 to below 1 nor auto"
        raise click.BadParameter(message, param_hint="--warm-up")
    return Trim(share, cool_down)


def log_of(trace: str, asked: Mapping[str, Any]) -> JobLog:
    """Read the log, or draw it if the name is that of a model."""
    drawn = trace == "lublin" or trace.startswith("poisson-")
    if drawn and not Path(trace).exists():
        return _drawn(trace, asked)
    for option in ("jobs", "load"):
        if asked[option] is not None:
            raise click.UsageError(f"--{option} is for drawn traces; a log has its own")
    from scenarios.job_logs.cleaning import Cleaning
    from scenarios.job_logs.reader import read_job_log

    return read_job_log(
        trace,
        form=asked["form"],
        columns=pairs(asked["columns"], "--column") or None,
        clean=Cleaning(overruns=asked["overruns"].replace("-", " ")),
    )


def _drawn(model: str, asked: Mapping[str, Any]) -> JobLog:
    if model == "lublin":
        from scenarios.job_logs.lublin import lublin_log

        jobs = asked["jobs"] or _LUBLIN_JOBS
        machine = asked["processors"] or _LUBLIN_PROCESSORS
        return lublin_log(jobs, machine, asked["seed"], load=asked["load"])
    from typing import get_args

    from scenarios.job_logs.poisson import Kind, poisson_log

    if asked["load"] is not None:
        raise click.UsageError("--load is for lublin")
    kinds: dict[str, Kind] = {f"poisson-{kind}": kind for kind in get_args(Kind)}
    if model not in kinds:
        raise click.UsageError(f"{model} is no model; there are lublin, {', '.join(kinds)}")
    return poisson_log(kinds[model], asked["seed"], jobs=asked["jobs"] or 30)


def compiled_before() -> bool:
    """Whether the loops of the simulator lie compiled on disk."""
    from planner.policies.compiled import on_disk
    from planner.policies.easy import simulate_easy

    return on_disk(simulate_easy)


def explain_in(found: SimulationStudy, policy: Policy, job: int) -> Explanation:
    """Why a job waited under one of the policies."""
    from planner.simulation.explain import explain
    from planner.simulation.simulate import plans_of

    schedule = next(
        each.schedule for each in found.simulations if each.schedule.policy == policy.name
    )
    return explain(schedule, job, plans_of(schedule, job))


def broken_rules(found: SimulationStudy) -> list[Violation]:
    """What an independent checker finds in the schedules."""
    from planner.simulation.checker import violations

    broken = []
    for simulation in found.simulations:
        schedule = simulation.schedule
        known = schedule.policy in CHECKED and not found.asked.unavailable
        believed = schedule.run_s if schedule.estimates == "perfect" else None
        broken += violations(
            schedule,
            policy=schedule.policy if known else None,
            event_order=schedule.event_order,
            estimated_s=believed,
        )
    return broken


def write_schedules(found: SimulationStudy, path: Path) -> None:
    """Write the schedule; of several policies each into a file with its name in it."""
    from planner.simulation.schedule_file import write_schedule

    for simulation in found.simulations:
        target = path
        if len(found.simulations) > 1:
            stem, dot, suffix = path.name.partition(".")
            target = path.with_name(f"{stem}-{simulation.schedule.policy}{dot}{suffix}")
        write_schedule(simulation.schedule, target)
