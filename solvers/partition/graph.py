"""A weighted graph as arrays, and the weight that a partition of it cuts."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers.model.milp import Floats, Indices, ModelError

Parts = NDArray[np.int32]
"""Part of each vertex, shape ``(vertices,)``."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Undirected graph with a weight per edge, in compressed rows.

    Every edge is in the rows of both its ends. Within a row neighbours ascend. A weight may be
    negative: such an edge is better cut.

    Attributes
    ----------
    starts
        Entries ``starts[v]`` up to ``starts[v + 1]`` are the edges of vertex ``v``;
        ``(vertices + 1,)``.
    neighbours
        Other end of each entry, shape ``(2 * edges,)``.
    weights
        Weight of each entry, not zero, shape ``(2 * edges,)``.

    Raises
    ------
    ModelError
        No vertices, shapes that do not match, a loop, a weight that is not finite, an edge that
        is not in both rows with the same weight.
    """

    starts: Indices
    neighbours: Parts
    weights: Floats

    def __post_init__(self) -> None:
        kinds = {"starts": np.int64, "neighbours": np.int32, "weights": np.float64}
        for field, kind in kinds.items():
            array = np.ascontiguousarray(getattr(self, field), dtype=kind)[:]
            array.setflags(write=False)
            object.__setattr__(self, field, array)
        _check(self)

    @classmethod
    def from_edges(
        cls, vertices: int, tails: ArrayLike, heads: ArrayLike, weights: ArrayLike = 1.0
    ) -> Graph:
        """Build from one entry per edge; repeated edges add up, loops and zeros are dropped.

        Examples
        --------
        >>> path = Graph.from_edges(3, [0, 1], [1, 2], [5.0, 2.0])
        >>> path.edges, path.total
        (2, 7.0)
        """
        tail = np.asarray(tails, dtype=np.int64).ravel()
        head = np.asarray(heads, dtype=np.int64).ravel()
        weight = np.broadcast_to(np.asarray(weights, dtype=np.float64), tail.shape)
        if tail.shape != head.shape:
            raise ModelError(f"{len(tail)} tails but {len(head)} heads of edges")
        for end in (tail, head):
            if len(end) and not 0 <= end.min() <= end.max() < vertices:
                raise ModelError(f"an edge ends outside the vertices 0..{vertices - 1}")
        selected = tail != head
        low, high = np.minimum(tail, head)[selected], np.maximum(tail, head)[selected]
        # Added up once per edge, so that both rows hold the same float.
        key, position = np.unique(low * vertices + high, return_inverse=True)
        sums: Floats = np.bincount(position, weights=weight[selected], minlength=len(key)).astype(
            float
        )
        key, sums = key[sums != 0.0], sums[sums != 0.0]
        low, high = np.divmod(key, max(1, vertices))
        rows, columns = np.r_[low, high], np.r_[high, low]
        order = np.lexsort((columns, rows))
        starts = np.r_[0, np.cumsum(np.bincount(rows, minlength=vertices))]
        return cls(starts, columns[order].astype(np.int32), np.r_[sums, sums][order])

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Graph:
        """Build from a square matrix: the weight of an edge is the sum of both directions."""
        square = np.asarray(matrix, dtype=np.float64)
        if square.ndim != 2 or square.shape[0] != square.shape[1]:
            raise ModelError(f"the matrix has shape {square.shape}; it must be square")
        tails, heads = np.nonzero(square)
        return cls.from_edges(len(square), tails, heads, square[tails, heads])

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.starts) - 1

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.neighbours) // 2

    @cached_property
    def tails(self) -> Parts:
        """Row of each entry, shape ``(2 * edges,)``."""
        return np.repeat(np.arange(self.vertices, dtype=np.int32), np.diff(self.starts))

    def once(self) -> tuple[Parts, Parts, Floats]:
        """Lower end, higher end and weight of each edge, in the order of the rows."""
        selected = self.tails < self.neighbours
        return self.tails[selected], self.neighbours[selected], self.weights[selected]

    def edge_list(self) -> list[tuple[int, int, float]]:
        """The same as plain numbers, an edge each."""
        return list(zip(*(each.tolist() for each in self.once()), strict=True))

    @cached_property
    def total(self) -> float:
        """Sum of the weights of all edges."""
        return math.fsum(self.once()[2].tolist())

    @cached_property
    def size(self) -> float:
        """Sum of the absolute weights of all edges: the scale of rounding errors."""
        return float(np.abs(self.weights).sum()) / 2

    @cached_property
    def has_negative(self) -> bool:
        """Whether an edge is better cut."""
        return bool(self.weights.min(initial=0.0) < 0.0)

    @cached_property
    def step(self) -> float:
        """Every cut is a multiple of this; 0 if weights are not integers or are too large."""
        # Below 2^52 floats add integers without rounding, so that a cut is a true multiple.
        if not len(self.weights) or self.size >= 2**52 or (self.weights % 1.0).any():
            return 0.0
        return float(np.gcd.reduce(np.abs(self.weights).astype(np.int64)))

    def integers(self) -> tuple[list[int], Fraction]:
        """Return the weights of all entries as exact integers, and the unit that they count.

        Floats are binary fractions. With the smallest power of two among them as the unit, no
        weight is rounded, for any range.
        """
        ratios = [weight.as_integer_ratio() for weight in self.weights.tolist()]
        scale = max((below for _, below in ratios), default=1)
        return [above * (scale // below) for above, below in ratios], Fraction(1, scale)

    def dense(self) -> Floats:
        """Symmetric matrix of the weights, shape ``(vertices, vertices)``."""
        matrix = np.zeros((self.vertices, self.vertices))
        matrix[self.tails, self.neighbours] = self.weights
        return matrix

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the mathematics."""
        state = hashlib.sha256(f"graph {self.vertices}".encode())
        for array in (self.starts, self.neighbours, self.weights):
            state.update(array.data if array.size else b"")
        return state.hexdigest()


