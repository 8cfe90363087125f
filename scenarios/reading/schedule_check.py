"""What power-aware scheduling needs from the groups of its scenario, and names that must agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scenarios.alike import alike
from scenarios.fields import LARGEST
from scenarios.formatting import dotted, nearest, short
from scenarios.model.schedule import BY_PERCENT, POLICIES
from scenarios.positions import KeyPath
from scenarios.reading.groups import Groups, Rows, entries, table_of

WHOLE_PERCENT = 1e-9
"""How far a hundred times a threshold may be from a whole number."""

Faults = Iterator[tuple[KeyPath, str]]

_HERE: KeyPath = ("schedule",)
_OTHERS = {
    "procurement": "headroom plan",
    "overprovisioning": "headroom plan",
    "machine": "headroom plan",
}
"""Groups that ask another question, and the command that answers it."""


def schedule_faults(groups: Groups) -> Faults:
    """Check a question about scheduling, on data that may still be wrong otherwise."""
    raw, schedule = groups.raw, groups.schedule
    if not isinstance(raw.get("schedule"), dict):
        return
    for group, command in _OTHERS.items():
        if isinstance(raw.get(group), dict):
            message = (
                f"is for `headroom schedule`, but [{group}] is for `{command}`; write two scenarios"
            )
            yield _HERE, message
    yield from _bounds(schedule)
    yield from _occupied(groups)
    yield from _applications(groups)
    yield from _calibration(groups)
    yield from _jobs(groups)
    yield from _policies(schedule)
    yield from _numbers_twice(schedule, "thresholds")
    yield from _broken_percentages(schedule)
    yield from _names_twice(groups.applications, "applications")
    yield from _names_twice(groups.logs, "logs")


def _bounds(schedule: Mapping[str, Any]) -> Faults:
    cluster = table_of(schedule, "cluster")
    idle_w, nodes = cluster.get("idle_node_w", 0.0), cluster.get("nodes")
    yield from _numbers_twice(schedule, "bounds_w")
    for index, bound_w in _numbers(schedule.get("bounds_w")):
        if not (_is_number(idle_w) and _is_number(nodes)) or schedule.get("charge") != "node":
            continue
        if bound_w <= nodes * idle_w:
            message = (
                f"{bound_w:g} W does not exceed the idle power of {nodes:,} nodes, "
                f"{nodes * idle_w:g} W; raise the bound or use fewer nodes"
            )
            yield (*_HERE, "bounds_w", index), message


def _occupied(groups: Groups) -> Faults:
    """All that is in use at the start must fit into the cluster and under every bound."""
    schedule, uses = groups.schedule, groups.occupied
    cluster = table_of(schedule, "cluster")
    nodes = [use["nodes"] for use in uses if _is_number(use.get("nodes"))]
    watts = [use["power_w"] for use in uses if _is_number(use.get("power_w"))]
    size = cluster.get("nodes")
    if _is_number(size) and sum(nodes) > size:
        message = f"{sum(nodes):,} nodes are in use at the start, but the cluster has only {size:,}"
        yield (*_HERE, "occupied"), f"{message}; correct one of them"
    bounds = [bound for _, bound in _numbers(schedule.get("bounds_w"))]
    idle_w = cluster.get("idle_node_w", 0.0)
    reserved = 0.0
    if schedule.get("charge") == "node" and _is_number(idle_w) and _is_number(size):
        reserved = idle_w * size
    if watts and bounds and sum(watts) > min(bounds) - reserved:
        message = (
            f"{sum(watts):,.1f} W are charged at the start, but the bound of {min(bounds):,.1f} W "
            f"leaves only {min(bounds) - reserved:,.1f} W for jobs; correct one of them"
        )
        yield (*_HERE, "occupied"), message


def _applications(groups: Groups) -> Faults:
    """Each application has its details from one place: the law, the scenario or a file."""
    from scenarios.simulated.applications import NAMES

    file = "file" in table_of(groups.schedule, "details")
    listed = groups.applications
    if not listed and not file:
        yield _HERE, "no application has details; add [[schedule.applications]] or details.file"
    for index, entry in enumerate(listed):
        where: KeyPath = (*_HERE, "applications", index)
        places = [key for key in ("problem", "configurations") if entry.get(key)]
        name = entry.get("name")
        if len(places) > 1:
            yield where, "both problem and configurations are given; keep one of them"
        elif not places and not file:
            message = (
                f"{short(name)} has no details; add problem = 'C' or 'D' for a simulated "
                "application, configurations, or measured runs in details.file"
            )
            yield where, message
        elif places == ["problem"] and isinstance(name, str) and name not in NAMES:
            message = f"there is no simulated application {short(name)}"
            yield (*where, "name"), f"{message}; {nearest(name, [*NAMES])}"
        yield from _configurations_twice(entry, where)
    if any(entry.get("problem") for entry in listed):
        yield from _simulated_nodes(groups.schedule)


def _calibration(groups: Groups) -> Faults:
    """Nodes are calibrated by a simulated application, as the simulated machine can run it."""
    stated = groups.schedule.get("calibration")
    if not isinstance(stated, dict):
        return
    where: KeyPath = (*_HERE, "calibration")
    known = [str(each.get("name")) for each in groups.applications if each.get("problem")]
    if not known:
        yield where, "no application is simulated, so nodes cannot be measured; delete this group"
        return
    name = stated.get("application")
    if isinstance(name, str) and name not in known:
        message = f"there is no simulated application {short(name)}; {nearest(name, known)}"
        yield (*where, "application"), message
    from scenarios.simulated.machine import load_machine

    machine = load_machine()
    for key, low, high in (
        ("cores_per_node", 2, machine.system.cores),
        ("package_cap_w", machine.cap.lowest_w, machine.cap.tdp_w),
    ):
        value = stated.get(key)
        if value is None or not _is_number(value):
            continue
        if not low <= value <= high:
            message = (
                f"{value:g} is outside the range of a simulated node, {low:g} to {high:g}; "
                "correct it"
            )
            yield (*where, key), message
        elif key == "cores_per_node" and value % 2:
            yield (
                (*where, key),
                f"{value:g} cores cannot be split equally between 2 sockets; give an even number",
            )


def _configurations_twice(entry: Mapping[str, Any], where: KeyPath) -> Faults:
    seen: dict[tuple[Any, ...], int] = {}
    for index, row in enumerate(entries(entry, "configurations")):
        values = tuple(row.get(key) for key in ("nodes", "cores_per_node", "package_cap_w"))
        if not all(_is_number(value) for value in values):
            continue
        first = seen.setdefault(values, index)
        if first != index:
            message = f"is the same configuration as entry {first + 1}; keep one of them"
            yield (*where, "configurations", index), message


def _simulated_nodes(schedule: Mapping[str, Any]) -> Faults:
    from scenarios.simulated.machine import load_machine

    cores, has = (
        table_of(schedule, "cluster").get("cores_per_node", 16),
        load_machine().system.cores,
    )
    if cores != has:
        message = f"{short(cores)} cores: nodes of the simulated cluster have {has}; write {has}"
        yield (*_HERE, "cluster", "cores_per_node"), message


def _jobs(groups: Groups) -> Faults:
    """Listed jobs name applications that exist."""
    known = [name for entry in groups.applications if (name := entry.get("name"))]
    if not known:
        return
    for index, jobs in enumerate(groups.jobs):
        for place, job in enumerate(jobs):
            name = job.get("application")
            if isinstance(name, str) and name not in known:
                where: KeyPath = (*_HERE, "logs", index, "jobs", place, "application")
                message = f"there is no application {short(name)}"
                yield where, f"{message}; {nearest(name, [str(each) for each in known])}"


def _numbers_twice(schedule: Mapping[str, Any], key: str) -> Faults:
    seen: set[float] = set()
    for index, value in _numbers(schedule.get(key)):
        if value in seen:
            yield (*_HERE, key, index), f"{value:g} is listed twice; keep one"
        seen.add(value)


def _broken_percentages(schedule: Mapping[str, Any]) -> Faults:
    """Names of policies hold whole percentages."""
    for index, value in _numbers(schedule.get("thresholds")):
        if 0 <= value <= LARGEST and abs(value * 100 - round(value * 100)) > WHOLE_PERCENT:
            message = f"{value:g} is not a whole percentage; give 0.1 for 10 %"
            yield (*_HERE, "thresholds", index), message


def _policies(schedule: Mapping[str, Any]) -> Faults:
    policies = schedule.get("policies")
    if not isinstance(policies, list):
        return
    seen: set[str] = set()
    for index, name in enumerate(policies):
        where: KeyPath = (*_HERE, "policies", index)
        if not isinstance(name, str):
            continue
        if name in seen:
            yield where, f"{short(name)} is listed twice; keep one"
        elif name not in POLICIES and not BY_PERCENT.fullmatch(name):
            yield where, f"there is no policy {short(name)}; {nearest(name, [*POLICIES])}"
        seen.add(name)
    if "adaptive" in policies:
        return
    for key in ("thresholds", "unbounded_threshold"):
        if key in schedule:
            yield (
                (*_HERE, key),
                "applies only to the policy adaptive; add it to policies, or delete this key",
            )


def _names_twice(group: Rows, key: str) -> Faults:
    named: dict[str, KeyPath] = {}
    for index, entry in enumerate(group):
        name, where = entry.get("name"), (*_HERE, key, index, "name")
        if not isinstance(name, str):
            continue
        if name in named:
            yield where, f"{short(name)} is used twice; names must be unique"
        else:
            named[name] = where
    for each in alike(named.items()):
        yield each.position, each.message(dotted(each.earlier_position))


def _numbers(value: Any) -> Sequence[tuple[int, float]]:
    """Place and value of each number of a list that may hold anything."""
    if not isinstance(value, list):
        return []
    return [(index, each) for index, each in enumerate(value) if _is_number(each)]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
