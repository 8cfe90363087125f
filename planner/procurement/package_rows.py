"""Packages of a tender as columns and rows: which are bought, what they cost, take and must hold.

A package is the column of the offer that stands for it. Where its numbers of nodes vary, its other
lines follow them in columns of their own; else they are constants.
"""

from __future__ import annotations

from fractions import Fraction

from planner.procurement.columns import Terms, summed
from planner.procurement.package_money import Amount, amounts, discounted, largest, varies
from planner.procurement.problem import Offer, PackageOffer
from planner.procurement.purchase import Begun
from scenarios.model.procurement import ShareLimit
from scenarios.package_bill import exact, following, line_quantities, share_of


def add_packages(program: Begun) -> None:
    """Packages, after the nodes: their money, racks and watts go into the columns' sums."""
    problem, cols = program.problem, program.columns
    bills: dict[str, list[tuple[Amount, Terms]]] = {}
    for number, offer in enumerate(problem.packages):
        _held_together(program, number, offer)
        units = _units(program, number, offer)
        once, yearly = amounts(offer.package)
        chosen = bought(program, offer)
        total = _money(program, once, units, chosen)
        every_year = _money(program, yearly, units, chosen)
        cols.package_totals.append(total)
        bills.setdefault(offer.package.vendor, []).append((once, total))
        prices = problem.prices
        if offer.bears_installation:
            cols.package_capital += [(c, v * prices.installation) for c, v in total]
        if offer.bears_maintenance:
            cols.package_year += [(c, v * prices.maintenance) for c, v in total]
        cols.package_year += every_year
        for line, count in zip(offer.package.lines, units, strict=True):
            if line.kind == "rack":
                cols.package_racks += count
            if line.watts:
                cols.fabric_power += [(c, v * line.watts / problem.power_unit) for c, v in count]
    for number, (vendor, parts) in enumerate(bills.items()):
        _vendor(program, number, vendor, parts)
    _choose(program)
    for number in range(len(problem.lots)):
        _lot(program, number)


def bought(program: Begun, offer: PackageOffer) -> int:
    """Column that says whether a package is bought."""
    return program.columns.offer_nodes[offer.carrier][0][0]


def _held_together(program: Begun, number: int, offer: PackageOffer) -> None:
    """Lines of nodes are bought with the package, and only with it."""
    chosen = bought(program, offer)
    lines = {line.name: line for line in offer.package.node_lines}
    for index in offer.nodes:
        least, _ = offer.package.limits(lines[program.problem.offers[index].name])
        terms = [(int(program.columns.buys[index]), 1.0), (chosen, -1.0)]
        lower = {"lower": 0.0} if least else {}
        program.row(f"in_package_{number}_{index}", terms, upper=0.0, **lower)


def _units(program: Begun, number: int, offer: PackageOffer) -> list[Terms]:
    """Units of each line; those that follow nodes or racks are rounded up to whole ones."""
    package, chosen = offer.package, bought(program, offer)
    if not varies(package):
        return [[(chosen, float(count))] for count in line_quantities(package)]
    counts: list[Terms] = [[] for _ in package.lines]
    known: dict[str, Terms] = {}
    offers = {program.problem.offers[index].name: index for index in offer.nodes}
    for place, line in enumerate(package.lines):
        if line.kind == "node" and line.name in offers:
            counts[place] = program.columns.offer_nodes[offers[line.name]]
        elif line.kind != "node" and line.per is None:
            counts[place] = [(chosen, line.quantity)]
        known.setdefault(f"{line.kind}:{line.name}", []).extend(counts[place])
    for place in following(package):
        line, share = package.lines[place], share_of(package.lines[place])
        units = program.column(f"units_{number}_{place}", integer=True)
        counts[place] = [(units, 1.0)]
        followed = [(c, -v * float(share)) for c, v in known[line.per or ""]]
        # the next whole number: at least the product, and less than one above it
        below = float(1 - Fraction(1, share.denominator))
        program.row(f"enough_{number}_{place}", [(units, 1.0), *followed], lower=0.0)
        program.row(f"rounded_{number}_{place}", [(units, 1.0), *followed], upper=below)
        known.setdefault(f"{line.kind}:{line.name}", []).extend(counts[place])
    return counts


def _money(program: Begun, amount: Amount, units: list[Terms], chosen: int) -> Terms:
    """An amount in the program's unit."""
    unit = Fraction(program.problem.money_unit)
    terms = [
        (column, float(price / unit) * value)
        for price, count in zip(amount.prices, units, strict=True)
        if price
        for column, value in count
    ]
    if amount.fixed:
        terms.append((chosen, float(amount.fixed / unit)))
    return summed(terms)


