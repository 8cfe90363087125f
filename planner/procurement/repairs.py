"""The least amounts by which resources must grow before there is a plan."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.formatting import money, power, racks
from planner.procurement.columns import Freed, Goal
from planner.procurement.optimise import Optimiser
from planner.procurement.plan import Plan
from planner.procurement.problem import POWER_RESOURCES, RESOURCES, UNLIMITED, Problem
from solvers import Status


@dataclass(frozen=True)
class Repair:
    """The least amount by which resources must grow.

    Attributes
    ----------
    added
        Resource and amount (watts, money, racks).
    bound
        No repair by these resources adds less: an amount, or for several a cost (where prices
        are missing, the sum of their growths in fractions).
    cost
        Price of the repair in unit prices; ``None`` where no price is stated.
    plan
        The best plan that the repaired limits allow.
    relative
        Whether growths in fractions were added up and not costs, since prices are missing.
    unit_prices
        Price of one more unit of each resource added; empty where one has none.
    """

    added: tuple[tuple[str, float], ...]
    bound: float
    cost: float | None
    plan: Plan
    relative: bool = False
    unit_prices: tuple[float, ...] = ()

    @property
    def printed_cost(self) -> float | None:
        """Price of the amounts as they are printed, rounded up: what a reader multiplies."""
        if self.cost is None or not self.unit_prices:
            return self.cost
        pairs = zip(self.added, self.unit_prices, strict=True)
        return round(sum(printed(*addition) * price for addition, price in pairs), 6)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "added": [{"resource": name, "amount": amount} for name, amount in self.added],
            "bound": self.bound,
            "cost": self.cost,
            "plan": self.plan.to_dict(),
        }


_SIZES = {"kW": 1e3, "MW": 1e6, "M": 1e6}
"""What the units of printed amounts are worth; others are 1."""


def printed(resource: str, value: float) -> float:
    """Return an amount rounded up as people read it.

    Examples
    --------
    >>> printed("it_power_w", 15_003.9), printed("capital", 1_234_567.0), printed("racks", 2.2)
    (15010.0, 1235000.0, 3.0)
    """
    if resource == "racks":
        text = racks(value, "up")
    else:
        text = power(value, "up") if resource in POWER_RESOURCES else money(value, "", "up")
    number, *unit = text.split()
    return round(float(number.replace(",", "")) * _SIZES.get("".join(unit), 1.0), 6)


_ENLARGED = (100.0, 1e4, 1e6)
"""Multiples to which a repair may raise a resource, tried in turn."""
REPAIRED_GAP = 1e-3
"""To which the best plan under repaired limits is sought."""


@dataclass(frozen=True)
class Repairs:
    """What more of the resources would do.

    Attributes
    ----------
    found
        Every single resource of which more suffices; where there is none, the cheapest pair of
        those with a price; else the cheapest of all resources together.
    hopeless
        Resources of which no amount alone makes a plan.
    unpriced
        Where no single resource and no pair suffices: those without a price, so that no pair was
        tried with them, and the least growth in per cent, added up, stands for the least cost.
    """

    found: tuple[Repair, ...]
    hopeless: tuple[str, ...]
    unpriced: tuple[str, ...]


def resource_repairs(
    optimiser: Optimiser, unit_prices: Mapping[str, float], floor: float | None = None
) -> Repairs:
    """The least growth of resources that makes a plan.

    Parameters
    ----------
    unit_prices
        Price of one watt, one rack, one unit of money, by resource; for several resources.
    floor
        Least risk measure of log S of the plan, where not any plan will do.
    """
    names = finite(optimiser.problem)
    repairs: list[Repair] = []
    hopeless = []
    for name in names:
        repair = _repair(optimiser, (name,), unit_prices, floor)
        if isinstance(repair, Repair):
            repairs.append(repair)
        elif repair is Status.INFEASIBLE:
            hopeless.append(name)
    if not repairs:
        pairs = itertools.combinations([n for n in names if n in unit_prices], 2)
        repairs = _cheapest(_repair(optimiser, pair, unit_prices, floor) for pair in pairs)
    unpriced = () if repairs else tuple(name for name in names if name not in unit_prices)
    if not repairs and len(names) > 1:
        together = cheapest_of_all(optimiser, unit_prices, floor)
        repairs = [] if together is None else [together]
    return Repairs(tuple(repairs), tuple(hopeless), unpriced)


def finite(problem: Problem) -> list[str]:
    """Resources of which the site has a limit."""
    return [name for name in RESOURCES if getattr(problem.limits, name) < UNLIMITED]


def cheapest_of_all(
    optimiser: Optimiser, unit_prices: Mapping[str, float], floor: float | None = None
) -> Repair | None:
    """The cheapest growth of any number of resources; the least in per cent without prices."""
    repair = _repair(optimiser, tuple(finite(optimiser.problem)), unit_prices, floor)
    return repair if isinstance(repair, Repair) else None


def _cheapest(tried: Iterable[Repair | Status]) -> list[Repair]:
    return sorted(
        (repair for repair in tried if isinstance(repair, Repair)),
        key=lambda repair: repair.cost or 0.0,
    )[:1]


def _repair(
    optimiser: Optimiser,
    names: tuple[str, ...],
    unit_prices: Mapping[str, float],
    floor: float | None,
) -> Repair | Status:
    """Raise resources by the least amount, or where there are several at the least cost."""
    repair: Repair | Status = Status.INFEASIBLE
    for factor in _ENLARGED:
        repair = _repair_within(optimiser, names, unit_prices, factor, floor)
        if repair is not Status.INFEASIBLE:
            break
    return repair


def _repair_within(
    optimiser: Optimiser,
    names: tuple[str, ...],
    unit_prices: Mapping[str, float],
    factor: float,
    floor: float | None,
) -> Repair | Status:
    problem = optimiser.problem
    present = {name: getattr(problem.limits, name) for name in names}
    prices = _prices(names, present, unit_prices)
    raised = problem.limited(**{name: value * factor for name, value in present.items()})
    outcome = optimiser.variant(raised, gap=1e-4).solve(
        Goal.GIVEN,
        floor=floor,
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
    grown = [(name, limits[name] - present[name]) for name in names if limits[name] > present[name]]
    clearly = [(name, more) for name, more in grown if more > 1e-9 * present[name]]
    added = tuple(clearly or grown)
    minimum = outcome.bound - sum(present[n] * prices[n] for n in names) if outcome.bound else 0.0
    priced = all(name in unit_prices for name, _ in added)
    each = tuple(unit_prices[name] for name, _ in added) if priced else ()
    cost = sum(unit_prices[name] * amount for name, amount in added) if priced else None
    best = optimiser.variant(problem.limited(**limits), gap=REPAIRED_GAP).solve(
        incumbent=outcome.plan, method="repair"
    )
    relative = len(names) > 1 and not all(name in unit_prices for name in names)
    return Repair(added, max(0.0, minimum), cost, best.plan or outcome.plan, relative, each)


def _prices(
    names: tuple[str, ...], present: Mapping[str, float], unit_prices: Mapping[str, float]
) -> dict[str, float]:
    """What one more unit counts; where a price is missing, each resource's growth in itself."""
    if len(names) == 1:
        return dict.fromkeys(names, 1.0)
    if all(name in unit_prices for name in names):
        return {name: unit_prices[name] for name in names}
    return {name: 1 / max(present[name], 1e-9) for name in names}
