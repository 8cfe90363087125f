"""What nodes exchange under a placement: by pair, by node, and as a matrix of few cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenarios.communication.matrix import Floats, Integers
from solvers.partition.graph import Graph, Parts

MOST_CELLS = 128
"""Rows of a matrix that a figure can still show; more ranks share a cell."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of nodes or of ranks with the weight between them, the largest first.

    Attributes
    ----------
    low, high
        Lower and higher number of the pair, ``low < high``; shape ``(pairs,)``.
    weight
        Between them, of both directions.
    """

    low: Integers
    high: Integers
    weight: Floats

    def __len__(self) -> int:
        """How many there are."""
        return len(self.low)

    def rows(self, most: int) -> list[tuple[int, int, float]]:
        """The first of them."""
        columns = (self.low[:most], self.high[:most], self.weight[:most])
        return list(zip(*(column.tolist() for column in columns), strict=True))


def node_pairs(graph: Graph, part: Parts) -> Pairs:
    """Weight between each two nodes that exchange anything; together it is the cut."""
    tails, heads, weights = graph.once()
    one, other = part[tails].astype(np.int64), part[heads].astype(np.int64)
    apart = one != other
    nodes = int(part.max(initial=0)) + 1
    low, high = np.minimum(one, other)[apart], np.maximum(one, other)[apart]
    key, index = np.unique(low * nodes + high, return_inverse=True)
    summed = np.bincount(index, weights=weights[apart], minlength=len(key)).astype(np.float64)
    return _sorted(key // nodes, key % nodes, summed)


def cut_pairs(graph: Graph, part: Parts) -> Pairs:
    """Pairs of ranks on different nodes."""
    tails, heads, weights = graph.once()
    apart = part[tails] != part[heads]
    low, high = tails[apart].astype(np.int64), heads[apart].astype(np.int64)
    return _sorted(low, high, weights[apart])


def _sorted(low: Integers, high: Integers, weight: Floats) -> Pairs:
    order = np.lexsort((high, low, -weight))
    return Pairs(low[order], high[order], weight[order])


def by_node(graph: Graph, part: Parts, nodes: int) -> tuple[Floats, Floats]:
    """Weight inside each node, and between it and all others; both of shape ``(nodes,)``."""
    tails, heads, weights = graph.once()
    one, other = part[tails], part[heads]
    same = one == other
    inside = np.bincount(one[same], weights=weights[same], minlength=nodes)
    apart = ~same
    leaving = np.bincount(one[apart], weights=weights[apart], minlength=nodes) + np.bincount(
        other[apart], weights=weights[apart], minlength=nodes
    )
    return inside.astype(np.float64), leaving.astype(np.float64)


def ranks_per_cell(sizes: Integers, most: int = MOST_CELLS) -> int:
    """How many ranks share a cell, so that cells and nodes end together wherever they can.

    Parameters
    ----------
    sizes
        Ranks of each node; the last may have fewer.
    most
        Cells in a row.

    Examples
    --------
    >>> ranks_per_cell(np.full(16, 4)), ranks_per_cell(np.full(64, 16))
    (1, 8)
    >>> ranks_per_cell(np.full(1024, 16)), ranks_per_cell(np.array([300, 299]))
    (128, 5)
    """
    ranks, size = int(sizes.sum()), int(sizes[0])
    least = -(-ranks // most)
    if least <= 1:
        return 1
    if (sizes[:-1] != size).any() or sizes[-1] > size:
        return least
    if least >= size:
        return size * -(-least // size)
    return next(size_option for size_option in range(least, size + 1) if size % size_option == 0)


def cells(
    low: Integers, high: Integers, weight: Floats, order: NDArray[np.integer], per_cell: int
) -> Floats:
    """Matrix of the weights between cells of consecutive ranks in a given order.

    Each pair of ranks counts once in a cell of the diagonal and once on both sides of it elsewhere.

    Parameters
    ----------
    low, high, weight
        Pairs of ranks; shape ``(pairs,)``.
    order
        The ranks in this order, each once; shape ``(ranks,)``.
    per_cell
        Ranks that share a cell; the last may have fewer.

    Examples
    --------
    >>> cells(np.array([0, 1]), np.array([3, 2]), np.array([5.0, 7.0]), np.array([0, 3, 1, 2]), 2)
    array([[5., 0.],
           [0., 7.]])
    """
    count = -(-len(order) // per_cell)
    index = np.empty(len(order), dtype=np.int64)
    index[order] = np.arange(len(order)) // per_cell
    one, other = index[low], index[high]
    key = np.minimum(one, other) * count + np.maximum(one, other)
    upper = np.bincount(key, weights=weight, minlength=count * count).reshape(count, count)
    return np.asarray(upper + np.triu(upper, 1).T, dtype=np.float64)
