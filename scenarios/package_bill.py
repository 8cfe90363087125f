"""What a package costs, in exact decimals, so that a vendor's sheet can be redone by hand.

Amounts are rounded half up to cents in the currency of the package, as its ``rounding`` says. The
total is converted afterwards, without value-added tax, and rounded once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from scenarios.model.tender import Package, PackageLine, Rounding, VendorTerms

CENT = Decimal("0.01")
_EXACT = Context(prec=80, rounding=ROUND_HALF_UP)
"""Enough digits for products of several doubles, so that only cents are ever rounded."""


class PackageError(ValueError):
    """A package that has no bill, and why."""


@dataclass(frozen=True)
class BilledLine:
    """One line of a package at its quantity, in the currency of the package."""

    line: PackageLine
    quantity: int
    unit_price: Decimal
    amount: Decimal


@dataclass(frozen=True)
class PackageBill:
    """The bill of one package.

    Attributes
    ----------
    lines
        Every line, in the order of the package, in the currency of the package.
    stated_gross, stated_total, stated_per_year
        In the currency of the package, with the tax that its prices have: sum of the lines that are
        due once; the same after the package's discount; the lines of every year after that
        discount.
    total, per_year
        Due once, and in every year, in the currency of the budget and without tax.
    """

    package: Package
    lines: tuple[BilledLine, ...]
    stated_gross: Decimal
    stated_total: Decimal
    stated_per_year: Decimal
    total: Decimal
    per_year: Decimal

    @property
    def stated_discount(self) -> Decimal:
        """What the package's discount takes off what is due once."""
        return self.stated_gross - self.stated_total

    def units(self, kind: str) -> int:
        """Units of all lines of a kind, as in ``rack``."""
        return sum(each.quantity for each in self.lines if each.line.kind == kind)

    @property
    def watts(self) -> Fraction:
        """IT power of all lines but the nodes, in watts."""
        return sum((exact(each.line.watts) * each.quantity for each in self.lines), Fraction(0))


@dataclass(frozen=True)
class VendorBill:
    """What a vendor gets for all its packages.

    Attributes
    ----------
    gross, total
        Sum of its packages, and the same after the discount on that sum.
    discount
        That discount, as a fraction.
    missing
        By how much the sum is below the least sum of an order; 0 where it is not.
    """

    gross: Decimal
    discount: Decimal
    total: Decimal
    missing: Decimal


def package_bill(package: Package, quantities: Mapping[str, int] | None = None) -> PackageBill:
    """Bill a package.

    Parameters
    ----------
    quantities
        Nodes of each node type, by its name; by default as quoted.

    Raises
    ------
    PackageError
        A line follows a name that no line has, or lines follow each other in a circle.

    Examples
    --------
    >>> racks = PackageLine(kind="rack", item="Rack", price=900.5, per="node:a", every=16)
    >>> nodes = PackageLine(kind="node", item="Node", name="a", price=12000.25, quantity=33)
    >>> bill = package_bill(Package(name="p", vendor="V", lot="L", lines=(nodes, racks)))
    >>> [(each.quantity, str(each.amount)) for each in bill.lines], str(bill.total)
    ([(33, '396008.25'), (3, '2701.50')], '398709.75')
    """
    counts = line_quantities(package, quantities)
    lines = tuple(
        _billed(package, line, count) for line, count in zip(package.lines, counts, strict=True)
    )
    gross = _sum(each.amount for each in lines if not each.line.per_year)
    kept = 1 - written(package.discount)
    total = cents(_EXACT.multiply(gross, kept))
    yearly = _sum(each.amount for each in lines if each.line.per_year)
    per_year = cents(_EXACT.multiply(yearly, kept))
    return PackageBill(
        package=package,
        lines=lines,
        stated_gross=gross,
        stated_total=total,
        stated_per_year=per_year,
        total=_converted(package, total),
        per_year=_converted(package, per_year),
    )


def vendor_bill(terms: VendorTerms | None, totals: Iterable[Decimal]) -> VendorBill:
    """Bill all packages of a vendor, given by their totals in the currency of the budget."""
    gross = _sum(totals)
    discount, missing = Decimal(0), Decimal(0)
    if terms is not None:
        missing = max(missing, written(terms.minimum_total) - gross)
        for each in terms.discounts:
            if gross >= written(each.from_total):
                discount = written(each.fraction)
    return VendorBill(gross, discount, cents(_EXACT.multiply(gross, 1 - discount)), missing)


