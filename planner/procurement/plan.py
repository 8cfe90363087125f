"""A procurement plan in cluster words: what is bought, what runs where, and what it achieves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.procurement.bill import Bill, bill, operating_per_year, total_cost
from planner.procurement.layout import Layout
from planner.procurement.performance import Partition
from planner.procurement.problem import MANDATE_TOLERANCE, UNLIMITED, Floats, Problem
from planner.procurement.rating import Rater, power_groups
from planner.procurement.risk import risk_measure
from solvers.portable import exp, log, product

_NOTHING = 1e-12  # a rating that is rounding: some work is not done, so none is shown


@dataclass(frozen=True)
class Purchase:
    """Nodes of one type.

    Attributes
    ----------
    offer
        Index of the offer in the problem.
    name, vendor
        Node type, and who sells it.
    nodes
        How many are bought.
    cap_w
        Package cap [W] of a statically capped machine; elsewhere ``None``.
    unit_price
        Price of one node.
    racks
        Racks that they fill.
    """

    offer: int
    name: str
    vendor: str
    nodes: int
    cap_w: float | None
    unit_price: float
    racks: int


@dataclass(frozen=True)
class AtWork:
    """Nodes of one mode at work on one workload, on average over a rating."""

    mode: int
    workload: int
    nodes: float


@dataclass(frozen=True)
class Plan:
    """A decision, and everything that it achieves, recomputed from what is bought.

    Attributes
    ----------
    method
        How it was found.
    nodes
        Per slot of the regime.
    ratings
        Throughput over the reference machine's, per rating.
    at_work
        Allocation in each rating.
    partitions
        Where each capability workload runs; ``None`` if nowhere.
    scores
        S per demand scenario; ``objective`` is ``(1 - lambda) E + lambda CVaR`` of log S.
    it_power_w, liquid_w, air_w, mean_it_w
        Largest IT power of any rating or partition, of it the largest under each cooling, and the
        mean IT power over the year.
    """

    method: str
    regime: str
    nodes: tuple[int, ...]
    purchases: tuple[Purchase, ...]
    bill: Bill
    ratings: tuple[float, ...]
    at_work: tuple[tuple[AtWork, ...], ...]
    partitions: tuple[Partition | None, ...]
    scores: tuple[float, ...]
    objective: float
    it_power_w: float
    liquid_w: float
    air_w: float
    mean_it_w: float
    operating: float
    total_cost: float

    @property
    def score(self) -> float:
        """The objective as a score: exp of the risk measure of log S."""
        return exp(self.objective) if self.objective > -math.inf else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "method": self.method,
            "regime": self.regime,
            "score": self.score,
            "capital": self.bill.capital,
            "operating_per_year_binding": self.operating,
            "total_cost": self.total_cost,
            "it_power_w": self.it_power_w,
            "liquid_w": self.liquid_w,
            "air_w": self.air_w,
            "mean_it_w": self.mean_it_w,
            "nodes": sum(purchase.nodes for purchase in self.purchases),
            "purchases": [
                {
                    "name": purchase.name,
                    "vendor": purchase.vendor,
                    "nodes": purchase.nodes,
                    "cap_w": purchase.cap_w,
                    "unit_price": purchase.unit_price,
                    "racks": purchase.racks,
                }
                for purchase in self.purchases
            ],
            **self._packages(),
        }

    def _packages(self) -> dict[str, Any]:
        """The packages that are bought, for JSON; nothing where there is none."""
        packages = [
            {
                "name": each.package.name,
                "vendor": each.package.vendor,
                "lot": each.package.lot,
                "total": float(each.total),
                "per_year": float(each.per_year),
            }
            for each in self.bill.packages.values()
        ]
        return {"packages": packages} if packages else {}


def complete(
    problem: Problem,
    lay: Layout,
    rater: Rater,
    nodes: Sequence[int],
    method: str,
    allowances_w: Floats | None = None,
) -> Plan:
    """The best that a machine can do: every rating solved, every capability workload placed.

    Parameters
    ----------
    nodes
        Installed nodes per slot.
    allowances_w
        Mean watts that working nodes may add in each rating, ``(ratings,)``. By default as much
        as they like, or where that breaks the operating budget the same share of it each.

    Raises
    ------
    PlanError
        A quantity is not on offer.
    """
    per_offer = offer_counts(problem, lay, nodes)
    paid = bill(problem, per_offer)
    count = np.array(nodes, dtype=np.float64)
    headroom = headroom_w(problem, lay, count, paid.fabric_w)
    base_w = always_w(problem, per_offer, paid)
    if allowances_w is None:
        allowances_w = np.full(len(problem.demand), UNLIMITED)
        ratings = _rate(rater, count, headroom, allowances_w)
        share = _affordable_share(problem, lay, paid, base_w, ratings)
        if share < 1:
            added = np.array([_added_w(lay, rated) for rated in ratings])
            allowances_w = paid_w(problem, added * share)
            ratings = _rate(rater, count, headroom, allowances_w)
    else:
        ratings = _rate(rater, count, headroom, allowances_w)
    return built(problem, lay, nodes, method, ratings, fastest(problem, lay, count, headroom))


def built(
    problem: Problem,
    lay: Layout,
    nodes: Sequence[int],
    method: str,
    result: Sequence[Floats],
    picks: Sequence[Partition | None],
) -> Plan:
    """A machine with an allocation for each rating: its scores, power and cost.

    Parameters
    ----------
    result
        Nodes in use per pair, ``(pairs,)``, for each rating.
    picks
        Where each capability workload runs.

    Raises
    ------
    PlanError
        A quantity is not on offer.
    """
    per_offer = offer_counts(problem, lay, nodes)
    paid = bill(problem, per_offer)
    count = np.array(nodes, dtype=np.float64)
    ratings = [_theta(problem, lay, r, y) for r, y in enumerate(result)]
    scores = _log_scores(problem, ratings, picks)
    mean_w = always_w(problem, per_offer, paid) + float(
        sum(w * _added_w(lay, y) for w, y in zip(problem.energy_weight, result, strict=True))
    )
    it_power_w, liquid_w, air_w = _largest_w(problem, lay, count, paid.fabric_w, result, picks)
    return Plan(
        method=method,
        regime=problem.regime,
        nodes=tuple(int(n) for n in nodes),
        purchases=_purchases(problem, lay, nodes, paid),
        bill=paid,
        ratings=tuple(ratings),
        at_work=tuple(_sparse(lay, y) for y in result),
        partitions=tuple(picks),
        scores=tuple(exp(score) if score > -math.inf else 0.0 for score in scores),
        objective=_risk(problem, scores),
        it_power_w=it_power_w,
        liquid_w=liquid_w,
        air_w=air_w,
        mean_it_w=mean_w,
        operating=operating_per_year(problem, paid, mean_w, problem.prices.binding_energy_price),
        total_cost=total_cost(problem, paid, mean_w),
    )


def paid_w(problem: Problem, allowances_w: Floats) -> Floats:
    """Allowances of ratings; one that takes no time over the year costs nothing and has no limit.

    Both have the shape ``(ratings,)``, in watts.
    """
    return np.where(problem.energy_weight > 0, allowances_w, UNLIMITED)


def always_w(problem: Problem, per_offer: Sequence[int], paid: Bill) -> float:
    """Mean watts of switches, the fixed part, and every node at its idle power."""
    idle = math.fsum(o.idle_w * n for o, n in zip(problem.offers, per_offer, strict=True))
    return problem.fixed_w + paid.fabric_w + idle


def renamed(plan: Plan, method: str) -> Plan:
    """The same plan under another method's name."""
    return replace(plan, method=method)


