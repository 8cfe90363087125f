"""What awarded packages come to together, worked out again from the raw tender for claims."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.planner.award.by_hand import Raw, cost, exact, half_up

More = Mapping[str, Any]
Limit = tuple[str, Any, Any, bool | None]
"""Name, value, limit, and whether it is met; ``None`` where only the plan can tell."""


def net(more: More, packages: Sequence[Raw]) -> Fraction:
    """Price of some packages after the discounts of their vendors."""
    total = Fraction(0)
    for vendor in {each["vendor"] for each in packages}:
        gross = sum(cost(e) for e in packages if e["vendor"] == vendor)
        kept = Fraction(1)
        for terms in more.get("vendor_terms", ()):
            if terms["vendor"] == vendor:
                reached = [
                    exact(tier["fraction"]) for tier in terms.get("discounts", ())
                    if gross >= exact(tier["from_total"])
                ]  # fmt: skip
                kept = 1 - max(reached, default=Fraction(0))
        total += half_up(gross * kept, 2)
    return total


def limits(more: More, packages: Sequence[Raw]) -> Iterator[Limit]:
    """Every limit of the scenario."""
    nodes = [(line, _type(more, line)) for e in packages for line in e["lines"]
             if line["kind"] == "node"]  # fmt: skip
    yield from _money(more, packages)
    yield from _machine(more.get("requirements", {}), nodes)
    question, required = more.get("procurement", {}), more.get("requirements", {})
    if "most_vendors" in question:
        vendors = len({each["vendor"] for each in packages})
        yield "vendors", vendors, question["most_vendors"], vendors <= question["most_vendors"]
    if "delivered_by" in required:
        weeks = max((each["delivery_weeks"] for each in packages), default=0)
        day = question["decided_on"] + dt.timedelta(weeks=weeks)
        by = required["delivered_by"]
        yield "delivery", day.isoformat(), by.isoformat(), day <= by
    if "capacity" in required:
        yield "capacity", None, required["capacity"], None
    yield from _work(more, packages, nodes)


def _money(more: More, packages: Sequence[Raw]) -> Iterator[Limit]:
    budget = more.get("budget", {})
    if "capital" in budget:
        spent = net(more, packages) + exact(budget.get("fixed_capital", 0))
        for each in packages:
            if all(line["kind"] != "installation" for line in each["lines"]):
                share = exact(budget.get("installation_fraction", 0))
                spent += share * cost(each)
        yield "capital", spent, budget["capital"], spent <= exact(budget["capital"])
    for terms in more.get("vendor_terms", ()):
        prices = [cost(e) for e in packages if e["vendor"] == terms["vendor"]]
        if prices and "minimum_total" in terms:
            total, least = sum(prices), terms["minimum_total"]
            yield terms["vendor"], total, least, total >= exact(least)


def _machine(required: More, nodes: Sequence[tuple[Raw, Raw]]) -> Iterator[Limit]:
    sizes = [(line["quantity"], node) for line, node in nodes]
    if "nodes" in required:
        count = sum(n for n, _ in sizes)
        yield "nodes", count, required["nodes"], count >= required["nodes"]
    if "total_memory_gb" in required:
        memory = sum(exact(node["memory_gb"]) * n for n, node in sizes)
        yield "memory", memory, required["total_memory_gb"], memory >= required["total_memory_gb"]
    if "node_memory_gb" in required and sizes:
        least = min(node["memory_gb"] for _, node in sizes)
        yield "node memory", least, required["node_memory_gb"], least >= required["node_memory_gb"]
    for share in required.get("shares", ()):
        if sizes:
            counted = sum(n for n, node in sizes if node["kind"] == share["kind"])
            part = Fraction(counted, sum(n for n, _ in sizes))
            for end, over in (("least", 1), ("most", -1)):
                if end in share:
                    met = over * part >= over * exact(share[end])
                    yield f"{share['kind'].upper()} share of nodes", part, share[end], met


def _type(more: More, line: Raw) -> Raw:
    (found,) = [each for each in more["node_types"] if each["name"] == line["name"]]
    return dict(found)


def _work(more: More, packages: Sequence[Raw], nodes: Sequence[tuple[Raw, Raw]]) -> Iterator[Limit]:
    """Benchmarks without weight: all nodes run them alone."""
    for workload in more.get("workloads", ()):
        least = more.get("requirements", {}).get("throughput", {}).get(workload["name"])
        if least is None:
            continue
        if workload["weight"]:
            yield workload["name"], None, least, None
            continue
        total = sum(
            exact(figure["value"]) for each in packages for figure in each["figures"]
            if figure["name"] == workload["performance"]["figure"]
            and any(line["kind"] == "node" for line in each["lines"])
        )  # fmt: skip
        one = exact(workload["performance"]["reference_figure_of_merit"])
        reached = total / (one * more["reference"]["nodes"])
        peak = sum(exact(node["peak_w"]) * line["quantity"] for line, node in nodes)
        bound = more.get("power", {}).get("bound_w", -math.inf)
        met: bool | None = reached >= exact(least)
        yield workload["name"], reached, least, ((met and peak <= bound) or None) if met else False


def meets(more: More, packages: Sequence[Raw]) -> bool | None:
    """Whether packages meet all limits."""
    every = [met for _, _, _, met in limits(more, packages)]
    return False if False in every else None if None in every else True
