r"""Conformal risk control where calibration applications are each other's partners.

Pairs of exchangeable applications (theorem 2; theorem 1: :mod:`planner.sharing_nodes.gate.risk`)
    If partners are calibration applications too, a pair belongs to two of them. Let ``l_ij(t)`` be
    1 if the pair is admitted and bad, ``S(t)`` the sum over all ``n (n + 1) / 2`` pairs of the
    ``n + 1`` applications, and ``t'`` the largest threshold with
    ``2 S(t') / (n (n + 1)) <= alpha``. It does not depend on the order of the applications. Given
    their set, each one is the new one with probability ``1 / (n + 1)``, and each pair holds the new
    one in two of the ``n + 1`` cases. So the share of the new application's ``n`` pairs that are
    admitted and bad is on average ``2 S(t') / (n (n + 1)) <= alpha``. Only the sum ``S_n`` over
    pairs of known applications is known, and ``S <= S_n + n``. With the mean
    ``L = 2 S_n / (n (n - 1))`` the rule

    .. math:: \frac{n - 1}{n + 1} L(t) + \frac{2}{n + 1} \le \alpha

    takes a threshold of at most ``t'``. Losses do not fall with ``t``, so it keeps ``alpha`` too.
    No ``alpha`` below ``2 / (n + 1)`` is possible: the correction for belonging to two.

References
----------
A. N. Angelopoulos and others, "Conformal risk control", ICLR 2024, theorem 1. Theorem 2 carries its
proof over to jointly exchangeable arrays (O. Kallenberg, *Probabilistic Symmetries and Invariance
Principles*, 2005, chapter 7).
"""

from __future__ import annotations

from math import inf

import numpy as np

from planner.sharing_nodes.gate.risk import Certified, Flags
from planner.sharing_nodes.tangram.metrics import Floats


def certified_threshold_among(
    scores: Floats, bad: Flags, applications: int, alpha: float
) -> Certified:
    """The largest threshold that theorem 2 certifies, from all pairs of calibration applications.

    Parameters
    ----------
    scores, bad
        Scores of all pairs of two different applications, and whether each is bad: (n (n - 1) /
        2,).
    applications
        Their number n.
    alpha
        Rate to keep, in (0, 1).

    Raises
    ------
    ValueError
        Pairs are missing.
    """
    if applications < 2 or len(scores) != applications * (applications - 1) // 2:
        raise ValueError(f"{len(scores)} pairs of {applications} applications; give all pairs")
    least, room = 2 / (applications + 1), alpha * (applications + 1) - 2
    if room < 0:
        return Certified(-inf, alpha, least, 0.0)
    most = room / (applications - 1)
    order = np.argsort(scores, kind="stable")
    growth = np.asarray(bad, dtype=float) / len(scores)
    over = np.flatnonzero(np.cumsum(growth[order]) > most + 1e-12)
    result = float(scores[order[over[0]]]) if len(over) else inf
    return Certified(result, alpha, least, float(growth[scores < result].sum()))
