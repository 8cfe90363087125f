r"""Which short probing runs a new application gets: those that are worth more than they cost.

Value
    The log makespan of a pair is normal with mean ``m``. A pair with a mean below 0 saves ``-m``
    if it is admitted. A probe of pair ``j`` moves all means of the application's pairs by normal
    amounts with standard deviations ``s``. A pair then saves on average

    .. math:: E[\max(0, -m')] = s \varphi(m / s) - m \Phi(-m / s) .

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

from planner.colocation.gate.distribution import Distribution
from planner.colocation.tangram.metrics import Floats


def probe_values(now: Distribution, variance: float, cost: float) -> Floats:
    """Expected saving by a probe of each pair of an application, less its cost.

    Parameters
    ----------
    now
        What is known of the pairs.
    variance
        Of the error of a probe.
    cost
        Time of a probe over that of a pair one after the other.

    Returns
    -------
    Floats
        In logarithms of makespan, shape (rows,).
    """
    from scipy.special import ndtr

    rows = range(len(now.mean))
    moves = np.array([np.abs(now.moved_by(row, variance)) for row in rows])
    moves = np.maximum(moves, 1e-9)
    at = now.mean / moves
    density = np.exp(-0.5 * at * at) / sqrt(2 * pi)
    later = moves * density - now.mean * ndtr(-at)
    return np.asarray((later - np.maximum(-now.mean, 0.0)).sum(axis=1) - cost)
