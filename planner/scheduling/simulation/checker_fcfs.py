"""First come, first served: nobody overtakes, and nobody waits while there is room."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.steps import processors_in_use
from planner.scheduling.violation import Violation


def fcfs_violations(schedule: JobSchedule) -> Iterator[Violation]:
    """Jobs that overtake, and heads that do not start though they fit.

    All jobs start and are in queue order; the starts keep to the machine. What is free at an
    instant is what is free after its ends and starts. A job without length needs room in addition
    to those that started before it, those of its own instant among them.
    """
    start, submit = schedule.start_s, schedule.submit_s
    # Under FCFS starts never fall in queue order; a start below the latest so far overtakes.
    latest = np.maximum.accumulate(start)
    for row in np.flatnonzero(start < latest):
        head = int(np.searchsorted(latest, start[row], side="right"))
        ahead = int(start[head] - start[row])
        message = (
            f"overtakes job {schedule.number[head]}, listed before it, which starts {ahead} s later"
        )
        yield Violation(int(start[row]), int(schedule.number[row]), "overtakes", message, ahead)
    used = processors_in_use(schedule)
    times = np.concatenate([[min(int(submit.min(initial=0)), 0)], used.time_s])
    free = schedule.machine_processors - np.concatenate([[0], used.value])
    # A job is the head from its submission on, or from the start of the job before it.
    head_since = np.maximum(submit, np.concatenate([submit[:1], latest[:-1]]))
    rows = np.flatnonzero(head_since < start)
    first = np.searchsorted(times, head_since[rows], side="right") - 1
    last = np.searchsorted(times, start[rows], side="left")
    for row, begin, end in zip(rows, first, last, strict=True):
        room = np.flatnonzero(free[begin:end] >= schedule.processors[row])
        if len(room):
            when = max(int(times[begin + room[0]]), int(head_since[row]))
            late = int(start[row]) - when
            message = f"is first in the queue and fits, but starts {late} s later"
            yield Violation(when, int(schedule.number[row]), "idle", message, late)
    if not (start < latest).any():
        yield from _without_room(schedule)


def _without_room(schedule: JobSchedule) -> Iterator[Violation]:
    """Jobs without length that start where those before them in the queue leave too little."""
    held = np.where(schedule.run_s > 0, schedule.processors, 0)
    by_end = np.argsort(schedule.end_s, kind="stable")
    released = np.concatenate([[0], np.cumsum(held[by_end])])
    over = released[np.searchsorted(schedule.end_s[by_end], schedule.start_s, side="right")]
    busy = np.cumsum(held) - held - over
    lacking = busy + schedule.processors - schedule.machine_processors
    for row in np.flatnonzero((schedule.run_s == 0) & (lacking > 0)):
        much = int(lacking[row])
        message = f"starts for an instant at which those before it leave {much} processors too few"
        yield Violation(
            int(schedule.start_s[row]), int(schedule.number[row]), "no room", message, much
        )
