"""The least largest badness of a pair that still allows a matching of a stated weight."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solvers.matching.solve import Matched, match
from solvers.matching.weights import Weights
from solvers.milp import Floats


def bottleneck(weights: Weights, badness: Floats, floor: float) -> tuple[Matched, float]:
    """Match with the least largest badness at which the weight reaches ``floor``.

    The pairs with at most some badness are more and more as it rises, so the greatest weight
    rises too: bisection over the values that occur finds the least one.

    Parameters
    ----------
    badness
        Of each pair, symmetric, shape ``(vertices, vertices)``.
    floor
        At most the greatest weight of any matching.

    Returns
    -------
    Matched, float
        The matching of greatest weight among pairs of at most that badness, which follows.

    Raises
    ------
    ValueError
        No matching has so much weight.
    """
    allowed = weights.weight > 0
    np.fill_diagonal(allowed, val=False)
    values = np.unique(badness[allowed])

    def best(place: int) -> Matched:
        return match(within(weights, badness, float(values[place])), engine="built-in")

    def enough(found: Matched) -> bool:
        objective = found.certificate.objective
        return objective is not None and objective >= floor

    return _least(values, best, enough)


def within(weights: Weights, badness: Floats, most: float) -> Weights:
    """The weights of pairs with at most some badness; 0 for all others."""
    return Weights(np.where(badness <= most, np.maximum(weights.weight, 0.0), 0.0))


def _least(
    values: Floats, best: Callable[[int], Matched], enough: Callable[[Matched], bool]
) -> tuple[Matched, float]:
    low, high = 0, len(values) - 1
    found = best(high) if len(values) else None
    if found is None or not enough(found):
        raise ValueError("no matching has the weight that is asked for; lower the floor")
    while low < high:
        middle = (low + high) // 2
        tried = best(middle)
        if enough(tried):
            found, high = tried, middle
        else:
            low = middle + 1
    return found, float(values[high])
