"""What is wrong with a mapping, recomputed from the problem alone."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from solvers.mapping.outcome import Mapping
from solvers.mapping.problem import Problem
from solvers.model.result import Status
from solvers.partition.outcome import TOLERANCE
from solvers.partition.request import FREE


def violations(problem: Problem, mapping: Mapping) -> list[str]:
    """Return what is wrong with a mapping; the list is empty if the mapping is valid."""
    slot, result = mapping.slot, []
    if sorted(slot.tolist()) != list(range(problem.vertices)):
        return ["slots are not taken once each"]
    outermost = problem.units[0][slot]
    misplaced = np.flatnonzero((problem.fixed != FREE) & (problem.fixed != outermost))
    result += [f"vertex {vertex} is not in the unit that it is pinned to" for vertex in misplaced]
    exact = Fraction(0)
    for graph, units in zip(problem.graphs, problem.units, strict=True):
        unit = units[slot]
        low, high, weights = graph.once()
        cut = unit[low] != unit[high]
        exact += sum(map(Fraction, weights[cut].tolist()), Fraction(0))
    if not math.isclose(float(exact), mapping.total, rel_tol=1e-12, abs_tol=1e-15 * problem.size):
        result.append(f"total {mapping.total} is not {float(exact)}")
    if mapping.bound > mapping.total:
        result.append(f"bound {mapping.bound} is above the total {mapping.total}")
    closed = mapping.total - mapping.bound <= TOLERANCE * abs(mapping.total)
    if closed != (mapping.status is Status.OPTIMAL):
        result.append(f"status {mapping.status.value} does not match the gap")
    return result
