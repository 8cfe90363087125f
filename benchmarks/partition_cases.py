"""Graphs for the benchmark of partitions: stencils, cubes, points in a square, all to all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from solvers.partition import Graph


def stencil(*sides: int) -> Graph:
    """Neighbours along each axis of a grid, unit weights."""
    place = np.arange(int(np.prod(sides))).reshape(sides)
    tails, heads = [], []
    for axis, side in enumerate(sides):
        tails.append(place.take(range(side - 1), axis).ravel())
        heads.append(place.take(range(1, side), axis).ravel())
    return Graph.from_edges(place.size, np.concatenate(tails), np.concatenate(heads))


def hypercube(dimension: int) -> Graph:
    """Vertices whose numbers differ in one bit."""
    vertex = np.arange(1 << dimension)
    bits = [1 << axis for axis in range(dimension)]
    tails = np.concatenate([vertex[vertex & bit == 0] for bit in bits])
    heads = np.concatenate([vertex[vertex & bit == 0] | bit for bit in bits])
    return Graph.from_edges(len(vertex), tails, heads)


def geometric(count: int, seed: int) -> Graph:
    """Random points of a square, about eight neighbours each, bytes falling with distance."""
    from scipy.spatial import cKDTree

    points = np.random.default_rng(seed).random((count, 2))
    pairs = cKDTree(points).query_pairs((8 / (np.pi * count)) ** 0.5, output_type="ndarray")
    far = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    return Graph.from_edges(count, pairs[:, 0], pairs[:, 1], np.ceil(1e3 / (1 + far * count**0.5)))


def shuffled(graph: Graph, seed: int) -> Graph:
    """The same graph with its vertices renumbered."""
    label = np.random.default_rng(seed).permutation(graph.vertices)
    once = graph.tails < graph.neighbours
    tails, heads = label[graph.tails[once]], label[graph.neighbours[once]]
    return Graph.from_edges(graph.vertices, tails, heads, graph.weights[once])


def cases() -> Iterator[tuple[str, Graph]]:
    """Named graphs from 16 to 16,384 vertices."""
    for side, seed in product((4, 6, 16, 64, 128), (None, 1)):
        plain = stencil(side, side)
        graph = plain if seed is None else shuffled(plain, seed)
        yield f"2D {side} x {side}{'' if seed is None else ' shuffled'}", graph
    for side, seed in product((4, 8, 16, 24), (None, 1)):
        plain = stencil(side, side, side)
        graph = plain if seed is None else shuffled(plain, seed)
        yield f"3D {side}^3{'' if seed is None else ' shuffled'}", graph
    for dimension in (4, 8, 12):
        yield f"hypercube {1 << dimension} shuffled", shuffled(hypercube(dimension), 1)
    for count in (32, 256, 2048, 16384):
        yield f"geometric {count}", geometric(count, 1)


def chosen(largest: int) -> list[tuple[str, Graph]]:
    """Those that are not too large."""
    return [(name, graph) for name, graph in cases() if graph.vertices <= largest]
