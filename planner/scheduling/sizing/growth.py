"""A log whose work grows by a factor: more jobs in the same rhythm, or the same jobs faster."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.formatting import plural
from planner.scheduling.sizing.periods import Laid, Periods, own, periods_of
from scenarios.job_logs.job_log import MISSING, MOST_JOBS, Integers, JobLog

GrowthBy = Literal["copies", "arrivals"]
ThinBy = Literal["user", "job"]
MOST_GROWTH = 100.0
LEAST_GROWTH = 0.01

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class LogGrowth:
    """The growth of a log's work: how much, and by which method.

    Attributes
    ----------
    factor
        Factor on the log's work per time; below 1 it shrinks, at 1 the log stays as it is.
    by
        ``copies``: jobs of other weeks of the log are added at the same weekday and time of day;
        ``arrivals``: all jobs are submitted the factor faster.
    thin_by
        What a copy that is not wanted whole is thinned by: a ``user`` of a week with all jobs, or
        a single ``job``.
    """

    factor: float = 1.0
    by: GrowthBy = "copies"
    thin_by: ThinBy = "user"

    def __post_init__(self) -> None:
        """Refuse factors that no study is made for."""
        if not LEAST_GROWTH <= self.factor <= MOST_GROWTH:
            raise InputError(
                f"a growth of {self.factor:g} is not between {LEAST_GROWTH:g} and "
                f"{MOST_GROWTH:g}; give the factor of the log's work, such as 1.5"
            )


@dataclass(frozen=True, eq=False)
class Grown:
    """A log that has grown.

    Attributes
    ----------
    log
        Its jobs: those of the log keep their numbers, copies have further ones.
    reached
        Work per time over that of the log before.
    added
        Jobs less those of the log before.
    """

    log: JobLog
    reached: float
    added: int


def work_of(log: JobLog) -> Floats:
    """Processor-seconds of each job."""
    return log.processors.astype(float) * log.run_s


def grow(
    log: JobLog,
    growth: LogGrowth,
    rng: np.random.Generator,
    weeks: Sequence[int] | Integers | None = None,
) -> Grown:
    """Let the work of a log grow.

    Growth by copies puts the log's whole weeks in a random ring. In each week, the k-th copy has
    the jobs of the k-th next week in the ring, moved by whole weeks. So no copy has a week's own
    jobs, or those of another copy. From the last copy, users (each with all jobs of a week) or jobs
    are taken in random order until the work reaches the factor. The last one is taken if the work
    is then nearer to the factor. Users of copies are new users.

    Parameters
    ----------
    log
        The jobs.
    growth
        Factor and method of the growth.
    rng
        Random numbers for the ring and the order.
    weeks
        Number of the whole week in each slot before the growth; by default the log as it is.

    Raises
    ------
    InputError
        The log has no jobs or no work, is too short for copies, or grows beyond the numeric range.
    """
    periods = periods_of(log)
    _refuse(log, growth, periods)
    if weeks is None and growth.factor == 1:
        return Grown(log, 1.0, 0)
    if periods is None:  # only thinned or faster: no other week is needed
        rows = np.arange(len(log))
        base = Laid(rows, log.submit_s, np.zeros(len(log), np.int64))
    else:
        base = periods.laid(own(periods) if weeks is None else weeks)
    work = work_of(log)
    if growth.by == "arrivals":
        return _faster(log, base, growth.factor, renumber=weeks is not None)
    layers = [(0, base)]
    if growth.factor < 1:
        layers = [
            (0, _thinned(log, base, work, growth, growth.factor * work[base.rows].sum(), rng))
        ]
    elif periods is not None and growth.factor > 1:
        donors = own(periods) if weeks is None else np.asarray(weeks)
        layers += _copies(log, periods, donors, base, growth, rng)
    merged = _merged(log, layers, renumber=weeks is not None)
    before = float(work[base.rows].sum())
    if weeks is not None and not (len(merged) and before > 0):
        return Grown(merged, 0.0, 0)  # weeks were drawn in which nothing runs: no log to size
    if not len(merged):
        raise InputError(
            f"a growth of {growth.factor:g} leaves none of {plural(len(base.rows), 'job')} of "
            f"{log.name}; give a larger growth, or a log with more jobs"
        )
    reached = float(work_of(merged).sum()) / before
    return Grown(merged, reached, len(merged) - len(base.rows))


def _refuse(log: JobLog, growth: LogGrowth, periods: Periods | None) -> None:
    if not len(log):
        raise InputError(f"{log.name} has no jobs; give a log with jobs")
    if growth.factor == 1:
        return
    if not work_of(log).sum() > 0:
        raise InputError(
            f"{log.name} has no work (every job runs for 0 s), so it cannot grow; give another log"
        )
    if growth.factor * len(log) > 0.9 * MOST_JOBS:
        raise InputError(
            f"{len(log):,} jobs times {growth.factor:g} are more than can be simulated "
            f"({MOST_JOBS:,}); give a smaller growth or a part of the log"
        )
    if growth.by == "arrivals" or growth.factor < 1:
        return
    if periods is None:
        raise InputError(
            f"{log.name} is too short to grow by copies of weeks or days: its submissions cover "
            "less than three whole days; use --growth-by arrivals"
        )
    copies = math.ceil(growth.factor - 1)
    if copies >= periods.whole:
        raise InputError(
            f"a growth of {growth.factor:g} takes copies of {copies} other {periods.word}s, but "
            f"{log.name} has only {periods.whole} whole ones; give a growth of at most "
            f"{periods.whole}"
        )


def _faster(log: JobLog, base: Laid, factor: float, *, renumber: bool) -> Grown:
    if not len(base.rows):
        return Grown(_of_rows(log, base.rows), 0.0, 0)
    begin = int(base.submit_s[0])
    submit = begin + np.floor((base.submit_s - begin) / factor).astype(np.int64)
    faster = _of_rows(log, base.rows)
    span, new = int(base.submit_s[-1]) - begin, int(submit[-1]) - begin
    number = np.arange(1, len(faster) + 1) if renumber else faster.number
    # All jobs may fall into one second, whose length counts as 1 s.
    reached = span / max(new, 1) if span else 1.0
    return Grown(replace(faster, submit_s=submit, number=number), reached, 0)


def _copies(
    log: JobLog,
    periods: Periods,
    weeks: Integers,
    base: Laid,
    growth: LogGrowth,
    rng: np.random.Generator,
) -> list[tuple[int, Laid]]:
    work = work_of(log)
    ring = rng.permutation(periods.whole)
    period = np.append(
        np.argsort(ring, kind="stable"), rng.integers(periods.whole)
    )  # the last is not whole
    target = growth.factor * work[base.rows].sum()
    done = work[base.rows].sum()
    whole = math.floor(growth.factor) - 1
    layers = []
    # In the ring the next `whole - 1` weeks all differ from a week and from one another.
    for k in range(1, math.ceil(growth.factor)):
        layer = periods.laid(ring[(period[weeks] + k) % periods.whole])
        if k > whole:
            layer = _thinned(log, layer, work, growth, target - done, rng)
        done += work[layer.rows].sum()
        layers.append((k, layer))
    return layers


class Units(NamedTuple):
    """Which unit each job belongs to, and its processor-seconds; shape ``(jobs,)``."""

    unit: Integers
    work: Floats


def _thinned(
    log: JobLog,
    layer: Laid,
    work: Floats,
    growth: LogGrowth,
    target: float,
    rng: np.random.Generator,
) -> Laid:
    """Return random users of a week, or random jobs, that together have the target work."""
    unit = np.arange(len(layer.rows))
    if growth.thin_by == "user":
        user = log.user[layer.rows].astype(np.int64)
        user = np.where(user == MISSING, -2 - unit, user)  # each of nobody for itself
        pairs = np.stack([np.unique(user, return_inverse=True)[1], layer.slot])
        unit = np.unique(pairs, axis=1, return_inverse=True)[1].reshape(-1)
    selected = chosen(Units(unit, work[layer.rows]), target, rng)
    return Laid(*(array[selected] for array in layer))


def chosen(units: Units, target: float, rng: np.random.Generator) -> Mask:
    """Which jobs stay: units in random order until the target, the last where that is nearer."""
    total = np.bincount(units.unit, units.work)
    order = rng.permutation(len(total))
    reach = np.cumsum(total[order])
    # Units whose sum is within the target; `right` also takes those without work behind them.
    number = int(np.searchsorted(reach, target, side="right"))
    if number < len(order) and reach[number] - target < target - (
        reach[number - 1] if number else 0.0
    ):
        number += 1
    stays = np.zeros(len(total), np.bool_)
    stays[order[:number]] = True
    return stays[units.unit]


def _merged(log: JobLog, layers: list[tuple[int, Laid]], *, renumber: bool) -> JobLog:
    """All layers as one log; at one second the log's own jobs come first."""
    rows = np.concatenate([layer.rows for _, layer in layers])
    submit = np.concatenate([layer.submit_s for _, layer in layers])
    copy = np.concatenate([np.full(len(layer.rows), k) for k, layer in layers])
    order = np.argsort(submit, kind="stable")
    rows, submit, copy = rows[order], submit[order], copy[order]
    merged = _of_rows(log, rows)
    number = np.arange(1, len(rows) + 1)
    if not renumber:
        further = int(log.number.max()) + np.cumsum(copy > 0)
        number = np.where(copy > 0, further, log.number[rows])
    user, names = _users(log, rows, copy)
    return replace(merged, submit_s=submit, number=number, user=user, names=names)


