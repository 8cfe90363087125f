"""Bound and schedule of a log in hindsight by the time-indexed program, in slots of time.

With times rounded down to slots, any schedule becomes a schedule in slots: jobs that overlap in a
slot also overlap at the slot's end. With slots of length D, a job that begins in slot s ends at
``max(s D, r_j) + t_o`` or later. This is its cost, so only starts are rounded. A job may run or
begin after the last slot, and uses no resources there. Among options with equal slots, nodes and
watts, the shortest time counts for all. The bound that HiGHS proves for this program holds for all
schedules.

With times rounded up to slots, a schedule in slots is a schedule of the log. It is then moved to
the left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import solvers
from planner.scheduling.power.ilp.candidates import undominated
from planner.scheduling.power.ilp.time_indexed import (
    FreeSlots,
    ProgramColumns,
    SlotOptions,
    columns,
    point_of,
    program,
)
from planner.scheduling.power.ilp.time_indexed import listed as listed_in_slots
from planner.scheduling.power.offline.problem import Hindsight
from planner.scheduling.power.offline.schedule import (
    Goal,
    HindsightSchedule,
    moved_left,
    of_ends_ms,
)
from planner.scheduling.power.problem import MS

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class InSlots:
    """A problem in slots; ``time`` is the true time of each option, in units of the problem."""

    options: SlotOptions
    option: Integers
    time: Integers
    free: FreeSlots
    slot: int


def in_slots(problem: Hindsight, slot: int, horizon: int, *, up: bool) -> InSlots:
    """Round to slots.

    Parameters
    ----------
    slot
        Length, in units of the problem.
    horizon
        Number of slots.
    """

    def rounded(values: Integers) -> Integers:
        coarse: Integers = -(-values // slot) if up else values // slot
        return coarse

    length = rounded(problem.time)
    options, times = list[Integers](), list[Integers]()
    for job in range(len(problem)):
        mine = np.array(problem.options(job))
        # The fastest first: of options that are equal in slots the first is kept.
        mine = mine[np.argsort(problem.time[mine], kind="stable")]
        needs = length[mine], problem.used_nodes[mine], problem.charge_mw[mine]
        front = mine[undominated(*needs)]
        options.append(front)
        times.append(np.array([_least_time(problem, length, mine, int(row)) for row in front]))
    option = np.concatenate(options)
    table = SlotOptions(
        np.cumsum([0, *map(len, options)]),
        problem.row[option],
        length[option],
        problem.used_nodes[option],
        problem.charge_mw[option],
        rounded(problem.submit),
    )
    time = problem.time[option] if up else np.concatenate(times)
    return InSlots(table, option, time, _free(problem, rounded, horizon), slot)


def _least_time(problem: Hindsight, length: Integers, mine: Integers, option: int) -> int:
    """Return the least time of the options that this one stands for."""
    same = (
        (length[mine] >= length[option])
        & (problem.used_nodes[mine] >= problem.used_nodes[option])
        & (problem.charge_mw[mine] >= problem.charge_mw[option])
    )
    return int(problem.time[mine[same]].min())


def _free(problem: Hindsight, rounded: Callable[[Integers], Integers], horizon: int) -> FreeSlots:
    nodes, charge = np.full(horizon, problem.nodes), np.full(horizon, problem.bound_mw)
    for end, used_nodes, used_mw in problem.occupied:
        # Down frees the slot of the end, which relaxes; up keeps it in use, which restricts.
        count = int(rounded(np.array(end)))
        nodes[:count] -= used_nodes
        charge[:count] -= used_mw
    return FreeSlots(nodes, charge)


def least_ms(
    problem: Hindsight,
    goal: Goal,
    slot: int,
    horizon: int,
    *,
    time_limit_s: float | None,
    node_limit: int,
) -> float | None:
    """Bound on the goal by HiGHS [ms], lowered by a millionth; ``None`` if it proves none."""
    table = in_slots(problem, slot, horizon, up=False)
    program_columns = columns(table.options, horizon, beyond=True)
    shortest = np.minimum.reduceat(problem.time, problem.first[:-1])
    # A job behind the last slot begins there or at its submission, and ends a shortest run later.
    late = np.maximum(problem.submit, horizon * slot) + shortest
    seconds = problem.unit_ms / MS
    model = program(
        table.options,
        program_columns,
        _ends(problem, table, program_columns) * seconds,
        table.free,
        late_cost=late * seconds,
        largest=goal == "makespan",
    )
    solved = solvers.solve(
        model, gap=1e-4, time_limit_s=time_limit_s, node_limit=node_limit, proof="never"
    )
    bound = solved.certificate.bound
    # Below the bound of HiGHS, whose rows and gap hold within tolerances only.
    return None if bound is None else of_ends_ms(problem, bound * (1 - 1e-6) / seconds, goal)


def _ends(problem: Hindsight, table: InSlots, program_columns: ProgramColumns) -> Floats:
    submit = problem.submit[table.options.job[program_columns.option]]
    start = np.maximum(program_columns.start * table.slot, submit)
    ends: Floats = (start + table.time[program_columns.option]).astype(np.float64)
    return ends


def schedule(
    problem: Hindsight, goal: Goal, slot: int, *, time_limit_s: float | None, node_limit: int
) -> HindsightSchedule | None:
    """Return the best schedule in slots, moved to the left; ``None`` if none was found."""
    table = in_slots(problem, slot, _enough(problem, slot), up=True)
    chosen, start = listed_in_slots(table.options, table.free)
    horizon = int((start + table.options.slots[chosen]).max())
    program_columns = columns(table.options, horizon)
    ends = (program_columns.start * slot + table.time[program_columns.option]).astype(np.float64)
    last = float((start * slot + table.time[chosen]).max())
    seconds, makespan = problem.unit_ms / MS, goal == "makespan"
    solved = solvers.solve(
        program(
            table.options,
            program_columns,
            ends * seconds,
            table.free.first(horizon),
            largest=makespan,
        ),
        gap=1e-4,
        time_limit_s=time_limit_s,
        node_limit=node_limit,
        start=point_of(program_columns, chosen, start, last * seconds if makespan else None),
        proof="never",
    )
    if solved.x is None:
        return None
    taken = np.flatnonzero(solved.x[: len(program_columns)] > 0.5)
    option = table.option[program_columns.option[taken]]
    # One column of each job is taken; `moved_left` needs them in the order of jobs.
    order = np.argsort(problem.job_of_option[option], kind="stable")
    starts = (program_columns.start[taken] * slot)[order]
    return moved_left(problem, starts.tolist(), option[order].tolist())


def _enough(problem: Hindsight, slot: int) -> int:
    """Return a number of slots in which all jobs fit one after the other."""
    shortest = np.minimum.reduceat(-(-problem.time // slot), problem.first[:-1])
    ends = [end for end, _, _ in problem.occupied]
    latest = max([int(problem.submit.max()), *ends])
    return -(-latest // slot) + int(shortest.sum()) + 1
