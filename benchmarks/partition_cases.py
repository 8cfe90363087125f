"""Graphs for the benchmark of partitions, each from its name and a seed alone.

Stencils in two and three dimensions, the exchange patterns of the NAS parallel benchmarks, points
in a square and hypercubes, from 16 to 16,384 vertices.

References
----------
Bailey et al., The NAS parallel benchmarks, Int. J. Supercomputing Applications 5 (1991); the
patterns follow the reference implementation 3.4 (``make_set`` of BT and SP, ``setup_proc_info`` and
``setup_submatrix_info`` of CG, ``comm3`` of MG, the transposes of FT, ``exchange_1`` of LU).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from solvers.partition import Graph

SEED = 1
"""Of shuffles and of points."""


def stencil(*sides: int) -> Graph:
    """Neighbours along each axis of a grid, unit weights."""
    grid = np.arange(int(np.prod(sides))).reshape(sides)
    tails, heads = [], []
    for axis, side in enumerate(sides):
        tails.append(grid.take(range(side - 1), axis).ravel())
        heads.append(grid.take(range(1, side), axis).ravel())
    return Graph.from_edges(grid.size, np.concatenate(tails), np.concatenate(heads))


def hypercube(dimension: int) -> Graph:
    """Vertices whose numbers differ in one bit."""
    vertex = np.arange(1 << dimension)
    bits = [1 << axis for axis in range(dimension)]
    tails = np.concatenate([vertex[vertex & bit == 0] for bit in bits])
    heads = np.concatenate([vertex[vertex & bit == 0] | bit for bit in bits])
    return Graph.from_edges(len(vertex), tails, heads)


def geometric(count: int) -> Graph:
    """Random points of a square, about eight neighbours each, bytes falling with distance."""
    from scipy.spatial import cKDTree

    points = np.random.default_rng(SEED).random((count, 2))
    pairs = cKDTree(points).query_pairs((8 / (np.pi * count)) ** 0.5, output_type="ndarray")
    far = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    return Graph.from_edges(count, pairs[:, 0], pairs[:, 1], np.ceil(1e3 / (1 + far * count**0.5)))


def multi_partition(side: int) -> Graph:
    """BT and SP: successors in x, y and z on a square torus, that in z lying on its diagonal."""
    column, row = np.divmod(np.arange(side * side), side)
    tails = np.tile(np.arange(side * side), 3)
    heads = np.r_[
        (row + 1) % side + side * column,
        row + side * ((column + 1) % side),
        (row - 1) % side + side * ((column + 1) % side),
    ]
    return Graph.from_edges(side * side, tails, heads, 100.0)


def wavefront(rows: int, columns: int) -> Graph:
    """LU: faces east and west, north and south, as long as the sides of the blocks."""
    grid = np.arange(rows * columns).reshape(rows, columns)
    tails = np.r_[grid[:-1].ravel(), grid[:, :-1].ravel()]
    heads = np.r_[grid[1:].ravel(), grid[:, 1:].ravel()]
    across, along = 1024 // columns, 1024 // rows
    weights = np.repeat([max(1, across), max(1, along)], [grid[:-1].size, grid[:, :-1].size])
    return Graph.from_edges(grid.size, tails, heads, weights)


def transposes(rows: int, columns: int) -> Graph:
    """CG: sums along each row by halving distances, and an exchange with the transposed place."""
    cells = np.arange(rows * columns)
    row, column = np.divmod(cells, columns)
    tails, heads = [], []
    bit = 1
    while bit < columns:
        tails.append(cells)
        heads.append(row * columns + (column ^ bit))
        bit *= 2
    half, ratio = cells // (columns // rows), columns // rows
    tails.append(cells)
    heads.append((half % rows * rows + half // rows) * ratio + cells % ratio)
    return Graph.from_edges(cells.size, np.concatenate(tails), np.concatenate(heads), 500.0)


def pencils(rows: int, columns: int) -> Graph:
    """FT in two dimensions: all to all within each row and each column."""
    grid = np.arange(rows * columns).reshape(rows, columns)
    pairs = [pair for line in (*grid, *grid.T) for pair in combinations(line.tolist(), 2)]
    ends = np.array(pairs)
    weight = np.where(ends[:, 0] // columns == ends[:, 1] // columns, 4096 // columns, 4096 // rows)
    return Graph.from_edges(grid.size, ends[:, 0], ends[:, 1], weight)


def all_to_all(count: int) -> Graph:
    """FT in one dimension."""
    ends = np.array(list(combinations(range(count), 2)))
    return Graph.from_edges(count, ends[:, 0], ends[:, 1], 64.0)


def multigrid(*sides: int) -> Graph:
    """MG: faces of a torus in three dimensions; each coarser level has strides twice as long.

    Faces have a quarter of the area on each level, until one process holds all.
    """
    grid = np.arange(int(np.prod(sides))).reshape(sides)
    tails, heads, weights = [], [], []
    stride, area = 1, 4096.0
    while stride < max(sides) and area >= 1.0:
        for axis, side in enumerate(sides):
            if stride >= side:
                continue
            active = grid[tuple(slice(None, None, min(stride, s)) for s in sides)]
            tails.append(active.ravel())
            heads.append(np.roll(active, -1, axis).ravel())
            weights.append(np.full(active.size, area))
        stride, area = 2 * stride, area / 4
    return Graph.from_edges(
        grid.size, np.concatenate(tails), np.concatenate(heads), np.concatenate(weights)
    )


def shuffled(graph: Graph) -> Graph:
    """Return the same graph with its vertices renumbered."""
    label = np.random.default_rng(SEED).permutation(graph.vertices)
    once = graph.tails < graph.neighbours
    tails, heads = label[graph.tails[once]], label[graph.neighbours[once]]
    return Graph.from_edges(graph.vertices, tails, heads, graph.weights[once])


_MAKERS: dict[str, Callable[..., Graph]] = {
    "stencil": stencil,
    "cube": hypercube,
    "points": geometric,
    "bt": multi_partition,
    "lu": wavefront,
    "cg": transposes,
    "ft": pencils,
    "all": all_to_all,
    "mg": multigrid,
}


def named(name: str) -> Graph:
    """Graph of a name such as ``stencil 8x8 shuffled`` or ``points 1024``."""
    kind, sides, *how = name.split()
    graph = _MAKERS[kind](*map(int, sides.split("x")))
    return shuffled(graph) if how else graph


@dataclass(frozen=True)
class Case:
    """A graph and the size of its parts."""

    name: str
    size: int

    @property
    def key(self) -> str:
        """How the store of best known cuts calls it."""
        return f"{self.name} / {self.size}"

    def graph(self) -> Graph:
        """Build it anew."""
        return named(self.name)


SETS: dict[str, tuple[tuple[str, tuple[int, ...]], ...]] = {
    "16": (
        ("stencil 4x4 shuffled", (2, 4, 8)),
        ("cube 4", (2, 4, 8)),
        ("points 16", (2, 4, 8)),
        ("bt 4", (2, 4, 8)),
        ("lu 4x4", (4,)),
        ("cg 4x4", (2, 4, 8)),
        ("mg 2x2x4", (4, 8)),
        ("all 16", (4,)),
    ),
    "128": (
        ("stencil 8x8", (4,)),
        ("stencil 8x8 shuffled", (8, 16)),
        ("stencil 4x4x4 shuffled", (4, 8, 16)),
        ("stencil 8x16 shuffled", (2, 8, 64)),
        ("stencil 4x4x8", (8,)),
        ("stencil 10x12 shuffled", (6, 12, 24)),
        ("cube 5", (8,)),
        ("cube 7", (4, 16, 32)),
        ("points 32", (4, 8)),
        ("points 64", (4, 16)),
        ("points 128", (2, 4, 8, 16, 32, 64)),
        ("points 120", (5, 12)),
        ("bt 8", (4, 8, 16)),
        ("bt 10", (4, 10)),
        ("lu 8x8", (8,)),
        ("lu 8x16", (4, 16)),
        ("cg 4x8", (4, 8)),
        ("cg 8x8", (4, 16)),
        ("cg 8x16", (8, 32)),
        ("mg 4x4x4", (4, 8)),
        ("mg 4x4x8", (8, 16)),
        ("ft 8x8", (4, 8)),
        ("ft 8x16", (16,)),
        ("all 64", (8,)),
    ),
    "1024": (
        ("stencil 32x32 shuffled", (4, 16, 64)),
        ("stencil 8x8x16", (8,)),
        ("stencil 8x8x16 shuffled", (8, 32)),
        ("cube 10", (8, 64)),
        ("points 1024", (4, 8, 16, 64)),
        ("bt 32", (8, 16)),
        ("lu 32x32", (8,)),
        ("cg 32x32", (16,)),
        ("mg 8x8x16", (8, 32)),
        ("ft 32x32", (32,)),
    ),
    "16384": (
        ("stencil 128x128 shuffled", (64,)),
        ("stencil 16x32x32 shuffled", (8, 64)),
        ("points 16384", (64,)),
        ("lu 128x128", (32,)),
        ("mg 16x32x32", (32,)),
        ("cg 128x128", (64,)),
        ("bt 128", (64,)),
    ),
}
"""Named graphs and sizes of parts, by the most vertices of a set."""


def cases(name: str) -> list[Case]:
    """Cases of one set."""
    return [Case(graph, size) for graph, sizes in SETS[name] for size in sizes]
