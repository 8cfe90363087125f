"""Packages of a tender, as algebra: which are bought, what they cost, take and must hold.

A part of :mod:`planner.formulations.procurement`, whose docstring holds the mathematics. Money and
power are in the problem's units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.procurement.package_money import Amount, amounts, discounted, largest, varies
from planner.procurement.problem import Problem
from scenarios.model.procurement import ShareLimit
from scenarios.package_bill import exact, following, line_quantities, share_of

if TYPE_CHECKING:
    import pulp


@dataclass(frozen=True, eq=False)
class Packages:
    """What packages add to the sums of a purchase.

    Attributes
    ----------
    capital, year
        Money once with the site's installation, and in every year with the site's maintenance.
    racks, power
        Rack places and watts of their own lines.
    """

    capital: pulp.LpAffineExpression
    year: pulp.LpAffineExpression
    racks: pulp.LpAffineExpression
    power: pulp.LpAffineExpression


Sums = Sequence["pulp.LpAffineExpression"]


def packages(model: pulp.LpProblem, problem: Problem, nodes: Sums, buys: Sums) -> Packages:
    """Add the packages that are bought, and what their vendors are paid."""
    import pulp

    prices, unit = problem.prices, problem.money_unit
    capital, year, racks, power = [], [], [], []
    once: list[tuple[Amount, pulp.LpAffineExpression]] = []
    for p, offer in enumerate(problem.packages):
        chosen = nodes[offer.carrier]
        _held_together(model, problem, p, buys)
        units = _units(model, problem, p, nodes)
        both = amounts(offer.package)
        due = [
            pulp.lpSum(float(price) / unit * n for price, n in zip(each.prices, units, strict=True))
            + float(each.fixed) / unit * chosen
            for each in both
        ]
        once.append((both[0], due[0]))
        if offer.bears_installation:
            capital.append(prices.installation * due[0])
        year.append(due[1] + prices.maintenance * offer.bears_maintenance * due[0])
        for line, count in zip(offer.package.lines, units, strict=True):
            power.append(line.watts / problem.power_unit * count)
            if line.kind == "rack":
                racks.append(count)
    vendors = list(dict.fromkeys(offer.package.vendor for offer in problem.packages))
    capital += [_paid(model, problem, v, name, once, nodes) for v, name in enumerate(vendors)]
    _lots(model, problem, nodes, [total for _, total in once])
    return Packages(*map(pulp.lpSum, (capital, year, racks, power)))


def _held_together(model: pulp.LpProblem, problem: Problem, p: int, buys: Sums) -> None:
    """Nodes of a package are bought in it alone, and those that it must hold with it."""
    offer = problem.packages[p]
    least = {line.name: offer.package.limits(line)[0] for line in offer.package.node_lines}
    for o in offer.nodes:
        model += buys[o] <= buys[offer.carrier], f"in_package_{p}_{o}"
        if least[problem.offers[o].name]:
            model += buys[o] >= buys[offer.carrier], f"with_package_{p}_{o}"


def _units(model: pulp.LpProblem, problem: Problem, p: int, nodes: Sums) -> Sums:
    """Units of each line; those that follow others are the next whole number."""
    import pulp

    offer = problem.packages[p]
    package, chosen = offer.package, nodes[offer.carrier]
    if not varies(package):
        return [count * chosen for count in line_quantities(package)]
    sold = {problem.offers[o].name: nodes[o] for o in offer.nodes}
    units: dict[int, pulp.LpAffineExpression] = {}
    for j, line in enumerate(package.lines):
        if line.kind == "node":
            units[j] = sold.get(line.name or "", pulp.lpSum([]))
        elif line.per is None:
            units[j] = line.quantity * chosen
    for j in following(package):
        line, share = package.lines[j], share_of(package.lines[j])
        followed = pulp.lpSum(
            units[i]
            for i, each in enumerate(package.lines)
            if i in units and f"{each.kind}:{each.name}" == line.per
        )
        whole = model.add_variable(f"units_{p}_{j}", 0, cat="Integer")
        model += whole >= float(share) * followed, f"enough_{p}_{j}"
        below = float(1 - Fraction(1, share.denominator))
        model += whole <= float(share) * followed + below, f"rounded_{p}_{j}"
        units[j] = pulp.lpSum([whole])
    return [units[j] for j in range(len(package.lines))]


def _paid(
    model: pulp.LpProblem,
    problem: Problem,
    v: int,
    vendor: str,
    once: Sequence[tuple[Amount, pulp.LpAffineExpression]],
    nodes: Sums,
) -> pulp.LpAffineExpression:
    """Add a vendor's least order and the discount on its total; return what it is paid."""
    import pulp

    mine = [
        (offer, *part)
        for offer, part in zip(problem.packages, once, strict=True)
        if offer.package.vendor == vendor
    ]
    gross = pulp.lpSum(total for _, _, total in mine)
    terms, unit = problem.terms_of(vendor), problem.money_unit
    slack = float(sum((amount.slack for _, amount, _ in mine), Fraction(0)))
    if terms is not None and terms.minimum_total:
        least = (float(exact(terms.minimum_total)) + slack) / unit
        for i, (offer, _, _) in enumerate(mine):
            model += gross >= least * nodes[offer.carrier], f"least_order_{v}_{i}"
    steps = discounted(terms, [amount for _, amount, _ in mine])
    if len(steps) == 1:
        return gross
    most = float(sum(largest(offer.package) for offer, _, _ in mine)) / unit
    parts = [model.add_variable(f"discounted_{v}_{i}", 0) for i in range(len(steps))]
    inside = [model.add_variable(f"discount_{v}_{i}", cat="Binary") for i in range(len(steps))]
    for i, (start, _, _) in enumerate(steps):
        model += parts[i] <= most * inside[i], f"up_to_{v}_{i}"
        if start:
            model += parts[i] >= (float(start) + slack) / unit * inside[i], f"from_total_{v}_{i}"
    model += pulp.lpSum(parts) == gross, f"discounted_{v}"
    model += pulp.lpSum(inside) <= 1, f"one_discount_{v}"
    return pulp.lpSum(
        float(share) * parts[i] + float(added) / unit * inside[i]
        for i, (_, share, added) in enumerate(steps)
    )


