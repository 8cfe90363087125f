"""Check a user's own policy: that it answers, respects the machine, and does not use the future.

The built-in policies are tested; these checks do not run for them.

A policy gets a copy of the jobs that it cannot change. The independent checker checks each
schedule. The log is simulated twice, since a policy may keep something between runs. Replays detect
foreknowledge. A replay simulates the jobs that are submitted by a moment, with other run times for
jobs that are unfinished then. The decisions up to that moment must not change. Jobs may wait for
later ones that a replay leaves out, and then never start in it. Replays use a part of the log, so
they cost at most 18 simulations of 500 jobs for a log of any length. They can prove that a policy
uses what it cannot know. They cannot prove that it never does. They do not detect a policy that
reads the log's file by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError, StalledError
from planner.parts import calling, is_own, locate, name_of
from planner.scheduling.policies.problem import (
    Integers,
    SchedulingProblem,
    Starts,
    some_jobs,
)
from planner.scheduling.policies.running import LATEST
from planner.scheduling.replayed_stretch import busiest_stretch
from planner.scheduling.simulation.checker import violations
from planner.sealed import sealed

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.simulation.schedule import JobSchedule

JOBS, MOMENTS, ARRIVALS = 500, 12, 4
"""Jobs of a replay, and replays at starts of jobs and at submissions.

EASY that plans with true run times differs in 40 % or more of such replays, on eight synthetic
logs; one in 400 would pass 12 of them.
"""

_SHOWN = 3


def answer_of(policy: Policy, problem: SchedulingProblem, *, part: bool = False) -> Starts:
    """Ask a policy; of a user's own, see that the answer is one.

    Parameters
    ----------
    part
        Whether jobs may wait for ever, for others of the log that are not in this part of it. Their
        start is ``LATEST``.

    Raises
    ------
    InputError
        The policy's code fails, or its answer has another shape.
    PlanError
        The policy cannot do what the problem asks for.
    """
    if not is_own(policy):
        return policy.schedule(problem)
    own = sealed(problem)
    with calling(policy):
        try:
            return _whole(policy.schedule(own), len(problem.jobs.submit))
        except StalledError as stalled:
            if not part:
                raise
            starts = _whole(stalled.answer, len(problem.jobs.submit))
            return replace(starts, start_s=np.where(starts.start_s < 0, LATEST, starts.start_s))


def refuse_violations(policy: Policy, schedule: JobSchedule, problem: SchedulingProblem) -> None:
    """See that the schedule of a user's own policy is possible.

    Raises
    ------
    InputError
        The independent checker finds what is not.
    """
    violated = violations(schedule, unavailable=problem.unavailable)
    if violated:
        more = f" (and {len(violated) - _SHOWN:,} more)" if len(violated) > _SHOWN else ""
        listed = "; ".join(str(violation) for violation in violated[:_SHOWN])
        raise InputError(
            f"{locate(policy)}: the schedule of {name_of(policy)} is impossible: {listed}{more}; "
            "correct the policy"
        )


def refuse_other_run(
    policy: Policy, problem: SchedulingProblem, starts: Starts, *, part: bool = False
) -> None:
    """Run the jobs once more, and compare; ``part`` as in :func:`answer_of`.

    Raises
    ------
    InputError
        The policy gives the same jobs other starts.
    """
    if (answer_of(policy, problem, part=part).start_s != starts.start_s).any():
        raise InputError(
            f"{locate(policy)}: {name_of(policy)} is not repeatable: two calls with the same jobs "
            "give different schedules; reset all state in every call of schedule, and use a fixed "
            "seed"
        )


def refuse_foreknowledge(policy: Policy, problem: SchedulingProblem, seed: int = 0) -> None:
    """Replay a stretch of the log without later jobs, and with other run times of unfinished ones.

    Parameters
    ----------
    problem
        The whole log; its busiest stretch is replayed.
    seed
        Seed of the moments and of the run times.

    Raises
    ------
    InputError
        The policy decides otherwise before it can know, or does not repeat itself.
    """
    rng = np.random.default_rng(seed)
    jobs = problem.jobs
    busiest = busiest_stretch(jobs.submit, jobs.run * jobs.processors, JOBS)
    problem = replace(some_jobs(problem, busiest), unavailable=())
    answer = answer_of(policy, problem, part=True)
    refuse_other_run(policy, problem, answer, part=True)
    starts = answer.start_s
    ends = starts + problem.jobs.run
    moments = [
        *rng.choice(_telling(problem, starts), MOMENTS),
        *rng.choice(problem.jobs.submit, ARRIVALS),
    ]
    for moment in map(int, moments):
        submitted = slice(int(np.searchsorted(problem.jobs.submit, moment, "right")))
        run = _otherwise(problem, starts, ends > moment, moment, rng)
        changed = some_jobs(replace(problem, jobs=problem.jobs._replace(run=run)), submitted)
        first, other = starts[submitted], answer_of(policy, changed, part=True).start_s
        # Only decisions up to the moment must agree; later the jobs themselves differ.
        differs = (first != other) & ((first <= moment) | (other <= moment))
        if differs.any():
            raise InputError(_foresaw(policy, first, other, differs, moment))


def _whole(answer: object, jobs: int) -> Starts:
    """The answer of a user's own policy, with starts as whole numbers."""
    if not isinstance(answer, Starts):
        raise InputError(f"schedule returns {type(answer).__name__}; return Starts(start_s, run_s)")
    if answer.processors is not None:
        raise InputError(
            "it changes the jobs' processors, which cannot be checked; leave them unchanged"
        )
    given = {"start_s": answer.start_s, "run_s": answer.run_s, "estimate_s": answer.estimate_s}
    if answer.estimate_s is None:
        del given["estimate_s"]
    arrays = {name: np.asarray(values) for name, values in given.items()}
    for name, array in arrays.items():
        if array.shape != (jobs,) or array.dtype.kind not in "iu":
            raise InputError(
                f"{name} is an array of {array.dtype} of shape {array.shape}; give whole seconds "
                f"of shape ({jobs},)"
            )
    return Starts(**{name: array.astype(np.int64) for name, array in arrays.items()})


