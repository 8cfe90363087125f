"""What awarded packages come to together, worked out again from the raw tender for claims."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.planner.award.by_hand import Raw, cost, exact, half_up
from tests.planner.procurement.tenders import billed, in_budget

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
    nodes = [
        (line["quantity"], _type(more, line) | {"vendor": each["vendor"]}, _price(each, line))
        for each in packages for line in each["lines"] if line["kind"] == "node"
    ]  # fmt: skip
    question, required = more.get("procurement", {}), more.get("requirements", {})
    yield from _money(more, packages)
    yield from _machine(required, nodes)
    if "most_vendors" in question:
        vendors = len({each["vendor"] for each in packages})
        yield "vendors", vendors, question["most_vendors"], vendors <= question["most_vendors"]
    if "most_node_types" in question:
        yield "node types", None, question["most_node_types"], None
    if "delivered_by" in required:
        weeks = max((each["delivery_weeks"] for each in packages), default=0)
        day = question["decided_on"] + dt.timedelta(weeks=weeks)
        by = required["delivered_by"]
        yield "delivery", day.isoformat(), by.isoformat(), day <= by
    if "capacity" in required:
        yield "capacity", None, required["capacity"], None
    if feed := more.get("power"):
        peak = _peak_w(more, packages, nodes)
        fits = peak is not None and peak <= exact(feed["bound_w"])
        yield "power", peak, feed["bound_w"], True if fits else None
    site, hot = more.get("facility", {}), False
    if "rack_w" in site:
        highest = [node.get("peak_w") for _, node, _ in nodes]
        most = max(filter(None, highest), default=0)
        hot = most > site["rack_w"]
        known = most if hot or None not in highest else None
        yield "rack power", known, site["rack_w"], None if known is None else not hot
    if (places := site.get("racks")) and not hot:
        counts = [_racks(more, each) for each in packages]
        racks = None if None in counts else sum(filter(None, counts))
        yield "racks", racks, places, None if racks is None else racks <= places
    for workload in more.get("workloads", ()):
        if workload["name"] in required.get("throughput", {}):
            yield _throughput(more, packages, nodes, workload)


def _price(package: Raw, line: Raw) -> Fraction:
    return exact(line["price"]) * in_budget(package)


def _money(more: More, packages: Sequence[Raw]) -> Iterator[Limit]:
    budget = more.get("budget", {})
    if "capital" in budget:
        spent = net(more, packages) + exact(budget.get("fixed_capital", 0))
        for each in packages:
            if all(line["kind"] != "installation" for line in each["lines"]):
                spent += exact(budget.get("installation_fraction", 0)) * cost(each)
        if more.get("network"):
            yield "capital", None, budget["capital"], None
        else:
            yield "capital", spent, budget["capital"], spent <= exact(budget["capital"])
    if "operating_per_year" in budget:
        yield "operating", None, budget["operating_per_year"], None
    for terms in more.get("vendor_terms", ()):
        prices = [cost(e) for e in packages if e["vendor"] == terms["vendor"]]
        if prices and terms.get("minimum_total"):
            total, least = sum(prices), terms["minimum_total"]
            yield terms["vendor"], total, least, total >= exact(least)


def _machine(required: More, nodes: Sequence[tuple[int, Raw, Fraction]]) -> Iterator[Limit]:
    if required.get("nodes"):
        count = sum(n for n, _, _ in nodes)
        yield "nodes", count, required["nodes"], count >= required["nodes"]
    if required.get("total_memory_gb"):
        least = required["total_memory_gb"]
        memory = sum(exact(node["memory_gb"]) * n for n, node, _ in nodes)
        yield "memory", memory, least, memory >= exact(least)
    if required.get("node_memory_gb") and nodes:
        smallest = min(node["memory_gb"] for _, node, _ in nodes)
        least = required["node_memory_gb"]
        yield "node memory", smallest, least, smallest >= least
    for share in required.get("shares", ()):
        parts = [
            (node, n * (money if share.get("of") == "spend" else 1)) for n, node, money in nodes
        ]
        whole = sum(part for _, part in parts)
        given = {key: share[key] for key in ("kind", "vendor") if key in share}
        ((key, wanted),) = (share.get("where") or given).items()
        mine = sum(part for node, part in parts
                   if (node | node.get("attributes", {})).get(key) == wanted)  # fmt: skip
        known = Fraction(mine) / whole if whole else None
        names = {"kind": str(wanted).upper(), "vendor": wanted}
        name = names.get(key, f"{key} {wanted}")
        for end, over in (("least", 1), ("most", -1)):
            if end in share:
                met = None if known is None else over * known >= over * exact(share[end])
                yield f"{name} share of {share['of']}", known, share[end], met


def _racks(more: More, package: Raw) -> int | None:
    """Racks of a package, or those that its nodes fill; unknown where a node has no room in one.

    Node types are of one package each.
    """
    if any(line["kind"] == "rack" for line in package["lines"]):
        counts = {e["name"]: e["quantity"] for e in package["lines"] if e["kind"] == "node"}
        return int(billed({"rounding": "line", **package}, counts)["racks"])
    count = 0
    for line in package["lines"]:
        if line["kind"] == "node":
            node = _type(more, line)
            room = node.get("nodes_per_rack", more.get("rack", {}).get("nodes"))
            if room and "rack_w" in more["facility"]:
                room = min(room, more["facility"]["rack_w"] // node["peak_w"])
            if not room:
                return None
            count += -(-line["quantity"] // int(room))
    return count


def _type(more: More, line: Raw) -> dict[str, Any]:
    (found,) = [each for each in more["node_types"] if each["name"] == line["name"]]
    return dict(found)


def _throughput(
    more: More, packages: Sequence[Raw], nodes: Sequence[tuple[int, Raw, Fraction]], workload: Raw
) -> Limit:
    """What all nodes reach alone, where figures of whole packages tell."""
    name, least = workload["name"], more["requirements"]["throughput"][workload["name"]]
    figures = counted(more, packages, workload)
    if figures is None:
        return name, None, least, None
    total = sum((exact(each["value"]) for each in figures.values()), Fraction(0))
    reached = total / reference(more, workload)
    if reached < exact(least):
        return name, reached, least, False
    return name, reached, least, True if _peak_fits(more, packages, nodes) else None


def reference(more: More, workload: Raw) -> Fraction:
    """What the reference machine has of the figure of a workload."""
    base = exact(workload["performance"]["reference_figure_of_merit"])
    return base * int(more["reference"]["nodes"])


def counted(more: More, packages: Sequence[Raw], workload: Raw) -> dict[str, Raw] | None:
    """The figure of each package that counts for a workload; ``None`` where figures do not tell."""
    question, performance = more.get("procurement", {}), workload["performance"]
    alone = not workload["weight"] or question.get("workload_mode") == "one_at_a_time"
    if performance["kind"] != "offered" or not alone:
        return None
    chosen = {}
    for each in packages:
        kinds = {_type(more, line)["kind"] for line in each["lines"] if line["kind"] == "node"}
        stated = {
            figure.get("basis", "committed"): figure for figure in each["figures"]
            if figure["name"] == performance.get("figure", workload["name"])
        }  # fmt: skip
        bases = ["committed", "measured", "projected"]
        bases = bases[:1] if question.get("use") == "committed" else bases
        found = [stated[basis] for basis in bases if basis in stated]
        if found and kinds & {*(workload.get("kinds") or kinds)}:
            chosen[each["name"]] = found[0]
    return chosen


def _peak_fits(
    more: More, packages: Sequence[Raw], nodes: Sequence[tuple[int, Raw, Fraction]]
) -> bool:
    """Whether the feed carries everything at peak power, and nothing else may limit it."""
    if more.get("budget", {}).get("operating_per_year"):
        return False
    if {"liquid_w", "air_w"} & {*more.get("facility", {})}:
        return False
    peak = _peak_w(more, packages, nodes)
    return peak is not None and peak <= exact(more["power"]["bound_w"])


def _peak_w(
    more: More, packages: Sequence[Raw], nodes: Sequence[tuple[int, Raw, Fraction]]
) -> Fraction | None:
    """Power of everything at its peak, on the side of the bound; unknown with switches."""
    if more.get("network") or any("peak_w" not in node for _, node, _ in nodes):
        return None
    feed = more["power"]
    peak = exact(feed.get("fixed_w", 0)) + sum(exact(node["peak_w"]) * n for n, node, _ in nodes)
    for each in packages:
        counts = {e["name"]: e["quantity"] for e in each["lines"] if e["kind"] == "node"}
        peak += billed({"rounding": "line", **each}, counts)["watts"]
    if feed.get("side") == "facility":
        peak *= exact(feed.get("pue", 1)) / (1 - exact(feed.get("conversion_loss", 0)))
    return Fraction(peak)


def unmet(more: More, packages: Sequence[Raw]) -> dict[str, tuple[Any, Any]]:
    """Values and limits that are missed, and a power at peak that only caps may hold."""
    return {
        name: (value, limit)
        for name, value, limit, met in limits(more, packages)
        if met is False or (name == "power" and met is None and value is not None)
    }


def meets(more: More, packages: Sequence[Raw]) -> bool | None:
    """Whether packages meet all limits."""
    every = [met for _, _, _, met in limits(more, packages)]
    return False if False in every else None if None in every else True
