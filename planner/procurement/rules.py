"""Constraints in the board's language: resources, requirements, policies, exclusions of quotes.

Every one is a :class:`~planner.procurement.groups.Group` with the problem that does without it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from planner.formatting import Rounding, money, power, racks
from planner.procurement.groups import Group
from planner.procurement.package_rules import (
    KINDS,
    package_groups,
    package_row,
    package_words,
)
from planner.procurement.problem import (
    EXPIRED,
    LATE,
    NODE_MEMORY,
    POWER_RESOURCES,
    RACK_POWER,
    RESOURCES,
    UNLIMITED,
    Offer,
    Problem,
    nodes_in_a_rack,
)

THROUGHPUT = "requirement: throughput of "
PARTITION = "requirement: a partition for "
TIME = "requirement: time to solution of "
EVERY_THROUGHPUT = "requirement: every throughput"
STOCK, QUANTITIES = "terms: stock", "terms: least quantities"
_ANY = 10**9
"""Nodes on offer where no quote says how many."""
_MOST_NAMED = 5
_EXCLUDING = (EXPIRED, LATE, NODE_MEMORY, RACK_POWER)


RESOURCE_WORDS = {
    "it_power_w": "IT power",
    "liquid_w": "liquid cooling",
    "air_w": "air cooling",
    "capital": "capital",
    "operating": "operating budget",
    "racks": "rack places",
}


def amount(problem: Problem, resource: str, value: float, rounding: Rounding = "nearest") -> str:
    """An amount of a resource in words; if rounded up, the printed amount suffices."""
    words = RESOURCE_WORDS[resource]
    if resource == "racks":
        return racks(value, rounding)
    if resource in POWER_RESOURCES:
        feed = f" ({power(value * problem.prices.feed_per_it, rounding)} at the feed)"
        return f"{power(value, rounding)} of {words}" + (feed if resource == "it_power_w" else "")
    year = " a year" if resource == "operating" else ""
    return f"{money(value, problem.prices.currency, rounding)}{year} of {words}"


def rule_row(problem: Problem, group: str, side: str = "") -> dict[str, Any]:
    """A constraint of the diagnosis as cells: its kind, what it is about, its amount and unit.

    Parameters
    ----------
    side
        Of a share with two ends the one that is meant: ``least`` or ``most``.
    """
    kind, _, subject = group.partition(": ")
    row: dict[str, Any] = {"rule": group, "subject": None, "amount": None, "unit": None}
    if kind == "limit":
        of_money = "count" if subject == "racks" else f"money {problem.prices.currency}"
        limit = getattr(problem.limits, subject)
        return row | {"amount": limit, "unit": "W" if subject in POWER_RESOURCES else of_money}
    if group.startswith(THROUGHPUT):
        name = group.removeprefix(THROUGHPUT)
        least = float(problem.least_work[:, problem.workloads.index(name)].max())
        of_work = {"rule": "requirement: throughput", "subject": name}
        return row | of_work | {"amount": least, "unit": "factor"}
    for start in (PARTITION, TIME):
        if group.startswith(start):
            name = group.removeprefix(start)
            longest_s = next(c.largest_time_s for c in problem.capabilities if c.name == name)
            amount = longest_s if longest_s < UNLIMITED else None
            of_run = {"rule": "requirement: a timed run", "subject": name}
            return row | of_run | {"amount": amount, "unit": "s given"}
    if kind in KINDS:
        return row | package_row(problem, group)
    if kind == "share":
        share = next(each for each in problem.shares if each.subject == subject)
        sides = {"least": share.least, "most": share.most}
        if share.least > 0 and share.most < 1 and not side:
            return row | {"rule": "share: both", "subject": subject}
        side = side or ("least" if share.least > 0 else "most")
        return row | {"rule": f"share: {side}", "subject": subject, "amount": sides[side],
                      "unit": "share given"}  # fmt: skip
    amounts: dict[str, tuple[Any, str | None]] = {
        "requirement: nodes": (problem.least_nodes, "node"),
        "requirement: memory": (problem.least_memory_gb, "GB"),
        "policy: vendors": (problem.most_vendors, "vendor"),
        "policy: node types": (problem.most_node_types, "type"),
        RACK_POWER: (problem.rack_w, "W given"),
    }
    amount, unit = amounts.get(group, (None, None))
    names = [exclusion.name for exclusion in problem.excluded if group in exclusion.rules]
    return row | {"subject": ", ".join(names) or None, "amount": amount, "unit": unit}


def in_words(problem: Problem, group: str) -> str:
    """A constraint of the diagnosis in words, with its amount."""
    kind, _, subject = group.partition(": ")
    if kind == "limit":
        return f"the limit of {amount(problem, subject, getattr(problem.limits, subject))}"
    mandates = {
        "nodes": f"the mandatory {problem.least_nodes:,} nodes",
        "memory": f"the mandatory {problem.least_memory_gb:,.12g} GB of memory",
    }
    if group in _EXCLUDING:
        return _exclusion(problem, group)
    if group.startswith(THROUGHPUT):
        name = group.removeprefix(THROUGHPUT)
        minimum = problem.least_work[:, problem.workloads.index(name)].max()
        return f"the mandatory throughput of {name}, {minimum:g} times the reference machine's"
    if kind in KINDS:
        return package_words(problem, group)
    if kind == "requirement":
        return mandates.get(subject, subject)
    others = {
        "share": f"the required {subject}",
        "terms": f"the {'stock' if group == STOCK else 'least quantities'} of the quotes",
        "network": "the network, with the ports, price and power of its switches",
    }
    if kind in others:
        return others[kind]
    maximum = {
        "vendors": f"at most {_count(problem.most_vendors, 'vendor')}",
        "node types": f"at most {_count(problem.most_node_types, 'node type')}",
    }
    return f"the policy of {maximum[subject]}"


def _exclusion(problem: Problem, rule: str) -> str:
    """A rule that excludes quotes, and which."""
    message = {
        EXPIRED: "the rule that no expired quote is bought",
        LATE: "the required delivery date",
        NODE_MEMORY: "the required memory of every node",
        RACK_POWER: "the power of a rack",
    }[rule]
    if rule == RACK_POWER:
        message += f", {problem.rack_w:,.12g} W"
    names = [exclusion.name for exclusion in problem.excluded if rule in exclusion.rules]
    some = ", ".join(names[:_MOST_NAMED]) + (", ..." if names[_MOST_NAMED:] else "")
    return f"{message} (excludes {some})" if names else message


def _count(number: int | None, subject: str) -> str:
    return f"{number} {subject}" + ("" if number == 1 else "s")


def groups(problem: Problem) -> list[Group]:
    """Every constraint that could be given up, in the board's language."""
    rule_groups = [
        Group(f"limit: {name}", lambda p, name=name: p.limited(**{name: UNLIMITED}))  # type: ignore[misc]
        for name in RESOURCES
        if getattr(problem.limits, name) < UNLIMITED
    ]
    rule_groups += [
        Group(
            f"{THROUGHPUT}{name}",
            lambda p, column=column: _without_throughput(p, column),  # type: ignore[misc]
        )
        for column, name in enumerate(problem.workloads)
        if problem.least_work[:, column].any()
    ]
    if problem.least_nodes:
        rule_groups.append(Group("requirement: nodes", lambda p: replace(p, least_nodes=0)))
    if problem.least_memory_gb:
        rule_groups.append(Group("requirement: memory", lambda p: replace(p, least_memory_gb=0.0)))
    free = [problem.offers[index] for index in problem.free_offers]
    if any(offer.least > 1 for offer in free):
        rule_groups.append(Group(QUANTITIES, _without_quantities))
    if any(0 < offer.most < _ANY // offer.sold_in * offer.sold_in for offer in free):
        rule_groups.append(Group(STOCK, _without_stock))
    if problem.network is not None:
        rule_groups.append(Group("network: leaf switches", lambda p: replace(p, network=None)))
    for share in problem.shares:
        rule_groups.append(
            Group(
                f"share: {share.subject}",
                lambda p, share=share: replace(  # type: ignore[misc]
                    p, shares=tuple(other_share for other_share in p.shares if other_share != share)
                ),
            )
        )
    if problem.most_vendors is not None:
        rule_groups.append(Group("policy: vendors", lambda p: replace(p, most_vendors=None)))
    if problem.most_node_types is not None:
        rule_groups.append(Group("policy: node types", lambda p: replace(p, most_node_types=None)))
    rule_groups += [
        Group(rule, lambda p, rule=rule: admitted(p, rule))  # type: ignore[misc]
        for rule in (EXPIRED, LATE, NODE_MEMORY)
        if any(rule in offer.barred for offer in problem.offers)
    ]
    rule_groups += package_groups(problem)
    if problem.rack_w < UNLIMITED:
        rule_groups.append(Group(RACK_POWER, lambda p: fed(p, UNLIMITED)))
    rule_groups += [
        Group(
            f"{PARTITION}{capability.name}",
            lambda p, name=capability.name: without_capability(p, name),  # type: ignore[misc]
        )
        for capability in problem.capabilities
    ]
    return rule_groups


def admitted(problem: Problem, rule: str, names: Collection[str] | None = None) -> Problem:
    """The problem in which a rule no longer excludes offers: all of them, or the named ones."""
    offers = (
        replace(offer, barred=tuple(barring for barring in offer.barred if barring != rule))
        if names is None or offer.name in names
        else offer
        for offer in problem.offers
    )
    return replace(problem, offers=tuple(offers))


def fed(problem: Problem, rack_w: float) -> Problem:
    """The problem with racks of another power, which may hold more nodes, and other ones."""
    offers = tuple(_in_racks(offer, rack_w) for offer in problem.offers)
    return replace(problem, offers=offers, rack_w=rack_w)


def _in_racks(offer: Offer, rack_w: float) -> Offer:
    fits = offer.peak_w <= rack_w
    barred = tuple(rule for rule in offer.barred if rule != RACK_POWER or not fits)
    nodes_per_rack = nodes_in_a_rack(offer.rack_room, rack_w, offer.peak_w) or offer.rack_room
    return replace(offer, barred=barred, nodes_per_rack=nodes_per_rack)


def _without_throughput(problem: Problem, column: int) -> Problem:
    minimum = problem.least_work.copy()
    minimum[:, column] = 0.0
    return replace(problem, least_work=minimum)


def _without_quantities(problem: Problem) -> Problem:
    """The problem in which every offer is sold from one node on."""
    offers = tuple(
        replace(offer, tiers=(replace(offer.tiers[0], first=offer.sold_in), *offer.tiers[1:]))
        if offer.package is None
        else offer
        for offer in problem.offers
    )
    return replace(problem, offers=offers)


def _without_stock(problem: Problem) -> Problem:
    """The problem in which every offer that is sold is sold in any number."""
    offers = tuple(
        replace(offer, tiers=(*offer.tiers[:-1], replace(offer.tiers[-1], last=_any_of(offer))))
        if offer.most and offer.package is None
        else offer
        for offer in problem.offers
    )
    return replace(problem, offers=offers)


def _any_of(offer: Offer) -> int:
    return _ANY // offer.sold_in * offer.sold_in


def without_capability(problem: Problem, name: str) -> Problem:
    """The problem that does not ask where one capability workload runs."""
    selected = [i for i, capability in enumerate(problem.capabilities) if capability.name != name]
    return replace(
        problem,
        capabilities=tuple(problem.capabilities[i] for i in selected),
        capability_weight=problem.capability_weight[:, selected],
    )


def change_row(problem: Problem, group: str, subject: str) -> dict[str, Any]:
    """A constraint that gives way as cells, with what the change is about."""
    if group.startswith("share: "):
        return rule_row(problem, group, subject)
    row = rule_row(problem, group) | {"subject": subject or None}
    return row | ({"amount": 1.0, "unit": "share given"} if group == EVERY_THROUGHPUT else {})


def is_rule(group: str) -> bool:
    """Whether a board could give a rule up; a limit is raised instead, a network is needed."""
    return group.partition(": ")[0] in ("requirement", "share", "policy", "terms", *KINDS)
