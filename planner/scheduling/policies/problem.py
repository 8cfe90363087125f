"""A scheduling problem, and the starts with which a policy answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.errors import PlanError

Integers = NDArray[np.int64]
EventOrder = Literal["reference", "batch"]


class JobArrays(NamedTuple):
    """Jobs in order of submission; arrays of shape ``(jobs,)``, times in seconds.

    Attributes
    ----------
    submit, run
        Submit and run times.
    processors
        At most the machine's.
    estimate
        What the policy plans with: at least the run time, and at least 1 s.
    """

    submit: Integers
    run: Integers
    processors: Integers
    estimate: Integers


@dataclass(frozen=True)
class Unavailable:
    """Processors that are unavailable from one time to another.

    The scheduler plans around an announced window, which is a reservation. A window that is not
    announced is an outage. It takes free processors. If these are too few, it ends the jobs that
    started last. The scheduler knows the end of an outage as soon as the outage has begun.
    """

    begin_s: int
    end_s: int
    processors: int
    announced: bool = True


@dataclass(frozen=True, eq=False)
class SchedulingProblem:
    """Jobs to schedule.

    Attributes
    ----------
    jobs
        The jobs.
    user
        User of each job, from 0 on.
    processors
        Processors of the machine.
    group, queue
        Group and queue of each job, from 0 on; ``None`` if no policy needs them.
    names
        Names of users, groups and queues, by their numbers here.
    requested_s
        Requested time of each job [s], where that is not the estimate.
    node_processors
        Processors of a node, where jobs take whole nodes; the jobs' processors are rounded up
        already.
    event_order
        ``reference``: at one instant submissions come before ends, and each event has a pass of its
        own; ``batch``: all ends, then all submissions, then one pass.
    unavailable
        Outages and reservations.
    predicts
        Whether the policy is to plan with Tsafrir's predictions, at most the estimates.
    """

    jobs: JobArrays
    user: NDArray[np.int32]
    processors: int
    event_order: EventOrder = "reference"
    unavailable: Sequence[Unavailable] = ()
    predicts: bool = False
    group: NDArray[np.int32] | None = None
    queue: NDArray[np.int32] | None = None
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    requested_s: Integers | None = None
    node_processors: int = 1


@dataclass(frozen=True, eq=False)
class Starts:
    """The decisions of a policy.

    Attributes
    ----------
    start_s
        Start of each job [s].
    run_s
        How long each job ran [s]; less than its run time where an outage ended it.
    estimate_s
        What was planned with at submission [s], where that is not the estimate.
    processors
        What each job ran on, where that is not what it requested; ``run_s`` is on these, and so is
        ``estimate_s``.
    requested_s
        With ``processors``: how long each job may run on these [s].
    """

    start_s: Integers
    run_s: Integers
    estimate_s: Integers | None = None
    processors: Integers | None = None
    requested_s: Integers | None = None


def some_jobs(problem: SchedulingProblem, rows: slice) -> SchedulingProblem:
    """Return the same problem with some of its jobs only."""
    jobs = JobArrays(*(job[rows] for job in problem.jobs))
    arrays = {name: getattr(problem, name) for name in ("user", "group", "queue", "requested_s")}
    some = {name: values[rows] for name, values in arrays.items() if values is not None}
    return replace(problem, jobs=jobs, **some)


def never_started(problem: SchedulingProblem) -> Integers:
    """Starts before anybody has started."""
    return np.full(len(problem.jobs.submit), -1, np.int64)


def refuse_predictions(problem: SchedulingProblem, policy: str) -> None:
    """Raise PlanError if the problem asks for predictions."""
    if problem.predicts:
        raise PlanError(
            f"{policy} does not plan with predictions; use --estimates user or perfect, or the "
            "policy easy or easy++"
        )


class Policy(Protocol):
    """Decides when jobs start, without looking ahead of the time."""

    @property
    def name(self) -> str:
        """On the command line."""
        ...

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            The policy cannot do what the problem asks for.
        """
        ...
