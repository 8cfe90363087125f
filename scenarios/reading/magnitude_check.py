"""Limits of the site too small for any plan at all: nearly always a mistake of units."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.model.node_types import NodeType
from scenarios.model.procurement import Facility
from scenarios.model.scenario import Budget, Power
from scenarios.positions import KeyPath
from scenarios.reading.groups import Groups, whole

Faults = Iterator[tuple[KeyPath, str]]
_ROUNDING_DOWN = 1 - 1e-9


def magnitude_faults(groups: Groups) -> Faults:
    """Check that one node of some type fits each limit, on data that may be wrong otherwise.

    What one node of every type breaks by itself, no repair and no other choice mends; a limit
    that only some types, or only several nodes, break is the planner's to judge.
    """
    raw = groups.raw
    types = [*groups.whole_node_types.values()]
    types = [each for each in types if None not in (each.price, each.idle_w, each.peak_w)]
    power, budget = whole(Power, raw.get("power")), whole(Budget, raw.get("budget"))
    facility = whole(Facility, raw.get("facility"))
    if power is not None:
        yield from _power(power, types)
    if budget is not None:
        yield from _operating(budget)
        yield from _capital(budget, types)
    if facility is not None and facility.rack_w is not None:
        least_w = min((each.peak_w or 0.0 for each in types), default=0.0)
        if least_w > facility.rack_w:
            message = (
                f"rack_w = {_said(facility.rack_w)} W is below the peak power of every node type "
                f"({_said(least_w)} W or more); check the unit (W)"
            )
            yield ("facility", "rack_w"), message


def _said(amount: float) -> str:
    return f"{amount:.6g}" if abs(amount) < 1e6 else f"{amount:.0f}"


def _power(power: Power, types: list[NodeType]) -> Faults:
    bound, fixed = f"bound_w = {_said(power.bound_w)}", f"fixed_w = {_said(power.fixed_w)}"
    if power.it_bound_w < power.bound_w:
        bound += f", which is {_said(power.it_bound_w)} W of IT power,"
    left_w = power.it_bound_w - power.fixed_w
    least_w = min((each.idle_w or 0.0 for each in types), default=0.0)
    if left_w <= 0:
        message = f"{fixed} leaves no power for nodes under {bound}; check the unit of both (W)"
        yield ("power", "fixed_w"), message
    elif least_w * _ROUNDING_DOWN > left_w:
        message = (
            f"{bound}{f' less {fixed}' if power.fixed_w else ''} is too little for one idle node "
            f"of any type, which draws {_said(least_w)} W or more; check the unit (W)"
        )
        yield ("power", "bound_w"), message


def _operating(budget: Budget) -> Faults:
    each_year, unit = budget.operating_per_year, budget.currency
    if each_year is not None and each_year < budget.staff_per_year:
        message = (
            f"operating_per_year = {_said(each_year)} {unit} does not cover staff_per_year = "
            f"{_said(budget.staff_per_year)} {unit}; check the unit of both ({unit})"
        )
        yield ("budget", "operating_per_year"), message


def _capital(budget: Budget, types: list[NodeType]) -> Faults:
    if budget.capital is None:
        return
    unit = budget.currency
    capital = f"capital = {_said(budget.capital)} {unit}"
    fixed = f"fixed_capital = {_said(budget.fixed_capital)}"
    left = budget.capital - budget.fixed_capital
    least = min((_least_price(each) for each in types), default=0.0)
    if left <= 0:
        message = (
            f"{fixed} {unit} leaves no money for nodes from {capital}; check the unit of both "
            f"({unit})"
        )
        yield ("budget", "fixed_capital"), message
    elif least * (1 + budget.installation_fraction) * _ROUNDING_DOWN > left:
        message = (
            f"{capital}{f' less {fixed}' if budget.fixed_capital else ''} is too little for one "
            "node "
            f"of any type, which costs {_said(least)} {unit} or more; check the unit ({unit})"
        )
        yield ("budget", "capital"), message


def _least_price(node_type: NodeType) -> float:
    most = max((discount.fraction for discount in node_type.discounts), default=0.0)
    return (node_type.price or 0.0) * (1 - most)