def cut(graph: Graph, part: ArrayLike) -> float:
    """Weight of the edges between different parts, correctly rounded."""
    parts = np.asarray(part)
    low, high, weights = graph.once()
    return math.fsum(weights[parts[low] != parts[high]].tolist())


def inner(graph: Graph, vertices: Indices) -> Graph:
    """Graph of some vertices, given ascending, and the edges between them."""
    position = np.full(graph.vertices, -1, dtype=np.int64)
    position[vertices] = np.arange(len(vertices))
    counts = graph.starts[vertices + 1] - graph.starts[vertices]
    shift = graph.starts[vertices] - np.cumsum(counts) + counts
    entries = np.arange(int(counts.sum())) + np.repeat(shift, counts)
    tails, heads = np.repeat(np.arange(len(vertices)), counts), position[graph.neighbours[entries]]
    selected = heads >= 0
    starts = np.r_[0, np.cumsum(np.bincount(tails[selected], minlength=len(vertices)))]
    return Graph(starts, heads[selected].astype(np.int32), graph.weights[entries[selected]])


def _check(graph: Graph) -> None:
    starts, neighbours, weights = graph.starts, graph.neighbours, graph.weights
    if starts.ndim != 1 or len(starts) < 2:
        raise ModelError("a graph has at least one vertex")
    if neighbours.ndim != 1 or neighbours.shape != weights.shape:
        raise ModelError(f"{neighbours.shape} neighbours but {weights.shape} weights")
    if starts[0] != 0 or starts[-1] != len(neighbours) or (np.diff(starts) < 0).any():
        raise ModelError(f"starts must ascend from 0 to the number of entries, {len(neighbours)}")
    if not len(neighbours):
        return
    if not 0 <= neighbours.min() <= neighbours.max() < graph.vertices:
        raise ModelError(f"an edge ends outside the vertices 0..{graph.vertices - 1}")
    tails = graph.tails
    for entry in np.flatnonzero(~np.isfinite(weights) | (weights == 0.0))[:1].tolist():
        ends = f"{tails[entry]} and {neighbours[entry]}"
        raise ModelError(
            f"the edge of {ends} weighs {weights[entry]}; give a finite weight that is not zero"
        )
    if np.abs(weights).max() > 1e300 / len(weights):
        raise ModelError("the weights may add up to infinity; scale them down")
    for entry in np.flatnonzero(tails == neighbours)[:1].tolist():
        raise ModelError(f"vertex {tails[entry]} has an edge to itself; leave it out")
    key = tails.astype(np.int64) * graph.vertices + neighbours
    if (np.diff(key) <= 0).any():
        raise ModelError("neighbours must ascend within each row; Graph.from_edges sorts them")
    mirrored = neighbours.astype(np.int64) * graph.vertices + tails
    order = np.argsort(mirrored, kind="stable")
    if (mirrored[order] != key).any() or (weights[order] != weights).any():
        raise ModelError("each edge must be in the rows of both ends with the same weight")