def line_quantities(package: Package, quantities: Mapping[str, int] | None = None) -> list[int]:
    """Units of each line, those that follow nodes or racks rounded up to whole units.

    Raises
    ------
    PackageError
        As for :func:`package_bill`.
    """
    known: dict[str, int] = {}
    counts: dict[int, int] = {}
    for index, line in enumerate(package.lines):
        if line.per is None:
            count = int(line.quantity)
            if line.kind == "node" and quantities is not None and line.name is not None:
                count = quantities.get(line.name, 0)
            counts[index] = count
            _count(known, line, count)
    for index in following(package):
        line = package.lines[index]
        counts[index] = units_per(line, known.get(line.per or "", 0))
        _count(known, line, counts[index])
    return [counts[index] for index in range(len(package.lines))]


def following(package: Package) -> list[int]:
    """Places of the lines that follow nodes or racks; each comes after the line that it follows.

    Raises
    ------
    PackageError
        A line follows a name that no line has, or lines follow each other in a circle.
    """
    ready = {_key(line) for line in package.lines if line.per is None}
    left = [index for index, line in enumerate(package.lines) if line.per is not None]
    order: list[int] = []
    while left:
        later = {_key(package.lines[index]) for index in left}
        now = [i for i in left if package.lines[i].per in ready - later]
        if not now:
            line = package.lines[left[0]]
            known = any(_key(each) == line.per for each in package.lines)
            reason = "follows itself in a circle" if known else "is the name of no line"
            raise PackageError(
                f"{package.name}: per = {line.per!r} of {line.item!r} {reason}; name a line of "
                "nodes or racks of the package"
            )
        order += now
        ready |= {_key(package.lines[index]) for index in now}
        left = [index for index in left if index not in now]
    return order


def units_per(line: PackageLine, count: int) -> int:
    """Units of a line that follows ``count`` nodes or racks, rounded up to whole units."""
    return -int(-(count * share_of(line)) // 1)


def share_of(line: PackageLine) -> Fraction:
    """Units of a line for each node or rack that it follows, before they are rounded up."""
    return exact(line.quantity) / line.every


def _key(line: PackageLine) -> str:
    """How ``per`` names a line."""
    return f"{line.kind}:{line.name}"


def _count(known: dict[str, int], line: PackageLine, count: int) -> None:
    known[_key(line)] = known.get(_key(line), 0) + count


def _billed(package: Package, line: PackageLine, count: int) -> BilledLine:
    price = written(line.price)
    amount = line_amount(price, count, package.rounding)
    return BilledLine(line, count, cents(price) if package.rounding == "unit" else price, amount)


def line_amount(price: Decimal, count: int, rounding: Rounding) -> Decimal:
    """Amount of some units at a price, rounded as the rounding of the package says."""
    amount = _EXACT.multiply(cents(price) if rounding == "unit" else price, Decimal(count))
    return cents(amount) if rounding == "line" else amount


def to_budget(package: Package) -> Fraction:
    """Money of the budget for one of a package's prices: converted, and without value-added tax."""
    return exact(package.rate or 1.0) / (1 + exact(package.vat or 0.0))


def _converted(package: Package, amount: Decimal) -> Decimal:
    if package.rate is None and package.vat is None:
        return amount
    converted = Fraction(amount) * to_budget(package)
    return cents(_EXACT.divide(Decimal(converted.numerator), Decimal(converted.denominator)))


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    total = Decimal(0)
    for amount in amounts:
        total = _EXACT.add(total, amount)
    return total


def written(number: float) -> Decimal:
    """A number as the decimal that a person wrote."""
    return Decimal(repr(float(number)))


def exact(number: float) -> Fraction:
    """The same as a fraction."""
    return Fraction(repr(number))


def cents(amount: Decimal) -> Decimal:
    """An amount rounded half up to cents; half a cent of a rebate is rounded away from zero."""
    return amount.quantize(CENT, context=_EXACT)
