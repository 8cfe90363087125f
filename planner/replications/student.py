"""Student's distribution, without the second that scipy.stats takes to load."""

from __future__ import annotations


def t_quantile(level: float, freedom: int) -> float:
    """Two-sided quantile of Student's distribution.

    Examples
    --------
    >>> round(t_quantile(0.95, 9), 3)
    2.262
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))
