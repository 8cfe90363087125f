"""What ``headroom simulate`` makes of its arguments, and what it asks of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from planner.cli.simulate_policies import ChosenPolicies, policies_of
from planner.cli.values import pairs, words_of
from planner.plain_numbers import plain_float

if TYPE_CHECKING:
    from planner.cli.simulate_options import MeasuredOptions, PolicyOptions, RuleOptions
    from planner.scheduling.policies.problem import Policy, Unavailable
    from planner.scheduling.simulation.explain import Explanation
    from planner.scheduling.simulation.schedule import JobSchedule
    from planner.scheduling.simulation.settings import SimulationSettings, Trim
    from planner.scheduling.simulation.study import SimulationStudy
    from planner.scheduling.violation import Violation
    from scenarios.job_logs.job_log import JobLog

DEFAULT_POLICIES = ("easy",)

CHECKED = ("fcfs", "easy", "conservative")
"""Policies whose rules the checker knows."""

EVERY_SCHEDULE = "the rules of every schedule"


def rules_of(
    policy: PolicyOptions,
    rules: RuleOptions,
    measured: MeasuredOptions,
    windows: tuple[str, ...] = (),
    clusters: tuple[str, ...] = (),
) -> SimulationSettings:
    """Machine, estimates, outages and what is measured."""
    from planner.scheduling.simulation.settings import SimulationSettings

    return SimulationSettings(
        policy.processors,
        policy.node_processors,
        rules.event_order,
        rules.estimates,
        tuple(_window(text) for text in windows),
        _trim(measured.warm_up, measured.cool_down),
        _clusters(clusters, policy.processors),
    )


def chosen_policies(policy: PolicyOptions, rules: RuleOptions) -> ChosenPolicies:
    """Return the policies, by default easy, with the model of speedup, if one was given."""
    names = policy.names or DEFAULT_POLICIES
    speedup = None
    if rules.speedup is not None:
        if "moldable" not in names:
            raise click.UsageError("--speedup is for moldable jobs; add --policy moldable")
        from planner.scheduling.policies.speedup import speedup_of

        speedup = speedup_of(rules.speedup)
    return policies_of(names, rules.reservations, rules.maui, speedup)


def _clusters(texts: tuple[str, ...], processors: int | None) -> dict[str, int]:
    if texts and processors is not None:
        raise click.UsageError(
            "--cluster gives the processors of each partition; remove --processors"
        )
    clusters = {}
    for name, text in pairs(texts, "--cluster").items():
        if not (text.isascii() and text.isdecimal() and 0 < int(text[:12]) <= 10**9):
            message = f"{name} has {text!r} processors; give a whole number from 1 to 1,000,000,000"
            raise click.BadParameter(message, param_hint="--cluster")
        clusters[name] = int(text)
    return clusters


def _window(text: str) -> Unavailable:
    from planner.scheduling.policies.problem import Unavailable

    numbers, colon, kind = text.strip().partition(":outage")
    parts = numbers.split(":")
    whole = all(part.isascii() and part.isdecimal() and len(part) < 16 for part in parts)
    if len(parts) != 3 or kind or not whole:
        message = (
            f"{text!r} is not FROM:TO:PROCESSORS in whole seconds (with :outage for an outage)"
        )
        raise click.BadParameter(message, param_hint="--unavailable")
    begin, end, processors = map(int, parts)
    return Unavailable(begin, end, processors, announced=not colon)


def _trim(warm_up: str, cool_down: float) -> Trim:
    from planner.scheduling.simulation.settings import Trim

    if warm_up == "auto":
        return Trim(None, cool_down)
    try:
        share = plain_float(warm_up)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        message = f"{warm_up!r} is neither auto nor a share of at least 0 and below 1"
        raise click.BadParameter(message, param_hint="--warm-up")
    return Trim(share, cool_down)


def words_with(name: str, options: object, *, seeded: bool) -> tuple[str, ...]:
    """Return the command that gives the same again; with the seed, where it matters."""
    return words_of(name, options, {"names": DEFAULT_POLICIES} | ({"seed": 0} if seeded else {}))


def drawn_window(text: str | None, out: str | None) -> tuple[int, int] | None:
    """From when to when single jobs are drawn."""
    if text is None:
        return None
    if out is None:
        raise click.UsageError("--window sets the figure of single jobs in the report; add -o")
    first, colon, last = text.strip().partition(":")
    whole = colon and all(part.isascii() and part.isdecimal() for part in (first, last))
    if not whole or max(len(first), len(last)) > 12 or int(first) >= int(last):
        message = f"{text!r} is not FROM:TO in whole seconds of the log, with FROM before TO"
        raise click.BadParameter(message, param_hint="--window")
    return int(first), int(last)


def explain_in(study: SimulationStudy, policy: Policy, job: int) -> Explanation:
    """Return why a job waited under one of the policies.

    Raises
    ------
    InputError
        There is no such job, or what kept it waiting is not known here.
    """
    from planner.errors import InputError
    from planner.scheduling.simulation.explain import explain
    from planner.scheduling.simulation.simulate import plans_of

    for option, value in (
        ("--unavailable", study.settings.unavailable),
        ("--reservations", getattr(policy, "reservations", 1) not in (-1, 1)),
    ):
        if value:
            raise InputError(f"--explain does not work with {option}; remove one of them")
    played = next(
        simulation for simulation in study.simulations if simulation.schedule.policy == policy.name
    )
    own = (part for part in played.parts if (part.number == job).any())
    schedule = next(own, played.schedule)
    return explain(schedule, job, plans_of(schedule, job))


def broken_rules(study: SimulationStudy, policies: Sequence[Policy]) -> list[Violation]:
    """Return what an independent checker finds in the schedules.

    The checker tests the rules of a policy that it knows; otherwise only those of every schedule.
    """
    from planner.scheduling.simulation.checker import violations

    broken = []
    known = rules_checked(study, policies)
    for policy, simulation in zip(policies, study.simulations, strict=True):
        whole_log = study.settings.node_processors == 1 and not simulation.parts
        checkable = policy.name in known
        for schedule in simulation.parts or (simulation.schedule,):
            broken += violations(
                schedule,
                policy=policy.name if checkable else None,
                event_order=schedule.event_order,
                log=_log_of(study, schedule) if whole_log else None,
                estimated_s=schedule.run_s if schedule.estimates == "perfect" else None,
                unavailable=study.settings.unavailable,
            )
    return broken


def _log_of(study: SimulationStudy, schedule: JobSchedule) -> JobLog:
    """Return what was to be scheduled; what the policy was free to change, as it did."""
    if schedule.own_processors is None:
        return study.log
    return replace(
        study.log,
        run_s=schedule.run_s,
        processors=schedule.processors,
        requested_s=schedule.requested_s,
    )


def rules_checked(study: SimulationStudy, policies: Sequence[Policy]) -> tuple[str, ...]:
    """Policies whose own rules the checker knows, with these settings."""
    if study.settings.unavailable or study.settings.estimates == "tsafrir":
        return ()
    return tuple(
        policy.name
        for policy in policies
        if policy.name in CHECKED and getattr(policy, "reservations", 1) == 1
    )
