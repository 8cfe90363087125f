"""Formulas between the value of a package and its points, in exact fractions.

With P points, value v, and the best value b and the worst value w of the lot: ``ratio`` gives P b/v
(less is better) or P v/b, ``linear`` falls from P at one value to 0 at another and is clamped to
this range, ``two_sided`` gives P (w - v)/(w - b).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import median

from planner.decimals import decimal
from planner.errors import InputError
from scenarios.model.scheme import Criterion, Evaluation, TimesBest

AGREED = "agreed"
"""Evaluator whose row counts with ``combine = "agreed"``."""


class NoResultError(InputError):
    """A formula of the scheme has no result for the values of a lot."""


def shares(
    criterion: Criterion, values: Sequence[Fraction], names: Sequence[str]
) -> list[Fraction]:
    """Points of each package over the most points, unrounded.

    Parameters
    ----------
    values, names
        Value and name of each admissible package of a lot.

    Raises
    ------
    NoResultError
        The formula has no result for one of the values.
    """
    if not values:
        return []
    best = min(values) if criterion.better == "less" else max(values)
    if criterion.formula == "ratio":
        return _ratio(criterion, values, names, best)
    if criterion.formula == "linear":
        full, zero = (end_of_line(end, best) for end in (criterion.full_at, criterion.zero_at))
        if full == zero or (full < zero) != (criterion.better == "less"):
            raise NoResultError(
                f"criterion {criterion.name!r}: full_at is {float(full):g} and zero_at is "
                f"{float(zero):g}, but {criterion.better} is better; correct one of them"
            )
        return [min(Fraction(1), max(Fraction(0), (zero - v) / (zero - full))) for v in values]
    worst = max(values) if criterion.better == "less" else min(values)
    if worst == best:
        if criterion.if_equal is None and len(values) > 1:
            raise NoResultError(
                f"criterion {criterion.name!r}: all {len(values)} packages have the value "
                f"{float(best):g}, so formula = 'two_sided' has no result; write if_equal = 'full'"
            )
        return [Fraction(1)] * len(values)
    return [(worst - value) / (worst - best) for value in values]


def _ratio(
    criterion: Criterion, values: Sequence[Fraction], names: Sequence[str], best: Fraction
) -> list[Fraction]:
    for value, name in zip(values, names, strict=True):
        if value <= 0:
            reason = ""
            if criterion.value_from == "performance":
                reason = " (it does not run all workloads within the power bound)"
            raise NoResultError(
                f"criterion {criterion.name!r}: package {name!r} has the value {float(value):g}"
                f"{reason}, and formula = 'ratio' needs values above 0; correct it, or write "
                "'linear'"
            )
    if criterion.better == "less":
        return [best / value for value in values]
    return [value / best for value in values]


def end_of_line(end: float | TimesBest | None, best: Fraction) -> Fraction:
    """Value at an end of formula ``linear``, where ``best`` is the best value of the lot."""
    if isinstance(end, TimesBest):
        return decimal(end.times_best) * best
    return decimal(end or 0.0)


def combined(criterion: Criterion, given: Sequence[Evaluation], package: str) -> Fraction:
    """The points of several evaluators as one.

    Raises
    ------
    InputError
        Nobody gave points, or the agreed ones are missing.
    """
    if criterion.combine == AGREED:
        found = [decimal(each.points) for each in given if each.evaluator == AGREED]
        if not found:
            raise InputError(
                f"criterion {criterion.name!r}: package {package!r} has no row of evaluator "
                f"{AGREED!r}; add it, or write combine = 'mean'"
            )
        return found[0]
    points = [decimal(each.points) for each in given]
    if not points:
        raise InputError(
            f"criterion {criterion.name!r}: package {package!r} has no points; add a row for it"
        )
    return (
        median(points) if criterion.combine == "median" else sum(points, Fraction(0)) / len(points)
    )


def rounded(points: Fraction, decimals: int | None) -> Fraction:
    """Points rounded half up, or exact where no number of decimals is stated.

    Examples
    --------
    >>> rounded(Fraction(1, 8), 2), rounded(Fraction(1, 8), None)
    (Fraction(13, 100), Fraction(1, 8))
    """
    if decimals is None:
        return points
    unit, numerator, denominator = 10**decimals, points.numerator, points.denominator
    return Fraction((2 * numerator * unit + denominator) // (2 * denominator), unit)
