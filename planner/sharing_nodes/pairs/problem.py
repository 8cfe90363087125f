"""Jobs that may share nodes in pairs, and what each pair gains."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.plain_numbers import finite_number
from scenarios.formatting import nearest, short
from scenarios.pairs.pair_table import Floats, Indices, PairTable

MOST_MATCHED = 6_000
"""Jobs up to which single jobs are matched, which takes about 1.6 GB and ten seconds. More jobs
are matched by applications (:mod:`solvers.matching.kinds`)."""

MOST_JOBS, MOST_COUNTED = 100_000, 100
"""Most jobs at once, and most applications of more jobs than can be matched."""

ROUNDING = 1e-9
"""A speed, a gain or a memory of exactly its limit keeps it; means, quotients, sums are rounded."""


@dataclass(frozen=True, eq=False)
class PairingProblem:
    """Which of some jobs share a node, at most two of them.

    Attributes
    ----------
    names
        Application of each job, in the order of the request.
    kind
        Index of that application in ``speed``, shape ``(jobs,)``.
    speed
        Relative speed of the row's application with the column's one, NaN where the pair was not
        measured; shape ``(applications, applications)``. Two jobs of one application have the
        speeds in ``own`` instead, shape ``(applications, 2)``.
    least_gain
        Least gain of a node with several jobs, in nodes; by default there is no limit.
    least_speed
        Least relative speed of each job on such a node, from 0 to 1.
    needs_gb
        Memory that a job of each application needs on its node [GB], shape
        ``(memories, applications)``: main memory, GPU memory, or none of them.
    node_gb
        Memory of a node [GB], shape ``(memories,)``.
    """

    names: tuple[str, ...]
    kind: Indices
    speed: Floats
    own: Floats
    least_gain: float = -math.inf
    least_speed: float = 0.0
    needs_gb: Floats = field(default_factory=lambda: np.empty((0, 0)))
    node_gb: Floats = field(default_factory=lambda: np.empty(0))

    @property
    def jobs(self) -> int:
        """Number of jobs."""
        return len(self.names)

    @cached_property
    def kind_gain(self) -> Floats:
        """Gain of a pair of applications, NaN where not measured.

        A node with one job does the work of one; with two, ``solo_a/co_a + solo_b/co_b``.
        """
        result: Floats = self.speed + self.speed.T - 1.0
        np.fill_diagonal(result, self.own.sum(axis=1) - 1.0)
        return result

    @cached_property
    def kind_slowdown(self) -> Floats:
        """Larger slowdown (time together over time alone) of a pair of applications."""
        result: Floats = 1.0 / np.minimum(self.speed, self.speed.T)
        np.fill_diagonal(result, 1.0 / self.own.min(axis=1))
        return result

    @cached_property
    def gain(self) -> Floats:
        """Gain of each pair of jobs, shape ``(jobs, jobs)``; 0 where it was not measured."""
        return self.of_jobs(np.nan_to_num(self.kind_gain, nan=0.0))

    @cached_property
    def slowdown(self) -> Floats:
        """Larger slowdown of each pair of jobs, infinite where it was not measured."""
        return self.of_jobs(np.nan_to_num(self.kind_slowdown, nan=np.inf))

    def useful(self, kind_gain: Floats) -> Floats:
        """Gains of pairs of applications that may be chosen; 0 for all others."""
        gain = np.maximum(np.nan_to_num(kind_gain, nan=0.0), 0.0)
        return np.where(self.kind_allowed, gain, 0.0)

    @cached_property
    def measured(self) -> NDArray[np.bool_]:
        """Which pairs of jobs were measured, shape ``(jobs, jobs)``; a job has no pair alone."""
        result = np.isfinite(self.kind_gain)[np.ix_(self.kind, self.kind)]
        np.fill_diagonal(result, val=False)
        return result

    def within_limits(self, gain: Floats, slowest: Floats) -> NDArray[np.bool_]:
        """Flag nodes that gain enough and on which no job is too slow; NaN is never enough."""
        allowed: NDArray[np.bool_] = (gain >= self.least_gain - ROUNDING) & (
            slowest >= self.least_speed - ROUNDING
        )
        return allowed

    def fits(self, members: Indices) -> NDArray[np.bool_]:
        """Whether jobs of some applications, ``(..., jobs)``, fit in the memory of a node."""
        fits = np.ones(members.shape[:-1], dtype=np.bool_)
        for needs, node_gb in zip(self.needs_gb, self.node_gb, strict=True):
            fits &= needs[members].sum(axis=-1) <= node_gb * (1.0 + ROUNDING)
        return fits

    @cached_property
    def kind_fits(self) -> NDArray[np.bool_]:
        """Pairs of applications that fit in the memory of a node."""
        return self.fits(np.moveaxis(np.indices(self.speed.shape), 0, -1))

    @cached_property
    def kind_within(self) -> NDArray[np.bool_]:
        """Pairs of applications that were measured and keep the limits of gain and speed."""
        return self.within_limits(self.kind_gain, 1.0 / self.kind_slowdown)

    @cached_property
    def kind_allowed(self) -> NDArray[np.bool_]:
        """Pairs of applications that were measured, keep both limits and fit on a node."""
        return self.kind_within & self.kind_fits

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """Pairs of jobs that were measured, keep the limits and fit, shape ``(jobs, jobs)``."""
        return self.measured & self.kind_allowed[np.ix_(self.kind, self.kind)]

    @cached_property
    def useful_gain(self) -> Floats:
        """Gain of each pair of jobs that may be chosen; 0 for all others."""
        result = self.of_jobs(self.useful(self.kind_gain))
        np.fill_diagonal(result, 0.0)
        return result

    @cached_property
    def excluded(self) -> NDArray[np.bool_]:
        """Measured pairs of applications that gain but break a limit, each once."""
        return self._each_once((self.kind_gain > 0) & ~self.kind_within)

    @cached_property
    def too_large(self) -> NDArray[np.bool_]:
        """Pairs of applications that gain within the limits but do not fit on a node, each once."""
        return self._each_once((self.kind_gain > 0) & self.kind_within & ~self.kind_fits)

    def _each_once(self, pairs: NDArray[np.bool_]) -> NDArray[np.bool_]:
        once = np.bincount(self.kind, minlength=len(self.speed)) < 2
        return np.triu(pairs) & ~np.diag(once)

    @property
    def left_out(self) -> int:
        """How many pairs of applications gain but break a limit."""
        return int(self.excluded.sum())

    def of_jobs(self, of_kinds: Floats) -> Floats:
        """A matrix of applications as one of jobs."""
        return of_kinds[np.ix_(self.kind, self.kind)]

    def speeds(self, a: int, b: int) -> tuple[float, float]:
        """Relative speed of both jobs of a pair."""
        x, y = int(self.kind[a]), int(self.kind[b])
        if x == y:
            return float(self.own[x, 0]), float(self.own[x, 1])
        return float(self.speed[x, y]), float(self.speed[y, x])


def counted(counts: Iterable[tuple[str, int]], shown: str = "jobs") -> tuple[str, ...]:
    """A name for each job, from names and how often each occurs, in their order.

    Parameters
    ----------
    shown
        What messages call the counts.

    Raises
    ------
    InputError
        A count is not a whole number of at least 1, or there are too many jobs.

    Examples
    --------
    >>> counted([("md", 2), ("io", 1), ("md", 1)])
    ('md', 'md', 'io', 'md')
    """
    listed = []
    for name, count in counts:
        number = int(finite_number(f"{shown}: count of {short(name)}", count, whole=True))
        if number < 1:
            raise InputError(
                f"{shown}: count of {short(name)} = {number}; give at least 1, or leave it out"
            )
        listed.append((name, number))
    _refuse_too_many(sum(number for _, number in listed))
    return tuple(name for name, number in listed for _ in range(number))


def _refuse_too_many(jobs: int) -> None:
    if jobs > MOST_JOBS:
        raise InputError(
            f"{jobs:,} jobs are too many; pair at most {MOST_JOBS:,} at once, such as one of "
            f"{-(-jobs // MOST_JOBS):,} of each application"
        )


def problem_of(table: PairTable, jobs: Sequence[str] = ()) -> PairingProblem:
    """The jobs of a table: those that are named, or one of each application.

    Raises
    ------
    InputError
        A job whose application the table does not name, or too many jobs.
    """
    names = tuple(jobs) or table.names
    _refuse_too_many(len(names))
    if len(names) > MOST_MATCHED and (kinds := len({*names})) > MOST_COUNTED:
        raise InputError(
            f"{len(names):,} jobs of {kinds:,} applications are too many; pair at most "
            f"{MOST_MATCHED:,} jobs at once, or jobs of at most {MOST_COUNTED} applications"
        )
    known = {name: index for index, name in enumerate(table.names)}
    for name in dict.fromkeys(names):
        if name not in known:
            remedy = nearest(name, [*table.names])
            raise InputError(f"{table.name}: no pair names the application {short(name)}; {remedy}")
    needed = list(dict.fromkeys(known[name] for name in names))
    place = {kind: index for index, kind in enumerate(needed)}
    kind = np.array([place[known[name]] for name in names], dtype=np.int64)
    speed, own = mean_speeds(table)
    return PairingProblem(names, kind, speed[np.ix_(needed, needed)], own[needed])


def mean_speeds(table: PairTable) -> tuple[Floats, Floats]:
    """Mean relative speeds by applications, and those of pairs of one application.

    NaN where a pair was not measured.
    """
    size = len(table.names)
    total, count = np.zeros((size, size)), np.zeros((size, size))
    for rows, columns, speeds in (
        (table.first, table.second, table.speed_first),
        (table.second, table.first, table.speed_second),
    ):
        np.add.at(total, (rows, columns), speeds)
        np.add.at(count, (rows, columns), 1)
    with np.errstate(invalid="ignore"):
        speed: Floats = total / count
    alike = table.first == table.second
    both = np.stack([table.speed_first, table.speed_second], axis=1)[alike]
    own = np.zeros((size, 2))
    np.add.at(own, table.first[alike], both)
    times = np.bincount(table.first[alike], minlength=size)
    own = np.where(times[:, None] > 0, own / np.maximum(times, 1)[:, None], np.nan)
    return speed, own
