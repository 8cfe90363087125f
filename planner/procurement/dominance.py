"""Offers that need not be considered, because another is as good in everything.

Offer b replaces offer a if replacing every node of a by one of b keeps each plan feasible and no
worse. So b costs no more at any quantity, is sold in any number, and needs no more ports, racks or
watts. Under each cap, b does at least as much of every workload. If two offers are equal, the
first stays. The reduction is exact; it is not used where a rule could distinguish the two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planner.procurement.problem import UNLIMITED, Floats, Offer, Problem

_MANY = 10**8


def dominated(problem: Problem) -> NDArray[np.bool_]:
    """Which offers another offer can replace, shape ``(offers,)``."""
    count = len(problem.offers)
    if problem.regime == "static" and len(problem.modes) > count:
        return np.zeros(count, dtype=np.bool_)  # one type under two caps is two offers there
    worse = np.zeros(count, dtype=np.bool_)
    figures = [figures_of_offer(problem, index) for index in range(count)]
    keys = [
        _rules(problem, offer, rows) for offer, rows in zip(problem.offers, figures, strict=True)
    ]
    for key in dict.fromkeys(keys):
        members = [index for index in range(count) if keys[index] == key]
        table = np.array([figures[member].ravel() for member in members])
        able = np.array([_stands_in(problem.offers[member]) for member in members])
        for row, member in enumerate(members):
            no_worse = (table <= table[row]).all(axis=1) & able
            equal = (table == table[row]).all(axis=1)
            earlier = np.arange(len(members)) < row
            no_worse &= ~equal | earlier
            no_worse[row] = False
            worse[member] = bool(no_worse.any())
    return worse


def _rules(problem: Problem, offer: Offer, figures: Floats) -> tuple[object, ...]:
    """What must be equal for one offer to replace another."""
    limits = problem.limits
    cooled = limits.liquid_w < UNLIMITED or limits.air_w < UNLIMITED
    if offer.package is not None:  # its price and number are the package's
        return (offer.name,)
    named = bool(problem.shares) or problem.most_vendors is not None
    shown = tuple(sorted((name, str(value)) for name, value in offer.attributes.items()))
    by_spend = any(share.of == "spend" for share in problem.shares)
    return (
        offer.tiers[0].price * offer.quoted if by_spend else 0.0,
        figures.shape,
        offer.cooling if cooled else "",
        (offer.vendor, offer.kind, shown) if named else (),
    )


def _stands_in(offer: Offer) -> bool:
    """Whether an offer is sold in any number at one price."""
    sold = offer.least == 1 and offer.sold_in == 1 and offer.package is None
    return len(offer.tiers) == 1 and sold and offer.most >= _MANY


def no_worse(figures: Floats, other: Floats) -> bool:
    """Whether an offer is at least as good as another in each of its figures."""
    return bool((figures <= other).all())


def figures_of_offer(problem: Problem, offer_index: int) -> Floats:
    """Everything that should be small about an offer; the first row does not depend on the cap."""
    offer = problem.offers[offer_index]
    modes = np.flatnonzero(problem.mode_offer == offer_index)
    rack = 0.0 if offer.nodes_per_rack is None else 1 / offer.nodes_per_rack
    price = min(tier.price for tier in offer.tiers)
    whole = [price, offer.idle_w, offer.peak_w, float(offer.ports), rack, -offer.memory_gb]
    work = np.hstack([-problem.merit[modes], _drawn_where_it_runs(problem, modes)])
    times = [_times(problem, int(mode)) for mode in modes]
    per_mode = np.hstack([problem.mode_w[modes][:, None], work, np.array(times)])
    padded = np.zeros((len(modes) + 1, max(per_mode.shape[1], len(whole))))
    padded[0, : len(whole)] = whole
    padded[1:, : per_mode.shape[1]] = per_mode
    return padded


def _drawn_where_it_runs(problem: Problem, modes: NDArray[np.int64]) -> Floats:
    """Watts drawn; infinite where the workload does not run, so that nothing is gained there."""
    return np.where(problem.merit[modes] > 0, problem.drawn_w[modes], np.inf)


def _times(problem: Problem, mode: int) -> list[float]:
    """Times of all admissible partitions of one mode; infinite where it has none."""
    times = []
    for capability in problem.capabilities:
        sizes = sorted({option.nodes for option in capability.options})
        times_by_nodes: dict[int, float] = {}
        for partition in capability.options:
            if partition.mode == mode:
                times_by_nodes[partition.nodes] = min(
                    partition.time_s, times_by_nodes.get(partition.nodes, np.inf)
                )
        times += [times_by_nodes.get(size, np.inf) for size in sizes]
    return times
