"""Points, quotients and ranks of the packages of one lot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.award.candidate import Candidate
from planner.award.formulas import NoResultError, combined, rounded, shares
from planner.decimals import decimal
from scenarios.model.scheme import Criterion, Scheme

POINTS = "points"
"""Name of the sum of points without price, in ``decides`` and ``ties``."""
PER_PRICE = 10**6
"""Money for which quotients of points are shown."""
Key = tuple[Fraction, ...]
Column = list[tuple[Fraction, Fraction, Fraction]]
"""Value, share of the points and points of each package for one criterion."""
_NONE: Mapping[str, Column] = {}


@dataclass(frozen=True)
class Judged:
    """A package with its points.

    Attributes
    ----------
    values
        Value of each criterion; for points of people those points.
    shares
        Points over the most points of each criterion, unrounded.
    points
        Points of each criterion, rounded where the scheme says so.
    total, without_price
        Their sum, and the sum without criteria of the price; likewise.
    quotient
        Points without price over the price; ``None`` where the method has no quotients.
    stays
        Whether the package is within the corridor; true for other methods.
    rank
        From 1 on; equal for packages that the scheme cannot tell apart.
    """

    candidate: Candidate
    values: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]
    points: tuple[Fraction, ...]
    total: Fraction
    without_price: Fraction
    quotient: Fraction | None = None
    stays: bool = True
    rank: int = 1


@dataclass(frozen=True)
class Lot:
    """A lot with its packages.

    Attributes
    ----------
    scheme
        The scheme with the criteria of this lot.
    judged
        The admissible packages, in the order of the scenario.
    excluded
        The other ones.
    """

    name: str
    scheme: Scheme
    judged: tuple[Judged, ...]
    excluded: tuple[Candidate, ...] = ()

    def named(self, name: str) -> Judged:
        """The admissible package of a name."""
        return next(each for each in self.judged if each.candidate.name == name)

    def behind(self, winner: Judged) -> list[Judged]:
        """The packages that a winner is ahead of, best first."""
        return [e for e in self.ranked if e is not winner and e.rank >= winner.rank]

    @property
    def ranked(self) -> list[Judged]:
        """The admissible packages, best first."""
        return sorted(self.judged, key=lambda each: each.rank)


def judge(
    scheme: Scheme, lot: str, candidates: Sequence[Candidate], known: Mapping[str, Column] = _NONE
) -> Lot:
    """Judge the packages of one lot.

    Parameters
    ----------
    scheme
        The scheme with the criteria of this lot.
    known
        What the admissible packages have for some criteria, by name; the others are worked out.

    Raises
    ------
    InputError
        A formula has no result, or points of people are missing.
    """
    admissible = [each for each in candidates if not each.excluded]
    columns = [
        known.get(criterion.name) or _column(scheme, criterion, admissible)
        for criterion in scheme.criteria
    ]
    of_packages = [
        _summed(scheme, candidate, [column[index] for column in columns])
        for index, candidate in enumerate(admissible)
    ]
    excluded = tuple(each for each in candidates if each.excluded)
    return Lot(lot, scheme, tuple(_ranked(scheme, of_packages)), excluded)


def columns_of(lot: Lot) -> dict[str, Column]:
    """What the admissible packages of a lot have for each criterion, by its name."""
    return {
        criterion.name: [(e.values[at], e.shares[at], e.points[at]) for e in lot.judged]
        for at, criterion in enumerate(lot.scheme.criteria)
    }


def _column(scheme: Scheme, criterion: Criterion, candidates: Sequence[Candidate]) -> Column:
    most = decimal(criterion.points)
    if criterion.value_from == "people":
        values = [
            combined(criterion, each.given.get(criterion.name, ()), each.name)
            for each in candidates
        ]
        parts = [value / most for value in values]
    else:
        values = (
            _relative(criterion, candidates)
            if criterion.value_from == "benchmarks"
            else [each.values[criterion.name] for each in candidates]
        )
        parts = shares(criterion, values, [each.name for each in candidates])
    decimals = scheme.decimals if scheme.rounding == "criterion" else None
    points = (rounded(most * part, decimals) for part in parts)
    return list(zip(values, parts, points, strict=True))


def _relative(criterion: Criterion, candidates: Sequence[Candidate]) -> list[Fraction]:
    """Each committed figure relative to the largest of the lot, weighted."""
    if not candidates:
        return []
    weights = {name: decimal(weight) for name, weight in criterion.benchmarks.items()}
    most = {name: max(each.figures[name] for each in candidates) for name in weights}
    total = sum(weights.values(), Fraction(0))
    return [
        sum((w * each.figures[name] / most[name] for name, w in weights.items()), Fraction(0))
        / total
        for each in candidates
    ]


def _summed(
    scheme: Scheme, candidate: Candidate, of_criteria: Sequence[tuple[Fraction, Fraction, Fraction]]
) -> Judged:
    decimals = scheme.decimals
    values, parts, points = (
        tuple(each[at] for each in of_criteria)
        for at in range(3)  # a lot may have no criterion
    )
    return Judged(
        candidate,
        values,
        parts,
        points,
        rounded(sum(points, Fraction(0)), decimals),
        rounded(without_price(scheme, points), decimals),
    )


def without_price(scheme: Scheme, points: Sequence[Fraction]) -> Fraction:
    """The sum of the points of each criterion but those of the price."""
    counted = zip(points, scheme.criteria, strict=True)
    return sum((each for each, criterion in counted if not criterion.counts_price), Fraction(0))


def _ranked(scheme: Scheme, judged: Sequence[Judged]) -> list[Judged]:
    if not judged:
        return []
    if scheme.method != "points":
        judged = within_corridor(scheme, [_with_quotient(each) for each in judged])
    keys = [key(scheme, each) for each in judged]
    return [
        replace(each, rank=1 + sum(other > own for other in keys))
        for each, own in zip(judged, keys, strict=True)
    ]


def _with_quotient(judged: Judged) -> Judged:
    price = judged.candidate.price
    if price <= 0:
        raise NoResultError(
            f"package {judged.candidate.name!r} costs {float(price):g}; points over price need a "
            "price above 0"
        )
    return replace(judged, quotient=judged.without_price / price)


def within_corridor(scheme: Scheme, judged: Sequence[Judged]) -> list[Judged]:
    """The packages, each with whether it stays."""
    if scheme.method != "corridor":
        return [*judged]
    return [
        replace(each, stays=margin >= 0)
        for each, margin in zip(judged, corridor_margins(scheme, judged), strict=True)
    ]


def corridor_margins(scheme: Scheme, judged: Sequence[Judged]) -> list[Fraction]:
    """By how much the quotient of each package is above the least one that stays."""
    quotients = [each.quotient or Fraction(0) for each in judged]
    least = (1 - decimal(scheme.corridor or 0.0)) * max(quotients, default=Fraction(0))
    return [each - least for each in quotients]


def key(scheme: Scheme, judged: Judged) -> Key:
    """What packages are ranked by: a larger key is better."""
    quotient = judged.quotient or Fraction(0)
    ties = tie_key(scheme, judged, scheme.ties)
    if scheme.method == "points":
        return (judged.total, *ties)
    if scheme.method == "points_per_price":
        return (quotient, *ties)
    if judged.stays:
        return (Fraction(1), *tie_key(scheme, judged, (scheme.decides or POINTS,)), *ties)
    return (Fraction(0), quotient, *ties)


def tie_key(scheme: Scheme, judged: Judged, names: Sequence[str]) -> Key:
    """Values that rank equal packages; larger ones are better."""
    by_name: Mapping[str, int] = {each.name: at for at, each in enumerate(scheme.criteria)}
    found = []
    for name in names:
        if name == POINTS:
            found.append(judged.without_price)
            continue
        if name not in by_name:  # it judges other lots
            found.append(Fraction(0))
            continue
        at = by_name[name]
        value = judged.values[at]
        found.append(-value if scheme.criteria[at].better == "less" else value)
    return tuple(found)
