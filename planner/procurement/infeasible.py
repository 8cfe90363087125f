"""Why there is no plan, and the least that would make one.

Constraints are grouped by what a board can talk about: each resource, each mandate, each policy.
An *irreducible set* is found by a deletion filter: a group leaves if the rest still clashes; what
remains clashes as a whole, and no part of it does.

A *repair* raises one resource, all else hard, by the least amount that makes the program
feasible; where no single one suffices, pairs are raised at the least cost in unit prices.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from planner.procurement.amounts import Rounding, money, power, racks
from planner.procurement.columns import Freed, Goal
from planner.procurement.layout import Layout
from planner.procurement.optimise import Optimiser
from planner.procurement.plan import Plan
from planner.procurement.problem import POWER_RESOURCES, RESOURCES, UNLIMITED, Problem
from planner.procurement.quantities import most_nodes
from planner.procurement.task import Extend
from solvers import Status

_THROUGHPUT = "throughput of "
_ENLARGED = (100.0, 1e4, 1e6)
"""A repair may raise a resource to so many times what is there: tried in turn."""


_REPAIRED_GAP = 1e-3
"""To which the best plan under repaired limits is sought."""


@dataclass(frozen=True)
class Group:
    """One constraint of the board's language, and the problem without it."""

    name: str
    relaxed: Callable[[Problem], Problem]


@dataclass(frozen=True)
class Repair:
    """The least amount by which resources must grow.

    Attributes
    ----------
    added
        Resource and amount (watts, money, racks).
    bound
        No repair by these resources adds less: an amount, or for a pair a cost.
    cost
        Price of the repair in unit prices; ``None`` where no price is stated.
    plan
        The best plan that the repaired limits allow.
    """

    added: tuple[tuple[str, float], ...]
    bound: float
    cost: float | None
    plan: Plan

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "added": [{"resource": name, "amount": amount} for name, amount in self.added],
            "bound": self.bound,
            "cost": self.cost,
            "plan": self.plan.to_dict(),
        }


RESOURCE_WORDS = {
    "it_power_w": "IT power",
    "liquid_w": "liquid cooling",
    "air_w": "air cooling",
    "capital": "capital",
    "operating": "operating budget",
    "racks": "rack places",
}


def amount(problem: Problem, resource: str, value: float, rounding: Rounding = "nearest") -> str:
    """An amount of a resource in words; rounded up, it is surely enough."""
    words = RESOURCE_WORDS[resource]
    if resource == "racks":
        return racks(value, rounding)
    if resource in POWER_RESOURCES:
        feed = f" ({power(value * problem.prices.feed_per_it, rounding)} at the feed)"
        return f"{power(value, rounding)} of {words}" + (feed if resource == "it_power_w" else "")
    year = " a year" if resource == "operating" else ""
    return f"{money(value, problem.prices.currency, rounding)}{year} of {words}"


def in_words(problem: Problem, group: str) -> str:
    """A constraint of the diagnosis in words, with its amount."""
    kind, _, what = group.partition(": ")
    if kind == "limit":
        return f"the limit of {amount(problem, what, getattr(problem.limits, what))}"
    mandates = {
        "nodes": f"the mandatory {problem.least_nodes:,} nodes",
        "memory": f"the mandatory {problem.least_memory_gb:,.12g} GB of memory",
    }
    if kind == "mandate" and what.startswith(_THROUGHPUT):
        name = what.removeprefix(_THROUGHPUT)
        least = problem.least_work[:, problem.workloads.index(name)].max()
        return f"the mandatory throughput of {name}, {least:g} times the reference machine's"
    if kind == "mandate":
        return mandates.get(what, what)
    if kind == "share":
        return f"the mandatory share of {what}"
    if kind == "terms":
        return "the least quantities of the quotes"
    if kind == "network":
        return "the network, with the ports, price and power of its switches"
    most = {
        "vendors": f"at most {_count(problem.most_vendors, 'vendor')}",
        "node types": f"at most {_count(problem.most_node_types, 'node type')}",
    }
    return f"the policy of {most[what]}"


