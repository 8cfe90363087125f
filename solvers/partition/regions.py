"""A few neighbouring parts at a time are taken apart and cut anew; what is better stays.

Exchanges between two parts stop where only three or more parts together could gain, and a halving
decides early what it never sees again. A region of some parts is small enough to be cut from
scratch many times. The cut never grows; an equal one is taken too, for it opens other ways.
"""

from __future__ import annotations

import numpy as np

from solvers.partition.dynamic import least_cut
from solvers.partition.graph import Parts, cut, inner
from solvers.partition.halving import halved
from solvers.partition.kl import refine
from solvers.partition.repair import repaired
from solvers.partition.request import FREE, Request

_MOST_VERTICES = 400
_PARTS = (3, 4, 6)
_SUBSETS = 14


def recut(request: Request, part: Parts, tries: int, rng: np.random.Generator) -> Parts:
    """Cut ``tries`` regions anew, each around a part drawn at random.

    Returns
    -------
    Parts
        Cuts no more than ``part``, which is not changed.
    """
    part = part.copy()
    if request.parts < 3:
        return part
    for attempt in range(tries):
        if request.late():
            break
        chosen = _region(request, part, int(rng.integers(request.parts)), _PARTS[attempt % 3])
        _cut_anew(request, part, chosen, rng)
    return part


def _region(request: Request, part: Parts, first: int, most: int) -> list[int]:
    """A part and, one after the other, that which has most weight to those chosen."""
    graph, chosen = request.graph, [first]
    size = int(request.capacities[first])
    pull = np.zeros(request.parts)
    while len(chosen) < most:
        for vertex in np.flatnonzero(part == chosen[-1]).tolist():
            row = slice(int(graph.starts[vertex]), int(graph.starts[vertex + 1]))
            np.add.at(pull, part[graph.neighbours[row]], np.abs(graph.weights[row]))
        pull[chosen] = -1.0
        best = int(pull.argmax())
        size += int(request.capacities[best])
        if pull[best] <= 0.0 or (size > _MOST_VERTICES and len(chosen) > 1):
            break
        chosen.append(best)
    return chosen


def _cut_anew(request: Request, part: Parts, chosen: list[int], rng: np.random.Generator) -> None:
    """Replace the parts of a region in place if that cuts no more."""
    if len(chosen) < 2:
        return
    rng.shuffle(chosen)
    name = np.full(request.parts, FREE, dtype=np.int32)
    name[chosen] = np.arange(len(chosen), dtype=np.int32)
    vertices = np.flatnonzero(name[part] != FREE)
    graph = inner(request.graph, vertices)
    pins = request.fixed[vertices]
    region = Request(
        graph,
        request.capacities[chosen],
        fixed=np.where(pins == FREE, FREE, name[pins]),
    )
    if len(vertices) <= _SUBSETS:
        anew = least_cut(region)
    else:
        anew = refine(region, repaired(region, halved(region, rng)))
    if cut(graph, anew) <= cut(graph, name[part[vertices]]):
        part[vertices] = np.array(chosen, dtype=np.int32)[anew]
