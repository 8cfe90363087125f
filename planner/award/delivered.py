"""How much of its committed figures a winner must deliver: for thresholds, and to stay the winner.

The winner delivers a fraction f of its figures: value x f where more is better, value / f where
less is. Its lot is judged and decided anew; all other packages stay as offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Literal

from planner.award.award import Award
from planner.award.candidate import Candidate
from planner.award.formulas import NoResultError, end_of_line
from planner.award.from_scenario import Tender, delivering, package_of
from planner.award.judge import (
    Column,
    Lot,
    columns_of,
    corridor_margins,
    judge,
    key,
    without_price,
)
from planner.award.lots import decide
from planner.decimals import decimal
from scenarios.model.scheme import Criterion

Better = Literal["less", "more"]
_TRIED = 100
"""Fractions that are tried: every whole per cent, from 99 % down."""
_HALVINGS = (64, 192)
"""Halvings of the interval around an end, before its simplest fraction is tried."""


@dataclass(frozen=True)
class Delivery:
    """How little of one committed figure, or of all, a winner may deliver.

    Attributes
    ----------
    figure
        Name of the figure; ``None`` for all committed figures at once.
    threshold
        Smallest fraction that every threshold of a criterion admits, itself included; ``None``
        where no threshold limits the figure.
    end
        The fraction above which the package wins, and right below which it does not; ``None`` where
        it wins at every fraction tried.
    holds
        Whether it still wins at ``end`` itself.
    is_exact
        Whether ``end`` is exact. Otherwise it is an upper end, less than 10**-50 too large.
    """

    lot: str
    package: str
    figure: str | None
    threshold: Fraction | None
    end: Fraction | None
    holds: bool
    is_exact: bool


def deliveries(tender: Tender, award: Award) -> tuple[Delivery, ...]:
    """Every winner with committed figures that its lot judges: all of them, then each alone."""
    found = []
    for place, decision in enumerate(award.decisions):
        if decision.winner is None:
            continue
        every = judged_figures(tender, decision.winner)
        for each in (None, *every) if len(every) > 1 else every:
            figures = every if each is None else {each: every[each]}
            found.append(_Trial(tender, award, place, decision.winner, figures).delivery(each))
    return tuple(found)


def judged_figures(tender: Tender, package: str) -> dict[str, Better]:
    """Committed figures of a package that its lot judges, by name, and which values are better.

    A figure of which criteria disagree on this is left out: no delivery of it is worse for all.
    """
    offer = package_of(tender, package)
    found: dict[str, set[Better]] = {}
    for criterion in tender.scheme.for_lot(offer.lot).criteria:
        for name in (criterion.figure, *criterion.benchmarks):
            if name is not None and criterion.better is not None:
                found.setdefault(name, set()).add(criterion.better)
    return {
        name: next(iter(better))
        for name, better in found.items()
        if len(better) == 1 and (figure := offer.figure(name)) and figure.basis == "committed"
    }


@dataclass(frozen=True)
class _Trial:
    """A winner that delivers a fraction of some figures."""

    tender: Tender
    award: Award
    place: int
    package: str
    figures: Mapping[str, Better]

    def delivery(self, figure: str | None) -> Delivery:
        end = self._end()
        lot = self.award.lots[self.place].name
        threshold = max(self._thresholds(), default=None)
        if end is None:
            return Delivery(lot, self.package, figure, threshold, None, holds=True, is_exact=True)
        at, is_exact = end
        holds = self._keeps(at)
        return Delivery(lot, self.package, figure, threshold, at, holds=holds, is_exact=is_exact)

    def _thresholds(self) -> Iterator[Fraction]:
        candidate = self.award.lots[self.place].named(self.package).candidate
        for each in self.award.lots[self.place].scheme.criteria:
            if each.figure in self.figures:
                value = candidate.values[each.name]
                for limit in _limits(each):
                    yield value / limit if each.better == "less" else limit / value

    @cached_property
    def _known(self) -> dict[str, Column]:
        """What packages have for the criteria that judge other figures, or none."""
        lot = self.award.lots[self.place]
        moved = {
            each.name
            for each in lot.scheme.criteria
            if each.figure in self.figures or self.figures.keys() & each.benchmarks.keys()
        }
        return {name: column for name, column in columns_of(lot).items() if name not in moved}

    def _changed(self, fraction: Fraction) -> Candidate:
        """The package with the fraction delivered."""
        factors = {
            name: 1 / fraction if better == "less" else fraction
            for name, better in self.figures.items()
        }
        lot = self.award.lots[self.place]
        offered = lot.named(self.package).candidate
        return delivering(self.tender.scenario, offered, lot.scheme.criteria, factors)

    def _lot(self, changed: Candidate) -> Lot:
        """The lot with the package as delivered.

        Raises
        ------
        NoResultError
            A formula has no result.
        """
        lot = self.award.lots[self.place]
        candidates = [
            changed if each.name == self.package else each
            for each in self.tender.candidates
            if each.lot == lot.name
        ]
        return judge(lot.scheme, lot.name, candidates, {} if changed.excluded else self._known)

    def _keeps(self, fraction: Fraction) -> bool:
        """Whether the package wins; it does not where a formula has no result."""
        changed = self._changed(fraction)
        if changed.excluded:
            return False
        try:
            lot = self._lot(changed)
        except NoResultError:
            return False
        lots = [*self.award.lots]
        lots[self.place] = lot
        return decide(self.tender.scheme, lots)[self.place].winner == self.package

    def _end(self) -> tuple[Fraction, bool] | None:
        tried = (Fraction(step, _TRIED) for step in range(_TRIED - 1, 0, -1))
        low = next((each for each in tried if not self._keeps(each)), None)
        if low is None:
            return None
        high = low + Fraction(1, _TRIED)
        for halvings in _HALVINGS:
            for _ in range(halvings):
                middle = (low + high) / 2
                low, high = (low, middle) if self._keeps(middle) else (middle, high)
            simple = simplest_between(low, high)
            if self._is_end(simple, low, high):
                return simple, True
        return high, False

    def _is_end(self, fraction: Fraction, low: Fraction, high: Fraction) -> bool:
        """Whether something that decides crosses its critical value exactly at a fraction."""
        if fraction in self._thresholds():
            return True
        try:
            below, here, above = (self._lot(self._changed(each)) for each in (low, fraction, high))
        except NoResultError:
            return False
        if self.package not in {each.candidate.name for each in below.judged}:
            return False
        if here.scheme.decimals is None:
            margins = [_margins(lot, self.package) for lot in (below, here, above)]
        else:
            margins = [_rounded_parts(lot) for lot in (below, here, above)]
        return any(
            critical == 0 and before != after
            for before, critical, after in zip(*margins, strict=True)
        )


def _margins(lot: Lot, package: str) -> list[Fraction]:
    """By how much a package is ahead of each other one, by all that ranks, and within a corridor.

    The margins of a corridor are those of all packages.
    """
    found: list[Fraction] = []
    first = 1 if lot.scheme.method == "corridor" else 0  # whether it stays is no margin
    own = key(lot.scheme, lot.named(package))[first:]
    for each in lot.judged:
        if each.candidate.name != package:
            pairs = zip(own, key(lot.scheme, each)[first:], strict=True)
            found += [mine - other for mine, other in pairs]
    if lot.scheme.method == "corridor":
        found += corridor_margins(lot.scheme, lot.judged)
    return found


def _rounded_parts(lot: Lot) -> list[Fraction]:
    """How far each number that the scheme rounds is above the next smaller rounding point.

    Also by how much values that decide ties differ: they are not rounded.
    """
    scheme, found = lot.scheme, []
    for each in lot.judged:
        exact = [
            decimal(criterion.points) * share
            for criterion, share in zip(scheme.criteria, each.shares, strict=True)
        ]
        if scheme.rounding == "total":
            exact = [sum(exact, Fraction(0)), without_price(scheme, exact)]
        scaled = (part * 10 ** (scheme.decimals or 0) + Fraction(1, 2) for part in exact)
        found += [part - part.numerator // part.denominator for part in scaled]
    values = zip(*(each.values for each in lot.judged), strict=True)
    return found + [one - other for column in values for one, other in combinations(column, 2)]


def _limits(criterion: Criterion) -> Iterator[Fraction]:
    """Worst values above 0 with which a package meets each threshold of a criterion."""
    limits = []
    worst = criterion.most if criterion.better == "less" else criterion.least
    if worst is not None:
        limits.append(decimal(worst))
    if criterion.least_points:  # of formula 'linear' between two numbers
        ends = (criterion.full_at, criterion.zero_at)
        full, zero = (end_of_line(end, best=Fraction(0)) for end in ends)
        part = decimal(criterion.least_points) / decimal(criterion.points)
        limits.append(zero + part * (full - zero))
    yield from (limit for limit in limits if limit > 0)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of the smallest denominator from ``low`` to ``high``, both above 0.

    Examples
    --------
    >>> simplest_between(Fraction(61, 100), Fraction(64, 100))
    Fraction(5, 8)
    """
    whole = low.numerator // low.denominator
    if whole == low:
        return low
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))
