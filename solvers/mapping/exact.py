"""The best mapping of a few vertices, by dynamic programming over subsets.

``best(unit, R)`` is the least cost of placing the vertices R in a unit: they are dealt out to its
inner units one after the other, each taking a subset T of what is left, at the weight between T and
what remains. Units of one shape that follow each other may be exchanged, so the first of
them takes the least vertex that is left, if nothing is pinned.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from solvers.mapping.problem import Problem
from solvers.model.milp import Floats, Indices
from solvers.partition.graph import Graph
from solvers.partition.request import FREE

MOST_VERTICES = 16
_MOST_STEPS = 600_000

Shape = tuple["Shape", ...] | int
"""Inner units of a unit, or the slots of an innermost one."""


def suits(problem: Problem) -> bool:
    """Whether it takes seconds at most."""
    return problem.vertices <= MOST_VERTICES and _steps(problem) <= _MOST_STEPS


def best_mapping(problem: Problem) -> Indices:
    """Slot of each vertex in a mapping of least cost."""
    shape = _shape(problem)
    # What is parted at a level is parted at all inner ones: weights add up from the inside.
    alone = [_weights_within(graph) for graph in reversed(problem.graphs)]
    within = np.cumsum(alone, axis=0)[::-1]
    pins = _pins(problem)

    def between(level: int, chosen: int, rest: int) -> float:
        selected = within[level]
        return float(selected[chosen | rest] - selected[chosen] - selected[rest])

    @cache
    def dealt(units: tuple[Shape, ...], level: int, rest: int) -> tuple[float, int]:
        """Least cost of dealing vertices to some units, and what the first of them takes."""
        # No check of pins in the last unit: those before it hold their own and no others.
        if len(units) == 1:
            return within_unit(units[0], level, rest), rest
        members = [v for v in range(problem.vertices) if rest >> v & 1]
        size, alike = _slots(units[0]), (level > 0 or not pins) and len(set(units)) == 1
        # At level 0 `units` is a rest of `shape`, so its length tells which unit comes first in it.
        index = len(shape) - len(units)
        least, taken = float("inf"), 0
        for chosen in combinations(members[1:] if alike else members, size - alike):
            subset = sum(1 << v for v in chosen) | (1 << members[0] if alike else 0)
            if level == 0 and pins and not _allowed(pins, index, subset, rest & ~subset):
                continue
            others = rest & ~subset
            cost = between(level, subset, others)
            cost += within_unit(units[0], level, subset) + dealt(units[1:], level, others)[0]
            if cost < least:
                least, taken = cost, subset
        return least, taken

    @cache
    def within_unit(unit: Shape, level: int, members: int) -> float:
        return 0.0 if isinstance(unit, int) else dealt(unit, level + 1, members)[0]

    order: list[int] = []

    def follow(units: tuple[Shape, ...], level: int, rest: int) -> None:
        for index, unit in enumerate(units):
            chosen = dealt(units[index:], level, rest)[1]
            if isinstance(unit, int):
                order.extend(v for v in range(problem.vertices) if chosen >> v & 1)
            else:
                follow(unit, level + 1, chosen)
            rest &= ~chosen

    follow(shape, 0, (1 << problem.vertices) - 1)
    slot = np.empty(problem.vertices, dtype=np.int64)
    slot[order] = np.arange(problem.vertices)
    return slot


def _shape(
    problem: Problem, level: int = 0, first: int = 0, last: int | None = None
) -> tuple[Shape, ...]:
    """Units of one level between two slots."""
    last = problem.vertices if last is None else last
    sizes = np.bincount(problem.units[level][first:last] - problem.units[level][first])
    result: list[Shape] = []
    for size in sizes.tolist():
        deepest = level + 1 == problem.levels
        result.append(size if deepest else _shape(problem, level + 1, first, first + size))
        first += size
    return tuple(result)


def _slots(shape: Shape) -> int:
    return shape if isinstance(shape, int) else sum(map(_slots, shape))


def _steps(problem: Problem) -> float:
    """Subsets that are looked at, at most, over all units."""
    count, steps = problem.vertices, 0.0

    def of(units: tuple[Shape, ...], members: float, rest: int, *, pinned: bool) -> None:
        nonlocal steps
        for index, unit in enumerate(units[:-1]):
            alike = len(set(units[index:])) == 1 and not pinned
            size = _slots(unit)
            ways = comb(rest - alike, size - alike)
            steps += min(members, comb(count, rest)) * ways
            rest -= size
            members *= ways
        inner = {unit for unit in units if not isinstance(unit, int)}
        for unit in inner:
            size = _slots(unit)
            of(unit, comb(count, size), size, pinned=False)

    of(_shape(problem), 1.0, count, pinned=problem.request(0).pinned)
    return steps


def _weights_within(graph: Graph) -> Floats:
    """Weight inside each subset of vertices, by its bits; shape ``(2^vertices,)``."""
    weights, sums = graph.dense(), np.zeros(1)
    for vertex in range(graph.vertices):
        links = np.zeros(1)
        for other in range(vertex):
            links = np.concatenate([links, links + weights[vertex, other]])
        sums = np.concatenate([sums, sums + links])
    return sums


def _pins(problem: Problem) -> dict[int, int]:
    held: dict[int, int] = {}
    for vertex, unit in enumerate(problem.fixed.tolist()):
        if unit != FREE:
            held[unit] = held.get(unit, 0) | 1 << vertex
    return held


def _allowed(pins: dict[int, int], unit: int, subset: int, others: int) -> bool:
    """Whether a subset holds all pins of a unit, and none of units to come."""
    foreign = sum(mask for index, mask in pins.items() if index != unit)
    return not (pins.get(unit, 0) & others) and not (subset & foreign)
