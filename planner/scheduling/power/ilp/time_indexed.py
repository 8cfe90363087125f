r"""Jobs over slots of time: the time-indexed program, its columns and a schedule to begin with.

Sets and parameters
    j in J             jobs, not before slot ``r_j``
    o in O_j           options of job j: ``d_o`` slots, nodes ``n_o``, charge ``P_o`` [W]
    s                  slots from 0 to H - 1, with free nodes ``N_s`` and free watts ``P_s``
Variables
    x[o, s]            1 if its job begins option o in slot s, ``r_j <= s <= H - d_o``
    M                  largest cost of a job (only where that is minimised)
Objective
    minimise  sum_os c_os x[o, s], or M
Constraints
    one                sum_os x[o, s] = 1 for every job
    nodes              sum of n_o over all x[o, s'] with s' <= s < s' + d_o is at most N_s
    watts              the same with P_o and P_s
    largest            sum_os c_os x[o, s] <= M for every job (only where M is minimised)

References
----------
Sousa and Wolsey, "A time indexed formulation of non-preemptive single machine scheduling
problems", Mathematical Programming 54, 1992; here with options and two resources.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.problem import MS
from solvers import Milp, MilpBuilder

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SlotOptions:
    """Ways to run each job; those of one job follow each other.

    Attributes
    ----------
    first
        Options of job ``j`` are ``first[j]`` to ``first[j + 1]``.
    row
        Row of the job details table, shape ``(options,)``.
    slots, nodes, charge_mw
        Length, nodes and charge [mW], shape ``(options,)``.
    release
        First slot of each job, shape ``(jobs,)``.
    """

    first: Integers
    row: Integers
    slots: Integers
    nodes: Integers
    charge_mw: Integers
    release: Integers

    @property
    def jobs(self) -> int:
        """How many jobs."""
        return len(self.first) - 1

    @property
    def job(self) -> Integers:
        """Job of each option, shape ``(options,)``."""
        return np.repeat(np.arange(self.jobs), np.diff(self.first))


@dataclass(frozen=True, eq=False)
class FreeSlots:
    """Free nodes and free watts [mW] of each slot, shape ``(slots,)``."""

    nodes: Integers
    charge_mw: Integers

    def __len__(self) -> int:
        return len(self.nodes)

    def first(self, count: int) -> FreeSlots:
        """Return the first slots only."""
        return FreeSlots(self.nodes[:count], self.charge_mw[:count])


@dataclass(frozen=True, eq=False)
class ProgramColumns:
    """Option and first slot of each column, shape ``(columns,)``."""

    option: Integers
    start: Integers

    def __len__(self) -> int:
        return len(self.option)


def columns(options: SlotOptions, horizon: int, *, beyond: bool = False) -> ProgramColumns:
    """Return all beginnings that end within the horizon, or with ``beyond`` that begin there."""
    release = options.release[options.job]
    longest = np.ones_like(options.slots) if beyond else options.slots
    count = np.maximum(horizon - longest - release + 1, 0)
    option = np.repeat(np.arange(len(count)), count)
    return ProgramColumns(option, release[option] + _within(count))


def terms(options: SlotOptions, program_columns: ProgramColumns) -> int:
    """Return how many products of a coefficient and a variable the program has."""
    return len(program_columns) + 2 * int(options.slots[program_columns.option].sum())


def program(
    options: SlotOptions,
    program_columns: ProgramColumns,
    cost: Floats,
    free: FreeSlots,
    *,
    late_cost: Floats | None = None,
    largest: bool = False,
) -> Milp:
    """Write the program of the module's docstring as arrays.

    Parameters
    ----------
    program_columns
        Where a job runs on beyond the slots, it uses nothing there.
    cost
        Cost of each column.
    late_cost
        With it, a job may also begin after all slots, at this cost and without using anything:
        a relaxation of all longer horizons. Shape ``(jobs,)``; its columns follow the others.
    largest
        Whether the largest cost of a job is minimised instead of the sum; it is the last column.
    """
    build = MilpBuilder("min", name="time-indexed")
    rows, count = options.job[program_columns.option], len(program_columns)
    if late_cost is not None:
        rows = np.r_[rows, np.arange(options.jobs)]
        cost = np.r_[cost, late_cost]
    x = build.add_columns(
        len(rows), cost=0 if largest else cost, upper=1.0, integer=True, label="x"
    )
    ones = np.ones(options.jobs)
    build.add_rows(rows, x, np.ones(len(rows)), lower=ones, upper=ones, label="one")
    if largest:
        last = np.repeat(build.add_columns(1, cost=1.0, label="M"), options.jobs)
        jobs = np.arange(options.jobs)
        build.add_rows(
            np.r_[rows, jobs],
            np.r_[x, last],
            np.r_[cost, -ones],
            upper=np.zeros(len(ones)),
            label="largest",
        )
    length = options.slots[program_columns.option]
    # One entry for each column and slot in which it runs; behind the last slot it uses nothing.
    column = np.repeat(np.arange(count), length)
    slot = program_columns.start[column] + _within(length)
    column, slot = column[slot < len(free)], slot[slot < len(free)]
    option = program_columns.option[column]
    build.add_rows(slot, x[column], options.nodes[option], upper=free.nodes, label="nodes")
    # Watts, not milliwatts: coefficients stay near those of the other rows.
    watts = options.charge_mw[option] / MS
    build.add_rows(slot, x[column], watts, upper=free.charge_mw / MS, label="watts")
    return build.model()


def listed(options: SlotOptions, free: FreeSlots) -> tuple[Integers, Integers]:
    """Options and first slots of a list schedule: in order of jobs, each ends as early as it can.

    Returns
    -------
    tuple
        Shape ``(jobs,)`` each; both -1 for a job that fits nowhere.
    """
    nodes, charge = free.nodes.copy(), free.charge_mw.copy()
    chosen, start = np.full(options.jobs, -1), np.full(options.jobs, -1)
    for job in range(options.jobs):
        best = _earliest_end(options, job, nodes, charge)
        if best is not None:
            chosen[job], start[job] = best
            taken = slice(start[job], start[job] + options.slots[chosen[job]])
            nodes[taken] -= options.nodes[chosen[job]]
            charge[taken] -= options.charge_mw[chosen[job]]
    return chosen, start


def _earliest_end(
    options: SlotOptions, job: int, nodes: Integers, charge: Integers
) -> tuple[int, int] | None:
    best, earliest = None, len(nodes) + 1
    for option in range(int(options.first[job]), int(options.first[job + 1])):
        length = int(options.slots[option])
        if length > len(nodes):
            continue
        busy = (nodes < options.nodes[option]) | (charge < options.charge_mw[option])
        before = np.r_[0, np.cumsum(busy)]
        # Equal counts of busy slots at both ends of a run: no slot of it is busy.
        fits = before[length:] == before[: len(before) - length]
        fits[: options.release[job]] = False
        if fits.any() and (begin := int(fits.argmax())) + length < earliest:
            best, earliest = (option, begin), begin + length
    return best


def point_of(
    program_columns: ProgramColumns, chosen: Integers, start: Integers, largest: float | None = None
) -> Floats:
    """Return values of the columns for a schedule, and of M where it is the last column."""
    begin_of = dict(zip(chosen.tolist(), start.tolist(), strict=True))
    pairs = zip(program_columns.option.tolist(), program_columns.start.tolist(), strict=True)
    values = [float(begin_of.get(option) == begin) for option, begin in pairs]
    return np.array(values if largest is None else [*values, largest])


def _within(count: Integers) -> Integers:
    """Return 0, 1, ... within each group of ``count``."""
    ends = np.cumsum(count)
    numbers: Integers = np.arange(int(ends[-1]) if len(ends) else 0)
    return numbers - np.repeat(ends - count, count)
