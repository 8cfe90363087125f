r"""Which short probing runs a new application gets: those that are worth more than they cost.

Value
    A pair is admitted where its log makespan has a mean below ``t = min(0, limit - z spread)`` and
    then saves ``-mean``. A probe of pair ``j`` moves the means of the application's pairs by normal
    amounts with standard deviations ``s`` and lowers their spreads to known values. A pair with
    mean ``m`` and later threshold ``t`` then saves on average

    .. math:: E[-m'; m' < t] = s \varphi(u) - m \Phi(u), \quad u = (t - m) / s .

    The value of a probe is the sum of this over the pairs, less what they save without the probe,
    less the probe's time over that of a pair one after the other.

References
----------
P. I. Frazier, W. B. Powell, S. Dayanik, "A knowledge-gradient policy for sequential information
collection", SIAM J. Control Optim. 47(5), 2008: one step ahead, here for many decisions at once.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from planner.sharing_nodes.gate.distribution import Distribution
from planner.sharing_nodes.tangram.metrics import Floats


def admission(spread: Floats, score: float, limit: float) -> Floats:
    """Means of the log makespan below which pairs are admitted.

    The median must lie below 0, since sharing should save time, and the quantile of normal score
    ``score`` below the limit.
    """
    return np.minimum(0.0, limit - score * spread)


def probe_values(
    now: Distribution, variance: float, cost: float, score: float, limit: float
) -> Floats:
    """Expected saving by a probe of each pair of an application, less its cost.

    Parameters
    ----------
    now
        What is known of the pairs.
    variance
        Variance of the error of a probe.
    cost
        Time of a probe over that of a pair one after the other.
    score, limit
        Normal score of the upper quantile, and logarithm of the largest good makespan.

    Returns
    -------
    Floats
        In logarithms of makespan, shape (rows,).
    """
    before = -now.mean[now.mean < admission(now.spread, score, limit)].sum()
    rows = range(len(now.mean))
    later = np.array([_after(now, row, variance, score, limit) for row in rows])
    return np.asarray(later - before - cost)


def _after(now: Distribution, row: int, variance: float, score: float, limit: float) -> float:
    from scipy.special import ndtr

    moved = np.maximum(np.abs(now.moved_by(row, variance)), 1e-9)
    later = now.after(row, float(now.mean[row]), variance)
    at = (admission(later.spread, score, limit) - now.mean) / moved
    density = np.exp(-0.5 * at * at) / sqrt(2 * pi)
    return float((moved * density - now.mean * ndtr(at)).sum())
