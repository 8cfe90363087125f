"""What a procurement needs from the other groups, and the names that they must share."""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Iterator
from typing import Any

from scenarios.formatting import folded, nearest, short
from scenarios.positions import KeyPath
from scenarios.reading.drawn_check import drawn_faults
from scenarios.reading.groups import Groups, Rows, entries, texts_of
from scenarios.reading.magnitude_check import magnitude_faults
from scenarios.reading.package_check import package_faults, packed

_ALIKE = 0.8  # as in tables.py: names so alike are one, misspelt
Faults = Iterator[tuple[KeyPath, str]]


def procurement_faults(groups: Groups) -> Faults:
    """Check the groups of a request for proposals, on data that may still be wrong otherwise."""
    raw = groups.raw
    yield from _names(groups)
    yield from package_faults(groups)
    if not isinstance(raw.get("procurement"), dict):
        return
    here: KeyPath = ("procurement",)
    if isinstance(raw.get("overprovisioning"), dict):
        yield here, "[overprovisioning] is another study; write two scenarios"
    for group, key in (("power", "bound_w"), ("budget", "capital"), ("reference", "nodes")):
        if group not in raw:
            yield here, f"needs [{group}] with {key}; add it"
    budget = raw.get("budget")
    if isinstance(budget, dict) and "capital" not in budget:
        yield ("budget",), "capital is missing; a procurement needs it"
    if not groups.node_types and not raw.get("quotes") and not raw.get("quotes_file"):
        yield here, "needs quotes; add [[quotes]] with a file, or [[node_types]]"
    rated = [entry for entry in groups.workloads if "performance" in entry]
    if not any(each.get("rating", "throughput") == "throughput" for each in rated):
        yield here, "needs at least one workload with a throughput; add [workloads.performance]"
    for index, workload in enumerate(groups.workloads):
        if "performance" not in workload:
            yield ("workloads", index), "performance is missing; [procurement] needs it"
    yield from _quotes(groups)
    yield from _racks(groups)
    yield from _merits(groups)
    yield from drawn_faults(groups)
    yield from _dates(groups)
    yield from _idle_demands(groups)
    yield from magnitude_faults(groups)


def _names(groups: Groups) -> Faults:
    """Workloads, kinds, vendors and node types that are named somewhere must exist."""
    workloads = texts_of(groups.workloads, "name")
    for index, demand in enumerate(groups.demands):
        yield from _keys(demand.get("factors"), ("demands", index, "factors"), workloads)
    mandates = groups.raw.get("requirements")
    if isinstance(mandates, dict):
        for key in ("throughput", "time_to_solution_s"):
            yield from _keys(mandates.get(key), ("requirements", key), workloads)
            yield from _rated_so(groups.workloads, mandates.get(key), key)
        for index, share in enumerate(groups.shares):
            where: KeyPath = ("requirements", "shares", index)
            vendors, kinds = (texts_of(groups.node_types, key) for key in ("vendor", "kind"))
            vendors += texts_of(entries(groups.raw, "packages"), "vendor")
            yield from _one(share.get("vendor"), (*where, "vendor"), vendors, "vendor")
            yield from _misspelt_kind(share.get("kind"), (*where, "kind"), kinds)
    kinds, types = texts_of(groups.node_types, "kind"), texts_of(groups.node_types, "name")
    for index, workload in enumerate(groups.workloads):
        named = workload.get("kinds")
        for place, kind in enumerate(named if isinstance(named, list) else []):
            yield from _misspelt_kind(kind, ("workloads", index, "kinds", place), kinds)
        yield from _measured_on(groups, index, types)


def _measured_on(groups: Groups, index: int, types: list[str]) -> Faults:
    for key, rows in (("rows", groups.rows[index]), ("runs", groups.runs[index])):
        for place, row in enumerate(rows):
            where: KeyPath = ("workloads", index, "performance", key, place)
            where += ("time", "node_type") if key == "runs" else ("node_type",)
            holder = row.get("time") if key == "runs" else row
            if isinstance(holder, dict):
                yield from _one(holder.get("node_type"), where, types, "node type")


def _rated_so(workloads: Rows, named: Any, key: str) -> Faults:
    rating = "throughput" if key == "throughput" else "time_to_solution"
    for workload in workloads:
        name = workload.get("name")
        asked = isinstance(named, dict) and isinstance(name, str) and name in named
        if asked and workload.get("rating", "throughput") != rating:
            message = f"{short(name)} is not rated by {rating}; set its rating, or delete this"
            yield ("requirements", key, str(name)), message


def _keys(named: Any, where: KeyPath, known: list[str]) -> Faults:
    for name in named if isinstance(named, dict) else ():
        yield from _one(name, (*where, name), known, "workload")


