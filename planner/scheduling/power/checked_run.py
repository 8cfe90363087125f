"""One run of a power-aware policy, built in or a user's own, and its check."""

from __future__ import annotations

from dataclasses import replace

from planner.errors import InputError, StalledError
from planner.parts import calling, is_own
from planner.scheduling.power.checking.checker import Deadline, violations
from planner.scheduling.power.checking.requests import Latest
from planner.scheduling.power.ilp.naming import ilp_name
from planner.scheduling.power.own_answer import plain_run
from planner.scheduling.power.policy import PowerPolicy, PowerRun
from planner.scheduling.power.problem import Integers, PowerProblem
from planner.scheduling.power.rmap import Greedy
from planner.sealed import sealed


def checked_run(
    policy: PowerPolicy, problem: PowerProblem, location: str, *, part: bool = False
) -> PowerRun:
    """Run and check; a policy of the user's own may fail or break a rule.

    The user's own gets a sealed copy of the problem, and its answer is copied before the check.

    Parameters
    ----------
    location
        Where the rule was broken, for the message.
    part
        Whether jobs may wait for ever, for others of the log that are not in this part of it.

    Raises
    ------
    InputError
        What it returns is not a run, or the schedule breaks a rule.
    """
    own = is_own(policy)
    given = sealed(problem) if own else problem
    with calling(policy):
        run, waiting = _run(policy, given, part=part)
        if own:
            run = replace(plain_run(policy, run), waiting=waiting)
    errors = violations(
        run.schedule,
        problem,
        may_reject=True,
        deadline=_deadline(policy, run),
        lends_undrawn=isinstance(policy, Greedy) and policy.lends == "measured",
        latest=_latest(policy),
    )
    if errors:
        raise InputError(f"{policy.name} breaks a rule on {location}: {errors[0]}")
    return run


def _run(
    policy: PowerPolicy, problem: PowerProblem, *, part: bool
) -> tuple[PowerRun, tuple[int, ...]]:
    """Return the run, and the jobs that wait for ever."""
    try:
        return policy.schedule(problem), ()
    except StalledError as stalled:
        if not part or not isinstance(stalled.answer, PowerRun):
            raise
        return stalled.answer, tuple(stalled.answer.waiting)


def _latest(policy: PowerPolicy) -> Latest | None:
    """Return what the name of an ILP scheduler promises; its greedy fallback keeps fair shares.

    A policy of the user's own promises nothing by its name.
    """
    program = None if is_own(policy) or isinstance(policy, Greedy) else ilp_name(policy.name)
    if program is None or program.threshold is None or not program.fair_share:
        return None
    return Latest(program.threshold)


def _deadline(policy: PowerPolicy, run: PowerRun) -> Deadline | Integers:
    """Return when a policy ends jobs; the user's own may have deadlines of its own."""
    if is_own(policy) and run.deadlines_ms is not None:
        return run.deadlines_ms
    if getattr(policy, "kill", "never") == "never":
        return "never"
    return policy.deadline if isinstance(policy, Greedy) else "configuration"
