"""What the bought nodes do, as algebra: the power regimes, allocations, partitions and energy.

A part of :mod:`planner.formulations.procurement`, whose docstring holds the mathematics. Money and
power are in the problem's units.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.formulations.procurement_purchase import Purchase, most_nodes
from planner.procurement.performance import Partition
from planner.procurement.problem import MANDATE_TOLERANCE, UNLIMITED, Problem

if TYPE_CHECKING:
    import pulp

LARGEST_RATING, LEAST_RATING = 1000.0, 0.001
"""Limits of a rating, in its unit: no machine has more, and every plan does some of all work."""


@dataclass(frozen=True)
class Slot:
    """What can be installed: nodes of an offer, which may work in some modes.

    Attributes
    ----------
    base_w
        Watts that the regime counts for an installed node.
    """

    offer: int
    modes: tuple[int, ...]
    base_w: float


@dataclass(frozen=True, eq=False)
class Work:
    """What the nodes do.

    Attributes
    ----------
    slots, installed
        What can be installed, and how many nodes of each are installed.
    units, rating
        Per rating: its unit, and its throughput in that.
    at_work
        Per rating: nodes in use by mode and workload.
    runs
        Per capability workload: whether it runs on each of its partitions.
    """

    slots: tuple[Slot, ...]
    installed: tuple[pulp.LpAffineExpression, ...]
    units: tuple[float, ...]
    rating: tuple[pulp.LpVariable, ...]
    at_work: tuple[dict[tuple[int, int], pulp.LpVariable], ...]
    runs: tuple[tuple[tuple[Partition, pulp.LpVariable], ...], ...]


def slots(problem: Problem) -> tuple[Slot, ...]:
    """What can be installed under the regime, in the order of offers and caps."""
    result = []
    for o, offer in enumerate(problem.offers):
        own = tuple(m for m, mode in enumerate(problem.modes) if mode.offer == o)
        if problem.regime == "worst-case":
            result.append(Slot(o, own[-1:], offer.peak_w))  # the last mode is the uncapped node
        elif problem.regime == "static":
            result += [Slot(o, (m,), problem.modes[m].node_w) for m in own]
        else:
            result.append(Slot(o, own, offer.idle_w))
    return tuple(result)


def added_w(problem: Problem, mode: int) -> float:
    """Watts that a node in use adds to those that count for every installed one."""
    if problem.regime != "overprovisioned":
        return 0.0
    return problem.modes[mode].node_w - problem.offers[problem.modes[mode].offer].idle_w


def able(problem: Problem) -> list[list[tuple[int, int]]]:
    """Per rating: mode and workload, wherever a node can do work that the mix asks for."""
    modes = [m for slot in slots(problem) for m in slot.modes]
    return [
        [(m, w) for m in modes for w, d in enumerate(mix) if d > 0 and problem.merit[m, w] > 0]
        for mix in problem.demand
    ]


def partitions(problem: Problem) -> list[list[Partition]]:
    """Per capability workload: partitions that the regime and the largest time allow."""
    modes = {m for slot in slots(problem) for m in slot.modes}
    return [[option for option in c.options if option.mode in modes] for c in problem.capabilities]


def work(model: pulp.LpProblem, problem: Problem, bought: Purchase) -> Work:
    """Add what the nodes do, and the limits of watts and energy."""
    every = slots(problem)
    units = rating_units(problem)
    allocation = Work(
        every,
        _installed(model, problem, bought, every),
        units,
        tuple(model.add_variable(f"rating_{r}", LEAST_RATING) for r in range(len(units))),
        tuple(
            {(m, w): model.add_variable(f"work_{r}_{m}_{w}", 0) for m, w in pairs}
            for r, pairs in enumerate(able(problem))
        ),
        tuple(
            tuple(
                (option, model.add_variable(f"run_{c}_{i}", cat="Binary"))
                for i, option in enumerate(options)
            )
            for c, options in enumerate(partitions(problem))
        ),
    )
    _allocate(model, problem, allocation)
    _place(model, allocation)
    _power(model, problem, bought, allocation)
    _energy(model, problem, bought, allocation)
    return allocation


def _installed(
    model: pulp.LpProblem, problem: Problem, bought: Purchase, every: tuple[Slot, ...]
) -> tuple[pulp.LpAffineExpression, ...]:
    """Return nodes per slot; under static caps, add the one cap of each type."""
    import pulp

    if problem.regime != "static":
        return bought.nodes
    maximum = most_nodes(problem)
    under, cap = [], []
    for k, slot in enumerate(every):
        under.append(model.add_variable(f"under_{k}", 0, maximum[slot.offer], "Integer"))
        cap.append(model.add_variable(f"cap_{k}", cat="Binary"))
        model += under[k] <= maximum[slot.offer] * cap[k], f"capped_{k}"
    for o, nodes in enumerate(bought.nodes):
        own = [k for k, slot in enumerate(every) if slot.offer == o]
        model += pulp.lpSum(cap[k] for k in own) <= 1, f"one_cap_{o}"
        model += pulp.lpSum(under[k] for k in own) == nodes, f"all_capped_{o}"
    return tuple(pulp.lpSum([column]) for column in under)


def rating_units(problem: Problem) -> tuple[float, ...]:
    """A thousandth of the largest rating: each workload alone on all nodes of its best type."""
    maximum = most_nodes(problem)
    alone = [
        max(problem.merit[m, w] * maximum[mode.offer] for m, mode in enumerate(problem.modes))
        for w in range(len(problem.workloads))
    ]
    largest = [min(alone[w] / d for w, d in enumerate(mix) if d > 0) for mix in problem.demand]
    return tuple(
        float(rating / problem.reference_nodes / LARGEST_RATING) or 1.0 for rating in largest
    )


def _allocate(model: pulp.LpProblem, problem: Problem, allocation: Work) -> None:
    """Add the rows of every rating: throughput of the mix, required work, nodes in use."""
    import pulp

    for r, at_work in enumerate(allocation.at_work):
        for w, d in enumerate(problem.demand[r].tolist()):
            if d == 0:
                continue
            own = {m: y for (m, v), y in at_work.items() if v == w}
            unit = d * problem.reference_nodes * allocation.units[r]
            rated = pulp.lpSum(float(problem.merit[m, w]) / unit * y for m, y in own.items())
            model += rated >= allocation.rating[r], f"rated_{r}_{w}"
            if minimum := float(problem.least_work[r, w]):
                share = 1000 * allocation.units[r] / minimum  # in thousandths of what is required
                enough = 1000 * (1 - MANDATE_TOLERANCE / 2)
                model += share * rated >= enough, f"mandate_{r}_{w}"
        for k, (slot, nodes) in enumerate(zip(allocation.slots, allocation.installed, strict=True)):
            busy = [y for (m, _), y in at_work.items() if m in slot.modes]
            model += pulp.lpSum(busy) <= nodes, f"room_{r}_{k}"


def _place(model: pulp.LpProblem, allocation: Work) -> None:
    """Add where each capability workload runs: on one partition that the machine holds."""
    import pulp

    for c, runs in enumerate(allocation.runs):
        model += pulp.lpSum(run for _, run in runs) == 1, f"one_partition_{c}"
        for k, (slot, nodes) in enumerate(zip(allocation.slots, allocation.installed, strict=True)):
            held_nodes = [option.nodes * run for option, run in runs if option.mode in slot.modes]
            model += pulp.lpSum(held_nodes) <= nodes, f"holds_{c}_{k}"


def _power(model: pulp.LpProblem, problem: Problem, bought: Purchase, allocation: Work) -> None:
    """Add each limit of watts: for the installed nodes, in every rating, on every partition."""
    import pulp

    limits, unit = problem.limits, problem.power_unit
    for name, limit, coolings in (
        ("it_power", limits.it_power_w, ("air", "liquid")),
        ("liquid", limits.liquid_w, ("liquid",)),
        ("air", limits.air_w, ("air",)),
    ):
        if limit == UNLIMITED:
            continue
        base = [
            slot.base_w / unit * nodes
            for slot, nodes in zip(allocation.slots, allocation.installed, strict=True)
            if problem.offers[slot.offer].cooling in coolings
        ]
        if name == "it_power":
            base.append(bought.fabric + problem.fixed_w / unit)
        model += pulp.lpSum(base) <= limit / unit, f"{name}_installed"
        for state, adding in _states(problem, allocation, coolings):
            if adding:
                model += pulp.lpSum([*base, *adding]) <= limit / unit, f"{name}_{state}"


def _states(
    problem: Problem, allocation: Work, coolings: Iterable[str]
) -> Iterable[tuple[str, list[pulp.LpAffineExpression]]]:
    """Every rating and partition, and the watts that its nodes in use add."""
    added = {
        m: added_w(problem, m) / problem.power_unit
        for m, mode in enumerate(problem.modes)
        if problem.offers[mode.offer].cooling in coolings and added_w(problem, m)
    }
    for r, at_work in enumerate(allocation.at_work):
        yield f"rating_{r}", [added[m] * y for (m, _), y in at_work.items() if m in added]
    for c, runs in enumerate(allocation.runs):
        adding = [
            added[option.mode] * option.nodes * run for option, run in runs if option.mode in added
        ]
        yield f"partition_{c}", adding


def _energy(model: pulp.LpProblem, problem: Problem, bought: Purchase, allocation: Work) -> None:
    """Add the operating budget: maintenance, staff, and the energy that is drawn on average."""
    import pulp

    prices, unit, offers = problem.prices, problem.power_unit, problem.offers
    if problem.limits.operating == UNLIMITED:
        return
    idle_w = [offers[mode.offer].idle_w for mode in problem.modes]
    mean = [offer.idle_w / unit * n for offer, n in zip(offers, bought.nodes, strict=True)]
    mean.append(bought.fabric + problem.fixed_w / unit)
    for share, at_work in zip(problem.energy_weight.tolist(), allocation.at_work, strict=True):
        mean += [
            share * prices.utilisation * (float(problem.drawn_w[m, w]) - idle_w[m]) / unit * y
            for (m, w), y in at_work.items()
        ]
    price = prices.energy_per_w(prices.binding_energy_price) * unit / problem.money_unit
    year = prices.maintenance * bought.hardware + bought.packages.year + price * pulp.lpSum(mean)
    remaining = (problem.limits.operating - prices.staff) / problem.money_unit
    model += year <= remaining, "operating"
