"""The least largest badness of a pair that still allows a matching of a stated weight."""

from __future__ import annotations

import numpy as np

from solvers.matching.duals import proved
from solvers.matching.solve import Matched, match
from solvers.matching.weights import Weights
from solvers.model.milp import Floats


def bottleneck(weights: Weights, badness: Floats, floor: float) -> tuple[Matched, float]:
    """Match with the least largest badness at which the weight reaches ``floor``.

    As the allowed badness rises, more pairs are allowed, so the greatest weight rises, too.
    Bisection over the values that occur finds the least one.

    Parameters
    ----------
    badness
        Badness of each pair, symmetric, shape ``(vertices, vertices)``.
    floor
        At most the greatest weight of any matching.

    Returns
    -------
    Matched, float
        The matching of greatest weight among pairs of at most that badness, which follows.

    Raises
    ------
    ValueError
        No matching reaches this weight.
    """
    allowed = weights.weight > 0
    np.fill_diagonal(allowed, val=False)
    values = np.unique(badness[allowed])

    def reaches(index: int) -> bool:
        part = within(weights, badness, float(values[index]))
        return part.pair_weight(proved(part)[0]) >= floor

    low, high = 0, len(values) - 1
    if not len(values) or not reaches(high):
        raise ValueError("no matching has the weight that is asked for; lower the floor")
    while low < high:
        middle = (low + high) // 2
        if reaches(middle):
            high = middle
        else:
            low = middle + 1
    least = float(values[high])
    return match(within(weights, badness, least), engine="built-in"), least


def within(weights: Weights, badness: Floats, most: float) -> Weights:
    """The weights of pairs with at most some badness; 0 for all others."""
    return Weights(np.where(badness <= most, np.maximum(weights.weight, 0.0), 0.0))
