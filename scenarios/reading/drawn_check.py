"""Watts of measured runs: between what a node draws idle and what its cap lets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.formatting import short
from scenarios.model.node_types import NodeType
from scenarios.positions import KeyPath
from scenarios.reading.groups import Groups

_ROUNDING = 1e-9


def drawn_faults(groups: Groups) -> Iterator[tuple[KeyPath, str]]:
    """Check every ``drawn_w`` of figures of merit and run times, on data that may be wrong."""
    types = groups.whole_node_types
    for index, (rows, runs) in enumerate(zip(groups.rows, groups.runs, strict=True)):
        for key, measured in (("rows", rows), ("runs", runs)):
            for place, row in enumerate(measured):
                holder = row.get("time") if key == "runs" else row
                name = holder.get("node_type") if isinstance(holder, dict) else None
                node_type = types.get(name) if isinstance(name, str) else None
                message = "" if node_type is None else _fault_of(row, node_type)
                if message:
                    yield ("workloads", index, "performance", key, place, "drawn_w"), message


def _fault_of(row: Mapping[str, Any], node_type: NodeType) -> str:
    drawn_w, cap_w = row.get("drawn_w"), row.get("cap_w")
    if not isinstance(drawn_w, int | float) or not isinstance(cap_w, int | float | None):
        return ""
    return drawn_fault(drawn_w, node_type, cap_w)


def drawn_fault(drawn_w: float, node_type: NodeType, cap_w: float | None) -> str:
    """What is wrong with the watts of a run under a cap (by default the largest), or nothing.

    Examples
    --------
    >>> node = NodeType(name="a", idle_w=100.0, peak_w=500.0, package_caps_w=[150.0, 200.0])
    >>> drawn_fault(90.0, node, None)
    "drawn_w = 90 is below idle_w = 100 of 'a'; correct one of them"
    >>> drawn_fault(470.0, node, 150.0)[:50]
    "drawn_w = 470 is above the 450 W that a node of 'a"
    """
    message = f"drawn_w = {drawn_w:g}"
    name = short(node_type.name)
    if node_type.idle_w is not None and drawn_w < node_type.idle_w * (1 - _ROUNDING):
        return f"{message} is below idle_w = {node_type.idle_w:g} of {name}; correct one of them"
    peak_w = node_type.peak_w
    if peak_w is None:
        return ""
    if drawn_w > peak_w * (1 + _ROUNDING):
        return f"{message} is above peak_w = {peak_w:g} of {name}; correct one of them"
    if cap_w is None or cap_w not in node_type.package_caps_w:
        return ""
    lets_w = node_type.capped_w(cap_w)
    if drawn_w <= lets_w * (1 + _ROUNDING):
        return ""
    less = max(node_type.package_caps_w) - cap_w
    return (
        f"{message} is above the {lets_w:g} W that a node of {name} may draw with "
        f"cap_w = {cap_w:g} (peak_w = {peak_w:g} less {node_type.packages} x {less:g} W); "
        "correct drawn_w, cap_w or capped_packages of the node type"
    )
