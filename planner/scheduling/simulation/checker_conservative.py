"""Independent replay of a schedule against the rules of conservative backfilling.

Nothing of the engine is used: the given starts are followed in time, and each is held against the
reservations that its job had by then.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.scheduling.simulation.checker_jobs import NOT_FOUND, Integers, Jobs, followed
from solvers.compiled import compiled, compiled_entry

BEYOND_RESERVATION, LATE, OVERTAKES, EARLY = range(4)


# places in the array of single numbers that the compiled functions share
_EDGES, _WAITING, _ARRIVED, _ENDED, _MADE, _BEGUN, _BATCH = range(7)


class _State(NamedTuple):
    single: Integers
    edges: Integers  # of the profile of planned use
    free: Integers  # processors from an edge to the next
    queue: Integers
    planned: Integers
    first: Integers
    made: Integers  # counts the plans: when the planned start was last changed
    begun: Integers  # counts the starts
    time: Integers
    by: Integers


def replay(
    submit_s: Integers,
    start_s: Integers,
    run_s: Integers,
    estimated_s: Integers,
    processors: Integers,
    machine_processors: int,
    *,
    batch: bool,
) -> tuple[Integers, Integers]:
    """Follow a schedule and find where it leaves conservative backfilling.

    A submitted job is given the earliest hole in the profile of planned use by the estimates. At an
    end the rest of the job's slot is freed; then every job whose planned start is still to come is
    taken out, in queue order, and placed at its earliest start.

    Parameters
    ----------
    submit_s, start_s, run_s, estimated_s, processors
        Jobs that all start, in queue order, shape ``(jobs,)``; no run exceeds its estimate.
    machine_processors
        Processors of the machine; the starts must keep to it.
    batch
        All ends, then submissions; else submissions come before ends, and each end has its own
        placing anew, in the order in which the jobs were started; of one instant those start first
        whose starts were planned first.

    Returns
    -------
    When [s] and by how much [s], each of shape ``(4, jobs)``, ``NOT_FOUND`` where nothing is wrong:
    ``BEYOND_RESERVATION`` (starts after the first start that it was given), ``LATE`` (does not
    start at its planned start), ``OVERTAKES`` (starts before its planned start on processors that
    others have reserved), ``EARLY`` (the same without harm to others).

    References
    ----------
    Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2.2; Feitelson and Weil, IPPS 1998.
    """
    number = len(submit_s)
    jobs, instants = followed(submit_s, start_s, run_s, estimated_s, processors)
    faults = np.full((4, number), NOT_FOUND, np.int64)
    edges = np.zeros(2 * number + 4, np.int64)
    state = _State(
        single=np.array([1, 0, 0, 0, 0, 0, batch], np.int64),
        edges=edges,
        free=np.full_like(edges, machine_processors),
        queue=np.zeros(number, np.int64),
        planned=np.full(number, -1, np.int64),
        first=np.full(number, -1, np.int64),
        made=np.zeros(number, np.int64),
        begun=np.zeros(number, np.int64),
        time=faults,
        by=faults.copy(),
    )
    _follow(jobs, state, instants)
    return state.time, state.by


@compiled_entry
def _follow(jobs: Jobs, state: _State, instants: Integers) -> None:
    """At each instant submissions, then ends, each with its placing anew.

    In a batch all ends come first, with one placing anew for all of them.
    """
    batch = state.single[_BATCH]
    # At the head the profile is the machine less running jobs until their estimated ends and
    # waiting jobs in their planned runs. Violations are noted and followed.
    for now in instants:
        _note_late(jobs, state, now)
        _forget(state, now)
        if not batch:
            _place_new(jobs, state, now)
        some = False
        while _end_next(jobs, state, now):
            some = True
            if not batch:
                _place_anew(jobs, state, now)
        if batch and some:
            _place_anew(jobs, state, now)
        if batch:
            _place_new(jobs, state, now)
        _begin(jobs, state, now)


@compiled
def _end_next(jobs: Jobs, state: _State, now: int) -> bool:
    """Free what the next job that ends now leaves unused; whether there was one."""
    ended = state.single[_ENDED]
    if ended == len(jobs.by_end):
        return False
    if jobs.start[jobs.by_end[ended]] + jobs.run[jobs.by_end[ended]] != now:
        return False
    job = _first_begun(jobs, state, ended)
    _add(state, now, jobs.start[job] + jobs.estimated[job], jobs.processors[job])
    state.single[_ENDED] += 1
    return True


@compiled
def _first_begun(jobs: Jobs, state: _State, ended: int) -> int:
    """Move the job that began first to the front of the next ends with equal start and end."""
    by_end = jobs.by_end
    first, position = by_end[ended], ended
    # Only now is the order of the starts known, which decides between equal starts and ends.
    for index in range(ended + 1, len(by_end)):
        job = by_end[index]
        if jobs.start[job] != jobs.start[first] or jobs.run[job] != jobs.run[first]:
            break
        if state.begun[job] < state.begun[by_end[position]]:
            position = index
    by_end[ended], by_end[position] = by_end[position], by_end[ended]
    return int(by_end[ended])


@compiled
def _begin(jobs: Jobs, state: _State, now: int) -> None:
    """Start what starts at this instant, planned starts first; no length means an end at once.

    In a batch all planned starts come first, then the ends of those without length, then one
    placing anew for them all: what they leave together goes to the first in the queue.
    """
    some = False
    # `some`: runs of 0 s have ended since the last placing, and what they leave is not yet placed.
    while True:
        position = _next_to_begin(jobs, state, now)
        if some and (position < 0 or state.planned[state.queue[position]] > now):
            _place_anew(jobs, state, now)
            some = False
            continue
        if position < 0:
            return
        job = _take_out(state, position)
        if state.planned[job] > now:
            _move_up(jobs, state, job, now)
        if now > state.first[job]:
            _note(state, BEYOND_RESERVATION, job, now, now - state.first[job])
        if jobs.run[job] > 0:
            continue
        _add(state, now, now + jobs.estimated[job], jobs.processors[job])
        if state.single[_BATCH]:
            some = True
        else:
            _place_anew(jobs, state, now)


@compiled
def _next_to_begin(jobs: Jobs, state: _State, now: int) -> int:
    """Place in the queue of the next job that starts now; -1 if there is none."""
    position = -1
    # `position` goes before all that have been looked at; of equal ones the first in the queue.
    for index in range(state.single[_WAITING]):
        job = state.queue[index]
        if jobs.start[job] == now and (
            position < 0 or _goes_before(state, job, state.queue[position], now)
        ):
            position = index
    return position


@compiled
def _take_out(state: _State, position: int) -> int:
    """Take a job that begins out of the queue."""
    single, queue = state.single, state.queue
    job = queue[position]
    state.begun[job] = single[_BEGUN]
    single[_BEGUN] += 1
    single[_WAITING] -= 1
    for index in range(position, single[_WAITING]):
        queue[index] = queue[index + 1]
    return int(job)


@compiled
def _goes_before(state: _State, job: int, other: int, now: int) -> bool:
    """Whether a job starts before another of its instant: as planned, the oldest plan first."""
    if state.planned[job] > now:
        return False
    return bool(state.planned[other] > now or state.made[job] < state.made[other])


@compiled
def _move_up(jobs: Jobs, state: _State, job: int, now: int) -> None:
    """Move a slot to now; where others had reserved what it takes, all are planned afresh."""
    length, processors = jobs.estimated[job], jobs.processors[job]
    _add(state, state.planned[job], state.planned[job] + length, processors)
    harmless = _hole(state, now, processors, length) == now
    _note(state, EARLY if harmless else OVERTAKES, job, now, state.planned[job] - now)
    _add(state, now, now + length, -processors)
    state.planned[job] = now
    if not harmless:
        _plan_afresh(jobs, state, now)


@compiled
def _note_late(jobs: Jobs, state: _State, now: int) -> None:
    """Note jobs whose planned start has passed; if there are any, all are planned afresh."""
    some = False
    for index in range(state.single[_WAITING]):
        job = state.queue[index]
        if state.planned[job] < now:
            late = jobs.start[job] - state.planned[job]
            _note(state, LATE, job, state.planned[job], late)
            some = True
    if some:
        _plan_afresh(jobs, state, now)


@compiled
def _plan_afresh(jobs: Jobs, state: _State, now: int) -> None:
    """Plan all waiting jobs in queue order, so that one violation does not cause another."""
    # All out first: else a later job's old plan could take the place of an earlier job.
    for index in range(state.single[_WAITING]):
        job = state.queue[index]
        until = state.planned[job] + jobs.estimated[job]
        _add(state, state.planned[job], until, jobs.processors[job])
    for index in range(state.single[_WAITING]):
        job = state.queue[index]
        start = _hole(state, now, jobs.processors[job], jobs.estimated[job])
        _add(state, start, start + jobs.estimated[job], -jobs.processors[job])
        state.planned[job] = start


@compiled
def _place_new(jobs: Jobs, state: _State, now: int) -> None:
    """Give the jobs that are submitted now their first reservations."""
    single = state.single
    # In queue order: each first reservation respects all those before it.
    while single[_ARRIVED] < len(jobs.submit) and jobs.submit[single[_ARRIVED]] == now:
        job = single[_ARRIVED]
        start = _hole(state, now, jobs.processors[job], jobs.estimated[job])
        _add(state, start, start + jobs.estimated[job], -jobs.processors[job])
        state.planned[job] = state.first[job] = start
        state.made[job] = single[_MADE]
        single[_MADE] += 1
        state.queue[single[_WAITING]] = job
        single[_WAITING] += 1
        single[_ARRIVED] += 1


@compiled
def _place_anew(jobs: Jobs, state: _State, now: int) -> None:
    """Move the slots that are still to come up, in queue order."""
    # In queue order, so that an earlier job takes a hole before later ones can.
    for index in range(state.single[_WAITING]):
        job = state.queue[index]
        if state.planned[job] > now:
            _place(jobs, state, job, now)


@compiled
def _place(jobs: Jobs, state: _State, job: int, now: int) -> None:
    length, processors = jobs.estimated[job], jobs.processors[job]
    _add(state, state.planned[job], state.planned[job] + length, processors)
    start = _hole(state, now, processors, length)
    _add(state, start, start + length, -processors)
    if start != state.planned[job]:
        state.planned[job] = start
        state.made[job] = state.single[_MADE]
        state.single[_MADE] += 1


@compiled
def _place_of(state: _State, when: int) -> int:
    """The last edge that is not later."""
    edges, low, high = state.edges, 0, state.single[_EDGES]
    # edges[low] <= when, and edges[high], if there is one, is later.
    while high - low > 1:
        middle = (low + high) // 2
        if edges[middle] <= when:
            low = middle
        else:
            high = middle
    return low


@compiled
def _hole(state: _State, now: int, need: int, length: int) -> int:
    """Return the earliest start from ``now`` with ``need`` processors free for ``length``."""
    edges, free, single = state.edges, state.free, state.single
    position = _place_of(state, now)
    begin = now
    # No start before `begin` fits. The last edge has the whole machine free, so both loops end.
    while True:
        while free[position] < need:
            position += 1
            begin = edges[position]
        ahead = position + 1
        while ahead < single[_EDGES] and edges[ahead] < begin + length and free[ahead] >= need:
            ahead += 1
        if ahead == single[_EDGES] or edges[ahead] >= begin + length:
            return begin
        position = ahead


@compiled
def _edge(state: _State, when: int) -> int:
    """The edge at a time, made if there is none."""
    edges, free, single = state.edges, state.free, state.single
    position = _place_of(state, when)
    if edges[position] == when:
        return position
    for index in range(single[_EDGES], position + 1, -1):
        edges[index] = edges[index - 1]
        free[index] = free[index - 1]
    edges[position + 1] = when
    free[position + 1] = free[position]
    single[_EDGES] += 1
    return position + 1


@compiled
def _add(state: _State, begin: int, until: int, much: int) -> None:
    """Free processors, or take them where it is negative, for a time."""
    edges, free = state.edges, state.free
    # What lies before the first edge is past and forgotten.
    begin = max(begin, edges[0])
    if until <= begin:
        return
    low = _edge(state, begin)
    high = _edge(state, until)
    for index in range(low, high):
        free[index] += much
    # The later edge first, since joining moves all edges behind it.
    _join(state, high)
    _join(state, low)


@compiled
def _join(state: _State, position: int) -> None:
    edges, free, single = state.edges, state.free, state.single
    if position == 0 or free[position] != free[position - 1]:
        return
    single[_EDGES] -= 1
    for index in range(position, single[_EDGES]):
        edges[index] = edges[index + 1]
        free[index] = free[index + 1]


@compiled
def _forget(state: _State, now: int) -> None:
    """Drop what lies in the past."""
    edges, free, single = state.edges, state.free, state.single
    position = _place_of(state, now)
    if position > 0:
        for index in range(position, single[_EDGES]):
            edges[index - position] = edges[index]
            free[index - position] = free[index]
        single[_EDGES] -= position
    edges[0] = max(edges[0], now)


@compiled
def _note(state: _State, kind: int, job: int, now: int, much: int) -> None:
    if state.time[kind, job] == NOT_FOUND:
        state.time[kind, job] = now
        state.by[kind, job] = much
