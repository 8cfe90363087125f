"""Which quotes another one can replace in every plan, as the regime lets both run.

Every node of a plan's quote becomes a node of the other one. The plan stays allowed and scores no
less under these conditions. The other quote is sold in any number, at a price in reach that is not
higher, and takes no more of anything that is limited. No rule about vendors, kinds or money tells
the two apart. It does all rated work no worse, single runs that are too slow included.

:mod:`planner.procurement.dominance` ignores how large limits are, so that its answer holds for
every variant of a problem. This one holds for one problem.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from planner.procurement.heuristics import fits
from planner.procurement.layout import Indices, Layout
from planner.procurement.problem import UNLIMITED, Offer, Problem, Tier
from planner.procurement.quantities import MOST_NODES, most_nodes


def tiers_in_reach(problem: Problem, lay: Layout, index: int) -> tuple[Tier, ...]:
    """Prices of a quote that some plan can pay: the site bears the first node count of each."""
    slots = np.flatnonzero(lay.slot_offer == index)
    slot = int(slots[np.argmin(lay.base_w[slots])])

    def bearable(tier: Tier) -> bool:
        nodes = [0] * lay.slots
        nodes[slot] = tier.first
        return fits(problem, lay, nodes)

    return tuple(tier for tier in problem.offers[index].tiers if bearable(tier))


def modes_in_use(problem: Problem, lay: Layout, index: int) -> Indices:
    """Modes of a quote in which the regime lets it run."""
    return np.flatnonzero((problem.mode_offer == index) & (lay.mode_slot >= 0))


@dataclass(frozen=True, eq=False)
class Replacing:
    """Every quote of a problem, with the prices at which it may be compared.

    Attributes
    ----------
    cheapest
        Least price in reach per offer; infinite where the site bears none of its quantities.
    dearest
        The largest, where the offer is sold in any number that the site bears and never dearer
        in larger ones; else infinite.
    """

    problem: Problem
    layout: Layout
    cheapest: tuple[float, ...]
    dearest: tuple[float, ...]

    def replaces(self, other: int, index: int) -> bool:
        """Whether no plan with one quote is better than the same plan with the other one."""
        problem, lay = self.problem, self.layout
        theirs, mine = problem.offers[other], problem.offers[index]
        modes = modes_in_use(problem, lay, other)
        return (
            not theirs.barred
            and self.dearest[other] <= self.cheapest[index] < UNLIMITED
            and not _told_apart(problem, theirs, mine)
            and _takes_less(problem, theirs, mine)
            and (problem.regime != "static" or len(modes) == 1)  # a type has one cap there
            and _works_no_worse(problem, modes, modes_in_use(problem, lay, index))
        )


def replacing(problem: Problem, lay: Layout) -> Replacing:
    """What decides for each quote of a problem whether it can replace another."""
    endless = [
        replace(offer, tiers=(*offer.tiers[:-1], replace(offer.tiers[-1], last=MOST_NODES)))
        for offer in problem.offers
    ]
    bearable = most_nodes(replace(problem, offers=tuple(endless)), lay)
    cheapest, dearest = [], []
    for index, (offer, maximum) in enumerate(zip(problem.offers, bearable, strict=True)):
        prices = [tier.price for tier in tiers_in_reach(problem, lay, index)]
        cheapest.append(min(prices, default=UNLIMITED))
        free = offer.least == offer.sold_in == 1 and offer.most >= maximum
        free = free and offer.package is None and prices == sorted(prices, reverse=True)
        dearest.append(max(prices, default=UNLIMITED) if free else UNLIMITED)
    return Replacing(problem, lay, tuple(cheapest), tuple(dearest))


def _told_apart(problem: Problem, theirs: Offer, mine: Offer) -> bool:
    """Whether a rule about vendors, kinds or shares of spend treats two quotes differently."""
    vendors = len({offer.vendor for offer in problem.offers if not offer.barred})
    scarce = problem.most_vendors is not None and problem.most_vendors < vendors
    if scarce and theirs.vendor != mine.vendor:
        return True
    for share in problem.shares:
        prices = {tier.price * offer.quoted for offer in (theirs, mine) for tier in offer.tiers}
        if share.of == "spend" and len(prices) > 1:
            return True
        own = [share.counts(o.kind, o.vendor, o.attributes) for o in (theirs, mine)]
        if own[0] != own[1]:
            return True
    return False


def _takes_less(problem: Problem, theirs: Offer, mine: Offer) -> bool:
    """Whether an installed node takes no more of what is limited or paid for, before it works."""
    limits = problem.limits
    base_w = [
        {"worst-case": offer.peak_w, "overprovisioned": offer.idle_w}.get(problem.regime, 0.0)
        for offer in (theirs, mine)
    ]  # under static caps the mode says it
    racks = [
        0.0 if offer.nodes_per_rack is None else 1 / offer.nodes_per_rack
        for offer in (theirs, mine)
    ]
    return (
        base_w[0] <= base_w[1]
        and (theirs.cooling == mine.cooling or min(limits.liquid_w, limits.air_w) == UNLIMITED)
        and (limits.operating == UNLIMITED or theirs.idle_w <= mine.idle_w)
        and (problem.network is None or theirs.ports <= mine.ports)
        and (not problem.least_memory_gb or theirs.memory_gb >= mine.memory_gb)
        and (racks[0] <= racks[1] or (limits.racks == UNLIMITED and not problem.prices.rack))
    )


def _works_no_worse(problem: Problem, theirs: Indices, mine: Indices) -> bool:
    """Whether for all rated work, in every mode of one quote, a mode of the other does as well."""
    charged = problem.regime != "worst-case"  # there every node is charged its peak
    metered = problem.limits.operating < UNLIMITED

    def as_good(their: int, my: int, workload: int) -> bool:
        merit, drawn_w = problem.merit[:, workload], problem.drawn_w[:, workload]
        return bool(
            merit[their] >= merit[my]
            and (not charged or problem.mode_w[their] <= problem.mode_w[my])
            and (not metered or drawn_w[their] <= drawn_w[my])
        )

    works = all(
        any(as_good(int(their), int(my), workload) for their in theirs)
        for my in mine
        for workload in range(len(problem.workloads))
        if problem.merit[my, workload] > 0
    )
    if problem.regime == "static":  # a node is charged its mode, whether it works or not
        works &= all(problem.mode_w[theirs[0]] <= problem.mode_w[my] for my in mine)
    return works and all(
        any(
            other.mode in theirs
            and other.nodes <= option.nodes
            and other.time_s <= option.time_s
            and (not charged or problem.mode_w[other.mode] <= problem.mode_w[option.mode])
            for other in capability.partitions
        )
        for capability in problem.capabilities
        for option in capability.partitions
        if option.mode in mine
    )
