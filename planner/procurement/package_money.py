"""Amounts of a package as sums over quantities, and how far cents may move them.

What a person computes is rounded to cents at every step; a linear program cannot do that. Where
no step rounds anything, the sum is exact. Elsewhere half a cent per step is added, so that a
package never costs more than the program thinks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from scenarios.model.tender import Package, PackageLine, VendorTerms
from scenarios.package_bill import cents, exact, line_quantities, package_bill, to_budget, written

HALF_A_CENT = Fraction(1, 200)


@dataclass(frozen=True)
class Amount:
    """``sum of prices x units of each line, + fixed`` where the package is bought.

    Attributes
    ----------
    prices
        Money of the budget for one unit of each line; 0 for lines that do not count.
    fixed
        Due once the package is bought: all of it where nothing varies, else what rounding may add.
    slack
        By how much more than the bill this may be.
    """

    prices: tuple[Fraction, ...]
    fixed: Fraction
    slack: Fraction = Fraction(0)

    @property
    def in_cents(self) -> bool:
        """Whether the amount is whole cents at any quantities."""
        return all(_whole(each) for each in (*self.prices, self.fixed))


def varies(package: Package) -> bool:
    """Whether the number of nodes of any line can vary."""
    limits = (package.limits(line) for line in package.node_lines)
    return any(least < most for least, most in limits)


def amounts(package: Package) -> tuple[Amount, Amount]:
    """What is due once, before the discount on the vendor's total, and in every year."""
    if not varies(package):
        bill = package_bill(package)
        nothing = tuple(Fraction(0) for _ in package.lines)
        return Amount(nothing, Fraction(bill.total)), Amount(nothing, Fraction(bill.per_year))
    return _varying(package, per_year=False), _varying(package, per_year=True)


def _varying(package: Package, *, per_year: bool) -> Amount:
    mine = [line.per_year == per_year for line in package.lines]
    prices = [
        _unit_price(package, line) if counts else Fraction(0)
        for line, counts in zip(package.lines, mine, strict=True)
    ]
    rounded_lines = sum(not _whole(price) for price in prices) * (package.rounding == "line")
    added = rounded_lines * HALF_A_CENT
    for factor in (1 - exact(package.discount), to_budget(package)):
        prices, added = [price * factor for price in prices], added * factor
        if not all(map(_whole, prices)):
            added += HALF_A_CENT
    return Amount(tuple(prices), added, 2 * added)


def _unit_price(package: Package, line: PackageLine) -> Fraction:
    price = written(line.price)
    return Fraction(cents(price) if package.rounding == "unit" else price)


def largest(package: Package) -> Fraction:
    """More than a package can cost before the discount on the vendor's total."""
    most = {line.name or "": package.limits(line)[1] for line in package.node_lines}
    once, _ = amounts(package)
    paid = zip(once.prices, line_quantities(package, most), strict=True)
    return once.fixed + sum((price * n for price, n in paid if price > 0), Fraction(0))


def discounted(
    terms: VendorTerms | None, totals: Iterable[Amount]
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Every discount of a vendor: from which sum, which share is paid, and what rounding may add.

    The first has no discount.
    """
    every = list(totals)
    steps = [(Fraction(0), Fraction(1), Fraction(0))]
    for each in terms.discounts if terms is not None else ():
        paid = 1 - exact(each.fraction)
        whole = all(
            amount.in_cents and all(_whole(part * paid) for part in (*amount.prices, amount.fixed))
            for amount in every
        )
        steps.append((exact(each.from_total), paid, Fraction(0) if whole else HALF_A_CENT))
    return steps


def _whole(amount: Fraction | Decimal) -> bool:
    return (Fraction(amount) * 100).denominator == 1
