"""Every number of a placement as plain rows: sheets of the workbook, and the data file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from planner.placement import findings, summary
from planner.placement.warnings import placement_warnings, study_warnings

if TYPE_CHECKING:
    from planner.placement.compared import Tried
    from planner.placement.placement import Placement
    from planner.placement.result import PlacementResult

MOST_ROWS = 10_000
"""Pairs in a table, the largest."""
_MOST_PLAIN = 100
"""Pairs in the data file, the largest."""

Rows = list[dict[str, Any]]


def tables(study: PlacementResult) -> dict[str, Rows]:
    """Rows by the name of the sheet."""
    placed = study.placement
    return {
        "algorithms": [_algorithm(study, attempt) for attempt in study.tried]
        + [{"algorithm": name, "status": why} for name, why in study.refused.items()],
        "ranks": _ranks(study),
        "nodes": _nodes(study),
        "levels": _levels(placed) if placed.hierarchical else [],
        "pairs of nodes": [_between(study, row) for row in study.node_pairs.rows(MOST_ROWS)],
        "pairs of ranks parted": _cut_pairs(study, MOST_ROWS),
        "other costs": _others(study),
        "tasks on a node": _sizes(study),
    }


def partial(study: PlacementResult) -> dict[str, str]:
    """Which pairs a table holds, by its name, where it does not hold all."""
    totals = {
        "pairs of nodes": len(study.node_pairs),
        "pairs of ranks parted": len(study.cut_pairs),
    }
    return {
        name: f"the {MOST_ROWS:,} pairs of the largest weight, of {total:,}"
        for name, total in totals.items()
        if total > MOST_ROWS
    }


def placement_to_dict(placed: Placement) -> dict[str, Any]:
    """Plain values for JSON; what is not known is ``None``."""
    partition = placed.partition
    known = bool(np.isfinite(partition.bound))
    content: dict[str, Any] = {
        "name": placed.communication.name,
        "sha256": placed.communication.sha256,
        "form": placed.communication.form,
        "ranks": placed.graph.vertices,
        "nodes": len(placed.groups),
        "cost": placed.costs.weight,
        "unit": placed.costs.unit,
        "groups": placed.groups,
        "node_numbers": placed.nodes.numbers.tolist(),
        "unused_nodes": placed.nodes.unused.tolist(),
        "cut": partition.cut,
        "cut_rank_order": placed.rank_order,
        "ratio": placed.ratio,
        "bound": partition.bound if known else None,
        "gap": partition.gap if known and np.isfinite(partition.gap) else None,
        "status": partition.status.value,
        "method": partition.method,
        "time_limit_s": placed.time_limit_s,
        "stopped_by_time": placed.late,
        "summary": summary.summary(placed),
        "warnings": list(placement_warnings(placed)),
    }
    if placed.hierarchical:
        content |= _hierarchy(placed)
    return content


def _levels(placed: Placement) -> Rows:
    return [row._asdict() for row in placed.by_level]


def _hierarchy(placed: Placement) -> dict[str, Any]:
    known = bool(np.isfinite(placed.total_bound)) and placed.summed
    return {
        "hierarchies": [str(shape) for shape in dict.fromkeys(placed.nodes.shapes) if shape],
        "cores": placed.cores,
        "total": placed.total if placed.summed else None,
        "total_rank_order": placed.total_rank_order if placed.summed else None,
        "total_bound": placed.total_bound if known else None,
        "total_status": placed.mapping.status.value if placed.summed else None,
        "by_level": _levels(placed),
    }


def plain(study: PlacementResult) -> dict[str, Any]:
    """Plain values for JSON: those of the placement, and what was compared."""
    placed, communication = study.placement, study.placement.communication
    settings = study.settings
    return placement_to_dict(placed) | {
        "summary": f"{findings.headline(study)} {summary.certificate_text(placed)}".strip(),
        "algorithm": settings.algorithm,
        "seed": settings.seed,
        "starts": settings.starts,
        "time_limit_s": settings.time_limit_s,
        "stopped_by_time": study.stopped_by_time,
        "bound_by": list(study.bound_by),
        "algorithms": [_algorithm(study, attempt) for attempt in study.tried],
        "refused": study.refused,
        "other_costs": _others(study),
        "other_tasks_per_node": _sizes(study),
        "rank_order_kept": (study.comparison != "better" or study.slight)
        and not placed.moved_by_pins,
        "hosts": list(study.layout.hosts),
        "communication": {
            "form": communication.form,
            "traffic": settings.traffic if communication.form == "monitoring" else None,
            "pairs": communication.pairs,
            "bytes": communication.total_bytes,
            "messages": None
            if communication.messages is None
            else float(communication.messages.sum()),
            "self_bytes": float(communication.self_bytes.sum()),
            "self_messages": None
            if communication.self_messages is None
            else float(communication.self_messages.sum()),
            "silent_ranks": len(communication.silent),
        },
        "ping_pong": None
        if study.table is None
        else {
            "name": study.table.name,
            "source": study.table.source,
            "assumed": study.table.assumed,
            "sha256": study.table.sha256,
        },
        "node_pairs": [_between(study, row) for row in study.node_pairs.rows(_MOST_PLAIN)],
        "parted_pairs": _cut_pairs(study, _MOST_PLAIN),
        "warnings": list(study_warnings(study)),
        **({"files": dict(settings.files)} if settings.files else {}),
    }


def _algorithm(study: PlacementResult, attempt: Tried) -> dict[str, Any]:
    placement, order = attempt.placement, study.placement.rank_order
    cut, bound = placement.partition.cut, placement.partition.bound
    row: dict[str, Any] = {
        "algorithm": attempt.name,
        "cut": cut,
        "ratio": cut / order if order > 0 else None,
        "bound": bound if np.isfinite(bound) else None,
    }
    if placement.summed:
        row |= {
            "total": placement.total,
            "total_bound": placement.total_bound if np.isfinite(placement.total_bound) else None,
        }
    return row | {
        "status": "optimal" if attempt.proved else "feasible",
        "found_by": attempt.method,
        "stopped_by_time": attempt.late,
    }


def _ranks(study: PlacementResult) -> Rows:
    layout = study.layout
    numbers = study.placement.nodes.numbers.tolist()
    node = dict(zip(layout.hosts, numbers, strict=True))
    return [
        {
            "rank": rank,
            "node": node[host],
            "host": host,
            "processor": core.processor,
            "core": core.core,
        }
        for rank, (host, core) in enumerate(layout.by_rank())
    ]


def _nodes(study: PlacementResult) -> Rows:
    inside, leaving = (weights.tolist() for weights in study.by_node)
    return [
        {
            "node": int(study.placement.nodes.numbers[node]),
            "host": study.layout.hosts[node],
            "ranks": len(group),
            "inside": inside[node],
            "with other nodes": leaving[node],
            "which": " ".join(map(str, group)),
        }
        for node, group in enumerate(study.placement.groups)
    ]


def _between(study: PlacementResult, row: tuple[int, int, float]) -> dict[str, Any]:
    low, high, weight = row
    hosts, numbers = study.layout.hosts, study.placement.nodes.numbers
    return {
        "node": int(numbers[low]), "other_node": int(numbers[high]),
        "host": hosts[low], "other_host": hosts[high],
        "weight": weight,
    }  # fmt: skip


def _cut_pairs(study: PlacementResult, most: int) -> Rows:
    part = study.placement.nodes.numbers[study.placement.partition.part]
    return [
        {"rank": low, "other_rank": high, "node": int(part[low]), "other_node": int(part[high]),
         "weight": weight}
        for low, high, weight in study.cut_pairs.rows(most)
    ]  # fmt: skip


def _others(study: PlacementResult) -> Rows:
    return [
        {"cost": other.weight, "unit": other.unit, "cut_rank_order": other.rank_order,
         "cut": other.cut, "ratio": other.cut / other.rank_order if other.rank_order > 0 else None}
        for other in study.others
    ]  # fmt: skip


def _sizes(study: PlacementResult) -> Rows:
    return [
        {
            "tasks_per_node": size.tasks,
            "nodes": size.nodes,
            "cut_rank_order": size.rank_order,
            "cut": size.partition.cut,
            "ratio": size.partition.cut / size.rank_order if size.rank_order > 0 else None,
            "bound": size.partition.bound if np.isfinite(size.partition.bound) else None,
            "status": size.partition.status.value,
            "found_by": size.partition.method,
        }
        for size in study.sizes
    ]
