"""Rules of the times of jobs for every form of log: which were never set, and what follows.

Schedulers write 0 for a moment that was never set, which a program may print as a day of 1970.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from scenarios.job_logs.job_log import LEFT_OUT, MISSING, Integers, Mask
from scenarios.job_logs.raw_jobs import CANCELLED, UNFINISHED

LEAST_UNIX_S = 1 << 28
"""Mid-1978: earlier times are counted from some zero of their own."""

LONGEST_RUN_S = 1 << 29
"""17 years. What ends and never started has run since 1970, by end minus start."""

ABSENT = np.iinfo(np.int64).min
"""A time that is not given."""

STILL = f"{LEFT_OUT}still waiting or running"
NEVER_STARTED = f"{LEFT_OUT}never started"
ENDED_EARLY = f"{LEFT_OUT}ended before it started"
STARTED_EARLY = "started before it was submitted: a wait of 0 taken"
HOUR_TWICE = "a time in the hour that occurs twice: the later one taken"
ROUNDED = "a fraction of a second rounded"

_SECOND = 1_000_000
_DAY_S = 86_400  # a local time of 0 is up to 14 hours from it


@dataclass(frozen=True, eq=False)
class Times:
    """Times of jobs [us], ``ABSENT`` where one is not given."""

    submit_s: Integers
    start_s: Integers
    end_s: Integers
    wait_s: Integers
    run_s: Integers
    requested_s: Integers

    def of(self, rows: Integers | Mask) -> Times:
        """The times of some jobs."""
        return Times(**{each.name: getattr(self, each.name)[rows] for each in fields(Times)})


TIMES = tuple(each.name for each in fields(Times))


@dataclass(frozen=True, eq=False)
class Settled:
    """The jobs that ran: their rows, and their times in whole seconds, ``MISSING`` if unknown.

    ``marks`` says which jobs a rule altered, by its words.
    """

    rows: Integers
    submit_s: Integers
    wait_s: Integers
    run_s: Integers
    requested_s: Integers
    marks: Mapping[str, Mask]


def settled(
    times: Times,
    state: Integers,
    repeated: Mapping[int, Mapping[str, int]],
    present: Collection[str],
) -> tuple[Settled, dict[str, int]]:
    """Apply the rules: the jobs that ran, and how many others each rule left out.

    Parameters
    ----------
    times
        As they were read.
    state
        Code of completion, ``MISSING`` where none is given.
    repeated
        Seconds until a moment occurs again since clocks go back, by row and name.
    present
        Columns that the file has.
    """
    times = _only_set(times)
    times, twice = _in_order(times, repeated)
    still, never = _unstarted(times, state, present)
    measured = _known(times.start_s) & _known(times.end_s) & ~_known(times.run_s)
    backwards = measured & (times.end_s < times.start_s) & ~still & ~never
    left_out = {STILL: still, NEVER_STARTED: never, ENDED_EARLY: backwards}
    counts = {words: int(np.count_nonzero(mask)) for words, mask in left_out.items()}
    rows = np.flatnonzero(~(still | never | backwards))
    times, measured = times.of(rows), measured[rows]
    run = np.where(measured, times.end_s - times.start_s, times.run_s)
    waited = _known(times.submit_s) & _known(times.start_s) & ~_known(times.wait_s)
    wait = np.where(waited, times.start_s - times.submit_s, times.wait_s)
    early = _known(wait) & (wait < 0)
    wait = np.where(early, 0, wait)
    taken = (times.submit_s, wait, run, times.requested_s)
    rounded = np.logical_or.reduce([_known(each) & (each % _SECOND != 0) for each in taken])
    marks = {STARTED_EARLY: early, HOUR_TWICE: twice[rows], ROUNDED: rounded}
    submit_s, wait_s, run_s, requested_s = map(_whole_seconds, taken)
    jobs = Settled(rows, submit_s, wait_s, run_s, requested_s, marks)
    return jobs, {words: much for words, much in counts.items() if much}


def _known(time: Integers) -> Mask:
    met: Mask = time != ABSENT
    return met


def _whole_seconds(time: Integers) -> Integers:
    """Seconds without a fraction, halves up."""
    return np.where(_known(time), (time + _SECOND // 2) // _SECOND, MISSING)


def _only_set(times: Times) -> Times:
    """Strike out moments that were not set.

    A negative moment was not set. Nor was one around 0, if another moment of the job is a date:
    jobs do not wait or run for years.
    """
    moments = {name: getattr(times, name) for name in ("submit_s", "start_s", "end_s")}
    dated = np.maximum.reduce([*moments.values()]) >= LEAST_UNIX_S * _SECOND
    least = np.where(dated, (_DAY_S + 1) * _SECOND, 0)
    known = {name: np.where(time < least, ABSENT, time) for name, time in moments.items()}
    return replace(times, **known)


def _in_order(
    times: Times, repeated: Mapping[int, Mapping[str, int]]
) -> tuple[Times, NDArray[np.bool_]]:
    """Take the later of two moments that one local time names, where the order demands it.

    A job is submitted, starts and ends in this order, and its run time lies between the last two.
    """
    twice = np.zeros(len(times.submit_s), dtype=np.bool_)
    if not repeated:
        return times, twice
    submit, start, end = times.submit_s, times.start_s.copy(), times.end_s.copy()
    for row, later in sorted(repeated.items()):
        shifts = _shifts(
            int(submit[row]), int(start[row]), int(end[row]), int(times.run_s[row]), later
        )
        if any(shifts):
            start[row] += shifts[0]
            end[row] += shifts[1]
            twice[row] = True
    return replace(times, start_s=start, end_s=end), twice


def _shifts(
    submit: int, start: int, end: int, run: int, later: Mapping[str, int]
) -> tuple[int, int]:
    """By how much start and end are later than read; (0, 0) if no choice is in order."""
    if ABSENT in (start, end):
        return (later.get("start_s", 0) * _SECOND if ABSENT < start < submit else 0), 0
    choices = itertools.product(
        {0, later.get("start_s", 0) * _SECOND}, {0, later.get("end_s", 0) * _SECOND}
    )
    ordered = [
        (run != ABSENT and abs(end + b - start - a - run) > _SECOND, a + b, (a, b))
        for a, b in choices
        if submit <= start + a <= end + b
    ]
    return min(ordered)[2] if ordered else (0, 0)


def _unstarted(times: Times, state: Integers, present: Collection[str]) -> tuple[Mask, Mask]:
    """Which jobs waited or ran still when the log was made, and which never started."""
    run = times.run_s
    ran = (run > 0) & (run < LONGEST_RUN_S * _SECOND)
    no_start = ~_known(times.start_s) if "start_s" in present else np.zeros(len(run), np.bool_)
    no_end = ~_known(times.end_s) if "end_s" in present else np.zeros(len(run), np.bool_)
    if "state" not in present and no_end.all():
        no_end = np.zeros(len(run), np.bool_)
    still: Mask = (state == UNFINISHED) | (no_end & _known(times.start_s))
    never: Mask = ~still & no_start & (~ran | (state == CANCELLED))
    return still, never


def known_submissions(submit_s: Integers) -> Integers:
    """Return submit times, ``MISSING`` for those around 0 where all others are dates."""
    later = submit_s > _DAY_S
    if not later.any() or submit_s[later].min() < LEAST_UNIX_S:
        return submit_s
    return np.where(later, submit_s, MISSING)


def known_runs(run_s: Integers) -> Integers:
    """Return run times of jobs with dates, ``MISSING`` for those that began or end in 1970."""
    return np.where(run_s < LONGEST_RUN_S, run_s, MISSING)


def never_set(wait_s: Integers) -> Mask:
    """Return which jobs started years before they were submitted: their start was not set."""
    met: Mask = wait_s <= -LEAST_UNIX_S
    return met
