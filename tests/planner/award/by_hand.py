"""An award worked out again from the raw tender: slowly, by other ways than the program's.

Written from docs/award.md alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.planner.procurement.tenders import billed

Raw = Mapping[str, Any]


def exact(number: float) -> Fraction:
    return Fraction(str(number))


def cost(package: Raw) -> Fraction:
    """What a package costs at the quoted quantities."""
    nodes = {e["name"]: e["quantity"] for e in package["lines"] if e["kind"] == "node"}
    once: Fraction = billed({"rounding": "line", **package}, nodes)["once"]
    return once


def every_year(package: Raw) -> Fraction:
    """What a package costs in every year."""
    nodes = {e["name"]: e["quantity"] for e in package["lines"] if e["kind"] == "node"}
    yearly: Fraction = billed({"rounding": "line", **package}, nodes)["yearly"]
    return yearly


def half_up(number: Fraction, places: int | None) -> Fraction:
    if places is None:
        return number
    scaled = number * 10**places
    floor = scaled.numerator // scaled.denominator
    return Fraction(floor + (scaled - floor >= Fraction(1, 2)), 10**places)


NODE = {"idle_w": 100, "peak_w": 1000}
UTILISATION, PUE = 0.5, 1.25
"""Of tenders that judge energy: of every node, of the budget and of the feed."""


LIFE = {
    "lifetime_years": 2, "discount_rate": 0.25, "energy_price_per_kwh": 0.5, "utilisation": 0.5,
    "maintenance_fraction_per_year": 0.125,
}  # fmt: skip
"""Budget of tenders that judge the total cost."""
ANNUITY = 1 / Fraction(5, 4) + 1 / Fraction(5, 4) ** 2


class ByHand:
    """The packages of a tender, its scheme, and what follows; ``points`` replaces most points."""

    def __init__(
        self, packages: Sequence[Raw], criteria: Sequence[Raw], scheme: Raw,
        most: Mapping[str, Fraction] | None = None, *, rounds: bool = True,
    ) -> None:  # fmt: skip
        self.packages = packages
        self.scheme = scheme
        self.criteria = criteria
        self.most = {each["name"]: exact(each["points"]) for each in criteria} | dict(most or {})
        self.rounds = rounds
        self.known: dict[tuple[str, ...], Any] = {}

    def value(self, package: Raw, criterion: Raw, lot: Sequence[Raw]) -> Fraction:
        source = criterion["value_from"]
        figures = {each["name"]: exact(each["value"]) for each in package["figures"]}
        if source == "price":
            return cost(package)
        if source == "energy":
            mean_w = exact(UTILISATION) * NODE["peak_w"] + exact(1 - UTILISATION) * NODE["idle_w"]
            nodes = sum(line["quantity"] for line in package["lines"] if line["kind"] == "node")
            return Fraction(nodes * mean_w * exact(PUE) * 8760 / 1000)
        if source == "total cost":
            return cost(package) + ANNUITY * self.yearly(package, lot)
        if source == "figure":
            return figures[criterion["figure"]]
        if source == "benchmarks":
            parts = []
            for name, weight in criterion["benchmarks"].items():
                largest = max(exact(e["value"]) for other in lot for e in other["figures"]
                              if e["name"] == name)  # fmt: skip
                parts.append((exact(weight), figures[name] / largest))
            total = sum((w for w, _ in parts), Fraction(0))
            return sum((w * v for w, v in parts), Fraction(0)) / total
        given = [
            exact(row[3]) for row in self.scheme.get("points", ())
            if row[0] == package["name"] and row[1] == criterion["name"]
            and (criterion.get("combine") != "agreed" or row[2] == "agreed")
        ]  # fmt: skip
        if criterion.get("combine") == "median":
            given.sort()
            return (given[(len(given) - 1) // 2] + given[len(given) // 2]) / 2
        return sum(given, Fraction(0)) / len(given)

    def yearly(self, package: Raw, lot: Sequence[Raw]) -> Fraction:
        """Yearly lines, maintenance and energy of a package."""
        energy = self.value(package, {"value_from": "energy"}, lot)
        fees = exact(LIFE["maintenance_fraction_per_year"]) * cost(package)
        return every_year(package) + fees + exact(LIFE["energy_price_per_kwh"]) * energy

    def points(self, package: Raw, criterion: Raw, lot: Sequence[Raw]) -> Fraction:
        most, v = self.most[criterion["name"]], self.value(package, criterion, lot)
        formula = criterion.get("formula", "ratio")
        if formula == "as_given":
            got = v * most / exact(criterion["points"])
        else:
            every = [self.value(each, criterion, lot) for each in lot]
            less = criterion["better"] == "less"
            best, worst = (min(every), max(every)) if less else (max(every), min(every))
            if formula == "ratio":
                got = most * best / v if less else most * v / best
            elif formula == "linear":
                full, zero = (
                    exact(e["times_best"]) * best if isinstance(e, dict) else exact(e)
                    for e in (criterion["full_at"], criterion["zero_at"])
                )
                got = most * (v - zero) / (full - zero)
                got = max(Fraction(0), min(most, got))
            else:
                got = most if worst == best else most * (v - worst) / (best - worst)
        places = self.scheme.get("decimals")
        return half_up(got, places) if self.rounds and self.by_criterion else got

    @property
    def by_criterion(self) -> bool:
        return bool(self.scheme.get("rounding", "criterion") == "criterion")

    def sums(self, package: Raw, lot: Sequence[Raw]) -> tuple[Fraction, Fraction]:
        """All points, and those without the price."""
        key = (package["name"], *(each["name"] for each in lot))
        if key not in self.known:
            self.known[key] = self._sums(package, lot)
        found: tuple[Fraction, Fraction] = self.known[key]
        return found

    def _sums(self, package: Raw, lot: Sequence[Raw]) -> tuple[Fraction, Fraction]:
        every = {c["name"]: self.points(package, c, lot) for c in self.criteria}
        total = sum(every.values(), Fraction(0))
        without = sum(
            (every[c["name"]] for c in self.criteria if c["value_from"] != "price"), Fraction(0)
        )
        places = self.scheme.get("decimals") if self.rounds else None
        return half_up(total, places), half_up(without, places)

    def is_better(self, one: Raw, other: Raw, lot: Sequence[Raw]) -> bool:
        """Whether the scheme ranks one package before another of its lot."""
        method = self.scheme.get("method", "points")
        totals = [self.sums(each, lot) for each in (one, other)]
        if method == "points":
            if totals[0][0] != totals[1][0]:
                return totals[0][0] > totals[1][0]
            return self.wins_tie(one, other, lot, self.scheme.get("ties", ()))
        quotients = {each["name"]: self.sums(each, lot)[1] / cost(each) for each in lot}
        mine, theirs = quotients[one["name"]], quotients[other["name"]]
        if method == "corridor":
            least = max(quotients.values()) * (1 - exact(self.scheme["corridor"]))
            inside = mine >= least, theirs >= least
            if inside[0] != inside[1]:
                return inside[0]
            if all(inside):
                names = (self.scheme["decides"], *self.scheme.get("ties", ()))
                return self.wins_tie(one, other, lot, names)
        if mine != theirs:
            return mine > theirs
        return self.wins_tie(one, other, lot, self.scheme.get("ties", ()))

    def wins_tie(self, one: Raw, other: Raw, lot: Sequence[Raw], names: Sequence[str]) -> bool:
        for name in names:
            if name == "points":
                mine, theirs = self.sums(one, lot)[1], self.sums(other, lot)[1]
            else:
                (criterion,) = [each for each in self.criteria if each["name"] == name]
                mine, theirs = (self.value(each, criterion, lot) for each in (one, other))
                if criterion.get("better") == "less":
                    mine, theirs = -mine, -theirs
            if mine != theirs:
                return mine > theirs
        return False

    def rank(self, package: Raw, lot: Sequence[Raw]) -> int:
        return 1 + sum(self.is_better(other, package, lot) for other in lot)

    def lots(self) -> dict[str, list[Raw]]:
        found: dict[str, list[Raw]] = {}
        for each in self.packages:
            found.setdefault(each["lot"], []).append(each)
        return found

    def winners(self) -> list[set[str]]:
        """Winners of each lot; several are tied."""
        most = self.scheme.get("most_lots_per_vendor", 99)
        lots = [*self.lots().values()]
        if self.scheme.get("lots") == "best sum":
            return self._best_sums(lots, most)
        won: list[str] = []
        found = []
        for lot in lots:
            left = [each for each in lot if won.count(each["vendor"]) < most]
            ranks = {each["name"]: self.rank(each, lot) for each in left}
            names = {name for name, rank in ranks.items() if rank == min(ranks.values())}
            found.append(names)
            won += [each["vendor"] for each in left if names == {each["name"]}]
        return found

    def _best_sums(self, lots: list[list[Raw]], most: int) -> list[set[str]]:
        totals = {e["name"]: self.sums(e, lot)[0] for lot in lots for e in lot}
        ranks = {e["name"]: self.rank(e, lot) for lot in lots for e in lot}
        scored = []
        for choice in itertools.product(*([*lot, None] for lot in lots)):
            vendors = [each["vendor"] for each in choice if each]
            if max((vendors.count(v) for v in vendors), default=0) <= most:
                total = sum((totals[each["name"]] for each in choice if each), Fraction(0))
                order = tuple(-ranks[each["name"]] if each else -99 for each in choice)
                scored.append(((total, order), choice))
        best = max(key for key, _ in scored)
        chosen = [choice for key, choice in scored if key == best]
        return [{one["name"] for c in chosen if (one := c[at])} for at in range(len(lots))]
