"""The best mapping that is found, with a bound."""

from __future__ import annotations

import numpy as np

from solvers.mapping import exact
from solvers.mapping.nested import inwards, outwards
from solvers.mapping.outcome import Mapping, outcome
from solvers.mapping.problem import Problem, total
from solvers.mapping.swaps import joint, swapped
from solvers.milp import Indices
from solvers.partition.bounds import lower_bound
from solvers.partition.outcome import Partition
from solvers.partition.portfolio import Portfolio
from solvers.partition.request import FREE, Partitioner


def solve(problem: Problem, partitioner: Partitioner | None = None) -> Mapping:
    """Map vertices to seats.

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
    alone = [chosen.partition(problem.request(0, 0.5 if problem.levels > 1 else 1.0))]
    if partitioner is not None:
        seat = inwards(problem, alone[0], chosen)
        return outcome(problem, seat, _bound(problem, alone), chosen.name, alone[0])
    alone += [
        Portfolio().partition(problem.request(level, 1 / (problem.levels - level + 1)))
        for level in range(1, problem.levels)
    ]
    bound = _bound(problem, alone)
    if problem.levels > 1 and exact.suits(problem):
        seat = exact.best_mapping(problem)
        return outcome(problem, seat, max(bound, total(problem, seat)), "subsets", alone[0])
    found = _candidates(problem, alone)
    name, seat = min(found, key=lambda each: total(problem, each[1]))
    return outcome(problem, seat, bound, name, alone[0])


def _bound(problem: Problem, alone: list[Partition]) -> float:
    """Sum of what each level costs at least; levels that were not partitioned by cheap bounds."""
    bounds = [each.bound for each in alone]
    bounds += [lower_bound(problem.request(level)) for level in range(len(alone), problem.levels)]
    return float(np.sum(bounds))


def _candidates(problem: Problem, alone: list[Partition]) -> list[tuple[str, Indices]]:
    starts = [("inwards", inwards(problem, alone[0], Portfolio()))]
    if problem.levels == 1:
        return [(alone[0].method, starts[0][1])]
    out = outwards(problem, alone[-1])
    if out is not None:
        starts.append(("outwards", out))
    if (problem.fixed == FREE).all():
        starts.append(("order", np.arange(problem.vertices)))
    edges = joint(problem)
    found = []
    for name, seat in starts:
        better = swapped(problem, edges, seat)
        gained = bool((better != seat).any())
        found.append((f"{name}, swaps" if gained else name, better))
    return found