def _one(name: Any, where: KeyPath, known: list[str], what: str) -> Faults:
    if isinstance(name, str) and name not in known:
        yield where, f"there is no {what} {short(name)}; {nearest(name, known)}"


def _misspelt_kind(name: Any, where: KeyPath, known: list[str]) -> Faults:
    """A kind that nobody quotes is doubted later; one that is nearly a quoted one is misspelt."""
    if not isinstance(name, str) or name in known:
        return
    close = difflib.get_close_matches(folded(name), map(folded, known), n=1, cutoff=_ALIKE)
    if close or not known:
        yield from _one(name, where, known, "kind")


def _quotes(groups: Groups) -> Faults:
    """What every quote must state; lines of packages state vendor and price of theirs."""
    in_packages = packed(groups)
    for index, entry in enumerate(groups.node_types):
        stated = ("vendor", "price") if entry.get("name") in in_packages else ()
        for key in ("vendor", "price", "idle_w", "peak_w"):
            if key not in entry and key not in stated:
                yield ("node_types", index), f"{key} is missing; [procurement] needs it"


def _racks(groups: Groups) -> Faults:
    """Rack limits do nothing where nobody knows how many nodes a rack holds."""
    facility = groups.raw.get("facility")
    if not isinstance(facility, dict) or "rack" in groups.raw:
        return
    limit = next((key for key in ("racks", "rack_w") if key in facility), None)
    racked = packed(groups, bringing="rack")
    for index, entry in enumerate(groups.node_types):
        if limit and entry.get("name") not in racked and "nodes_per_rack" not in entry:
            message = f"nodes_per_rack is missing; facility.{limit} needs it (or [rack] nodes)"
            yield ("node_types", index), message


def _merits(groups: Groups) -> Faults:
    """Figures of merit under caps that a type has, each given once."""
    caps = {
        entry.get("name"): entry.get("package_caps_w") or []
        for entry in groups.node_types
        if isinstance(entry.get("name"), str)
    }
    for index, rows in enumerate(groups.rows):
        seen: set[tuple[Any, Any]] = set()
        for place, row in enumerate(rows):
            name, cap = row.get("node_type"), row.get("cap_w")
            allowed = caps.get(name) if isinstance(name, str) else None
            if not isinstance(allowed, list) or not isinstance(cap, int | float | None):
                continue
            where: KeyPath = ("workloads", index, "performance", "rows", place)
            if cap is not None and cap not in allowed:
                listed = ", ".join(_watts(each) for each in allowed) or "none"
                yield where, f"{short(name)} has no cap of {cap:g} W; its caps are {listed}"
            known = (name, max(allowed, default=None) if cap is None else cap)
            if known in seen:
                yield where, f"{short(name)} is listed twice with this cap; keep one row"
            seen.add(known)


def _watts(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else short(value)


def _dates(groups: Groups) -> Faults:
    """Quotes, lead times and the required delivery date need the day of the decision."""
    raw = groups.raw
    question, mandates = raw["procurement"], raw.get("requirements")
    decided = question.get("decided_on")
    by = mandates.get("delivered_by") if isinstance(mandates, dict) else None
    if type(decided) is dt.date and type(by) is dt.date and by < decided:
        message = f"{by} is before procurement.decided_on = {decided}; correct one of them"
        yield ("requirements", "delivered_by"), message
    if "decided_on" in question:
        return
    if by is not None:
        message = "lead times count from procurement.decided_on, which is missing; add it"
        yield ("requirements", "delivered_by"), message
    power = raw.get("power")
    dated = isinstance(power, dict) and "available_on" in power
    for key, why in (
        ("valid_until", "without it, Headroom cannot tell which quotes have expired"),
        ("lead_weeks", "without it, deliveries cannot be compared with power.available_on"),
    ):
        stating = [entry for entry in groups.node_types if key in entry]
        if stating and (key == "valid_until" or dated):
            first = stating[0]
            message = (
                f"decided_on is missing, and {len(stating)} quotes state {key} (the first: "
                f"{short(first.get('name'))}); {why}. Add the day of the order"
            )
            yield ("procurement",), message
            return


def _idle_demands(groups: Groups) -> Faults:
    """A demand scenario asks for some work."""
    weighed = [entry for entry in groups.workloads if entry.get("weight", 1) != 0]
    names = texts_of(weighed, "name")
    for index, demand in enumerate(groups.demands):
        factors = demand.get("factors")
        if names and isinstance(factors, dict) and all(factors.get(n, 1) == 0 for n in names):
            yield (
                ("demands", index, "factors"),
                "the factors of all workloads are 0; correct at least one",
            )
