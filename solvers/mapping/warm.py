"""Every loop of this package and of partitions, compiled or taken from the disk once a process.

A time limit then counts work alone.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np

from solvers.mapping.nested import inwards
from solvers.mapping.problem import Problem
from solvers.mapping.swaps import joint, swapped
from solvers.partition.annealing import Cooling, annealed
from solvers.partition.column_check import faults
from solvers.partition.columns import best_columns
from solvers.partition.dynamic import Dynamic
from solvers.partition.graph import Graph
from solvers.partition.kl import KernighanLin, refine
from solvers.partition.multilevel import Multilevel
from solvers.partition.order import in_order
from solvers.partition.request import Request

_RING = 96


@cache
def warm() -> None:
    """Run each loop on a ring."""
    around = np.arange(_RING)
    ring = Graph.from_edges(_RING, around, np.roll(around, 1), 1.0 - 2.0 * (around % 7 == 0))
    units = np.array([around // 16, around // 4])
    # Without time no bound by eigenvalues is begun: it would take longer than all loops.
    problem = Problem((ring, ring), units, starts=1, time_limit_s=0.0)
    request = problem.request(0)
    slot = inwards(problem, KernighanLin().partition(request), KernighanLin())
    swapped(problem, joint(problem), slot)
    Multilevel().partition(replace(request, starts=1))
    drawn = in_order(request, np.random.default_rng(0).permutation(_RING))
    unlimited = replace(request, time_limit_s=None)
    refine(request, annealed(unlimited, drawn, Cooling(0.5, 0.1, 2), np.random.default_rng(0)))
    small = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    halves = Dynamic().partition(Request(small, np.array([2, 2])))
    # A cut that any bound meets ends the search before a solver is asked.
    columns = best_columns(Request(small, np.array([2, 2])), halves.part, -math.inf)
    if columns is not None:
        faults(small, halves.capacities, columns)
