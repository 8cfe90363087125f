"""How much better a placement is than the order of ranks, and how far it can be from the least."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from solvers.partition.outcome import TOLERANCE, closed

if TYPE_CHECKING:
    from planner.placement.placement import Placement

_NOTICED = 0.01

Verdict = Literal["silent", "better", "same", "worse"]
"""Nothing is exchanged; the placement costs less than the order of ranks, as much, or more."""


def value_of(found: Placement) -> float:
    """What a placement was made for: least cut, or with a hierarchy least cost over all levels."""
    return found.total if found.summed else found.partition.cut


def order_value_of(found: Placement) -> float:
    """The same for the order of ranks."""
    return found.total_rank_order if found.summed else found.rank_order


def bound_of(found: Placement) -> float:
    """What it says that none is below; minus infinity where nothing is known."""
    return found.total_bound if found.summed else found.partition.bound


def tolerance_of(found: Placement) -> float:
    """Values nearer than this are the same."""
    return TOLERANCE * sum(graph.size for graph in found.levels.graphs)


def cut_tolerance_of(found: Placement) -> float:
    """The same for what crosses between nodes."""
    return TOLERANCE * found.graph.size


def proved(found: Placement) -> bool:
    """Whether no placement has less, but for rounding."""
    return closed(value_of(found), bound_of(found))


def gap_of(found: Placement) -> float:
    """How much less, as a share, is not ruled out; infinite where that is not known."""
    if proved(found):
        return 0.0
    value = value_of(found)
    return (value - bound_of(found)) / value if value > 0 else np.inf


def verdict(found: Placement) -> Verdict:
    """Whether the placement is better than the order of ranks."""
    if not found.graph.edges:
        return "silent"
    gained = order_value_of(found) - value_of(found)
    if abs(gained) <= tolerance_of(found):
        return "same"
    return "better" if gained > 0 else "worse"


def slight(found: Placement) -> bool:
    """Whether less than a hundredth is gained, which nobody will notice."""
    order = order_value_of(found)
    little = order - value_of(found) < _NOTICED * abs(order)
    between = found.rank_order - found.partition.cut < _NOTICED * abs(found.rank_order)
    return verdict(found) == "better" and little and between


def is_late(algorithm: str, levels: int, limit_s: float | None, seconds: float | None) -> bool:
    """Whether an algorithm may have stopped at its limit of time, so that another run may differ.

    Parameters
    ----------
    algorithm
        Its name.
    levels
        Of parting; of several each may stop at its share of the limit.
    limit_s, seconds
        The limit, and what it took.
    """
    # These look at no clock; inside nodes others stand in for the exact ones.
    untimed = {"order"} if levels > 1 else {"order", "dynamic", "matching"}
    if limit_s is None or seconds is None or algorithm in untimed:
        return False
    return seconds >= limit_s / max(1, levels)
