"""Independent replay of a schedule against the rules of EASY backfilling.

Nothing of the engine is used, and no schedule is made here: the given starts are followed in time,
and each is judged by what was known then.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.scheduling.simulation.checker_jobs import NOT_FOUND, Integers, Jobs, followed
from solvers.compiled import compiled, compiled_entry

IDLE_HEAD, NOT_BACKFILLED, DELAYS_HEAD, BEYOND_PROMISE, NO_ROOM = range(5)
_UNKNOWN = 1 << 62

# places in the array of single numbers that the compiled functions share
_HEAD, _TAIL, _FREE, _RUNNING, _STARTS, _OVER, _ARRIVED, _ENDED, _SHORT, _BATCH = range(10)


class _State(NamedTuple):
    single: Integers
    after: Integers  # the queue, linked
    before: Integers
    running: Integers  # by estimated end
    turn: Integers  # the how many-th start it was
    promise: Integers  # to a head; -1 before it is one
    short: Integers  # jobs without length that started at this instant
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
    """Follow a schedule and find where it leaves EASY.

    Parameters
    ----------
    submit_s, start_s, run_s, estimated_s, processors
        The jobs in queue order, shape ``(jobs,)``; all of them start. ``estimated_s`` are the
        policy's estimates of the run times.
    machine_processors
        Processors of the machine; the starts must not need more.
    batch
        Whether an instant has all ends, all submissions, then one pass. Otherwise the event order
        is that of pyss: submissions before ends, a pass at each submission that fits and at each
        end.

    Returns
    -------
    Time [s] and size of each violation, each of shape ``(5, jobs)``; ``NOT_FOUND`` where there is
    none. ``IDLE_HEAD``: a head that fits does not start; seconds until it does. ``NOT_BACKFILLED``:
    a later job that fits and would not delay the head does not start; seconds until it does.
    ``DELAYS_HEAD``: a start ahead of the head delays its promised start, by the estimates; seconds
    beyond it. ``BEYOND_PROMISE``: a head starts after the first start that it was promised;
    seconds. ``NO_ROOM``: a job without length starts at an instant where no pass has room for it;
    processors.

    Notes
    -----
    If a job exceeds its estimate, promises cannot be kept. So no promise to a head is checked while
    such a job runs. No pass is checked while a job has exceeded its estimate.

    References
    ----------
    Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2.1; Feitelson and Weil, IPPS 1998.
    """
    number = len(submit_s)
    jobs, instants = followed(submit_s, start_s, run_s, estimated_s, processors)
    single = np.zeros(10, np.int64)
    single[_HEAD] = single[_TAIL] = -1
    single[_FREE], single[_BATCH] = machine_processors, batch
    link, count = np.full(number, -1, np.int64), np.zeros(number, np.int64)
    faults = np.full((5, number), NOT_FOUND, np.int64)
    state = _State(
        single,
        link,
        link.copy(),
        count,
        count.copy(),
        link.copy(),
        count.copy(),
        faults,
        faults + 0,
    )
    ending = np.empty(number, np.int64)
    _follow(jobs, state, instants, ending)
    return state.time, state.by


@compiled_entry
def _follow(jobs: Jobs, state: _State, instants: Integers, ending: Integers) -> None:
    """At each instant submissions, then ends, each with its pass; ``ending`` is work space.

    In a batch all ends come first, then all submissions, with one pass for all of them.
    """
    single, batch = state.single, state.single[_BATCH]
    # At the head each start before `now` is followed, as the given schedule has it. A start that no
    # pass allows is noted and made, so that one violation causes no other.
    for now in instants:
        single[_SHORT] = 0
        count = _ending(jobs, state, ending, now)
        for index in range(count if batch else 0):
            _end(jobs, state, ending[index])
        while single[_ARRIVED] < len(jobs.submit) and jobs.submit[single[_ARRIVED]] == now:
            job = single[_ARRIVED]
            _submit(state, job)
            if batch:
                count += 1
            elif jobs.processors[job] <= _available(jobs, state, now)[0]:
                _pass(jobs, state, now)
        for index in range(0 if batch else count):
            _end(jobs, state, ending[index])
            _pass(jobs, state, now)
        if batch and count:
            _pass(jobs, state, now)
        done = 0
        # Runs of 0 s end at this instant too, one by one or in a batch all that a pass has started;
        # the pass behind them may start more.
        while done < single[_SHORT] or _force(jobs, state, now):
            upto = single[_SHORT] if batch else min(done + 1, single[_SHORT])
            if done < upto:
                while done < upto:
                    _end(jobs, state, state.short[done])
                    done += 1
                _pass(jobs, state, now)
        _promise(jobs, state, now)


@compiled
def _ending(jobs: Jobs, state: _State, ending: Integers, now: int) -> int:
    """Collect the jobs that end now, in the order in which they were started; how many."""
    count = 0
    single, by_end = state.single, jobs.by_end
    # Ends come by time; those of one instant are sorted in by the order of their starts.
    while single[_ENDED] < len(by_end):
        job = by_end[single[_ENDED]]
        if jobs.start[job] + jobs.run[job] != now:
            break
        position = count
        while position > 0 and state.turn[ending[position - 1]] > state.turn[job]:
            ending[position] = ending[position - 1]
            position -= 1
        ending[position] = job
        count += 1
        single[_ENDED] += 1
    return count


@compiled
def _promise(jobs: Jobs, state: _State, now: int) -> None:
    """Promise a new head its first start; no promise while a job exceeds its estimate."""
    head = state.single[_HEAD]
    if head >= 0 and state.single[_OVER] > 0:
        state.promise[head] = _UNKNOWN
    elif head >= 0 and state.promise[head] == -1:
        state.promise[head] = _shadow(jobs, state, now)[0]


@compiled
def _submit(state: _State, job: int) -> None:
    single = state.single
    single[_ARRIVED] += 1
    state.before[job] = single[_TAIL]
    if single[_TAIL] >= 0:
        state.after[single[_TAIL]] = job
    else:
        single[_HEAD] = job
    single[_TAIL] = job


@compiled
def _start(jobs: Jobs, state: _State, job: int, now: int) -> None:
    single, running, after, before = state.single, state.running, state.after, state.before
    if before[job] >= 0:
        after[before[job]] = after[job]
    else:
        single[_HEAD] = after[job]
    if after[job] >= 0:
        before[after[job]] = before[job]
    else:
        single[_TAIL] = before[job]
    position = single[_RUNNING]
    until = now + jobs.estimated[job]
    # Sorted in by estimated end; of equal ones the job that started first stays first.
    while position > 0:
        other = running[position - 1]
        if jobs.start[other] + jobs.estimated[other] <= until:
            break
        running[position] = other
        position -= 1
    running[position] = job
    single[_RUNNING] += 1
    single[_FREE] -= jobs.processors[job]
    state.turn[job] = single[_STARTS]
    single[_STARTS] += 1
    single[_OVER] += jobs.run[job] > jobs.estimated[job]
    if jobs.run[job] == 0:
        state.short[single[_SHORT]] = job
        single[_SHORT] += 1
    if state.promise[job] >= 0 and now > state.promise[job]:
        _note(state, BEYOND_PROMISE, job, now, now - state.promise[job])


@compiled
def _end(jobs: Jobs, state: _State, job: int) -> None:
    single, running = state.single, state.running
    position = 0
    while running[position] != job:
        position += 1
    single[_RUNNING] -= 1
    for index in range(position, single[_RUNNING]):
        running[index] = running[index + 1]
    single[_FREE] += jobs.processors[job]
    single[_OVER] -= jobs.run[job] > jobs.estimated[job]


@compiled
def _available(jobs: Jobs, state: _State, now: int) -> tuple[int, bool]:
    """Processors free by the estimates, and whether a job has outlived its own."""
    available = state.single[_FREE]
    # By estimated end, so behind the first later one nothing ends by now.
    for index in range(state.single[_RUNNING]):
        job = state.running[index]
        if jobs.start[job] + jobs.estimated[job] > now:
            break
        if jobs.start[job] + jobs.run[job] > now:
            return state.single[_FREE], True
        available += jobs.processors[job]
    return available, False


@compiled
def _shadow(jobs: Jobs, state: _State, now: int) -> tuple[int, int]:
    """Return when the head fits by the estimates, and what it leaves free then."""
    need = jobs.processors[state.single[_HEAD]]
    room, shadow = state.single[_FREE], now
    # An overdue job counts as ending now. Equal ends count together: only a later one breaks.
    for index in range(state.single[_RUNNING]):
        job = state.running[index]
        until = max(jobs.start[job] + jobs.estimated[job], now)
        if room >= need and until > shadow:
            break
        shadow = until
        room += jobs.processors[job]
    return shadow, room - need


@compiled
def _pass(jobs: Jobs, state: _State, now: int) -> None:
    """One pass over the queue: start what starts now and may, note what could have."""
    available, blind = _available(jobs, state, now)
    job = state.single[_HEAD]
    # Heads that start now and fit; a job beyond its estimate makes the pass blind.
    while job >= 0 and jobs.start[job] == now and (blind or jobs.processors[job] <= available):
        _start(jobs, state, job, now)
        available -= jobs.processors[job]
        job = state.single[_HEAD]
    if job < 0:
        return
    if jobs.processors[job] <= available and jobs.start[job] > now and not blind:
        _note(state, IDLE_HEAD, job, now, jobs.start[job] - now)
    shadow, extra = _shadow(jobs, state, now)
    job = state.after[job]
    # In queue order: a start takes of `available`, and of `extra` if it ends behind the shadow.
    while job >= 0:
        # Read first: `_start` takes the job out of the linked queue.
        following = state.after[job]
        reaches = now + jobs.estimated[job] > shadow
        harmless = not reaches or jobs.processors[job] <= extra
        if blind or (harmless and jobs.processors[job] <= available):
            if jobs.start[job] == now:
                _start(jobs, state, job, now)
                available -= jobs.processors[job]
                if reaches:
                    extra -= jobs.processors[job]
            elif not blind:
                _note(state, NOT_BACKFILLED, job, now, jobs.start[job] - now)
        job = following


@compiled
def _force(jobs: Jobs, state: _State, now: int) -> bool:
    """Start the first job that starts now though no pass has let it; whether there was one."""
    job = head = state.single[_HEAD]
    while job >= 0 and jobs.start[job] != now:
        job = state.after[job]
    if job < 0:
        return False
    available, blind = _available(jobs, state, now)
    short = jobs.processors[job] - available
    if short > 0 and not blind:
        _note(state, NO_ROOM, job, now, short)
    elif job != head and not blind:
        shadow, extra = _shadow(jobs, state, now)
        beyond = now + jobs.estimated[job] - shadow
        if beyond > 0 and jobs.processors[job] > extra:
            _note(state, DELAYS_HEAD, job, now, beyond)
    _start(jobs, state, job, now)
    return True


@compiled
def _note(state: _State, kind: int, job: int, now: int, much: int) -> None:
    if state.time[kind, job] == NOT_FOUND:
        state.time[kind, job] = now
        state.by[kind, job] = much