def offer_counts(problem: Problem, lay: Layout, nodes: Sequence[int]) -> list[int]:
    """Nodes per offer from nodes per slot."""
    counts = [0] * len(problem.offers)
    for slot, count in enumerate(nodes):
        counts[int(lay.slot_offer[slot])] += int(count)
    return counts


def headroom_w(problem: Problem, lay: Layout, nodes: Floats, fabric_w: float) -> Floats:
    """Watts left beyond the base of all installed nodes: total, liquid, air; shape ``(3,)``."""
    limits = problem.limits
    bounds = np.array([limits.it_power_w, limits.liquid_w, limits.air_w])
    base = product(power_groups(problem, lay), lay.base_w * nodes)
    base[0] += problem.fixed_w + fabric_w
    return np.asarray(bounds - base, dtype=np.float64)


def _largest_w(
    problem: Problem,
    lay: Layout,
    nodes: Floats,
    fabric_w: float,
    result: Sequence[Floats],
    picks: Sequence[Partition | None],
) -> tuple[float, float, float]:
    """Most that any rating or partition draws: total, liquid, air."""
    groups = power_groups(problem, lay)
    steps = [product(groups[:, lay.pair_slot], y * lay.pair_step_w) for y in result]
    steps += [
        groups[:, lay.mode_slot[pick.mode]] * pick.nodes * lay.step_w[pick.mode]
        for pick in picks
        if pick is not None
    ]
    largest = product(groups, lay.base_w * nodes) + np.max(steps, axis=0, initial=0.0)
    return float(largest[0]) + problem.fixed_w + fabric_w, float(largest[1]), float(largest[2])


