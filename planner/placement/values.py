"""How good a placement is: its value, what is proven, and how it compares with the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from solvers.partition.outcome import TOLERANCE, closed

if TYPE_CHECKING:
    from planner.placement.placement import Placement

NOTICED = 0.01
"""Share of the cost from which a gain counts."""

Comparison = Literal["silent", "better", "same", "worse"]
"""Nothing is exchanged; the placement costs less than the default mapping, the same, or more."""


def value_of(placement: Placement) -> float:
    """What a placement was made for: least cut, or with a hierarchy least cost over all levels."""
    return placement.total if placement.summed else placement.partition.cut


def order_value_of(placement: Placement) -> float:
    """The same for the default mapping."""
    return placement.total_rank_order if placement.summed else placement.rank_order


def bound_of(placement: Placement) -> float:
    """What it says that none is below; minus infinity where nothing is known."""
    return placement.total_bound if placement.summed else placement.partition.bound


def tolerance_of(placement: Placement) -> float:
    """Values nearer than this are the same."""
    return TOLERANCE * sum(graph.size for graph in placement.levels.graphs)


def cut_tolerance_of(placement: Placement) -> float:
    """The same for what crosses between nodes."""
    return TOLERANCE * placement.graph.size


def proved(placement: Placement) -> bool:
    """Whether no placement has less, but for rounding."""
    return closed(value_of(placement), bound_of(placement))


def gap_of(placement: Placement) -> float:
    """How much less, as a share, is not ruled out; infinite where that is not known."""
    if proved(placement):
        return 0.0
    value = value_of(placement)
    return (value - bound_of(placement)) / value if value > 0 else np.inf


def comparison(placement: Placement) -> Comparison:
    """Whether the placement is better than the default mapping."""
    if not placement.graph.edges:
        return "silent"
    gained = order_value_of(placement) - value_of(placement)
    if abs(gained) <= tolerance_of(placement):
        return "same"
    return "better" if gained > 0 else "worse"


def slight(placement: Placement) -> bool:
    """Whether less than a hundredth is gained, which nobody will notice."""
    order = order_value_of(placement)
    little = order - value_of(placement) < NOTICED * abs(order)
    between = placement.rank_order - placement.partition.cut < NOTICED * abs(placement.rank_order)
    return comparison(placement) == "better" and little and between


def is_late(algorithm: str, levels: int, limit_s: float | None, seconds: float | None) -> bool:
    """Whether an algorithm may have stopped at its limit of time, so that another run may differ.

    Parameters
    ----------
    algorithm
        Its name.
    levels
        Number of levels of parting; with several, each may stop at its share of the limit.
    limit_s, seconds
        The limit, and what it took.
    """
    # These ignore the limit; inside nodes, other algorithms replace the exact ones.
    untimed = {"order"} if levels > 1 else {"order", "dynamic", "matching"}
    if limit_s is None or seconds is None or algorithm in untimed:
        return False
    return seconds >= limit_s / max(1, levels)
