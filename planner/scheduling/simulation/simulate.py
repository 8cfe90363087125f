"""Simulate a job log on a machine under a policy."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError, PlanError
from planner.parts import is_own
from planner.scheduling.simulation.schedule import NEVER, Integers, JobSchedule
from scenarios.job_logs.swf_header import UNKNOWN_SIZE

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import (
        EventOrder,
        Policy,
        SchedulingProblem,
        Unavailable,
    )
    from scenarios.job_logs.job_log import JobLog

Estimates = Literal["user", "perfect", "tsafrir"]

# A key of the loops holds 38 bits of time and 24 of a counter (policies/running.py).
LATEST_S = 1 << 38
MOST_JOBS = 1 << 24
"""What the compiled loops can hold: times in seconds and jobs below these."""


@dataclass(frozen=True, eq=False)
class Simulation:
    """A schedule, and what it took to make it.

    Attributes
    ----------
    schedule
        The schedule.
    seconds
        Time of the policy's own work, without reading [s].
    parts
        Schedule of each cluster, where there are several.
    """

    schedule: JobSchedule
    seconds: float
    parts: tuple[JobSchedule, ...] = ()


def simulate(
    log: JobLog,
    policy: Policy,
    *,
    processors: int | None = None,
    node_processors: int = 1,
    event_order: EventOrder = "reference",
    estimates: Estimates | None = None,
    unavailable: Sequence[Unavailable] = (),
    replayed: bool = False,
) -> Simulation:
    """Start every job that fits the machine.

    Parameters
    ----------
    log
        The jobs.
    policy
        Who starts when.
    processors
        Processors of the machine; by default what the log says.
    node_processors
        Processors of a node, where jobs take whole nodes: their processors are rounded up.
    event_order
        ``reference``: submissions come before ends of the same instant, and each event has a pass
        of its own; ``batch``: all ends, then all submissions, then one pass.
    estimates
        What is planned with: requested times (``user``), run times (``perfect``), or predictions
        from the user's last two jobs (``tsafrir``). By default ``tsafrir`` for EASY++, else
        ``user``.
    unavailable
        Outages and reservations.
    replayed
        Whether a policy of the user's own is run once more and replayed, to see that it keeps
        nothing between runs and uses no foreknowledge.

    Returns
    -------
    Simulation
        ``schedule`` is a ``JobSchedule``: start and run time of each job [s].

    Raises
    ------
    InputError
        The size of the machine is unknown or no multiple of a node's; a time or the number of jobs
        is beyond what can be held; a policy of the user's own fails or cheats.
    PlanError
        The policy does not plan with such estimates or with outages.
    """
    from planner.scheduling.policies.easy_plus_plus import EasyPlusPlus
    from planner.scheduling.policies.problem import some_jobs
    from planner.scheduling.simulation.own_policy import (
        answer_of,
        refuse_foreknowledge,
        refuse_other_run,
        refuse_violations,
    )

    chosen = estimates or ("tsafrir" if isinstance(policy, EasyPlusPlus) else "user")
    adapted = _adapted(log, processors, node_processors)
    fits, taken, requested, machine = (
        adapted.fits,
        adapted.processors,
        adapted.requested_s,
        adapted.machine,
    )
    # At least 1 s: a reservation without length would hold no processors.
    estimate = np.maximum(log.run_s if chosen == "perfect" else requested, 1)
    _check(log, requested, unavailable, machine)
    played = slice(None) if fits.all() else fits
    problem = _problem(log, adapted, estimate)
    problem = replace(
        problem,
        event_order=event_order,
        unavailable=tuple(unavailable),
        predicts=chosen == "tsafrir",
        requested_s=np.ascontiguousarray(requested[played], np.int64),
        node_processors=node_processors,
    )
    with suppress(PlanError):  # which is said of all jobs, not of the first
        answer_of(policy, some_jobs(problem, slice(1)))  # compiles or loads the loops
    began = time.perf_counter()
    starts = answer_of(policy, problem)
    seconds = time.perf_counter() - began
    start = starts.start_s
    if not fits.all():
        start = np.full(len(log), NEVER, np.int64)
        start[played] = starts.start_s
    molded = starts.processors is not None
    run = _with(log.run_s, played, starts.run_s if unavailable or molded else None)
    planned_s = None if chosen == "user" else _with(estimate, played, starts.estimate_s)
    killed = (run < log.run_s) if unavailable else np.zeros(len(log), np.bool_)
    schedule = JobSchedule(
        name=log.name,
        machine_processors=machine,
        number=log.number,
        submit_s=log.submit_s,
        start_s=start,
        run_s=run,
        processors=_with(taken, played, starts.processors),
        requested_s=_with(requested, played, starts.requested_s),
        user=log.user,
        killed=killed if log.killed is None else (killed | log.killed) & fits,
        rejected={
            int(log.number[job]): f"takes {taken[job]:,} processors, more than {machine:,}"
            for job in np.flatnonzero(~fits)
        },
        policy=policy.name,
        event_order=event_order,
        estimates=chosen,
        estimate_s=planned_s,
        own_processors=taken if molded else None,
        own_run_s=log.run_s if molded else None,
    )
    if is_own(policy):
        refuse_violations(policy, schedule, problem)
        if replayed:
            refuse_other_run(policy, problem, starts)
            refuse_foreknowledge(policy, problem)
    return Simulation(schedule, seconds)


def problem_of(
    log: JobLog, processors: int | None = None
) -> tuple[SchedulingProblem, NDArray[np.bool_]]:
    """The jobs that fit the machine, to be planned with their requests; and which these are.

    Parameters
    ----------
    log
        The jobs.
    processors
        Processors of the machine; by default what the log says.

    Raises
    ------
    InputError
        As :func:`simulate`.
    """
    adapted = _adapted(log, processors, 1)
    _check(log, adapted.requested_s, (), adapted.machine)
    return _problem(log, adapted, np.maximum(adapted.requested_s, 1)), adapted.fits


@dataclass(frozen=True, eq=False)
class _Adapted:
    """What jobs ask for, on this machine."""

    machine: int
    processors: Integers
    requested_s: Integers
    fits: NDArray[np.bool_]


def _adapted(log: JobLog, processors: int | None, node_processors: int) -> _Adapted:
    machine = _machine(log, processors, node_processors)
    taken = log.processors
    if node_processors > 1:
        taken = -(-log.processors // node_processors) * node_processors
    requested = log.requested_s
    # The loops rest on estimates that no run exceeds, so a request below the run time is raised.
    if (requested < log.run_s).any():
        requested = np.maximum(requested, log.run_s)
    return _Adapted(machine, taken, requested, taken <= machine)


def _problem(log: JobLog, adapted: _Adapted, estimate: Integers) -> SchedulingProblem:
    from planner.scheduling.policies.problem import JobArrays, SchedulingProblem

    played = slice(None) if adapted.fits.all() else adapted.fits
    arrays = (log.submit_s, log.run_s, adapted.processors, estimate)
    jobs = JobArrays(*(np.ascontiguousarray(array[played], np.int64) for array in arrays))
    users, groups, queues = (
        _numbered(getattr(log, kind)[played], log.names.get(kind, ()))
        for kind in ("user", "group", "queue")
    )
    names = {"user": users[1], "group": groups[1], "queue": queues[1]}
    return SchedulingProblem(
        jobs, users[0], adapted.machine, group=groups[0], queue=queues[0], names=names
    )


def _numbered(
    codes: NDArray[np.int32], names: Sequence[str]
) -> tuple[NDArray[np.int32], Sequence[str]]:
    """The codes as numbers from 0, without large gaps; and the names of these."""
    if not len(codes):
        return codes, ()
    lowest, highest = int(codes.min()), int(codes.max())
    values, places = np.arange(lowest, highest + 1, dtype=np.int64), codes - np.int64(lowest)
    # Codes are indices of tables in the loops; a few gaps cost less than sorting all jobs.
    if highest - lowest > 4 * len(codes):
        values, places = np.unique(codes.astype(np.int64), return_inverse=True)
    named = [names[code] if 0 <= code < len(names) else str(code) for code in values.tolist()]
    return np.ascontiguousarray(places, np.int32), named


def _with(values: Integers, rows: slice | NDArray[np.bool_], changed: Integers | None) -> Integers:
    """The values, and in some rows what a policy found, if it did."""
    if changed is None:
        return values
    values = values.copy()
    values[rows] = changed
    return values


def plans_of(schedule: JobSchedule, number: int) -> list[tuple[int, int]]:
    """When the start of a job was planned, and for when [s]; none but for conservative backfilling.

    The schedule is made once more, and the job watched.
    """
    from planner.scheduling.policies.conservative import planned_starts
    from planner.scheduling.policies.problem import JobArrays, SchedulingProblem

    rows = np.flatnonzero(schedule.started & (schedule.number == number))
    if schedule.policy != "conservative" or not len(rows):
        return []
    ran = schedule.take(schedule.started)
    estimate = ran.requested_s if ran.estimate_s is None else ran.estimate_s
    jobs = JobArrays(ran.submit_s, ran.run_s, ran.processors, np.maximum(estimate, 1))
    users = np.zeros(len(ran), np.int32)
    order: EventOrder = "batch" if ran.event_order == "batch" else "reference"
    problem = SchedulingProblem(jobs, users, schedule.machine_processors, order)
    return planned_starts(problem, int(schedule.started[: rows[0]].sum()))


def _machine(log: JobLog, processors: int | None, node_processors: int) -> int:
    machine = log.machine_processors if processors is None else processors
    if machine is None:
        doubtful = [each.values for each in log.remarks if each.kind == UNKNOWN_SIZE]
        message = f"{log.name} does not say how many processors its machine has"
        if doubtful:
            line, key, text = (doubtful[0][name][0] for name in ("line", "key", "text"))
            message = f"{message} (line {line}: {key} = {text!r} is not a number)"
        raise InputError(f"{message}; give them (--processors)")
    if machine < 1 or node_processors < 1 or machine % node_processors:
        raise InputError(
            f"{machine} processors are not a multiple of {node_processors} per node; correct one "
            "of them"
        )
    return machine


def _check(
    log: JobLog, requested: Integers, unavailable: Sequence[Unavailable], machine: int
) -> None:
    """Refuse what the compiled loops cannot hold."""
    if len(log) >= MOST_JOBS:
        raise InputError(f"{len(log):,} jobs are more than {MOST_JOBS - 1:,}; split the log")
    for window in unavailable:
        if not (0 <= window.begin_s < window.end_s < LATEST_S and 0 < window.processors <= machine):
            raise InputError(
                f"{window.processors} of {machine} processors unavailable from {window.begin_s} s "
                f"to {window.end_s} s is impossible; give a later end, and at most all processors"
            )
    if len(log) and log.submit_s.min() < 0:
        job = int(log.number[log.submit_s.argmin()])
        raise InputError(f"job {job} is submitted before 0 s; shift all times of the log")
    _check_capacity(unavailable, machine)
    outage = max((window.end_s for window in unavailable), default=0)
    if not len(log) or outage + _latest_end(log, requested) < LATEST_S:
        return
    job = int(requested.argmax())
    raise InputError(
        f"{log.name} may last beyond {LATEST_S:,} s, mainly because of job {log.number[job]}, "
        "which "
        f"requests {int(requested[job]):,} s: correct it, or split the log"
    )


def _latest_end(log: JobLog, requested: Integers) -> float:
    """An end that none is expected after: all jobs one after the other, and a request more."""
    return float(log.submit_s.max()) + float(log.run_s.sum(dtype=float)) + float(requested.max())


def _check_capacity(unavailable: Sequence[Unavailable], machine: int) -> None:
    """Refuse windows that together take more than there is."""
    for window in unavailable:
        # The sum rises only where a window begins, so these instants are enough.
        at = window.begin_s
        taken = sum(w.processors for w in unavailable if w.begin_s <= at < w.end_s)
        if taken > machine:
            raise InputError(
                f"at {at} s {taken:,} processors are unavailable, more than the machine's "
                f"{machine:,}; separate the overlapping windows, or merge them"
            )