def _users(log: JobLog, rows: Integers, copy: Integers) -> tuple[NDArray[np.int32], Any]:
    """Users of copies behind those of the log."""
    users = np.unique(log.user[log.user != MISSING]).astype(np.int64)
    named = log.names.get("user", ())
    user = log.user[rows].astype(np.int64)
    copies = int(copy.max(initial=0))
    if not len(users) or not copies:
        return user.astype(np.int32), log.names
    first = max(len(named), int(users.max()) + 1)
    if first + copies * len(users) >= 2**31:
        raise InputError(
            f"the users of {log.name} have numbers up to {users.max():,}, which leaves none for "
            "users of copies; renumber them"
        )
    further = first + (copy - 1) * len(users) + np.searchsorted(users, user)
    user = np.where((copy > 0) & (user != MISSING), further, user)
    if not named:
        return user.astype(np.int32), log.names
    more = [f"{named[code]} (copy {k})" for k in range(1, copies + 1) for code in users]
    return user.astype(np.int32), {**log.names, "user": (*named, *more)}


def _of_rows(log: JobLog, rows: Integers) -> JobLog:
    """Some jobs, each as often as it is named; nobody has counted or recorded these waits."""
    arrays = {
        field.name: getattr(log, field.name)[rows]
        for field in fields(log)
        if isinstance(getattr(log, field.name), np.ndarray)
    }
    arrays["wait_s"] = np.full(len(rows), MISSING, np.int64)
    return replace(log, counts={}, sha256="", **arrays)
