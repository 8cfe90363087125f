"""An independent checker of schedules: what a schedule does and may not.

No code is shared with any engine that makes schedules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from planner.errors import InputError
from planner.scheduling.simulation.checker_fcfs import fcfs_violations
from planner.scheduling.simulation.checker_jobs import NOT_FOUND
from planner.scheduling.simulation.checker_rules import (
    faults_against_log,
    faults_of_acceptance,
    faults_of_jobs,
    faults_of_kills,
    faults_of_room,
)
from planner.scheduling.simulation.schedule import Integers, JobSchedule
from planner.scheduling.violation import Violation, by_time
from scenarios.job_logs.job_log import JobLog

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Unavailable

EVENT_ORDERS = ("reference", "batch")


def violations(
    schedule: JobSchedule,
    *,
    policy: str | None = None,
    event_order: str = "reference",
    log: JobLog | None = None,
    estimated_s: Integers | None = None,
    within_request: bool = False,
    unavailable: Sequence[Unavailable] = (),
) -> list[Violation]:
    """Return all violations of a schedule, in order of time.

    These rules hold for each schedule. No start is negative or before the submission. A run takes
    at least 0 s, and a job has at least 1 and at most all processors. The jobs never use more
    processors than the machine has. Each job is listed once, in order of submission, and is either
    started or rejected. No rejected job fits the machine. No killed job runs longer than its
    request.

    With ``policy``, its rules are checked too, if there is no violation so far; promises have a
    meaning only in a possible schedule:

    ``"fcfs"``
        Starts follow the order of submission, and the first in the queue starts as soon as it fits.
    ``"easy"``
        As under FCFS, the head starts as soon as it fits. It never starts after the first start
        that it was promised. No job that starts ahead of the head may delay the promised start, by
        the estimates known then. Each other job that fits and would not delay it starts, in queue
        order. Promises are checked while no job exceeds its estimate.
    ``"conservative"``
        No job starts after its first reservation, made at submission from the plan known then. No
        job uses processors that others have reserved. Each job starts at its planned start. At each
        end, planned starts move to the earliest hole, in queue order. No run may exceed its
        request.

    Parameters
    ----------
    schedule
        A schedule from any source; for several clusters, the schedule of one of them.
    policy
        Policy whose rules are checked.
    event_order
        ``"batch"``: at each instant all ends, all submissions, then one pass. ``"reference"``: at
        each instant submissions, each with a pass if it fits, then ends in order of their starts,
        each with a pass.
    log
        The jobs to schedule; missing, unknown or changed jobs are violations.
    estimated_s
        Run times that the policy estimated [s], shape ``(jobs,)``; by default the requested times.
        For perfect estimates give the run times.
    within_request
        Whether no run may exceed its request.
    unavailable
        Processors that the schedule must leave free, at most all of them. If one of these windows
        is an outage, a job that is killed before its limit must end where an outage begins.

    Returns
    -------
    list of Violation
        Empty if the schedule keeps the rules.

    Raises
    ------
    InputError
        The policy or event order is unknown, the estimates have another length, or an estimate is
        below a run time under conservative backfilling.
    """
    if policy is not None and policy not in _POLICIES:
        names = ", ".join(_POLICIES)
        raise InputError(f"policy {policy!r} has no rules to check; choose one of {names}, or none")
    if event_order not in EVENT_ORDERS:
        orders = " or ".join(EVENT_ORDERS)
        raise InputError(f"event order {event_order!r} is not known; choose {orders}")
    estimates = schedule.requested_s if estimated_s is None else estimated_s
    if len(estimates) != len(schedule):
        message = f"estimated_s has {len(estimates)} values for {len(schedule)} jobs; give one each"
        raise InputError(message)
    if policy == "conservative" and estimated_s is not None and _outlived(schedule, estimated_s):
        message = "conservative backfilling needs estimates that no run exceeds; give others"
        raise InputError(message)
    faults = [*faults_of_jobs(schedule, within_request=within_request or policy == "conservative")]
    faults += faults_of_acceptance(schedule)
    faults += faults_of_room(schedule, unavailable)
    if unavailable:
        faults += faults_of_kills(schedule, unavailable)
    if log is not None:
        faults += faults_against_log(schedule, log)
    if policy is not None and not faults:
        faults += _POLICIES[policy](
            schedule, np.maximum(estimates, 1), batch=event_order == "batch"
        )
    return sorted(faults, key=by_time)


def _outlived(schedule: JobSchedule, estimated_s: Integers) -> bool:
    return bool((schedule.started & (schedule.run_s > estimated_s)).any())


def _fcfs(schedule: JobSchedule, estimates: Integers, *, batch: bool) -> Iterator[Violation]:
    del estimates, batch  # neither estimates nor the order within an instant change these starts
    return fcfs_violations(schedule.take(schedule.started))


_EASY_WORDS = (
    ("idle", "is first in the queue and fits, but starts {by} s later"),
    ("not backfilled", "fits and would not delay the head, but starts {by} s later"),
    ("delays the head", "starts ahead of the head and by its estimate delays it by up to {by} s"),
    ("beyond its promise", "starts {by} s after the first start that it was promised as head"),
    ("no room", "starts where every pass of that instant finds {by} processors too few"),
)
_CONSERVATIVE_WORDS = (
    ("beyond its reservation", "starts {by} s after its first reservation"),
    ("late", "does not start at its planned start, but {by} s later"),
    ("overtakes", "starts {by} s before its planned start, on processors reserved for others"),
    ("early", "starts {by} s before its planned start, to nobody's harm"),
)


def _easy(schedule: JobSchedule, estimates: Integers, *, batch: bool) -> Iterator[Violation]:
    from planner.scheduling.simulation.checker_easy import replay

    return _in_words(schedule, replay, estimates, _EASY_WORDS, batch=batch)


def _conservative(
    schedule: JobSchedule, estimates: Integers, *, batch: bool
) -> Iterator[Violation]:
    from planner.scheduling.simulation.checker_conservative import replay

    return _in_words(schedule, replay, estimates, _CONSERVATIVE_WORDS, batch=batch)


def _in_words(
    schedule: JobSchedule,
    replay: Callable[..., tuple[Integers, Integers]],
    estimates: Integers,
    words: tuple[tuple[str, str], ...],
    *,
    batch: bool,
) -> Iterator[Violation]:
    ran = schedule.take(schedule.started)
    estimates = estimates[schedule.started]
    facts = (ran.submit_s, ran.start_s, ran.run_s, estimates, ran.processors)
    time, by = replay(*facts, schedule.machine_processors, batch=batch)
    for (kind, sentence), when, much in zip(words, time, by, strict=True):
        for row in np.flatnonzero(when != NOT_FOUND):
            message = sentence.format(by=much[row])
            yield Violation(int(when[row]), int(ran.number[row]), kind, message, int(much[row]))


_POLICIES: dict[str, Callable[..., Iterator[Violation]]] = {
    "fcfs": _fcfs,
    "easy": _easy,
    "conservative": _conservative,
}
