"""What a letter to a vendor states, worked out again by a slow program from docs/award.md."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from planner.award.study import DebriefStudy
from tests.claims import award
from tests.claims.values import same
from tests.planner.award.by_hand import Raw, cost, exact
from tests.planner.award.made import figure, package, people, price

_CLOSE = 1e-7
"""Relative: what follows from rounded points is checked against these."""


@dataclass(frozen=True, eq=False)
class Case:
    """A tender, and the vendor that gets the letter."""

    of: award.Case
    vendor: str

    @cached_property
    def answer(self) -> DebriefStudy:
        return self.of.answer.debrief(self.vendor)

    @cached_property
    def offered(self) -> list[str]:
        """Lots with a package of the vendor."""
        return [
            lot for lot in self.of.lot_names
            if any((e["lot"], e["vendor"]) == (lot, self.vendor) for e in self.of.packages)
        ]  # fmt: skip

    def own(self, lot: str) -> list[Raw]:
        """Its admissible packages in a lot."""
        return [each for each in self.of.of_lot(lot) if each["vendor"] == self.vendor]

    def winner(self, lot: str) -> Raw | None:
        """The package of another vendor that wins a lot."""
        found = self.of.won.get(lot)
        return None if found is None or found["vendor"] == self.vendor else found

    def criterion(self, name: str) -> Raw:
        (found,) = [each for each in self.of.criteria if each["name"] == name]
        return found

    def value(self, offer: Raw, criterion: str) -> Fraction:
        lot = self.of.of_lot(offer["lot"])
        return self.of.slow().value(offer, self.criterion(criterion), lot)

    def share(self, offer: Raw, criterion: str) -> Fraction:
        """Points of a package, as the letter has them, over the most points."""
        of = self.criterion(criterion)
        points = self.of.slow().points(offer, of, self.of.of_lot(offer["lot"]))
        return points / exact(of["points"])


def cases() -> Iterator[Case]:
    """Requests by hand."""
    for each in award.cases():
        if len(each.packages) <= 5:
            yield from (
                Case(each, vendor) for vendor in sorted({e["vendor"] for e in each.packages})
            )
    offers = [package("A", 10.0, figures={"F": 5}), package("B", 12.0, figures={"F": 9}),
              package("C", 15.0, figures={"F": 4})]  # fmt: skip
    points = [(name, "Q", "x", n) for name, n in zip("ABC", (4, 9, 7), strict=True)]
    line = {"formula": "linear", "full_at": {"times_best": 1}, "zero_at": {"times_best": 2}}
    steep = {"formula": "linear", "full_at": 10, "zero_at": 20}
    for formula in ({}, line, steep, {"formula": "two_sided"}):
        criteria = [price(50, **formula), figure("F", 40), people("Q", 10)]
        for disclose in ([], ["Price"], ["F", "Q"], ["prices", "Q"]):
            scheme = {"points": points, "disclose": disclose, "decimals": 2}
            yield from (Case(award.Case(offers, criteria, scheme), vendor) for vendor in "ABC")
    # N has two packages of the lot: neither end, the best, and the worst are its own
    figures = [{"F": 4}, {"F": 6}, {"F": 9}, {"F": 2}, {"F": 6}]
    every = [package(name, 10.0 + at, figures=f)
             for at, (name, f) in enumerate(zip("ABCDE", figures, strict=True))]  # fmt: skip
    both_sided = [price(50, formula="two_sided"), figure("F", 40, formula="two_sided")]
    for own in ("AB", "BC", "AD", "B", "C", "D", "BE"):
        named = [each | {"vendor": "N" if each["name"] in own else "S"} for each in every]
        for scheme in ({}, {"decimals": 1, "disclose": ["F"]}):
            yield Case(award.Case(named, both_sided, scheme), "N")
    # an excluded package: its letter has the points of the winner all the same
    rule = {"name": "Insolvency", "statement": "insolvent", "must_be": False}
    stated = [each | {"statements": {"insolvent": each["name"] == "A"}} for each in offers]
    line_of_f = figure("F", 40, formula="linear", full_at=10, zero_at=2)
    for method in ("points", "points_per_price"):
        scheme = {"method": method, "exclusions": [rule], "disclose": ["Price"]}
        yield Case(award.Case(stated, [price(50), line_of_f], scheme), "A")
    scheme = {"points": points, "method": "points_per_price"}
    yield Case(award.Case(offers, [people("Q", 10)], scheme), "A")


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    for each in award.drawn(seed):
        disclosed = [name for at, name in enumerate(e["name"] for e in each.criteria)
                     if (seed >> at) % 2]  # fmt: skip
        told = replace(each, scheme={**each.scheme, "disclose": disclosed}, full=False)
        yield Case(told, max(e["vendor"] for e in each.packages))


def _share_at(criterion: Raw, value: Fraction, best: Fraction) -> Fraction:
    """Points over the most points that a formula gives, not clamped."""
    if criterion.get("formula", "ratio") == "ratio":
        return best / value if criterion["better"] == "less" else value / best
    full, zero = (
        exact(end["times_best"]) * best if isinstance(end, dict) else exact(end)
        for end in (criterion["full_at"], criterion["zero_at"])
    )
    return (value - zero) / (full - zero)


def _value_at(criterion: Raw, share: Fraction, best: Fraction) -> Fraction:
    """The value that gets a share of the points of a line."""
    full, zero = (
        exact(end["times_best"]) * best if isinstance(end, dict) else exact(end)
        for end in (criterion["full_at"], criterion["zero_at"])
    )
    return share * full + (1 - share) * zero


def _near(one: Fraction, other: Fraction) -> bool:
    return abs(one - other) <= _CLOSE * max(abs(one), abs(other), Fraction(1, 1000))


def _best_value(case: Case, lot: str, criterion: str, value: float) -> bool:
    """With this best value the formula gives some own package its points."""
    best = Fraction(value)
    if case.criterion(criterion).get("formula") == "two_sided":
        return _on_own_line(case, lot, criterion, best, Fraction(1))
    return any(
        case.value(own, criterion) != best
        and _near(_share_at(case.criterion(criterion), case.value(own, criterion), best),
                  case.share(own, criterion))
        for own in case.own(lot)
    )  # fmt: skip


def _worst_value(case: Case, lot: str, criterion: str, value: float) -> bool:
    return _on_own_line(case, lot, criterion, Fraction(value), Fraction(0))


def _on_own_line(case: Case, lot: str, criterion: str, value: Fraction, share: Fraction) -> bool:
    """Whether a value of no own package is on the line through two of them with other points."""
    own = [(case.value(each, criterion), case.share(each, criterion)) for each in case.own(lot)]
    return all(share != of_own for _, of_own in own) and any(
        one[1] != other[1]
        and _near((value - one[0]) * (one[1] - other[1]), (share - one[1]) * (one[0] - other[0]))
        for one, other in itertools.combinations(own, 2)
    )


def _known(case: Case, lot: str, criterion: str) -> bool:
    """Whether the letter discloses the points of the winner, or all others and the sum."""
    disclosed = case.of.scheme.get("disclose", ())
    counted = [
        each["name"] for each in case.of.criteria
        if case.of.scheme.get("method", "points") == "points" or each["value_from"] != "price"
    ]  # fmt: skip
    others = {*counted} - {criterion}
    return criterion in disclosed or (criterion in counted and others <= {*disclosed})


def _winner_value(case: Case, lot: str, criterion: str, value: float) -> bool:
    winner = case.winner(lot)
    if winner is None:
        return False
    share = case.share(winner, criterion)
    if case.criterion(criterion).get("formula") == "two_sided":
        own = case.own(lot)
        equal = any(
            case.share(each, criterion) == share and same(float(case.value(each, criterion)), value)
            for each in own
        )
        on_line = _on_own_line(case, lot, criterion, Fraction(value), share)
        return _known(case, lot, criterion) and (equal or on_line)
    bests = [
        Fraction(1) * case.value(own, criterion) * case.share(own, criterion)
        ** (1 if case.criterion(criterion)["better"] == "less" else -1)
        for own in case.own(lot) if case.share(own, criterion)
    ] if case.criterion(criterion).get("formula", "ratio") == "ratio" else [
        case.value(each, criterion) for each in case.of.of_lot(lot)
    ]  # fmt: skip
    return _known(case, lot, criterion) and any(
        _exactly(case, lot, criterion, Fraction(value), share, best) for best in bests
    )


def _exactly(
    case: Case, lot: str, criterion: str, value: Fraction, share: Fraction, best: Fraction
) -> bool:
    """Whether a value has this share of points, where the best is as own points tell it."""
    of = case.criterion(criterion)
    told = best
    ends = (of.get("full_at"), of.get("zero_at"))
    if any(isinstance(end, dict) for end in ends):
        for own in case.own(lot):
            part = case.share(own, criterion)
            if not 0 < part < 1:
                continue
            none, one = (_value_at(of, part, Fraction(at)) for at in (0, 1))
            told = (case.value(own, criterion) - none) / (one - none)
            if _near(_share_at(of, value, told), share):
                return True
        return False
    return _near(_share_at(of, value, told), share)


def _winner_price(case: Case, lot: str, price: float) -> bool:
    winner = case.winner(lot)
    return (
        winner is not None
        and same(float(cost(winner)), price)
        and (case.of.scheme.get("method", "points") != "points")
    )


def _relation(case: Case, lot: str, criterion: str) -> bool:
    of = case.criterion(criterion)
    return (
        of.get("formula") == "two_sided"
        and bool(case.own(lot))
        and len({case.share(own, criterion) for own in case.own(lot)}) == 1
        and all(0 < case.share(own, criterion) < 1 for own in case.own(lot))
    )


def _price_follows(case: Case, lot: str) -> bool:
    """Whether the letter has points of the winner other than 0, and those per price."""
    winner, by_price = case.winner(lot), case.of.scheme.get("method", "points") != "points"
    return winner is not None and by_price and bool(
        case.of.slow().sums(winner, case.of.of_lot(lot))[1]
    )  # fmt: skip


def _best_follows(case: Case, lot: str, criterion: Raw) -> Fraction | None:
    """A best value of another package that a ratio or two own points of a line give away."""
    shares = [case.share(each, criterion["name"]) for each in case.own(lot)]
    formula = criterion.get("formula", "ratio")
    if not shares or formula not in ("ratio", "two_sided") or max(shares) in (0, 1):
        return None
    return max(shares) if formula == "ratio" or len({*shares}) > 1 else None


def _won(case: Case, vendor: str, lots: Any) -> bool:
    own = [each for each in case.of.won.values() if each["vendor"] == case.vendor]
    return vendor == case.vendor and tuple(lots) == (len(own), len(case.offered))


def _of_award(kind: str) -> Callable[..., bool]:
    """A reason of exclusion, as an award states it."""
    return lambda case, **values: award.FINDINGS[kind](case.of, **values)


FINDINGS: dict[str, Callable[..., bool]] = {
    "title": lambda case, title, vendor: (title, vendor) == ("A tender", case.vendor),
    "won": _won,
    "scheme": lambda case, sha256: sha256 == case.of.scenario.scheme.sha256,
    "best-value": _best_value,
    "worst-value": _worst_value,
    "winner-value": _winner_value,
    "relation": _relation,
    "winner-price": _winner_price,
    "nothing": lambda case: not any(
        _price_follows(case, lot) or (_best_follows(case, lot, each) is not None)
        for lot in case.offered for each in case.of.criteria
    ),
    **{
        kind: _of_award(kind)
        for kind in ("not-as-required", "below-least", "above-most", "too-few-points")
    },
}  # fmt: skip
FACTS: dict[str, Callable[..., bool]] = {}