def _risk(problem: Problem, scores: Floats) -> float:
    return risk_measure(scores, problem.probability, problem.cvar_weight, problem.cvar_level)


def _rate(rater: Rater, nodes: Floats, headroom: Floats, limits: Floats) -> list[Floats]:
    ratings = []
    for rating, limit in enumerate(limits):
        rated = rater.rate(rating, nodes, headroom, float(limit))
        if not rated.meets:
            rated = rater.rate(rating, nodes, headroom, float(limit), mandates=False)
        at_work = rated.at_work if rated.theta > _NOTHING else np.zeros_like(rated.at_work)
        ratings.append(within(rater.layout, nodes, at_work))
    return ratings


def within(lay: Layout, nodes: Floats, at_work: Floats) -> Floats:
    """Take off what the solver's tolerance let work beyond the installed nodes."""
    at_work = np.where(nodes[lay.pair_slot] > 0, np.maximum(at_work, 0.0), 0.0)
    busy = np.bincount(lay.pair_slot, weights=at_work, minlength=lay.slots)
    share = np.where(busy > nodes, nodes / np.maximum(busy, 1e-300), 1.0)
    return np.asarray(at_work * share[lay.pair_slot], dtype=np.float64)


def _theta(problem: Problem, lay: Layout, rating: int, at_work: Floats) -> float:
    throughput = np.bincount(
        lay.pair_workload, weights=lay.pair_merit * at_work, minlength=len(problem.workloads)
    )
    demanded = problem.demand[rating] > 0
    return float(
        (throughput[demanded] / problem.demand[rating, demanded]).min() / problem.reference_nodes
    )


def throughputs(problem: Problem, plan: Plan, rating: int) -> Floats:
    """Throughput per workload, over the reference machine's at its share of the mix.

    ``inf`` for a workload without demand.
    """
    throughput = np.zeros(len(problem.workloads))
    for group in plan.at_work[rating]:
        throughput[group.workload] += group.nodes * problem.merit[group.mode, group.workload]
    demanded = problem.demand[rating] * problem.reference_nodes
    relative = np.full(len(throughput), np.inf)
    np.divide(throughput, demanded, out=relative, where=demanded > 0)
    return relative


def meets_mandates(problem: Problem, plan: Plan) -> bool:
    """Whether all mandatory work is done in every rating."""
    return all(
        (throughputs(problem, plan, rating) >= minimum * (1 - MANDATE_TOLERANCE)).all()
        for rating, minimum in enumerate(problem.least_work)
    )


