"""Rules for each schedule, under any policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from planner.scheduling.simulation.schedule import NEVER, Integers, JobSchedule
from planner.scheduling.simulation.steps import Steps, sum_of_intervals
from planner.scheduling.violation import Violation
from scenarios.job_logs.job_log import JobLog

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Unavailable


def faults_of_jobs(schedule: JobSchedule, *, within_request: bool) -> Iterator[Violation]:
    """Yield violations by single jobs, which include killed jobs that exceed their request."""
    number, submit, start = schedule.number, schedule.submit_s, schedule.start_s
    run, processors, requested = schedule.run_s, schedule.processors, schedule.requested_s
    machine = schedule.machine_processors
    for row in _rows(np.diff(submit, prepend=submit[:1]) < 0):
        message = f"is listed after one submitted at {submit[row - 1]} s, itself at {submit[row]} s"
        early = int(submit[row - 1] - submit[row])
        yield Violation(int(submit[row]), int(number[row]), "order", message, early)
    order = np.argsort(number, kind="stable")
    for row in order[1:][np.diff(number[order]) == 0]:
        message = f"is listed twice, the second time with a start at {start[row]} s"
        yield Violation(int(start[row]), int(number[row]), "job twice", message, 1)
    for row in _rows((start < 0) & (start != NEVER)):
        message = f"starts at the negative time {start[row]} s"
        yield Violation(
            int(start[row]), int(number[row]), "negative start", message, -int(start[row])
        )
    for row in _rows((start < submit) & (start >= 0)):
        early = int(submit[row] - start[row])
        message = f"starts {early} s before it is submitted at {submit[row]} s"
        yield Violation(
            int(start[row]), int(number[row]), "start before submission", message, early
        )
    for row in _rows(run < 0):
        message = f"runs for {run[row]} s"
        yield Violation(
            _start(schedule, row), int(number[row]), "negative run", message, int(-run[row])
        )
    for row in _rows(processors < 1):
        much = int(1 - processors[row])
        message = f"runs on {processors[row]} processors"
        yield Violation(_start(schedule, row), int(number[row]), "no processors", message, much)
    for row in _rows((processors > machine) & schedule.started):
        much = int(processors[row] - machine)
        message = f"runs on {processors[row]} processors of a machine with {machine}"
        yield Violation(int(start[row]), int(number[row]), "larger than the machine", message, much)
    limited = (np.full(len(run), within_request) | schedule.killed) & schedule.started
    for row in _rows(limited & (run > requested)):
        much = int(run[row] - requested[row])
        end = "is killed" if schedule.killed[row] else "ends"
        message = f"{end} {much} s after its limit of {requested[row]} s"
        yield Violation(
            int(start[row] + run[row]), int(number[row]), "beyond its limit", message, much
        )


def faults_of_acceptance(schedule: JobSchedule) -> Iterator[Violation]:
    """Jobs neither started nor rejected, or both; and rejected ones that fit the machine."""
    rejected = np.isin(schedule.number, np.fromiter(schedule.rejected, np.int64))
    for row in _rows(~schedule.started & ~rejected):
        job = int(schedule.number[row])
        yield Violation(None, job, "never started", "neither starts nor is rejected", 1)
    fits = (schedule.processors >= 1) & (schedule.processors <= schedule.machine_processors)
    for row in _rows(~schedule.started & rejected & fits):
        message = (
            f"never starts, though its {schedule.processors[row]} processors fit the machine of "
            f"{schedule.machine_processors}"
        )
        yield Violation(None, int(schedule.number[row]), "never started", message, 1)
    for row in _rows(schedule.started & rejected):
        job = int(schedule.number[row])
        message = f"was rejected ({schedule.rejected[job]}) and starts nevertheless"
        yield Violation(int(schedule.start_s[row]), job, "rejected and started", message, 1)


def faults_of_kills(schedule: JobSchedule, windows: Sequence[Unavailable]) -> Iterator[Violation]:
    """Jobs killed before their limit where no processors are taken away."""
    outages = any(not window.announced for window in windows)
    begins = np.array([window.begin_s for window in windows if outages], np.int64)
    early = schedule.killed & schedule.started & (schedule.run_s < schedule.requested_s)
    for row in _rows(early & ~np.isin(schedule.end_s, begins)):
        end, much = int(schedule.end_s[row]), int(schedule.requested_s[row] - schedule.run_s[row])
        message = f"is killed {much} s before its limit, where no outage begins"
        yield Violation(end, int(schedule.number[row]), "killed for nothing", message, much)


def faults_of_room(
    schedule: JobSchedule, windows: Sequence[Unavailable] = ()
) -> Iterator[Violation]:
    """Times at which more processors run jobs than there are, each named once with its last start.

    What ends at an instant makes room for what starts at it. A job without length needs room
    in addition to the jobs that run across its instant. Processors in ``windows`` are not
    available; of windows that together take more than the machine, the whole of it.
    """
    taken = _taken(windows, schedule.machine_processors)
    held = _intervals(schedule, taken)
    used = sum_of_intervals(*held)
    in_use = "are in use or taken away" if windows else "are in use"
    over = used.value > schedule.machine_processors
    first = np.flatnonzero(over & ~np.concatenate([[False], over[:-1]]))
    last = np.flatnonzero(over & ~np.concatenate([over[1:], [False]]))
    ran = schedule.take(schedule.started)
    starts = np.argsort(ran.start_s, kind="stable")
    for one, other in zip(first, last, strict=True):
        since, until = int(used.time_s[one]), int(used.time_s[other + 1])
        peak = int(used.value[one : other + 1].max())
        latest = starts[np.searchsorted(ran.start_s[starts], since, side="right") - 1]
        if not ran.start_s[latest] <= since < ran.end_s[latest]:  # a window begins, nobody starts
            there = np.flatnonzero((ran.start_s <= since) & (since < ran.end_s))
            latest = there[ran.start_s[there].argmax()]
        begin = "from its start" if ran.start_s[latest] == since else f"from {since} s"
        message = (
            f"{begin} to {until} s up to {peak} processors {in_use} "
            f"of {schedule.machine_processors}"
        )
        much = peak - schedule.machine_processors
        yield Violation(since, int(ran.number[latest]), "too little room", message, much)
    points = np.flatnonzero(schedule.started & (schedule.run_s == 0))
    # Half-open intervals miss a run of 0 s: it is compared with what runs across its instant.
    busy_processors = _across(held, schedule.start_s[points])
    for row, busy in zip(points, busy_processors, strict=True):
        much = int(busy + schedule.processors[row] - schedule.machine_processors)
        if much > 0 and busy > 0:
            message = f"needs {schedule.processors[row]} processors for an instant, {busy} are busy"
            when = int(schedule.start_s[row])
            yield Violation(when, int(schedule.number[row]), "too little room", message, much)


def _taken(windows: Sequence[Unavailable], machine: int) -> Steps:
    """Processors that windows take away, never more than there are."""
    begin, end, processors = (
        np.array([getattr(window, name) for window in windows], np.int64)
        for name in ("begin_s", "end_s", "processors")
    )
    together = sum_of_intervals(begin, end, processors)
    return Steps(together.time_s, np.minimum(together.value, machine))


def _intervals(schedule: JobSchedule, taken: Steps) -> tuple[Integers, Integers, Integers]:
    """Starts, ends and processors: of the jobs, and of what is taken away."""
    ran = schedule.take(schedule.started)
    return (
        np.concatenate([ran.start_s, taken.time_s[:-1]]),
        np.concatenate([ran.end_s, taken.time_s[1:]]),
        np.concatenate([ran.processors, taken.value[:-1]]),
    )


def _across(held: tuple[Integers, Integers, Integers], instants: Integers) -> Integers:
    """Processors held from before an instant to after it."""
    start, end, processors = (values[held[1] > held[0]] for values in held)
    by_start, by_end = np.argsort(start, kind="stable"), np.argsort(end, kind="stable")
    started = np.concatenate([[0], np.cumsum(processors[by_start])])
    ended = np.concatenate([[0], np.cumsum(processors[by_end])])
    before = started[np.searchsorted(start[by_start], instants, side="left")]
    gone = ended[np.searchsorted(end[by_end], instants, side="right")]
    across: Integers = before - gone
    return across


def faults_against_log(schedule: JobSchedule, log: JobLog) -> Iterator[Violation]:
    """Yield what differs from the log: jobs missing or unknown, and their facts.

    A killed job may run shorter than in the log.
    """
    logged = set(log.number.tolist())
    there = set(schedule.number.tolist()) | set(schedule.rejected)
    for job in sorted(logged - there):
        yield Violation(None, job, "missing", "is in the log and not in the schedule", 1)
    for job in sorted(there - logged):
        yield Violation(None, job, "unknown", "is in the schedule and not in the log", 1)
    order = np.argsort(log.number, kind="stable")
    rows = np.flatnonzero(np.isin(schedule.number, log.number))
    match = order[np.searchsorted(log.number[order], schedule.number[rows])]
    pairs = (
        ("submit time", schedule.submit_s, log.submit_s, "s"),
        ("run time", schedule.run_s, log.run_s, "s"),
        ("processors", schedule.processors, log.processors, ""),
        ("requested time", schedule.requested_s, log.requested_s, "s"),
    )
    for name, ours, theirs, unit in pairs:
        differs = ours[rows] != theirs[match]
        if name == "run time":
            killed = schedule.killed[rows] & (ours[rows] < theirs[match])
            differs &= ~killed & schedule.started[rows]
        for row, other in zip(rows[differs], match[differs], strict=True):
            much = int(ours[row] - theirs[other])
            message = f"has {name} {ours[row]} {unit}".rstrip() + f", in the log {theirs[other]}"
            job = int(schedule.number[row])
            yield Violation(_start(schedule, row), job, f"changed {name}", message, abs(much))


def _start(schedule: JobSchedule, row: int) -> int | None:
    start = int(schedule.start_s[row])
    return None if start == NEVER else start


def _rows(flags: np.typing.NDArray[np.bool_]) -> Iterator[int]:
    return (int(row) for row in np.flatnonzero(flags))
