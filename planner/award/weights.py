"""Between which points of one criterion a winner stays, as exact intervals.

The points of the other criteria stay as they are; points of people grow in proportion. Points are
taken unrounded. Every place where two packages swap their order is the root of a linear equation,
so the winner is tried at each of them and once between them.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.award.award import Award
from planner.award.judge import Judged, Lot, key, within_corridor, without_price
from planner.award.lots import Decision, Taken
from planner.decimals import decimal
from scenarios.model.scheme import Scheme


@dataclass(frozen=True)
class Interval:
    """From ``low`` to ``high`` points; without an upper end where ``high`` is ``None``.

    Attributes
    ----------
    next_low, next_high
        Winners next to its ends; several are tied.
    """

    low: Fraction
    high: Fraction | None
    holds_low: bool
    holds_high: bool
    next_low: tuple[str, ...] = ()
    next_high: tuple[str, ...] = ()

    def holds(self, points: Fraction) -> bool:
        """Whether a number of points lies in it."""
        above = points > self.low or (self.holds_low and points == self.low)
        below = self.high is None or points < self.high or (self.holds_high and points == self.high)
        return above and below


@dataclass(frozen=True)
class WeightRange:
    """Points of one criterion for which a lot keeps its winner."""

    lot: str
    criterion: str
    points: Fraction
    intervals: tuple[Interval, ...]

    @property
    def own(self) -> Interval | None:
        """The interval that holds the stated points; ``None`` where rounding decides the lot."""
        return next((each for each in self.intervals if each.holds(self.points)), None)


def weight_ranges(award: Award) -> tuple[WeightRange, ...]:
    """Ranges of every lot with a single winner and another package that could win.

    A lot is judged by itself: packages that its decision could not choose, because their vendor has
    its lots already, stay out.
    """
    found = []
    for lot, decision in award.pairs():
        scheme = lot.scheme
        rivals = _rivals(award, lot, decision)
        if decision.winner is None or len(rivals) < 2:
            continue
        for at, criterion in enumerate(scheme.criteria):
            if scheme.method != "points" and criterion.counts_price:
                continue
            names = {each.candidate.name for each in rivals}
            intervals = tuple(_intervals(scheme, lot.judged, names, at, decision.winner))
            stated = decimal(criterion.points)
            found.append(WeightRange(lot.name, criterion.name, stated, intervals))
    return tuple(found)


def _rivals(award: Award, lot: Lot, decision: Decision) -> list[Judged]:
    """The packages of a lot that could win it, given what the others are awarded."""
    scheme = lot.scheme
    taken = Taken(scheme.most_lots_per_vendor)
    for other, decided in award.pairs():
        if other is lot and scheme.lots == "published order":
            break
        if other is not lot and decided.winner is not None:
            taken.add(other.named(decided.winner))
    return [
        each for each in lot.judged if taken.allows(each) or each.candidate.name == decision.winner
    ]


def _intervals(
    scheme: Scheme, judged: Sequence[Judged], rivals: Collection[str], at: int, winner: str
) -> Iterator[Interval]:
    """Maximal intervals in which the winner stays, from 0 points on."""
    bare = [_without_points(scheme, each, at) for each in judged]
    roots = sorted({Fraction(0), *(x for x in _roots(scheme, bare, at, winner) if x > 0)})
    ends: list[Fraction | None] = [*roots[1:], None]
    low: Fraction | None = None
    holds_low = False
    wins, before, next_low = (winner,), tuple[str, ...](), tuple[str, ...]()
    for root, following in zip(roots, ends, strict=True):
        middle = root + 1 if following is None else (root + following) / 2
        at_root, behind = (
            _best(scheme, [_weighted(scheme, each, at, points) for each in bare], rivals)
            for points in (root, middle)
        )
        here, onwards = at_root == wins, behind == wins
        if low is not None and not (here and onwards):
            yield Interval(low, root, holds_low, here, next_low, at_root if onwards else behind)
            low = None
        elif low is None and here and not onwards:
            yield Interval(root, root, True, True, before, behind)  # noqa: FBT003 - both ends
        if low is None and onwards:
            low, holds_low = root, here
            next_low = at_root if before in ((), wins) and not here else before
        before = behind
    if low is not None:
        yield Interval(low, None, holds_low, holds_high=False, next_low=next_low)


def _best(scheme: Scheme, judged: Sequence[Judged], rivals: Collection[str]) -> tuple[str, ...]:
    """The best of some packages; several are tied."""
    keys = {
        each.candidate.name: key(scheme, each)
        for each in within_corridor(scheme, judged)
        if each.candidate.name in rivals
    }
    most = max(keys.values())
    return tuple(name for name, own in keys.items() if own == most)


def _without_points(scheme: Scheme, judged: Judged, at: int) -> Judged:
    """A package without the points of criterion ``at``, nothing rounded."""
    exact = tuple(
        decimal(criterion.points) * share if place != at else Fraction(0)
        for place, (criterion, share) in enumerate(zip(scheme.criteria, judged.shares, strict=True))
    )
    without = without_price(scheme, exact)
    return replace(judged, points=exact, total=sum(exact, Fraction(0)), without_price=without)


def _weighted(scheme: Scheme, bare: Judged, at: int, points: Fraction) -> Judged:
    """A package with other points of criterion ``at``."""
    own, criterion = points * bare.shares[at], scheme.criteria[at]
    without = bare.without_price + (Fraction(0) if criterion.counts_price else own)
    values = bare.values
    if criterion.value_from == "people":
        values = (*values[:at], own, *values[at + 1 :])
    return replace(
        bare,
        values=values,
        points=(*bare.points[:at], own, *bare.points[at + 1 :]),
        total=bare.total + own,
        without_price=without,
        quotient=None if bare.quotient is None else without / bare.candidate.price,
    )


def _roots(scheme: Scheme, judged: Sequence[Judged], at: int, winner: str) -> Iterator[Fraction]:
    """Points of a criterion at which two packages may change their order."""
    lines = [_line(scheme, each, at) for each in judged]
    first = next(i for i, each in enumerate(judged) if each.candidate.name == winner)
    compared = (
        itertools.permutations(range(len(judged)), 2)
        if scheme.method == "corridor"
        else ((first, other) for other in range(len(judged)) if other != first)
    )
    kept = 1 - decimal(scheme.corridor or 0.0)
    for one, other in compared:
        for of_one, of_other in zip(lines[one], lines[other], strict=True):
            yield from _root(of_one, of_other)
        if scheme.method == "corridor":
            quotient = lines[other][-1]
            yield from _root(lines[one][-1], (kept * quotient[0], kept * quotient[1]))


def _line(scheme: Scheme, judged: Judged, at: int) -> list[tuple[Fraction, Fraction]]:
    """Value at 0 points, and slope, of all that ranks by points: sums, one criterion, quotient."""
    none, one = (_weighted(scheme, judged, at, Fraction(points)) for points in (0, 1))
    lines = [
        (none.total, one.total - none.total),
        (none.without_price, one.without_price - none.without_price),
        (none.points[at], one.points[at]),
    ]
    if none.quotient is not None and one.quotient is not None:
        lines.append((none.quotient, one.quotient - none.quotient))
    return lines


def _root(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> Iterator[Fraction]:
    if one[1] != other[1]:
        yield (other[0] - one[0]) / (one[1] - other[1])
