"""What a number of nodes costs: racks, switches, cables, installation, and every year after.

Packages are billed in exact decimals, line by line as their vendors quote them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from planner.errors import PlanError
from planner.procurement.problem import Problem
from scenarios.package_bill import PackageBill, VendorBill, package_bill, to_budget, vendor_bill


@dataclass(frozen=True)
class Fabric:
    """Switches and cables of a two-level fat tree."""

    leaves: int = 0
    spines: int = 0
    node_cables: int = 0
    uplinks: int = 0


@dataclass(frozen=True)
class Line:
    """One line of the bill of materials.

    Attributes
    ----------
    package
        Title of the package to which it belongs; empty for what is on free sale.
    rounded
        The amount where it was rounded to cents; by default quantity times unit price.
    """

    item: str
    vendor: str
    quantity: int
    unit_price: float
    package: str = ""
    rounded: float | None = None

    @property
    def amount(self) -> float:
        """Quantity times unit price, rounded where the vendor rounds."""
        return self.quantity * self.unit_price if self.rounded is None else self.rounded


@dataclass(frozen=True)
class Bill:
    """Bill of materials.

    Attributes
    ----------
    lines
        Nodes, racks, switches and cables; lines of packages that are due once, and discounts.
    racks
        Racks per offer. A package's own racks are those of the offer that represents it.
    fabric_w
        Power of all switches and of the lines of packages, in watts.
    hardware, capital
        Sum of the lines; the same with installation and fixed outlay.
    installation, maintenance
        Installation; maintenance and service of a year.
    packages, vendors
        Bills of the packages that are bought, by their index, and of their vendors, by name.
    """

    lines: tuple[Line, ...]
    racks: tuple[int, ...]
    fabric: Fabric
    fabric_w: float
    hardware: float
    capital: float
    installation: float
    maintenance: float
    packages: Mapping[int, PackageBill] = field(default_factory=dict)
    vendors: Mapping[str, VendorBill] = field(default_factory=dict)


def every_line(problem: Problem, bill_: Bill) -> tuple[Line, ...]:
    """The lines of a bill, then installation and fixed outlay: together they sum to the capital."""
    prices = problem.prices
    further = (
        ("installation", bill_.installation),
        ("fixed outlay", prices.fixed_capital),
    )
    return (*bill_.lines, *(Line(item, "", 1, amount) for item, amount in further if amount))


def racks_for(problem: Problem, offer: int, nodes: int) -> int:
    """Racks for ``nodes`` nodes of one type; 0 where racks are not counted."""
    fit = problem.offers[offer].nodes_per_rack
    return 0 if fit is None else math.ceil(nodes / fit)


def fabric_for(problem: Problem, ports: int) -> Fabric:
    """Fewest switches for ``ports`` node ports; a single leaf needs no spine."""
    network = problem.network
    if network is None or ports == 0:
        return Fabric()
    leaves = math.ceil(ports / network.leaf_node_ports)
    uplinks = leaves * network.leaf_uplinks if leaves > 1 else 0
    return Fabric(leaves, math.ceil(uplinks / network.spine_ports), ports, uplinks)


def bill(problem: Problem, nodes: Sequence[int]) -> Bill:
    """Bill for a purchase, given as the number of nodes of each offer.

    Raises
    ------
    PlanError
        A quantity is not on offer.
    """
    offers, prices, network = problem.offers, problem.prices, problem.network
    lines = [
        Line(offer.title, offer.vendor, count, offer.price(count))
        for offer, count in zip(offers, nodes, strict=True)
        if count and offer.package is None
    ]
    packages = package_bills(problem, nodes)
    racks = [racks_for(problem, offer_index, count) for offer_index, count in enumerate(nodes)]
    fabric = fabric_for(problem, sum(o.ports * n for o, n in zip(offers, nodes, strict=True)))
    parts = [("rack", sum(racks), prices.rack)]
    fabric_w = 0.0
    if network is not None:
        fabric_w = fabric.leaves * network.leaf_w + fabric.spines * network.spine_w
        parts += [
            ("leaf switch", fabric.leaves, network.leaf_price),
            ("spine switch", fabric.spines, network.spine_price),
            ("node cable", fabric.node_cables, network.node_cable_price),
            ("uplink cable", fabric.uplinks, network.uplink_cable_price),
        ]
    lines += [Line(item, "", count, price) for item, count, price in parts if count and price]
    hardware = math.fsum(line.amount for line in lines)
    if not packages:
        return Bill(
            lines=tuple(lines),
            racks=tuple(racks),
            fabric=fabric,
            fabric_w=fabric_w,
            hardware=hardware,
            capital=hardware * (1 + prices.installation) + prices.fixed_capital,
            installation=hardware * prices.installation,
            maintenance=hardware * prices.maintenance,
        )
    vendors = vendor_bills(problem, packages)
    for number, each in packages.items():
        racks[problem.packages[number].carrier] = each.units("rack")
    watts = Fraction(fabric_w) + sum((each.watts for each in packages.values()), Fraction(0))
    bears = [(problem.packages[number], float(each.total)) for number, each in packages.items()]
    installed = math.fsum([hardware, *(total for p, total in bears if p.bears_installation)])
    maintained = math.fsum([hardware, *(total for p, total in bears if p.bears_maintenance)])
    yearly = math.fsum(float(each.per_year) for each in packages.values())
    hardware = math.fsum([hardware, *(float(each.total) for each in vendors.values())])
    return Bill(
        lines=(*lines, *_package_lines(problem, packages, vendors)),
        racks=tuple(racks),
        fabric=fabric,
        fabric_w=float(watts),
        hardware=hardware,
        capital=hardware + installed * prices.installation + prices.fixed_capital,
        installation=installed * prices.installation,
        maintenance=maintained * prices.maintenance + yearly,
        packages=packages,
        vendors=vendors,
    )


def package_bills(problem: Problem, nodes: Sequence[int]) -> dict[int, PackageBill]:
    """Bill of each package that is bought, by its index.

    Raises
    ------
    PlanError
        Nodes of a package are bought without it, or in a number that it does not offer.
    """
    bills = {}
    for number, each in enumerate(problem.packages):
        counts = {problem.offers[index].name: nodes[index] for index in each.nodes}
        if not nodes[each.carrier]:
            if any(counts.values()):
                raise PlanError(f"{each.package.name}: its nodes are sold in the package only")
            continue
        for line in each.package.node_lines:
            least, most = each.package.limits(line)
            if not least <= counts.get(line.name or "", 0) <= most:
                raise PlanError(
                    f"{each.package.name}: {counts.get(line.name or '', 0)} nodes of {line.name} "
                    f"are not on offer ({least} to {most})"
                )
        bills[number] = package_bill(each.package, counts)
    return bills


def vendor_bills(problem: Problem, packages: Mapping[int, PackageBill]) -> dict[str, VendorBill]:
    """Bill of each vendor of packages that are bought, by its name."""
    totals: dict[str, list[Decimal]] = {}
    for number, each in packages.items():
        totals.setdefault(problem.packages[number].package.vendor, []).append(each.total)
    return {vendor: vendor_bill(problem.terms_of(vendor), sums) for vendor, sums in totals.items()}


def _package_lines(
    problem: Problem, packages: Mapping[int, PackageBill], vendors: Mapping[str, VendorBill]
) -> Iterator[Line]:
    """Lines of packages that are due once, and what discounts and conversion take off or add."""
    for number, bill_ in packages.items():
        package = problem.packages[number].package
        rate = to_budget(package)
        shown = Fraction(0)
        for each in bill_.lines:
            if each.line.per_year or not each.quantity:
                continue
            amount = float(Fraction(each.amount) * rate)
            shown += Fraction(each.amount) * rate
            price = float(Fraction(each.unit_price) * rate)
            yield Line(each.line.item, package.vendor, each.quantity, price, package.title, amount)
        rest = float(Fraction(bill_.total) - shown)
        if rest:
            item = f"{'discount' if package.discount else 'rounding'} of the package"
            yield Line(item, package.vendor, 1, rest, package.title, rest)
    for vendor, paid in vendors.items():
        if paid.total != paid.gross:
            change = float(paid.total - paid.gross)
            yield Line("discount on the vendor's total", vendor, 1, change, rounded=change)


def operating_per_year(problem: Problem, bill_: Bill, mean_it_w: float, price: float) -> float:
    """Maintenance, staff and energy of one year at one energy price."""
    prices = problem.prices
    return bill_.maintenance + prices.staff + mean_it_w * prices.energy_per_w(price)


def total_cost(problem: Problem, bill_: Bill, mean_it_w: float) -> float:
    """Total cost of ownership: capital, and the present value of every year of operation."""
    prices = problem.prices
    year = operating_per_year(problem, bill_, mean_it_w, prices.expected_energy_price)
    return bill_.capital + prices.annuity * year
