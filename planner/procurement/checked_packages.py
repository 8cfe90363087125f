"""What packages cost, take and must hold, recomputed for the checker alone.

As in the checker, nothing is shared with the modules that make plans: lines are multiplied and
rounded here once more, in fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from planner.procurement.checked_bounds import above, below
from planner.procurement.problem import Offer, Problem
from scenarios.model.tender import Package, PackageLine


@dataclass(frozen=True)
class Billed:
    """A package at some number of nodes, in the currency of the budget.

    Attributes
    ----------
    lines
        Item, units, unit price and amount of each line that is due once.
    once, per_year
        What is due once and in every year, after the discount of the package.
    racks, watts
        Racks and watts of its own lines.
    """

    package: Package
    lines: tuple[tuple[str, int, Fraction, Fraction], ...]
    once: Fraction
    per_year: Fraction
    racks: int
    watts: Fraction

    @property
    def bears(self) -> tuple[bool, bool]:
        """Whether the site's installation and maintenance count on it."""
        kinds = [(line.kind, line.per_year) for line in self.package.lines]
        installed = "installation" in {kind for kind, _ in kinds}
        return not installed, ("service", True) not in kinds


def written(number: float) -> Fraction:
    """The decimal that a person wrote."""
    return Fraction(repr(number))


def to_cents(amount: Fraction) -> Fraction:
    """Half up to cents; away from zero below it."""
    whole = floor(abs(amount) * 100 + Fraction(1, 2))
    return Fraction(whole if amount >= 0 else -whole, 100)


def billed(problem: Problem, number: int, counts: Sequence[int]) -> Billed:
    """A package at the numbers of nodes of each offer."""
    offer = problem.packages[number]
    package = offer.package
    nodes = {problem.offers[index].name: counts[index] for index in offer.nodes}
    rate = Fraction(1) if package.rate is None else written(package.rate)
    rate /= 1 + (Fraction(0) if package.vat is None else written(package.vat))
    sums, lines, racks, watts = {False: Fraction(0), True: Fraction(0)}, [], 0, Fraction(0)
    for line in package.lines:
        units = _units(package, line, nodes)
        price = written(line.price)
        price = to_cents(price) if package.rounding == "unit" else price
        amount = units * price
        amount = to_cents(amount) if package.rounding == "line" else amount
        sums[line.per_year] += amount
        racks += units if line.kind == "rack" else 0
        watts += units * written(line.watts)
        if units and not line.per_year:
            lines.append((line.item, units, price * rate, amount * rate))
    kept = 1 - written(package.discount)
    paid = {yearly: to_cents(total * kept) for yearly, total in sums.items()}
    if package.rate is not None or package.vat is not None:
        paid = {yearly: to_cents(total * rate) for yearly, total in paid.items()}
    return Billed(package, tuple(lines), paid[False], paid[True], racks, watts)


def _units(package: Package, line: PackageLine, nodes: dict[str, int]) -> int:
    if line.per is None:
        return nodes.get(line.name or "", 0) if line.kind == "node" else int(line.quantity)
    followed = sum(
        _units(package, each, nodes)
        for each in package.lines
        if f"{each.kind}:{each.name}" == line.per
    )
    return ceil(followed * written(line.quantity) / line.every)


def vendor_total(problem: Problem, vendor: str, gross: Fraction) -> Fraction:
    """What a vendor is paid for packages of that sum."""
    paid = Fraction(1)
    for terms in problem.vendor_terms:
        for each in terms.discounts if terms.vendor == vendor else ():
            if gross >= written(each.from_total):
                paid = 1 - written(each.fraction)
    return to_cents(gross * paid)


def gross_by_vendor(bought: Sequence[Billed]) -> dict[str, Fraction]:
    """Sum of the packages of each vendor, before its discount on that sum."""
    sums: dict[str, Fraction] = {}
    for each in bought:
        vendor = each.package.vendor
        sums[vendor] = sums.get(vendor, Fraction(0)) + each.once
    return sums


def package_violations(problem: Problem, bought: Sequence[Billed], counts: Sequence[int]
) -> Iterator[str]:  # fmt: skip
    """Everything that the choice of packages breaks."""
    numbers = {each.package.name for each in bought}
    for offer in problem.packages:
        chosen = offer.package.name in numbers
        for line in offer.package.node_lines:
            count = sum(counts[i] for i in offer.nodes if problem.offers[i].name == line.name)
            least, most = offer.package.limits(line) if chosen else (0, 0)
            if not least <= count <= most:
                yield f"{offer.package.name}: {count} nodes of {line.name}, not {least} to {most}"
    groups = sorted({each.package.group for each in bought if each.package.group is not None})
    for group in groups:
        many = sum(each.package.group == group for each in bought)
        yield from above(f"packages of group {group}", many, 1)
    for vendor, gross in gross_by_vendor(bought).items():
        terms = problem.terms_of(vendor)
        if terms is not None:
            unit = problem.prices.currency
            yield from below(f"order from {vendor}", gross, terms.minimum_total, unit=unit)
    for number in range(len(problem.lots)):
        yield from _lot(problem, number, bought, counts)


def _lot(
    problem: Problem, number: int, bought: Sequence[Billed], counts: Sequence[int]
) -> Iterator[str]:
    lot = problem.lots[number]
    mine = [each for each in bought if each.package.lot == lot.name]
    yield from above(f"packages of lot {lot.name}", len(mine), 1)
    if not mine:
        if not lot.optional:
            yield f"lot {lot.name} has no package"
        return
    if lot.capital is not None:
        cost, unit = sum((each.once for each in mine), Fraction(0)), problem.prices.currency
        yield from above(f"capital of lot {lot.name}", cost, lot.capital, unit=unit)
    held = [
        (problem.offers[index], counts[index])
        for offer in problem.packages
        if any(offer.package.name == each.package.name for each in mine)
        for index in offer.nodes
    ]
    nodes = sum(count for _, count in held)
    memory = sum((written(offer.memory_gb) * n for offer, n in held), Fraction(0))
    yield from below(f"nodes of lot {lot.name}", nodes, lot.nodes)
    yield from below(f"memory of lot {lot.name}", memory, lot.total_memory_gb, unit="GB")
    for share in lot.shares:
        parts = [
            (offer, n * (quoted_price(offer, n) if share.of == "spend" else Fraction(1)))
            for offer, n in held
        ]
        whole = sum((part for _, part in parts), Fraction(0))
        counted = sum(
            (
                part
                for offer, part in parts
                if share.counts(offer.kind, offer.vendor, offer.attributes)
            ),
            Fraction(0),
        )
        if whole:
            subject = f"{share.subject} in lot {lot.name}"
            yield from below(subject, counted / whole, share.least, unit="%")
            yield from above(subject, counted / whole, share.most, unit="%")


def quoted_price(offer: Offer, count: int) -> Fraction:
    """What one node was quoted at: a hypothetical discount leaves shares as they are."""
    price = next((t.price for t in offer.tiers if t.first <= count <= t.last), 0.0)
    return Fraction(f"{price * offer.quoted:.15g}")
