"""The risk measure of an uncertain score: expectation, and the mean of the worst outcomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def cvar(values: ArrayLike, probability: ArrayLike, level: float) -> float:
    """Conditional value at risk of a value that should be large: mean of the worst ``1 - level``.

    References
    ----------
    R. T. Rockafellar and S. Uryasev, Optimization of conditional value-at-risk, Journal of Risk 2
    (2000): ``max_eta eta - E[(eta - X)+] / (1 - level)``, here summed over the sorted outcomes.

    Examples
    --------
    >>> cvar([1.0, 2.0, 3.0, 4.0], [0.25] * 4, 0.5)
    1.5
    """
    outcome, weight = np.asarray(values, float), np.asarray(probability, float)
    order = np.argsort(outcome, kind="stable")
    tail = 1.0 - level
    before = np.r_[0.0, np.cumsum(weight[order])[:-1]]
    counted = np.clip(tail - before, 0.0, weight[order])
    with np.errstate(invalid="ignore"):
        terms = np.where(counted > 0, counted * outcome[order], 0.0)
    return float(terms.sum() / counted.sum())


def risk_measure(values: ArrayLike, probability: ArrayLike, weight: float, level: float) -> float:
    """``(1 - weight) E + weight CVaR``.

    Examples
    --------
    >>> risk_measure([1.0, 3.0], [0.5, 0.5], 0.5, 0.5)
    1.5
    """
    outcome, chance = np.asarray(values, float), np.asarray(probability, float)
    if weight == 1:
        return cvar(outcome, chance, level)
    with np.errstate(invalid="ignore"):
        mean = float(np.where(chance > 0, chance * outcome, 0.0).sum())
    if weight == 0:
        return mean
    return float((1 - weight) * mean + weight * cvar(outcome, chance, level))
