"""References between groups, and what each study needs from the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scenarios.alike import alike
from scenarios.formatting import nearest, short
from scenarios.positions import KeyPath
from scenarios.reading.groups import Groups, Rows, entries
from scenarios.reading.procurement_check import procurement_faults
from scenarios.reading.schedule_check import schedule_faults
from scenarios.reading.scheme_check import scheme_faults


def cross_check(groups: Groups, place: Callable[[KeyPath], str]) -> Iterator[tuple[KeyPath, str]]:
    """Check references and uniqueness, on data that may still be wrong in other ways.

    Parameters
    ----------
    place
        Where the user finds the entry of a key path, as in ``line 7`` or ``quotes.csv:3``.
    """
    yield from _names_twice(groups)
    yield from _names_alike(groups, place)
    names = (entry.get("name") for entry in groups.node_types)
    known = dict.fromkeys(name for name in names if isinstance(name, str))
    older = _older(groups)
    for where, name in _references(groups):
        if isinstance(name, str) and name not in known:
            remedy = nearest(name, [*known]) if known else "the scenario has no node types"
            yield where, f"there is no node type {short(name)}; {remedy}"
        elif older and where[0] == "workloads" and isinstance(name, str) and name != older:
            yield (
                where,
                (
                    f"the run times are of {short(name)}; give run times of the older type, "
                    f"{short(older)}"
                ),
            )
    yield from _needs(groups)
    yield from procurement_faults(groups)
    yield from schedule_faults(groups)
    yield from scheme_faults(groups.raw)


def _names_twice(groups: Groups) -> Iterator[tuple[KeyPath, str]]:
    named: list[tuple[KeyPath, Rows]] = [
        (("node_types",), groups.node_types),
        (("workloads",), groups.workloads),
        (("demands",), groups.demands),
        (("budget", "energy_prices"), groups.energy_prices),
    ]
    for path, group in named:
        seen: dict[str, str] = {}
        for index, entry in enumerate(group):
            name = entry.get("name")
            if isinstance(name, str) and name in seen:
                message = f"{short(name)} is also the name of {seen[name]}; names must be unique"
                yield (*path, index, "name"), message
            elif isinstance(name, str):
                seen[name] = str(entry.get("origin") or f"entry {index + 1}")


def _names_alike(groups: Groups, place: Callable[[KeyPath], str]) -> Iterator[tuple[KeyPath, str]]:
    """Names that a person reads as one must be one: two spellings would count as two of them."""
    keys: list[tuple[KeyPath, Rows, str]] = [
        (("node_types",), groups.node_types, "name"),
        (("node_types",), groups.node_types, "vendor"),
        (("node_types",), groups.node_types, "kind"),
        (("workloads",), groups.workloads, "name"),
        (("demands",), groups.demands, "name"),
        (("budget", "energy_prices"), groups.energy_prices, "name"),
        (("packages",), entries(groups.raw, "packages"), "vendor"),
        (("packages",), entries(groups.raw, "packages"), "group"),
        (("lots",), entries(groups.raw, "lots"), "name"),
    ]
    for path, group, key in keys:
        named = [
            (value, (*path, index, key))
            for index, entry in enumerate(group)
            if isinstance(value := entry.get(key), str)
        ]
        for each in alike(named):
            yield each.position, each.message(place(each.earlier_position))


def _older(groups: Groups) -> str:
    """The node type that run times are wanted on; empty if that is not clear."""
    case = groups.raw.get("overprovisioning")
    if not isinstance(case, dict):
        return ""
    older = case.get("older")
    known = [entry.get("name") for entry in groups.node_types]
    if isinstance(older, str) and older in known and older != case.get("high_end"):
        return older
    return ""


def _references(groups: Groups) -> Iterator[tuple[KeyPath, Any]]:
    for index, workload in enumerate(groups.workloads):
        time = workload.get("time")
        if isinstance(time, dict) and "node_type" in time:
            yield ("workloads", index, "time", "node_type"), time["node_type"]
    case = groups.raw.get("overprovisioning")
    if isinstance(case, dict):
        for role in ("high_end", "older"):
            if role in case:
                yield ("overprovisioning", role), case[role]


def _needs(groups: Groups) -> Iterator[tuple[KeyPath, str]]:
    """Check what a study needs from other groups."""
    raw = groups.raw
    case = raw.get("overprovisioning")
    if not isinstance(case, dict):
        questions = ("procurement", "schedule", "price", "scheme")
        if any(isinstance(raw.get(key), dict) for key in questions):
            return
        if isinstance(raw.get("machine"), dict):
            yield from _machine_needs(raw)
        else:
            message = (
                "there is nothing to decide; add [procurement], [overprovisioning], [schedule], "
                "[price], [scheme], or "
                "[machine] with [budget] for a cost per core-hour"
            )
            yield (), message
        return
    if "power" not in raw:
        yield ("overprovisioning",), "the power bound is missing; add [power] with bound_w"
    if not groups.workloads:
        yield ("overprovisioning",), "needs at least one application; add [[workloads]]"
    for index, workload in enumerate(groups.workloads):
        if "time" not in workload:
            yield ("workloads", index), "time is missing; [overprovisioning] needs it"
    if "node_types" in raw and not groups.node_types:
        yield ("node_types",), "there are no node types; add [[node_types]]"
    elif "node_types" not in raw:
        yield ("overprovisioning",), "needs node types; add [[node_types]]"
    yield from _role_needs(groups, case)


def _role_needs(groups: Groups, case: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    racks = case.get("cost_ratio_from") == "racks"
    for role, power in (("high_end", "peak_w"), ("older", "idle_w")):
        for index, entry in enumerate(groups.node_types):
            if role not in case or entry.get("name") != case[role]:
                continue
            for key in (power, "price") if racks else (power,):
                if key not in entry:
                    yield ("node_types", index), f"{key} is missing; [overprovisioning] needs it"
    if racks and "rack" not in groups.raw:
        yield ("overprovisioning", "cost_ratio_from"), "'racks' needs [rack]; add it"


def _machine_needs(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    budget = raw.get("budget")
    if not isinstance(budget, dict):
        yield ("machine",), "a cost per core-hour needs [budget]; add it"
    elif "capital" not in budget:
        yield ("budget",), "capital is missing; a cost per core-hour needs it"