def _telling(problem: SchedulingProblem, starts: Integers) -> Integers:
    """Starts of jobs that waited, while others were still to come: there most is decided."""
    waited = starts > problem.jobs.submit
    early = starts <= problem.jobs.submit[-1]
    started = starts < LATEST
    kinds = (waited & early, waited & started, started)
    return next((starts[some] for some in kinds if some.any()), problem.jobs.submit)


def _otherwise(
    problem: SchedulingProblem,
    starts: Integers,
    unfinished: NDArray[np.bool_],
    moment: int,
    rng: np.random.Generator,
) -> Integers:
    """Run times that differ only for jobs that end later than the moment, and do so still.

    Each is as short or as long as it can be.
    """
    jobs = problem.jobs
    shortest_run_s = np.where(starts <= moment, moment - starts + 1, 1)
    longest_run_s = np.maximum(jobs.estimate, shortest_run_s)
    short = rng.random(len(shortest_run_s)) < 0.5
    return np.where(unfinished, np.where(short, shortest_run_s, longest_run_s), jobs.run)


def _foresaw(
    policy: Policy, starts: Integers, other: Integers, differs: NDArray[np.bool_], moment: int
) -> str:
    row = int(np.flatnonzero(differs)[np.minimum(starts, other)[differs].argmin()])
    first_s, other_s = (
        "never" if start_s == LATEST else f"{start_s} s" for start_s in (starts[row], other[row])
    )
    return (
        f"{locate(policy)}: {name_of(policy)} uses information from the future: events after "
        f"{moment} s change the start of job {row} of the replay to {other_s} (from "
        f"{first_s}). Plan with estimates and with submitted jobs only"
    )
