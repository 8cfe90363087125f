"""Exact sizes from a partition that nearly has them."""

from __future__ import annotations

import numpy as np

from solvers.compiled import counted_entry
from solvers.model.milp import Floats, Indices
from solvers.partition.graph import Parts
from solvers.partition.request import FREE, Request


def repaired(request: Request, loose: Parts) -> Parts:
    """Put pins right, then move vertices from parts that are too large to ones that are too small.

    Each move is the one that costs least at that moment, of one vertex of the fullest part.

    Parameters
    ----------
    loose
        Part of each vertex, in any sizes; not changed.
    """
    part = np.where(request.fixed == FREE, loose, request.fixed).astype(np.int32)
    graph = request.graph
    room = request.capacities - np.bincount(part, minlength=request.parts)
    free = (request.fixed == FREE).astype(np.int32)
    _even(graph.starts, graph.neighbours, graph.weights, part, room, free)
    return part


@counted_entry
def _even(
    starts: Indices, neighbours: Parts, weights: Floats, part: Parts, room: Indices, free: Parts
) -> None:
    parts = len(room)
    pull = np.zeros(parts)
    # Capacities add up to the vertices, so while a part is too full another one has room. Pins fit,
    # so the fullest part has a free vertex. Every turn moves one of them, so the loop ends.
    while True:
        fullest = int(np.argmin(room))
        if room[fullest] >= 0:
            return
        spare = int(np.argmax(room))
        best, mover, goal = -np.inf, -1, -1
        for vertex in range(len(part)):
            if part[vertex] != fullest or free[vertex] == 0:
                continue
            for entry in range(starts[vertex], starts[vertex + 1]):
                pull[part[neighbours[entry]]] += weights[entry]
            # The emptiest part is always tried: maybe no neighbour lies in a part with room.
            if pull[spare] - pull[fullest] > best:
                best, mover, goal = pull[spare] - pull[fullest], vertex, spare
            for entry in range(starts[vertex], starts[vertex + 1]):
                there = int(part[neighbours[entry]])
                if room[there] > 0 and pull[there] - pull[fullest] > best:
                    best, mover, goal = pull[there] - pull[fullest], vertex, there
            for entry in range(starts[vertex], starts[vertex + 1]):
                pull[part[neighbours[entry]]] = 0.0
        part[mover] = goal
        room[fullest] += 1
        room[goal] -= 1
