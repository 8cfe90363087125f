"""The best of several partitions that are made one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable

from solvers.partition.bounds import lower_bound
from solvers.partition.graph import Parts, cut
from solvers.partition.outcome import Partition, outcome
from solvers.partition.request import Request


def least_cut(request: Request, made: Iterable[Parts], method: str) -> Partition:
    """The partition of least cut; of equal ones the first.

    Parameters
    ----------
    made
        Partitions, at least one; once the time of the request is over, no further one is made.
    method
        Who makes them.

    Raises
    ------
    ValueError
        No partition was made.
    """
    best, least = None, math.inf
    for part in made:
        weight = cut(request.graph, part)
        if best is None or weight < least:
            best, least = part, weight
        if request.late():
            break
    if best is None:
        raise ValueError(f"{method} made no partition")
    return outcome(request.graph, best, request.capacities, lower_bound(request), method)
