"""A problem with a plan, and what follows from the purchases: for the checker alone.

As in the checker, nothing is shared with the modules that make plans, and numbers are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from planner.decimals import decimal
from planner.procurement.checked_packages import (
    Billed,
    billed,
    gross_by_vendor,
    vendor_total,
)
from planner.procurement.plan import Plan
from planner.procurement.problem import Offer, Problem

Watts = tuple[Fraction, Fraction, Fraction]
"""Total, under liquid cooling, under air."""


@dataclass(frozen=True)
class Site:
    """A problem with a plan, and what follows from the purchases."""

    problem: Problem
    plan: Plan

    @property
    def counts(self) -> list[int]:
        """Nodes per offer."""
        counts = [0] * len(self.problem.offers)
        for purchase in self.plan.purchases:
            counts[purchase.offer] += purchase.nodes
        return counts

    @property
    def bought(self) -> list[tuple[Offer, int]]:
        """Offers of which something is bought, with the number."""
        pairs = zip(self.problem.offers, self.counts, strict=True)
        return [(offer, count) for offer, count in pairs if count]

    def modes(self, offer: int) -> list[int]:
        """Modes in which nodes of an offer may work under the regime."""
        own = [m for m, mode in enumerate(self.problem.modes) if mode.offer == offer]
        if self.problem.regime == "worst-case":
            return own[-1:]
        if self.problem.regime == "static":
            caps = {p.cap_w for p in self.plan.purchases if p.offer == offer}
            return [m for m in own if self.problem.modes[m].cap_w in caps]
        return own

    @cached_property
    def packages(self) -> tuple[Billed, ...]:
        """Packages that are bought, billed once more."""
        counts = self.counts
        return tuple(billed(self.problem, p, counts) for p in sorted(self.plan.bill.packages))

    @cached_property
    def paid(self) -> dict[str, Fraction]:
        """What each vendor of packages is paid once."""
        gross = gross_by_vendor(self.packages)
        return {name: vendor_total(self.problem, name, total) for name, total in gross.items()}

    def goods(self) -> Fraction:
        """Price of nodes, racks, switches and cables on free sale."""
        return sum((decimal(price) * count for _, count, price in self.lines()), Fraction(0))

    def hardware(self) -> Fraction:
        """The same, and what is paid once for packages."""
        return self.goods() + sum(self.paid.values(), Fraction(0))

    def installation(self) -> Fraction:
        """Installation of goods, and of packages that do not bring it."""
        bearing = sum((each.once for each in self.packages if each.bears[0]), Fraction(0))
        return (self.goods() + bearing) * decimal(self.problem.prices.installation)

    def maintenance(self) -> Fraction:
        """Maintenance of a year, and what packages cost in every year."""
        bearing = sum((each.once for each in self.packages if each.bears[1]), Fraction(0))
        yearly = sum((each.per_year for each in self.packages), Fraction(0))
        return (self.goods() + bearing) * decimal(self.problem.prices.maintenance) + yearly

    def lines(self) -> list[tuple[str, int, float]]:
        """Every item with its number and unit price."""
        problem, paid = self.problem, self.plan.bill
        lines = [
            (offer.title, count, tier_price(offer, count))
            for offer, count in self.bought
            if offer.package is None
        ]
        own = sum(each.racks for each in self.packages)
        lines.append(("rack", sum(paid.racks) - own, problem.prices.rack))
        if (network := problem.network) is not None:
            fabric = paid.fabric
            lines += [
                ("leaf switch", fabric.leaves, network.leaf_price),
                ("spine switch", fabric.spines, network.spine_price),
                ("node cable", fabric.node_cables, network.node_cable_price),
                ("uplink cable", fabric.uplinks, network.uplink_cable_price),
            ]
        return [line for line in lines if line[1] and line[2]]

    def fabric_w(self) -> Fraction:
        """Watts of all switches and of the lines of packages."""
        network, fabric = self.problem.network, self.plan.bill.fabric
        own = sum((each.watts for each in self.packages), Fraction(0))
        if network is None:
            return own
        leaves, spines = decimal(network.leaf_w), decimal(network.spine_w)
        return own + fabric.leaves * leaves + fabric.spines * spines

    def always_w(self) -> Fraction:
        """Mean watts of switches, the fixed part, and every node at its idle power."""
        nodes = sum((decimal(o.idle_w) * n for o, n in self.bought), Fraction(0))
        return decimal(self.problem.fixed_w) + self.fabric_w() + nodes

    def provisioned_w(self) -> Watts:
        """Watts that all installed nodes take before any works: total, liquid, air."""
        total = [decimal(self.problem.fixed_w) + self.fabric_w(), Fraction(0), Fraction(0)]
        for purchase in self.plan.purchases:
            offer = self.problem.offers[purchase.offer]
            watts = {"worst-case": offer.peak_w, "overprovisioned": offer.idle_w}.get(
                self.problem.regime
            )
            if watts is None:
                watts = max(
                    (self.problem.modes[m].node_w for m in self.modes(purchase.offer)), default=0.0
                )
            _add(total, offer, purchase.nodes * decimal(watts))
        return total[0], total[1], total[2]

    def with_work_w(self, working: Sequence[tuple[int, float]]) -> Watts:
        """Provisioned watts, plus those that nodes in use add; these are given as (mode, nodes)."""
        total = list(self.provisioned_w())
        if self.problem.regime == "overprovisioned":
            for index, nodes in working:
                mode = self.problem.modes[index]
                offer = self.problem.offers[mode.offer]
                _add(total, offer, Fraction(nodes) * (decimal(mode.node_w) - decimal(offer.idle_w)))
        return total[0], total[1], total[2]

    def states(self) -> Iterator[tuple[str, Watts]]:
        """Every state of the machine, named, with its watts."""
        yield "installed nodes", self.provisioned_w()
        for name, working in zip(self.problem.rating_names, self.plan.at_work, strict=True):
            yield f"rating {name}", self.with_work_w([(y.mode, y.nodes) for y in working])
        for capability, pick in zip(self.problem.capabilities, self.plan.partitions, strict=True):
            if pick is not None:
                yield capability.name, self.with_work_w([(pick.mode, pick.nodes)])


def _add(total: list[Fraction], offer: Offer, watts: Fraction) -> None:
    total[0] += watts
    total[1 if offer.cooling == "liquid" else 2] += watts


def tier_price(offer: Offer, count: int) -> float:
    """Price per node if ``count`` nodes are bought; 0 if that number is not on offer."""
    return next((t.price for t in offer.tiers if t.first <= count <= t.last), 0.0)
