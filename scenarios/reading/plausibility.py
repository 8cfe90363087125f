"""Values that are valid but implausible give a warning, never an error."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator

from scenarios.model.node_types import NodeType
from scenarios.model.scenario import Budget, Scenario
from scenarios.positions import KeyPath
from scenarios.reading.date_remarks import date_remarks
from scenarios.remark import Remark, remark

MOST_RATIO = 20.0
"""A node's price over the median of all: GPU nodes cost some ten times a plain one."""

FEWEST_PRICES = 3
DEAREST_KWH = 5.0
"""Highest plausible price of a kWh in the currencies below: ten times what anybody pays.

Prices per MWh exceed it, since they are a thousand times as high.
"""

_KWH_CURRENCIES = ("EUR", "USD", "GBP", "CHF")

Remarks = Iterator[tuple[KeyPath, Remark]]


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
            yield ("workloads", index, "weight"), remark("scenario-no-effect")
    for index, demand in enumerate(scenario.demands):
        if demand.probability == 0 and (wanted.throughput or wanted.capacity):
            yield ("demands", index, "probability"), remark("scenario-demand-applies")


def _unquoted_kinds(scenario: Scenario) -> Remarks:
    """Kinds that a workload or a share names and nobody quotes."""
    kinds = tuple(sorted({node_type.kind for node_type in scenario.node_types if node_type.kind}))
    quoted = (kinds, "text")
    for index, work in enumerate(scenario.workloads):
        for place, kind in enumerate(work.kinds):
            if kind not in kinds:
                where: KeyPath = ("workloads", index, "kinds", place)
                yield where, remark("scenario-kind", asked=(kind, "text"), quoted=quoted)
    for index, share in enumerate(scenario.requirements.shares):
        if share.kind is not None and share.kind not in kinds:
            what = "scenario-kind-required" if share.least > 0 else "scenario-kind"
            where = ("requirements", "shares", index, "kind")
            yield where, remark(what, asked=(share.kind, "text"), quoted=quoted)


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
            unit = f"price {budget.currency}"
            per_kwh = (f"{price / 1000:g}", "exact")
            yield where, remark("scenario-energy-price", price=(price, unit), per_kwh=per_kwh)


def _node_prices(scenario: Scenario) -> Remarks:
    currency = scenario.budget.currency if scenario.budget else ""
    prices = {i: e.price for i, e in enumerate(scenario.node_types) if e.price is not None}
    if len(prices) < FEWEST_PRICES:
        return
    middle = statistics.median(prices.values())
    for index, price in prices.items():
        if max(price / middle, middle / price) > MOST_RATIO:
            yield (
                ("node_types", index, "price"),
                remark(
                    "scenario-price-apart",
                    node=(scenario.node_types[index].name, "text"),
                    price=(price, f"price {currency}"),
                    median=(middle, f"price {currency}"),
                    ratio=(price / middle, "factor"),
                ),
            )


def _power(scenario: Scenario) -> Remarks:
    power, peaks_w = scenario.power, [e.peak_w for e in scenario.node_types if e.peak_w]
    if power is None or not peaks_w:
        return
    left_w = power.it_bound_w - power.fixed_w
    if min(peaks_w) > left_w:
        yield (
            ("power", "bound_w"),
            remark(
                "scenario-bound",
                bound=(power.bound_w, "W given"),
                left=(left_w, "W"),
                least=(min(peaks_w), "W given"),
            ),
        )


def _cooling(scenario: Scenario) -> Remarks:
    facility = scenario.facility
    for kind in ("liquid", "air"):
        limit_w = getattr(facility, f"{kind}_w", None)
        idle_w = [e.idle_w for e in scenario.node_types if e.cooling == kind and e.idle_w]
        if limit_w is not None and idle_w and min(idle_w) > limit_w:
            least = (min(idle_w), "W given")
            yield (
                ("facility", f"{kind}_w"),
                remark("scenario-cooling", limit=(limit_w, "W given"), least=least),
            )


def _discounts(node_type: NodeType, where: KeyPath) -> Remarks:
    for before, after in itertools.pairwise(node_type.discounts):
        if after.fraction < before.fraction:
            yield (
                where,
                remark(
                    "scenario-discounts",
                    node=(node_type.name, "text"),
                    before=(before.fraction, "share given"),
                    fewer=(before.from_quantity, "node"),
                    after=(after.fraction, "share given"),
                    more=(after.from_quantity, "node"),
                ),
            )
