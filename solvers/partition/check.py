"""What is wrong with a partition: a checker that shares nothing with the partitioners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from solvers.model.result import Status
from solvers.partition.graph import Graph
from solvers.partition.outcome import TOLERANCE, Partition


def violations(
    graph: Graph,
    answer: Partition,
    capacities: Sequence[int],
    fixed: Sequence[int] = (),
) -> list[str]:
    """List every rule that a partition breaks; empty if there is none.

    Each part holds exactly its capacity, each pinned vertex lies in its part, and the cut is the
    sum, in fractions, of the edges between different parts.
    """
    part = [int(p) for p in answer.part]
    if len(part) != graph.vertices:
        return [f"{len(part)} vertices have a part, of {graph.vertices}"]
    faults = [
        f"vertex {vertex} lies in part {p}, outside 0..{len(capacities) - 1}"
        for vertex, p in enumerate(part)
        if not 0 <= p < len(capacities)
    ]
    held = Counter(part)
    faults += [
        f"part {p} holds {held[p]} vertices, not {size}"
        for p, size in enumerate(capacities)
        if held[p] != size
    ]
    faults += [
        f"vertex {vertex} is pinned to part {pin} but lies in {part[vertex]}"
        for vertex, pin in enumerate(fixed)
        if pin >= 0 and part[vertex] != pin
    ]
    twice = Fraction(0)
    for vertex in range(graph.vertices):
        for entry in range(int(graph.starts[vertex]), int(graph.starts[vertex + 1])):
            if part[vertex] != part[int(graph.neighbours[entry])]:
                twice += Fraction(float(graph.weights[entry]))
    if float(twice / 2) != answer.cut:
        faults.append(f"the cut is {float(twice / 2)!r}, not {answer.cut!r}")
    if answer.bound > answer.cut:
        faults.append(f"the bound {answer.bound!r} lies above the cut {answer.cut!r}")
    closed = answer.cut - answer.bound <= TOLERANCE * abs(answer.cut)
    if closed != (answer.status is Status.OPTIMAL):
        faults.append(f"{answer.status.value} is said of {answer.cut!r} over {answer.bound!r}")
    return faults
