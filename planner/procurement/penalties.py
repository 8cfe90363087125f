"""What a vendor is expected to pay for figures that it misses, by a model stated here.

The delivered figure is uniform within the half width around the committed one. Only a shortfall
costs, so the expectation is never an income.
"""

from __future__ import annotations

from fractions import Fraction

from planner.decimals import decimal
from scenarios.model.tender import OfferedFigure


def costs_nothing(figure: OfferedFigure) -> bool:
    """Whether a shortfall of a figure costs its vendor nothing: no penalty, or one of 0."""
    penalty = figure.penalty
    return penalty is None or not penalty.most or not penalty.per_percent


def expected_penalty(figure: OfferedFigure) -> Fraction:
    """Return the expected penalty in money, exactly; 0 where no penalty or width is stated.

    With half width h, p for each per cent and at most M, the penalty ``min(M, 100 p u)`` of a
    shortfall u, uniform on [-h, h], has the mean ``25 p h`` if ``100 p h <= M``, and else
    ``M/2 (1 - M/(200 p h))``.

    Examples
    --------
    >>> from scenarios.model.tender import Penalty
    >>> penalty = Penalty(per_percent=1000.0, most=5000.0)
    >>> expected_penalty(OfferedFigure(name="HPL", value=9.0, half_width=0.04, penalty=penalty))
    Fraction(1000, 1)
    >>> expected_penalty(OfferedFigure(name="HPL", value=9.0, half_width=0.1, penalty=penalty))
    Fraction(1875, 1)
    """
    if figure.penalty is None or not figure.half_width:
        return Fraction(0)
    half_width, most = decimal(figure.half_width), decimal(figure.penalty.most)
    largest = 100 * decimal(figure.penalty.per_percent) * half_width
    if largest <= most:
        return largest / 4
    return most / 2 * (1 - most / (2 * largest))
