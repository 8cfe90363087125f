"""Find the fastest configuration within limits of nodes and watts, by bisection. Compiled.

For each application and each of its node counts there is a staircase. It has the configurations
with at most this many nodes, sorted by charge; each is faster than all with a lower charge.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled_entry
from planner.scheduling.power.problem import NEVER, JobDetails

Integers = NDArray[np.int64]


class Stairs(NamedTuple):
    """Staircases of all applications.

    Attributes
    ----------
    level_first
        Shape ``(applications + 1,)``: node counts of application ``a`` are
        ``level_nodes[level_first[a]:level_first[a + 1]]``, ascending.
    level_nodes, step_first
        Node count of each level; the level's steps are
        ``step_first[level]:step_first[level + 1]``.
    step_mw, step_row
        Charge of each step, ascending, and its row of the job details table.
    """

    level_first: Integers
    level_nodes: Integers
    step_first: Integers
    step_mw: Integers
    step_row: Integers


@lru_cache(maxsize=64)
def stairs_of(details: JobDetails, most_nodes: int, most_mw: int) -> Stairs:
    """Return staircases of the configurations that a cluster can run at all.

    Among equally fast configurations, it keeps the one with least charge, then with fewest nodes,
    then the first one.
    """
    level_first, levels, step_first, charges, rows = [0], [], [0], [], []
    for application in range(len(details.applications)):
        part = details.rows(application)
        index = np.arange(part.start, part.stop)
        index = index[(details.nodes[index] <= most_nodes) & (details.charge_mw[index] <= most_mw)]
        # A level also holds the rows of all smaller counts, so a look-up needs one level only.
        for count in np.unique(details.nodes[index]).tolist():
            steps = _staircase(details, index[details.nodes[index] <= count])
            levels.append(count)
            charges.append(details.charge_mw[steps])
            rows.append(steps)
            step_first.append(step_first[-1] + len(steps))
        level_first.append(len(levels))
    return Stairs(
        np.array(level_first, np.int64),
        np.array(levels, np.int64),
        np.array(step_first, np.int64),
        np.concatenate([np.empty(0, np.int64), *charges]),
        np.concatenate([np.empty(0, np.int64), *rows]),
    )


def _staircase(details: JobDetails, index: Integers) -> Integers:
    # By charge, then time, nodes and place: of equally fast rows the first in this order is kept.
    keys = (index, details.nodes[index], details.time_ms[index], details.charge_mw[index])
    order = index[np.lexsort(keys)]
    time = details.time_ms[order]
    faster = np.r_[True, time[1:] < np.minimum.accumulate(time)[:-1]]
    return order[faster]


@compiled_entry
def fastest_within(stairs: Stairs, application: int, nodes: int, mw: int) -> int:
    """Return the row of the fastest configuration within nodes and charge [mW], or ``NEVER``."""
    low, high = stairs.level_first[U(application)], stairs.level_first[U(application + 1)]
    first = low
    # Levels before `low` have at most `nodes` nodes, those from `high` on have more.
    while low < high:
        middle = (low + high) // 2
        if stairs.level_nodes[U(middle)] <= nodes:
            low = middle + 1
        else:
            high = middle
    if low == first:
        return NEVER
    level = low - 1
    first = low = stairs.step_first[U(level)]
    high = stairs.step_first[U(level + 1)]
    # Steps before `low` are within `mw`, those from `high` on are not; a later step is faster.
    while low < high:
        middle = (low + high) // 2
        if stairs.step_mw[U(middle)] <= mw:
            low = middle + 1
        else:
            high = middle
    return int(stairs.step_row[U(low - 1)]) if low > first else NEVER