def _count(number: int | None, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _price(problem: Problem, cost: float) -> str:
    return f"{money(cost, problem.prices.currency, 'up')} at unit prices"


@dataclass(frozen=True)
class Diagnosis:
    """Why there is no plan, and what would make one.

    Attributes
    ----------
    hopeless
        Resources of which no amount alone makes a plan.
    unpriced
        Where no repair was found: resources left out of pairs, their price not being stated.
    """

    clashing: tuple[str, ...]
    repairs: tuple[Repair, ...]
    hopeless: tuple[str, ...]
    unpriced: tuple[str, ...] = ()

    def sentences(self, problem: Problem) -> list[str]:
        """Every repair in words."""
        lines = []
        for repair in self.repairs:
            parts = " and ".join(amount(problem, *each, "up") for each in repair.added)
            price = "" if repair.cost is None else f", {_price(problem, repair.cost)}"
            lines.append(
                f"{parts} more would suffice{price}: the score is then {repair.plan.score:.3f} "
                "(reference = 1)."
            )
        if self.hopeless:
            names = ", ".join(RESOURCE_WORDS[name] for name in self.hopeless)
            times = f"{_ENLARGED[-1]:,.0f}"
            lines.append(f"Not even {times} times as much of one of these would help: {names}.")
        if self.unpriced:
            names = ", ".join(RESOURCE_WORDS[name] for name in self.unpriced)
            lines.append(
                f"Pairs with these were not tried, since no price is stated: {names}; give one in "
                "procurement.repair_prices."
            )
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        plain["clashing"] = list(self.clashing)
        plain["hopeless"] = list(self.hopeless)
        plain["unpriced"] = list(self.unpriced)
        plain["repairs"] = [each.to_dict() for each in self.repairs]
        return plain


def diagnose(optimiser: Optimiser, unit_prices: Mapping[str, float]) -> Diagnosis:
    """Explain an infeasible problem.

    Parameters
    ----------
    unit_prices
        Price of one watt, one rack, one unit of money, by resource; for pairs of resources.
    """
    problem = optimiser.problem
    finite = [name for name in RESOURCES if getattr(problem.limits, name) < UNLIMITED]
    repairs, hopeless = [], []
    for name in finite:
        repair = _repair(optimiser, (name,), unit_prices)
        if isinstance(repair, Repair):
            repairs.append(repair)
        elif repair is Status.INFEASIBLE:
            hopeless.append(name)
    if not repairs:
        pairs = itertools.combinations([n for n in finite if n in unit_prices], 2)
        found = [_repair(optimiser, pair, unit_prices) for pair in pairs]
        repairs = sorted(
            (each for each in found if isinstance(each, Repair)), key=lambda each: each.cost or 0.0
        )[:1]
    unpriced = () if repairs else tuple(name for name in finite if name not in unit_prices)
    return Diagnosis(clashing(optimiser), tuple(repairs), tuple(hopeless), unpriced)


def groups(problem: Problem) -> list[Group]:
    """Every constraint that could be given up, in the board's language."""
    found = [
        Group(f"limit: {name}", lambda p, name=name: p.limited(**{name: UNLIMITED}))  # type: ignore[misc]
        for name in RESOURCES
        if getattr(problem.limits, name) < UNLIMITED
    ]
    found += [
        Group(
            f"mandate: {_THROUGHPUT}{name}",
            lambda p, column=column: _without_throughput(p, column),  # type: ignore[misc]
        )
        for column, name in enumerate(problem.workloads)
        if problem.least_work[:, column].any()
    ]
    if problem.least_nodes:
        found.append(Group("mandate: nodes", lambda p: replace(p, least_nodes=0)))
    if problem.least_memory_gb:
        found.append(Group("mandate: memory", lambda p: replace(p, least_memory_gb=0.0)))
    if any(offer.least > 1 for offer in problem.offers):
        found.append(Group("terms: least quantities", _without_quantities))
    if problem.network is not None:
        found.append(Group("network: leaf switches", lambda p: replace(p, network=None)))
    for share in problem.shares:
        whose = share.kind or share.vendor
        found.append(
            Group(
                f"share: {whose} of {share.of}",
                lambda p, share=share: replace(  # type: ignore[misc]
                    p, shares=tuple(each for each in p.shares if each != share)
                ),
            )
        )
    if problem.most_vendors is not None:
        found.append(Group("policy: vendors", lambda p: replace(p, most_vendors=None)))
    if problem.most_node_types is not None:
        found.append(Group("policy: node types", lambda p: replace(p, most_node_types=None)))
    found += [
        Group(
            f"mandate: a partition for {capability.name}",
            lambda p, name=capability.name: without_capability(p, name),  # type: ignore[misc]
        )
        for capability in problem.capabilities
    ]
    return found


def _without_throughput(problem: Problem, column: int) -> Problem:
    least = problem.least_work.copy()
    least[:, column] = 0.0
    return replace(problem, least_work=least)


def _without_quantities(problem: Problem) -> Problem:
    """The problem in which every offer is sold from one node on."""
    offers = tuple(
        replace(offer, tiers=(replace(offer.tiers[0], first=1), *offer.tiers[1:]))
        for offer in problem.offers
    )
    return replace(problem, offers=offers)


def without_capability(problem: Problem, name: str) -> Problem:
    """The problem that does not ask where one capability workload runs."""
    kept = [i for i, each in enumerate(problem.capabilities) if each.name != name]
    return replace(
        problem,
        capabilities=tuple(problem.capabilities[i] for i in kept),
        capability_weight=problem.capability_weight[:, kept],
    )


def clashing(optimiser: Optimiser) -> tuple[str, ...]:
    """An irreducible set of clashing constraints, by deletion."""
    every = groups(optimiser.problem)
    every.sort(key=lambda group: group.name.startswith("limit"))  # mandates leave first
    kept = list(every)
    for group in every:
        trial = [each for each in kept if each is not group]
        removed = [each for each in every if each not in trial]
        if not feasible(optimiser, removed):
            kept = trial
    return tuple(group.name for group in kept)


def feasible(optimiser: Optimiser, removed: Sequence[Group], extend: Extend | None = None) -> bool:
    """Whether there may be a plan without some constraints, and with a question's own rows."""
    problem = optimiser.problem
    for group in removed:
        problem = group.relaxed(problem)
    trial = Optimiser(problem, optimiser.options, optimiser.pool, optimiser.ledger)
    limit = [
        min(n, most)
        for n, most in zip(
            most_nodes(problem, trial.layout),
            _enlarged(optimiser.problem, trial.layout),
            strict=True,
        )
    ]
    outcome = trial.solve(Goal.GIVEN, most=limit, method="any", extend=extend)
    trial.close()
    return outcome.status is not Status.INFEASIBLE


def _enlarged(problem: Problem, lay: Layout) -> list[int]:
    """More nodes than any sensible repair would buy."""
    return [round(count * _ENLARGED[0]) + 10**4 for count in most_nodes(problem, lay)]


def _repair(
    optimiser: Optimiser, names: tuple[str, ...], unit_prices: Mapping[str, float]
) -> Repair | Status:
    """Raise resources by the least amount, or where there are two at the least cost."""
    found: Repair | Status = Status.INFEASIBLE
    for factor in _ENLARGED:
        found = _repair_within(optimiser, names, unit_prices, factor)
        if found is not Status.INFEASIBLE:
            break
    return found


def _repair_within(
    optimiser: Optimiser, names: tuple[str, ...], unit_prices: Mapping[str, float], factor: float
) -> Repair | Status:
    problem = optimiser.problem
    present = {name: getattr(problem.limits, name) for name in names}
    prices = {name: unit_prices.get(name, 1.0) if len(names) > 1 else 1.0 for name in names}
    raised = problem.limited(**{name: value * factor for name, value in present.items()})
    outcome = optimiser.variant(raised, gap=1e-4).solve(
        Goal.GIVEN,
        freed={name: Freed(present[name], prices[name]) for name in names},
        method="repair",
    )
    x = None if outcome.last is None else outcome.last[1].x
    if outcome.plan is None or outcome.last is None or x is None:
        return outcome.status
    columns = outcome.last[0].columns.limit
    limits = {name: float(x[columns[name]]) * raised.unit(name) for name in names}
    used = {  # what the plan really needs: the program's tolerance may fall short of it
        "capital": outcome.plan.bill.capital,
        "operating": outcome.plan.operating,
        "it_power_w": outcome.plan.it_power_w,
        "liquid_w": outcome.plan.liquid_w,
        "air_w": outcome.plan.air_w,
    }
    limits = {name: max(limit, used.get(name, limit)) for name, limit in limits.items()}
    added = tuple(
        (name, limits[name] - present[name])
        for name in names
        if limits[name] > present[name] * (1 + 1e-9)
    )
    least = outcome.bound - sum(present[n] * prices[n] for n in names) if outcome.bound else 0.0
    priced = all(name in unit_prices for name, _ in added)
    cost = sum(unit_prices[name] * amount for name, amount in added) if priced else None
    best = optimiser.variant(problem.limited(**limits), gap=_REPAIRED_GAP).solve(
        incumbent=outcome.plan, method="repair"
    )
    return Repair(added, max(0.0, least), cost, best.plan or outcome.plan)
