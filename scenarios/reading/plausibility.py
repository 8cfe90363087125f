"""Values that are valid but implausible give a warning, never an error."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator

from scenarios.model.node_types import NodeType
from scenarios.model.scenario import Budget, Scenario
from scenarios.positions import KeyPath
from scenarios.reading.date_remarks import date_remarks

MOST_RATIO = 20.0
"""A node's price over the median of all: GPU nodes cost some ten times a plain one."""

FEWEST_PRICES = 3
DEAREST_KWH = 5.0
"""Highest plausible price of a kWh in the currencies below: ten times what anybody pays.

Prices per MWh exceed it, since they are a thousand times as high.
"""

_KWH_CURRENCIES = ("EUR", "USD", "GBP", "CHF")

Remarks = Iterator[tuple[KeyPath, str]]


def remarks(scenario: Scenario) -> Remarks:
    """Every doubtful value with its key path."""
    if scenario.budget is not None:
        yield from _energy_prices(scenario.budget)
    if scenario.procurement is None:
        return
    yield from _node_prices(scenario)
    yield from _power(scenario)
    yield from _cooling(scenario)
    yield from date_remarks(scenario)
    yield from _uncounted(scenario)
    yield from _unquoted_kinds(scenario)
    for index, node_type in enumerate(scenario.node_types):
        yield from _discounts(node_type, ("node_types", index, "discounts"))


def _uncounted(scenario: Scenario) -> Remarks:
    """Workloads and demands that count for nothing, or only in requirements."""
    wanted = scenario.requirements
    for index, work in enumerate(scenario.workloads):
        if work.weight == 0 and work.name not in {*wanted.throughput, *wanted.time_to_solution_s}:
            message = "is 0 and no requirement names the workload, so it has no effect"
            yield ("workloads", index, "weight"), message
    for index, demand in enumerate(scenario.demands):
        if demand.probability == 0 and (wanted.throughput or wanted.capacity):
            message = "is 0, but the required throughputs still apply in this demand"
            yield ("demands", index, "probability"), message


def _unquoted_kinds(scenario: Scenario) -> Remarks:
    """Kinds that a workload or a share names and nobody quotes."""
    quoted = sorted({node_type.kind for node_type in scenario.node_types if node_type.kind})
    listed = f"there {'is' if len(quoted) == 1 else 'are'} {', '.join(quoted) or 'none'}"
    for index, work in enumerate(scenario.workloads):
        for place, kind in enumerate(work.kinds):
            if kind not in quoted:
                where: KeyPath = ("workloads", index, "kinds", place)
                yield where, f"no quote is of the kind {kind!r}; {listed}"
    for index, share in enumerate(scenario.requirements.shares):
        if share.kind is not None and share.kind not in quoted:
            missed = (
                "; its share is 0, so no plan can meet the requirement" if share.least > 0 else ""
            )
            message = f"no quote is of the kind {share.kind!r}{missed}; {listed}"
            yield ("requirements", "shares", index, "kind"), message


def _energy_prices(budget: Budget) -> Remarks:
    stated: list[tuple[KeyPath, float]] = [
        (("budget", "energy_price_per_kwh"), budget.energy_price_per_kwh),
        *(
            (("budget", "energy_prices", index, "price_per_kwh"), energy_price.price_per_kwh)
            for index, energy_price in enumerate(budget.energy_prices)
        ),
    ]
    for where, price in stated:
        if price > DEAREST_KWH and budget.currency in _KWH_CURRENCIES:
            message = (
                f"{price:g} {budget.currency} is a high price for one kWh; check the unit (if it "
                f"is per MWh, write {price / 1000:g})"
            )
            yield where, message


def _node_prices(scenario: Scenario) -> Remarks:
    currency = scenario.budget.currency if scenario.budget else ""
    prices = {i: e.price for i, e in enumerate(scenario.node_types) if e.price is not None}
    if len(prices) < FEWEST_PRICES:
        return
    middle = statistics.median(prices.values())
    for index, price in prices.items():
        ratio = max(price / middle, middle / price)
        if ratio > MOST_RATIO:
            name = scenario.node_types[index].name
            side = "above" if price > middle else "below"
            message = (
                f"{_money(price)} {currency} for one {name} is {ratio:,.0f} times {side} the "
                f"median of all quotes, {_money(middle)} {currency}; check the unit"
            )
            yield ("node_types", index, "price"), message


def _money(amount: float) -> str:
    return f"{amount:,.2f}".removesuffix(".00")


def _power(scenario: Scenario) -> Remarks:
    power, peaks_w = scenario.power, [e.peak_w for e in scenario.node_types if e.peak_w]
    if power is None or not peaks_w:
        return
    left_w = power.it_bound_w - power.fixed_w
    if min(peaks_w) > left_w:
        message = (
            f"bound_w = {power.bound_w:g} leaves {left_w:.6g} W of IT power for nodes, but one "
            "node "
            f"at peak power draws {min(peaks_w):g} W or more; check the unit (W)"
        )
        yield ("power", "bound_w"), message


def _cooling(scenario: Scenario) -> Remarks:
    facility = scenario.facility
    for kind in ("liquid", "air"):
        limit_w = getattr(facility, f"{kind}_w", None)
        idle_w = [e.idle_w for e in scenario.node_types if e.cooling == kind and e.idle_w]
        if limit_w is not None and idle_w and min(idle_w) > limit_w:
            message = (
                f"{limit_w:g} W are too little for one idle node cooled by {kind}, which draws "
                f"{min(idle_w):g} W or more; check the unit (W)"
            )
            yield ("facility", f"{kind}_w"), message


def _discounts(node_type: NodeType, where: KeyPath) -> Remarks:
    for before, after in itertools.pairwise(node_type.discounts):
        if after.fraction < before.fraction:
            message = (
                f"the discount of {node_type.name} falls from {before.fraction:.4g} at "
                f"{before.from_quantity} nodes to {after.fraction:.4g} at {after.from_quantity}; "
                "check whether they are swapped"
            )
            yield where, message
