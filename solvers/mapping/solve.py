"""The best mapping that is found, with a bound."""

from __future__ import annotations

import math

import numpy as np

from solvers.mapping import exact
from solvers.mapping.nested import inwards, outwards
from solvers.mapping.outcome import Mapping, outcome
from solvers.mapping.problem import Problem, total
from solvers.mapping.swaps import joint, swapped
from solvers.model.milp import Indices
from solvers.partition.bounds import lower_bound
from solvers.partition.outcome import Partition, rounding
from solvers.partition.portfolio import Portfolio
from solvers.partition.request import FREE, Partitioner

_OUTERMOST = 0.5
_MOST_PARTITIONED = 512


def solve(problem: Problem, partitioner: Partitioner | None = None) -> Mapping:
    """Map vertices to slots.

    Up to 16 vertices by subsets where that is quick, which is exact. Else level by level inwards
    and outwards, and from the order of vertices, each improved by swaps over all levels; the best
    stays. The bound adds up those of the levels, each partition taken for itself.

    Parameters
    ----------
    problem
        What is mapped.
    partitioner
        By default all of this. Another one cuts the units of each level inwards, and where it does
        not suit the portfolio does; no swaps follow.
    """
    chosen = partitioner or Portfolio()
    deep = problem.levels > 1
    alone = chosen.partition(problem.request(0, _OUTERMOST if deep else 1.0))
    if partitioner is not None or not deep:
        slot = inwards(problem, alone, chosen)
        name = alone.method if partitioner is None else chosen.name
        return outcome(problem, slot, _bound(problem, {0: alone}), name, alone)
    if exact.suits(problem):
        slot = exact.best_mapping(problem)
        least = total(problem, slot) - rounding(problem.graphs, 16 * problem.vertices)
        return outcome(problem, slot, least, "subsets", alone)
    result = [("inwards", inwards(problem, alone, chosen))]
    # Bounds of the levels, and a start for the way outwards: small problems have time for all.
    every = {0: alone}
    if problem.vertices <= _MOST_PARTITIONED:
        for level in range(1, problem.levels):
            share = 1 / (problem.levels - level + 1)
            every[level] = chosen.partition(problem.request(level, share))
    elif not problem.late():
        every[problem.levels - 1] = chosen.partition(problem.request(problem.levels - 1, 0.5))
    if (innermost := every.get(problem.levels - 1)) is not None:
        result += [("outwards", slot) for slot in outwards(problem, innermost)]
    if (problem.fixed == FREE).all():
        result.append(("order", np.arange(problem.vertices)))
    name, slot = _improved(problem, result)
    return outcome(problem, slot, _bound(problem, every), name, alone)


def _bound(problem: Problem, every: dict[int, Partition]) -> float:
    """Sum of what each level costs at least."""
    # The cost is the sum of the cuts of all levels, and each cut is at least its own bound.
    return math.fsum(
        every[level].bound if level in every else lower_bound(problem.request(level))
        for level in range(problem.levels)
    )


def _improved(problem: Problem, found: list[tuple[str, Indices]]) -> tuple[str, Indices]:
    """Swap each; the best of all."""
    edges = joint(problem)
    best, least = found[0], math.inf
    for name, slot in found:
        better = swapped(problem, edges, slot)
        cost = total(problem, better)
        if cost < least:
            gained = bool((better != slot).any())
            best, least = (f"{name}, swaps" if gained else name, better), cost
    return best