def _added_w(lay: Layout, at_work: Floats) -> float:
    return float(product(at_work, lay.pair_energy_w))


def _affordable_share(
    problem: Problem, lay: Layout, paid: Bill, base_w: float, result: list[Floats]
) -> float:
    """Share of the wanted energy above idle that the operating budget pays."""
    if problem.limits.operating == UNLIMITED:
        return 1.0
    price = problem.prices.binding_energy_price
    weights = problem.energy_weight
    added = float(sum(w * _added_w(lay, y) for w, y in zip(weights, result, strict=True)))
    idle_cost = operating_per_year(problem, paid, base_w, price)
    cost = added * problem.prices.energy_per_w(price)
    remaining = problem.limits.operating - idle_cost
    return 1.0 if cost <= remaining or cost <= 0 else max(0.0, remaining / cost)


def fastest(
    problem: Problem, lay: Layout, nodes: Floats, headroom: Floats, *, too_slow: bool = False
) -> list[Partition | None]:
    """The fastest partition of each capability workload that the machine holds and can power.

    ``too_slow`` also takes those beyond the largest time to solution, where nothing else fits.
    """
    picks = []
    for capability in problem.capabilities:
        pick = _fastest(lay, problem, capability.options, nodes, headroom)
        if pick is None and too_slow:
            pick = _fastest(lay, problem, capability.partitions, nodes, headroom)
        picks.append(pick)
    return picks


def _fastest(
    lay: Layout, problem: Problem, options: Sequence[Partition], nodes: Floats, headroom: Floats
) -> Partition | None:
    groups = power_groups(problem, lay)
    best: Partition | None = None
    for option in options:
        slot = int(lay.mode_slot[option.mode])
        if slot < 0 or option.nodes > nodes[slot]:
            continue
        added = groups[:, slot] * option.nodes * lay.step_w[option.mode]
        if (added > np.maximum(headroom, 0) * (1 + 1e-12)).any():
            continue
        if best is None or option.time_s < best.time_s:
            best = option
    return best


def _log_scores(
    problem: Problem, ratings: Sequence[float], picks: Sequence[Partition | None]
) -> Floats:
    """Log S per demand scenario, from ratings and speedups; shape ``(scenarios,)``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        rated = log(np.array(ratings, dtype=np.float64))
        gained = np.array(
            [
                -math.inf if pick is None else log(capability.reference_time_s / pick.time_s)
                for capability, pick in zip(problem.capabilities, picks, strict=True)
            ],
            dtype=np.float64,
        )
        parts = (
            np.where(problem.rating_weight > 0, problem.rating_weight * rated, 0.0),
            np.where(problem.capability_weight > 0, problem.capability_weight * gained, 0.0),
        )
    return np.asarray(sum(part.sum(axis=1) for part in parts), dtype=np.float64)


def _sparse(lay: Layout, at_work: Floats) -> tuple[AtWork, ...]:
    indices = np.flatnonzero(at_work > 1e-9)
    return tuple(
        AtWork(int(lay.pair_mode[p]), int(lay.pair_workload[p]), float(at_work[p])) for p in indices
    )


def _purchases(
    problem: Problem, lay: Layout, nodes: Sequence[int], paid: Bill
) -> tuple[Purchase, ...]:
    purchases = []
    counts = offer_counts(problem, lay, nodes)
    for slot, count in enumerate(nodes):
        index = int(lay.slot_offer[slot])
        offer = problem.offers[index]
        if not count or offer.carrier:
            continue
        cap = problem.modes[int(lay.slot_mode[slot])].cap_w if problem.regime == "static" else None
        purchases.append(
            Purchase(
                index, offer.name, offer.vendor, int(count), cap, offer.price(counts[index]),
                paid.racks[index],
            )
        )  # fmt: skip
    return tuple(purchases)
