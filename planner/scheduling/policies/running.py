"""The running jobs, sorted by their ends and by their expected ends. Compiled.

A key, ``end << COUNTER | counter``, combines a time and a start counter. One comparison orders jobs
by time, and jobs of one instant by their starts. Keys are in descending order: the next key is the
last one, and inserting a short job takes a few steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.problem import JobArrays

# 38 bits of a key are left for the time. `LATEST_S` and `MOST_JOBS` of simulation/simulate.py keep
# every key below LATEST; a longer log would mix times with counters.
COUNTER = 24
"""Bits of the start counter in a key."""

COUNTERS = (1 << COUNTER) - 1
LATEST = 1 << 62
"""Later than every key."""


class RunningJobs(NamedTuple):
    """Arrays of the running jobs.

    Attributes
    ----------
    ends
        Keys of the ends.
    expected
        Keys of the expected ends; a key is removed at its time.
    processors
        Processors of the job of each key of ``expected``.
    order
        Jobs by start counter.
    """

    ends: NDArray[np.int64]
    expected: NDArray[np.int64]
    processors: NDArray[np.int64]
    order: NDArray[np.int32]


class MachineNow(NamedTuple):
    """The machine at an instant; handed on from step to step, so that it stays in registers.

    Attributes
    ----------
    free
        Processors that are free, by expectation.
    started, ended, released
        Jobs that have started, ended, and were expected to end or have done so before.
    """

    free: int
    started: int
    ended: int
    released: int


def nothing_running(jobs: int, machine: int) -> RunningJobs:
    """Room for what can run at an instant: jobs that are expected to end, and their successors."""
    # A released job keeps its place in `ends` until its own event; others hold its processors.
    capacity = min(jobs, 2 * machine) + 1
    keys = [np.empty(capacity, np.int64) for _ in range(3)]
    return RunningJobs(keys[0], keys[1], keys[2], np.empty(jobs, np.int32))


@compiled
def put_key(keys: NDArray[np.int64], count: int, key: int) -> None:
    """Insert a key into the first ``count`` keys, which are in descending order."""
    index = U(count)
    # Insertion sort: places behind `index` hold smaller keys. The counter makes each key unique.
    while index > U(0) and keys[index - U(1)] < key:
        keys[index] = keys[index - U(1)]
        index -= U(1)
    keys[index] = key


@compiled
def next_end(running: RunningJobs, now: MachineNow) -> int:
    """Key of the next end; ``LATEST`` if nothing runs."""
    count = now.started - now.ended
    return running.ends[U(count - 1)] if count > 0 else LATEST


@compiled
def arrives_next(jobs: JobArrays, arrived: int, key: int, batch: bool) -> tuple[bool, int]:
    """Return whether the next event is a submission, and its time; ``key`` is that of the next end.

    At one instant submissions come first, or in a batch the ends.
    """
    time = key >> COUNTER
    if arrived < len(jobs.submit) and jobs.submit[U(arrived)] <= time:
        submit = jobs.submit[U(arrived)]
        return submit < time or not batch, submit
    return False, time


@compiled
def next_time(jobs: JobArrays, arrived: int, running: RunningJobs, now: MachineNow) -> int:
    """Time of the next event; far away if there is none."""
    time = next_end(running, now) >> COUNTER
    if arrived < len(jobs.submit):
        time = min(time, jobs.submit[U(arrived)])
    return time


@compiled
def start(
    running: RunningJobs, now: MachineNow, job: int, processors: int, end: int, expected_end: int
) -> MachineNow:
    """Let a job run."""
    running.order[U(now.started)] = job
    return hold(running, now, now.started, processors, end, expected_end)


@compiled
def hold(
    running: RunningJobs,
    now: MachineNow,
    counter: int,
    processors: int,
    end: int,
    expected_end: int,
) -> MachineNow:
    """Let what goes by a counter hold processors."""
    put_key(running.ends, now.started - now.ended, end << COUNTER | counter)
    expect(running, now.started - now.released, expected_end << COUNTER | counter, processors)
    return MachineNow(now.free - processors, now.started + 1, now.ended, now.released)


@compiled
def expect(running: RunningJobs, count: int, key: int, processors: int) -> None:
    """Insert an expected end, with its processors, into the first ``count`` ones."""
    index = U(count)
    keys, held = running.expected, running.processors
    # As in `put_key`; the processors move in step with their keys.
    while index > U(0) and keys[index - U(1)] < key:
        keys[index] = keys[index - U(1)]
        held[index] = held[index - U(1)]
        index -= U(1)
    keys[index] = key
    held[index] = processors


@compiled
def release(running: RunningJobs, now: MachineNow, time: int) -> MachineNow:
    """Free the processors of the jobs that are expected to have ended."""
    index, free = now.started - now.released, now.free
    # No estimate is below the run time, so a job whose expected end is reached does end by now. Its
    # own event follows at this instant and frees nothing more.
    while index > 0 and running.expected[U(index - 1)] >> COUNTER <= time:
        index -= 1
        free += running.processors[U(index)]
    return MachineNow(free, now.started, now.ended, now.started - index)


@compiled_entry
def end(
    running: RunningJobs,
    now: MachineNow,
    counter: int,
    processors: int,
    expected_end: int,
    time: int,
) -> MachineNow:
    """Let the job of the next end leave, now or before it is expected to."""
    # `release` has freed the processors of a job that is past its expected end.
    if expected_end <= time:
        return MachineNow(now.free, now.started, now.ended + 1, now.released)
    key = expected_end << COUNTER | counter
    index = U(now.started - now.released - 1)
    keys, held = running.expected, running.processors
    # Each key behind the one that leaves moves up by one place, so the order stays descending.
    moved, moved_processors = keys[index], held[index]
    while moved != key:
        index -= U(1)
        moved, keys[index] = keys[index], moved
        moved_processors, held[index] = held[index], moved_processors
    return MachineNow(now.free + processors, now.started, now.ended + 1, now.released + 1)


@compiled
def shadow(running: RunningJobs, now: MachineNow, processors: int) -> tuple[int, int]:
    """Return when ``processors`` will be free, and how many more are free then.

    More processors must be requested than are free now. All jobs that are expected to end at that
    instant count.
    """
    index = now.started - now.released
    lacking = processors - now.free
    # The loop ends: a job needs at most the machine, which all expected ends together give back.
    while lacking > 0:
        index -= 1
        lacking -= running.processors[U(index)]
    time = running.expected[U(index)] >> COUNTER
    # Ties count together, or else what is left over would depend on the order of starts.
    while index > 0 and running.expected[U(index - 1)] >> COUNTER == time:
        index -= 1
        lacking -= running.processors[U(index)]
    return time, -lacking
