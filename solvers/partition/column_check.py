r"""A bound by columns as a certificate, and its check: apart from how it was found.

See :mod:`solvers.partition.columns` for why the certificate proves a bound. Weights, prices,
charges, fees and surpluses are whole numbers of one unit. The check recomputes everything in them:
it builds the connected sets by its own scheme, which takes one neighbour of the set after the other
and decides whether it joins or never does.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.compiled import compiled, counted_entry
from solvers.model.milp import Flags, Indices
from solvers.partition.graph import Graph, Parts

_LARGEST = 2**62


@dataclass(frozen=True, eq=False)
class Columns:
    """A certificate that no partition cuts less than a bound.

    Attributes
    ----------
    unit
        Weight that 1 stands for.
    weights
        At least the weight of each entry of the graph, in units, shape ``(2 * edges,)``.
    prices
        One for each vertex, of any sign, shape ``(vertices,)``.
    charges
        Entry ``s - 1`` is paid by each set of ``s`` or more vertices, for each ``s`` up to the
        largest capacity; none is negative. Shape ``(sizes,)``.
    triples, fees
        Three vertices, shape ``(triples, 3)``, and what each set with two or three of them pays;
        no fee is negative. Shape ``(triples,)``.
    surplus
        No set with this lowest vertex weighs more than this above its prices, charges and fees;
        none is negative. Shape ``(vertices,)``.
    bound
        No partition cuts less.
    """

    unit: Fraction
    weights: Indices
    prices: Indices
    charges: Indices
    triples: Parts
    fees: Indices
    surplus: Indices
    bound: Fraction


def most_sets(capacities: Indices) -> Indices:
    """Most disjoint sets of at least 1, 2, ... vertices within the parts, shape ``(sizes,)``."""
    sizes = np.arange(1, int(capacities.max()) + 1)
    counts: Indices = (capacities[:, None] // sizes).sum(axis=0)
    return counts


def least_cut(graph: Graph, columns: Columns, most: Indices) -> Fraction:
    """Total weight less what sets can hold by these prices, charges, fees and surpluses."""
    weights, unit = graph.integers()
    total = Fraction(sum(weights), 2) * unit
    charged: list[int] = (most * columns.charges).tolist()
    parts = columns.prices, columns.fees, columns.surplus
    held = sum(charged) + sum(sum(each.tolist()) for each in parts)
    return total - held * columns.unit


def faults(graph: Graph, capacities: Indices, columns: Columns) -> list[str]:
    """List what a certificate gets wrong; empty if its bound is proved."""
    count, largest = graph.vertices, int(capacities.max())
    shapes = {
        "weights": (columns.weights, len(graph.weights)),
        "prices": (columns.prices, count),
        "charges": (columns.charges, largest),
        "fees": (columns.fees, len(columns.triples)),
        "surplus": (columns.surplus, count),
    }
    wrong = [
        f"{name}: {len(each)}, not {n}" for name, (each, n) in shapes.items() if len(each) != n
    ]
    if wrong or columns.unit <= 0:
        return wrong or ["the unit is not positive"]
    distinct = [len({*each} & {*range(count)}) for each in columns.triples.tolist()]
    if columns.triples.shape[1:] != (3,) or {*distinct} - {3}:
        return ["a triple has other than three vertices"]
    sizes = (*(each for each, _ in shapes.values()), most_sets(capacities))
    # No sum of the loop, nor of what is charged, leaves the range of its integers.
    if sum(abs(value) for each in sizes for value in each.tolist()) * (largest + count) > _LARGEST:
        return ["the numbers are too large to be added up"]
    exact, unit = graph.integers()
    square = np.zeros((count, count), dtype=np.int64)
    square[graph.tails, graph.neighbours] = columns.weights
    pairs = zip(columns.weights.tolist(), exact, strict=True)
    if any(mine * columns.unit < whole * unit for mine, whole in pairs):
        wrong.append("a weight is below that of the graph")
    if (square != square.T).any():
        wrong.append("the two ends of an edge have different weights")
    if min(*columns.charges.tolist(), *columns.fees.tolist(), 0) < 0:
        wrong.append("a charge or fee is negative")
    arrays = graph.starts.copy(), graph.neighbours.copy(), square, columns.prices
    above = _largest_values(*arrays, np.cumsum(columns.charges), *_fees(columns, count))
    if (columns.surplus < np.maximum(above, 0)).any():
        wrong.append("a set weighs more than its prices, charges, fees and surplus")
    if columns.bound > least_cut(graph, columns, most_sets(capacities)):
        wrong.append("the bound is above what follows")
    return wrong


@compiled
def _due(start: int, end: int, others: Parts, fees: Indices, inside: Flags) -> int:
    """Fees of the triples of which one other vertex is inside."""
    due = 0
    for place in range(start, end):
        if inside[others[place, 0]] != inside[others[place, 1]]:
            due += fees[place]
    return due


def _fees(columns: Columns, count: int) -> tuple[Indices, Parts, Indices]:
    """Start of each vertex among triples by vertex, the two others of each, and the fee."""
    vertex = columns.triples.ravel()
    order = np.argsort(vertex, kind="stable")
    others = np.stack([np.roll(columns.triples, -turn, axis=1).ravel() for turn in (1, 2)], axis=1)
    first = np.searchsorted(vertex[order], np.arange(count + 1))
    return first, others[order], np.repeat(columns.fees, 3)[order]


@counted_entry
def _largest_values(
    starts: Indices,
    neighbours: Parts,
    square: Indices,
    prices: Indices,
    charges: Indices,
    first: Indices,
    others: Parts,
    fees: Indices,
) -> Indices:
    """Largest weight of a connected set above what it pays, by lowest vertex.

    Entries ``first[v]`` up to ``first[v + 1]`` of ``others`` and ``fees`` are the triples of a
    vertex: the two other vertices, and the fee.
    """
    count, most = len(prices), len(charges)
    largest = np.zeros(count, dtype=np.int64)
    decided = np.zeros(count, dtype=np.bool_)
    joined = np.zeros(count, dtype=np.bool_)
    order = np.zeros(count, dtype=np.int32)
    at_member = np.zeros(count, dtype=np.int64)
    at_entry = np.zeros(count, dtype=np.int64)
    members = np.zeros(most, dtype=np.int32)
    inside = np.zeros(count, dtype=np.bool_)
    values = np.zeros(most + 1, dtype=np.int64)
    # `order[:steps]` are the decided vertices, with the place in the rows of the members at which
    # each was met: all before that place are decided, so the search for the next one goes on there.
    for root in range(count):
        members[0], inside[root], size, steps = root, True, 1, 0
        values[1] = -prices[root]
        largest[root] = values[1] - charges[0]
        member, entry = 0, starts[root]
        while True:
            found = -1
            while size < most and found < 0 and member < size:
                if entry == starts[members[member] + 1]:
                    member += 1
                    if member < size:
                        entry = starts[members[member]]
                    continue
                other = neighbours[entry]
                entry += 1
                if other > root and not decided[other]:
                    found = other
            if found >= 0:
                value = values[size] - prices[found]
                for other in members[:size]:
                    value += square[found, other]
                value -= _due(first[found], first[found + 1], others, fees, inside)
                decided[found], joined[found], inside[found] = True, True, True
                order[steps], at_member[steps], at_entry[steps] = found, member, entry
                steps += 1
                members[size] = found
                size += 1
                values[size] = value
                largest[root] = max(largest[root], value - charges[size - 1])
                continue
            while steps > 0 and not joined[order[steps - 1]]:
                steps -= 1
                decided[order[steps]] = False
            if steps == 0:
                break
            joined[order[steps - 1]], inside[order[steps - 1]] = False, False
            size -= 1
            member, entry = at_member[steps - 1], at_entry[steps - 1]
        inside[root] = False
    return largest
