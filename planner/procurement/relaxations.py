"""Rules that may give way step by step: requirements, shares, policies, terms of quotes, dates.

Each :class:`Relaxation` lists its values as they would be printed, from the mildest change to the
farthest. A farther value allows every plan that a milder one allows, so bisection finds the
mildest value that suffices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from planner.formatting import rounded
from planner.procurement.from_scenario import delivery_day, tiers_of
from planner.procurement.package_rules import LOT, ORDER, with_least_order, with_lot
from planner.procurement.problem import (
    EXPIRED,
    LATE,
    NODE_MEMORY,
    RACK_POWER,
    UNLIMITED,
    Problem,
)
from planner.procurement.rules import (
    EVERY_THROUGHPUT,
    QUANTITIES,
    STOCK,
    THROUGHPUT,
    admitted,
    fed,
)
from scenarios.model.node_types import NodeType
from scenarios.model.scenario import Scenario
from solvers.portable import order_of_ten, ten_to_the

_MOST_BOUGHT = 10**6
_LONG_S = 7200
"""Longer times are written in hours."""

_SHARES = 1000
"""Shares are relaxed in steps of a thousandth."""


@dataclass(frozen=True)
class Relaxation:
    """One rule that may give way.

    Attributes
    ----------
    rule
        As in :mod:`planner.procurement.rules`; stocks have one of their own.
    subject
        What the rule is about: a workload, quotes, a side; empty where there is one such rule.
    values
        From the mildest change to the farthest, as printed.
    at
        The problem under a value.
    before, after, spec, scale
        What is written around a value, how it is formatted, and what it is multiplied by.
    """

    rule: str
    subject: str
    values: Sequence[Any]
    at: Callable[[Problem, Any], Problem]
    before: str = ""
    after: str = ""
    spec: str = ","
    scale: float = 1

    def words(self, value: Any) -> str:
        """The change to a value in words, with what holds now."""
        listed = value if self.scale == 1 else value * self.scale
        return f"{self.before}{format(listed, self.spec)}{self.after}"


Found = Iterator[Relaxation]


def relaxations(problem: Problem, scenario: Scenario | None) -> list[Relaxation]:
    """Every rule that has steps.

    Parameters
    ----------
    scenario
        From which the problem was made with its barred offers; without it, terms of quotes and
        exclusions are left out.
    """
    every = [
        *_throughputs(problem),
        *_sizes(problem),
        *_shares(problem),
        *_policies(problem),
        *_times(problem),
        *_rack_power(problem),
        *_packages(problem),
    ]
    if scenario is not None:
        every += [*_terms(problem, scenario), *_exclusions(problem, scenario)]
    return [relaxation for relaxation in every if len(relaxation.values)]


def _below(value: float) -> tuple[float, ...]:
    """Numbers of three digits below a value, descending, down to 0."""
    step = ten_to_the(order_of_ten(math.nextafter(value, 0.0)) - 2)
    top = math.ceil(value / step * (1 - 1e-9)) - 1
    return (*(float(f"{k * step:.3g}") for k in range(top, 0, -1)), 0.0)


def _throughputs(problem: Problem) -> Found:
    columns = [c for c in range(len(problem.workloads)) if problem.least_work[:, c].any()]
    for column in columns:
        name, minimum = problem.workloads[column], float(problem.least_work[:, column].max())
        yield Relaxation(
            THROUGHPUT + name, name, _below(minimum), partial(_working, column),
            f"a throughput of {name} of ", f" instead of {minimum:g} times the reference machine's",
            "g",
        )  # fmt: skip
    if len(columns) > 1:
        yield Relaxation(
            EVERY_THROUGHPUT, "", _below(100.0), _working_less,
            after=" % of every required throughput", spec="g",
        )  # fmt: skip


def _working(column: int, problem: Problem, value: float) -> Problem:
    minimum = problem.least_work.copy()
    minimum[:, column] = np.minimum(minimum[:, column], value)
    return replace(problem, least_work=minimum)


def _working_less(problem: Problem, per_cent: float) -> Problem:
    return replace(problem, least_work=problem.least_work * (per_cent / 100))


def _sizes(problem: Problem) -> Found:
    if problem.least_nodes:
        yield Relaxation(
            "requirement: nodes", "", range(problem.least_nodes - 1, -1, -1),
            partial(_with, "least_nodes"), after=f" instead of {problem.least_nodes:,} nodes",
        )  # fmt: skip
    least_gb = problem.least_memory_gb
    if least_gb:
        yield Relaxation(
            "requirement: memory", "", _below(least_gb), partial(_with, "least_memory_gb"),
            after=f" instead of {least_gb:,.12g} GB of memory in all", spec=",.12g",
        )  # fmt: skip


def _with(field: str, problem: Problem, value: Any) -> Problem:
    return replace(problem, **{field: value})


def _shares(problem: Problem) -> Found:
    for share_index, share in enumerate(problem.shares):
        milder = range(math.ceil(share.least * _SHARES - 1e-9) - 1, -1, -1)
        wider = range(math.floor(share.most * _SHARES + 1e-9) + 1, _SHARES + 1)
        for key, now, steps in (("least", share.least, milder), ("most", share.most, wider)):
            yield Relaxation(
                f"share: {share.subject}", key, tuple(k / _SHARES for k in steps),
                partial(_shared, share_index, key),
                f"a {share.subject} of at {key} ",
                f" % instead of {100 * now:g} %", ".3g", 100,
            )  # fmt: skip


def _shared(share_index: int, key: str, problem: Problem, value: float) -> Problem:
    changed = problem.shares[share_index].model_copy(update={key: value})
    shares = (*problem.shares[:share_index], changed, *problem.shares[share_index + 1 :])
    return replace(problem, shares=shares)


def _policies(problem: Problem) -> Found:
    vendors = len({offer.vendor for offer in problem.offers})
    for key, rule, subject, maximum in (
        ("most_vendors", "policy: vendors", "vendor", vendors),
        ("most_node_types", "policy: node types", "node type", len(problem.types)),
    ):
        now = getattr(problem, key)
        if now is not None:
            yield Relaxation(
                rule, "", range(now + 1, maximum + 1), partial(_with, key),
                after=f" {subject}s instead of at most {now}",
            )  # fmt: skip


def _times(problem: Problem) -> Found:
    for capability_index, capability in enumerate(problem.capabilities):
        slower = sorted(
            {p.time_s for p in capability.partitions if p.time_s > capability.largest_time_s}
        )
        unit, length = ("h", 3600) if slower and slower[0] > _LONG_S else ("s", 1)
        yield Relaxation(
            f"requirement: a partition for {capability.name}", capability.name,
            sorted({_up(time_s / length) * length for time_s in slower}),
            partial(_slower, capability_index),
            f"a time to solution of {capability.name} of ",
            f" {unit} instead of {capability.largest_time_s / length:,.12g} {unit}", ",.12g",
            1 / length,
        )  # fmt: skip


def _up(value: float) -> float:
    """The next number of four digits that is not below."""
    decimals = 3 - order_of_ten(value)
    return float(rounded(value, max(decimals, 0), "up").replace(",", ""))


def _slower(capability_index: int, problem: Problem, time_s: float) -> Problem:
    changed = replace(problem.capabilities[capability_index], largest_time_s=time_s)
    before, after = (
        problem.capabilities[:capability_index],
        problem.capabilities[capability_index + 1 :],
    )
    return replace(problem, capabilities=(*before, changed, *after))


def _rack_power(problem: Problem) -> Found:
    if problem.rack_w == UNLIMITED:
        return
    needed = {
        math.ceil(count * offer.peak_w)
        for offer in problem.offers
        for count in range(1, (offer.rack_room or 1) + 1)
    }
    yield Relaxation(
        RACK_POWER, "", sorted(needed_w for needed_w in needed if needed_w > problem.rack_w), fed,
        after=f" W instead of {problem.rack_w:,.12g} W for a rack",
    )  # fmt: skip


def _packages(problem: Problem) -> Found:
    """Lots that may stay empty, what they need, and least orders of vendors."""
    for index, lot in enumerate(problem.lots):
        if not lot.optional:
            yield Relaxation(
                f"{LOT}: {lot.name}", lot.name, ("optional",), _lot_at(index, "optional", to=True),
                f"no package for lot {lot.name}: the lot ", "", "",
            )  # fmt: skip
        if lot.nodes:
            yield Relaxation(
                f"lot nodes: {lot.name}", lot.name, range(lot.nodes - 1, -1, -1),
                _lot_at(index, "nodes"), after=f" instead of {lot.nodes:,} nodes in lot {lot.name}",
            )  # fmt: skip
        if lot.total_memory_gb:
            yield Relaxation(
                f"lot memory: {lot.name}", lot.name, _below(lot.total_memory_gb),
                _lot_at(index, "total_memory_gb"),
                after=f" instead of {lot.total_memory_gb:,.12g} GB of memory in lot {lot.name}",
                spec=",.12g",
            )  # fmt: skip
    for terms in problem.vendor_terms:
        if terms.minimum_total:
            yield Relaxation(
                f"{ORDER}: {terms.vendor}", terms.vendor, _below(terms.minimum_total),
                partial(_ordered, terms.vendor), f"orders from {terms.vendor} from ",
                f" instead of {terms.minimum_total:,.12g} {problem.prices.currency}", ",.12g",
            )  # fmt: skip


def _lot_at(index: int, key: str, to: Any = None) -> Callable[[Problem, Any], Problem]:
    return lambda problem, value: with_lot(index, key, problem, value=value if to is None else to)


def _ordered(vendor: str, problem: Problem, value: float) -> Problem:
    return with_least_order(vendor, value, problem)


def _terms(problem: Problem, scenario: Scenario) -> Found:
    """Stocks, and the least quantities that vendors sell."""
    for offer in (problem.offers[index] for index in problem.free_offers):
        quote = scenario.node_type(offer.name)
        maximum, minimum = quote.maximum_quantity, quote.minimum_quantity
        if maximum is not None and maximum < _MOST_BOUGHT:
            yield Relaxation(
                STOCK, offer.name, range(maximum + 1, _MOST_BOUGHT + 1),
                partial(_sold, quote, "maximum_quantity"),
                after=f" instead of {maximum:,} nodes of {offer.name} on offer",
            )  # fmt: skip
        if minimum > 1:
            yield Relaxation(
                QUANTITIES, offer.name, range(minimum - 1, 0, -1),
                partial(_sold, quote, "minimum_quantity"), f"a least quantity of {offer.name} of ",
                f" instead of {minimum:,} nodes",
            )  # fmt: skip


def _sold(quote: NodeType, key: str, problem: Problem, value: int) -> Problem:
    tiers = tiers_of(quote.model_copy(update={key: value}))
    offers = (replace(o, tiers=tiers) if o.name == quote.name else o for o in problem.offers)
    return replace(problem, offers=tuple(offers))


def _exclusions(problem: Problem, scenario: Scenario) -> Found:
    """Dates and memory of node types by which quotes are excluded."""
    barred = {
        rule: [scenario.node_type(o.name) for o in problem.offers if rule in o.barred]
        for rule in (EXPIRED, LATE, NODE_MEMORY)
    }
    yield from _expired(barred[EXPIRED], scenario)
    yield from _late(barred[LATE], scenario)
    yield from _small(barred[NODE_MEMORY], scenario)


def _admits(rule: str, quotes: Sequence[NodeType]) -> Callable[[Problem, Any], Problem]:
    return partial(_admitting, rule, frozenset(quote.name for quote in quotes))


def _admitting(rule: str, names: frozenset[str], problem: Problem, _: Any) -> Problem:
    return admitted(problem, rule, names)


def _expired(quotes: Sequence[NodeType], scenario: Scenario) -> Found:
    decided = scenario.procurement.decided_on if scenario.procurement else None
    groups = [[quote] for quote in quotes] + ([[*quotes]] if len(quotes) > 1 else [])
    for group in groups:
        names = ", ".join(quote.name for quote in group)
        was = f" instead of {group[0].valid_until}" if len(group) == 1 else ""
        yield Relaxation(
            EXPIRED, names, (decided,), _admits(EXPIRED, group), f"a validity of {names} until ",
            was, "",
        )  # fmt: skip


def _late(quotes: Sequence[NodeType], scenario: Scenario) -> Found:
    decided = scenario.procurement.decided_on if scenario.procurement else None
    by = scenario.requirements.delivered_by
    days = {quote.name: delivery_day(quote, decided) for quote in quotes}

    def later(problem: Problem, day: Any) -> Problem:
        names = {
            name
            for name, known_days in days.items()
            if known_days is not None and known_days <= day
        }
        return admitted(problem, LATE, names)

    known_days = sorted({day for day in days.values() if day is not None})
    yield Relaxation(LATE, "", known_days, later, "delivery by ", f" instead of {by}", "")
    for offered in quotes:
        if days[offered.name] is None:
            yield Relaxation(
                LATE, offered.name, (by,), _admits(LATE, [offered]),
                f"a quote that states the delivery of {offered.name} by ", "", "",
            )  # fmt: skip


def _small(quotes: Sequence[NodeType], scenario: Scenario) -> Found:
    least_gb = scenario.requirements.node_memory_gb

    def smaller(problem: Problem, memory_gb: float) -> Problem:
        names = {quote.name for quote in quotes if (quote.memory_gb or 0.0) >= memory_gb}
        return admitted(problem, NODE_MEMORY, names)

    sizes = sorted({quote.memory_gb for quote in quotes if quote.memory_gb}, reverse=True)
    yield Relaxation(
        NODE_MEMORY, "", sizes, smaller,
        after=f" instead of {least_gb:,.12g} GB of memory in every node", spec=",.12g",
    )  # fmt: skip
    for offered in quotes:
        if not offered.memory_gb:
            yield Relaxation(
                NODE_MEMORY, offered.name, (least_gb,), _admits(NODE_MEMORY, [offered]),
                "a quote that states ", f" GB of memory in {offered.name}", ",.12g",
            )  # fmt: skip