def _lots(model: pulp.LpProblem, problem: Problem, nodes: Sums, totals: Sums) -> None:
    """Add what chooses among packages: lots with their limits, and groups."""
    import pulp

    for i, lot in enumerate(problem.lots):
        mine = [p for p, offer in enumerate(problem.packages) if offer.lot == i]
        one = pulp.lpSum(nodes[problem.packages[p].carrier] for p in mine)
        model += one <= 1, f"one_package_{i}"
        if not lot.optional:
            model += one >= 1, f"some_package_{i}"
        if lot.capital is not None:
            limit = lot.capital / problem.money_unit
            model += pulp.lpSum(totals[p] for p in mine) <= limit, f"lot_capital_{i}"
        held = [o for p in mine for o in problem.packages[p].nodes]
        model += pulp.lpSum(nodes[o] for o in held) >= lot.nodes * one, f"lot_nodes_{i}"
        memory = pulp.lpSum(problem.offers[o].memory_gb * nodes[o] for o in held)
        model += memory >= lot.total_memory_gb * one, f"lot_memory_{i}"
        for j, share in enumerate(lot.shares):
            part = {
                o: nodes[o]
                if share.of == "nodes"
                else problem.offers[o].tiers[0].price / problem.money_unit * nodes[o]
                for o in held
            }
            keep_share(model, problem, share, part, f"{i}_{j}")
    groups = dict.fromkeys(offer.package.group for offer in problem.packages)
    for i, group in enumerate(name for name in groups if name is not None):
        mine = [p for p, offer in enumerate(problem.packages) if offer.package.group == group]
        one = pulp.lpSum(nodes[problem.packages[p].carrier] for p in mine)
        model += one <= 1, f"one_of_group_{i}"


def keep_share(
    model: pulp.LpProblem,
    problem: Problem,
    share: ShareLimit,
    parts: dict[int, pulp.LpAffineExpression],
    name: str,
) -> None:
    """Add the limits of a share; the parts are those of offers, by their index."""
    import pulp

    mine = pulp.lpSum(
        part
        for o, part in parts.items()
        for offer in (problem.offers[o],)
        if share.counts(offer.kind, offer.vendor, offer.attributes)
    )
    model += mine >= share.least * pulp.lpSum(parts.values()), f"share_least_{name}"
    model += mine <= share.most * pulp.lpSum(parts.values()), f"share_most_{name}"