def _vendor(program: Begun, number: int, vendor: str, parts: list[tuple[Amount, Terms]]) -> None:
    """What a vendor is paid: its total after discount, of which it sells no less than it says."""
    problem, cols = program.problem, program.columns
    terms, unit = problem.terms_of(vendor), Fraction(problem.money_unit)
    slack = sum((amount.slack for amount, _ in parts), Fraction(0))
    gross: Terms = summed([term for _, total in parts for term in total])
    if terms is not None and terms.minimum_total:
        least = float((exact(terms.minimum_total) + slack) / unit)
        for place, offer in enumerate(problem.packages):
            if offer.package.vendor == vendor:
                row = [*gross, (bought(program, offer), -least)]
                program.row(f"least_total_{number}_{place}", summed(row), lower=0.0)
    steps = discounted(terms, [amount for amount, _ in parts])
    if len(steps) == 1:
        cols.package_capital += gross
        return
    most = float(sum(largest(offer.package) for offer in problem.packages
                     if offer.package.vendor == vendor) / unit)  # fmt: skip
    whole, only = [(c, -v) for c, v in gross], []
    for place, (start, paid, added) in enumerate(steps):
        inside = program.column(f"in_discount_{number}_{place}", upper=1.0, integer=True)
        money = program.column(f"discounted_{number}_{place}")
        program.row(f"up_to_{number}_{place}", [(money, 1.0), (inside, -most)], upper=0.0)
        if start:
            first = [(money, 1.0), (inside, -float((start + slack) / unit))]
            program.row(f"from_{number}_{place}", first, lower=0.0)
        cols.package_capital += [(money, float(paid)), (inside, float(added / unit))]
        whole.append((money, 1.0))
        only.append((inside, 1.0))
    program.row(f"discounted_{number}", whole, lower=0.0, upper=0.0)
    program.row(f"one_discount_{number}", only, upper=1.0)


def _choose(program: Begun) -> None:
    """One package of each lot, none of an optional one perhaps; of a group at most one."""
    problem = program.problem
    for number, lot in enumerate(problem.lots):
        mine = [(bought(program, o), 1.0) for o in problem.packages if o.lot == number]
        lower = 0.0 if lot.optional else 1.0
        program.row(f"lot_{number}", mine, lower=lower, upper=1.0)
    groups: dict[str, Terms] = {}
    for offer in problem.packages:
        if offer.package.group is not None:
            groups.setdefault(offer.package.group, []).append((bought(program, offer), 1.0))
    for number, terms in enumerate(groups.values()):
        program.row(f"group_{number}", terms, upper=1.0)


def _lot(program: Begun, number: int) -> None:
    """Limits of one lot: money, nodes, memory and shares."""
    problem, cols, lot = program.problem, program.columns, program.problem.lots[number]
    mine = [o for o in problem.packages if o.lot == number]
    places = [index for offer in mine for index in offer.nodes]
    if lot.capital is not None:
        total = [
            term
            for offer, terms in zip(problem.packages, cols.package_totals, strict=True)
            if offer.lot == number
            for term in terms
        ]
        program.row(
            f"lot_capital_{number}",
            summed(total),
            upper=lot.capital / problem.money_unit,
        )
    for name, least, size in (
        ("nodes", float(lot.nodes), lambda _: 1.0),
        ("memory", lot.total_memory_gb, lambda offer: offer.memory_gb),
    ):
        if least and mine:
            held: Terms = [
                (column, size(problem.offers[index]))
                for index in places
                for column, _ in cols.offer_nodes[index]
            ]
            held += [(bought(program, offer), -least) for offer in mine]
            program.row(f"lot_{name}_{number}", held, lower=0.0)
    for place, share in enumerate(lot.shares):
        add_share(program, share, places, f"lot_{number}_{place}")


def add_share(program: Begun, share: ShareLimit, places: list[int], name: str) -> None:
    """The rows of a share of some offers, within its limits."""
    cols, offers = program.columns, program.problem.offers
    for end, bound, sign in (("least", share.least, 1.0), ("most", share.most, -1.0)):
        if (sign > 0 and bound > 0) or (sign < 0 and bound < 1):
            terms = [
                (column, sign * value * (float(counted(share, offers[index])) - bound))
                for index in places
                for column, value in (
                    cols.offer_nodes[index]
                    if share.of == "nodes"
                    else [(c, v * offers[index].quoted) for c, v in cols.offer_money[index]]
                )
            ]
            program.row(f"share_{end}_{name}", summed(terms), lower=0.0)


def counted(share: ShareLimit, offer: Offer) -> bool:
    """Whether nodes of an offer are among those whose share is taken."""
    return share.counts(offer.kind, offer.vendor, offer.attributes)
