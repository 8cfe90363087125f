"""Every number of a placement as plain rows: members of the data file, sheets of the workbook."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.placement.bundle import FOLDER, NAMES, launcher, path_of
from planner.placement.nodes import spans
from planner.placement.rank_files import FILE_FORMS, rank_file
from planner.placement.traffic import cells, ranks_per_cell

if TYPE_CHECKING:
    from planner.placement.compared import Tried
    from planner.placement.result import PlacementResult
    from scenarios.communication.matrix import Floats
    from solvers.partition.outcome import Partition

MOST_ROWS = 10_000
"""Rows of a table: the largest pairs, the first ranks and nodes."""
MOST_EDGES = 24
"""Ranks whose pairs a reader can still tell apart as a graph."""
_MOST_SQUARES = 64
"""Nodes of which each has its square in the matrix."""
_MOST_LINES = 32
"""Lines in the matrix of more nodes."""

Rows = list[dict[str, Any]]


def known(value: float) -> float | None:
    """A number; ``None`` where it is infinite or not a number."""
    return value if np.isfinite(value) else None


def change(value: float, before: float) -> float | None:
    """A cost against that of the default mapping; ``None`` where that is not above 0."""
    return value / before - 1 if before > 0 else None


def algorithm(study: PlacementResult, attempt: Tried) -> dict[str, Any]:
    """What an algorithm found."""
    placement, order = attempt.placement, study.placement.rank_order
    cut, bound = placement.partition.cut, placement.partition.bound
    row: dict[str, Any] = {
        "algorithm": attempt.name,
        "cut": cut,
        "ratio": cut / order if order > 0 else None,
        "bound": known(bound),
    }
    if placement.summed:
        row |= {"total": placement.total, "total_bound": known(placement.total_bound)}
    return row | {
        "change": change(attempt.value, study.order_value),
        "improvable": _improvable(study, attempt),
        "status": "optimal" if attempt.proved else "feasible",
        "judged": judged(study, attempt),
        "found_by": attempt.method,
        "stopped_by_time": attempt.late,
    }


def _improvable(study: PlacementResult, attempt: Tried) -> float | None:
    """How much less than this is not ruled out by the limit that all algorithms share."""
    if study.reached(attempt):
        return 0.0
    left = attempt.value - study.bound
    return left / attempt.value if attempt.value > 0 and np.isfinite(study.bound) else None


def judged(study: PlacementResult, attempt: Tried) -> str:
    """What all algorithms together prove of one: optimal, worse than another, or neither."""
    least = min(each.value for each in study.tried)
    if study.reached(attempt):
        return "optimal"
    return "not optimal" if attempt.value - least > study.tolerance else "not proved"


def ranks(study: PlacementResult) -> Iterator[dict[str, Any]]:
    """Host and core of the first ranks."""
    node = dict(zip(study.layout.hosts, study.placement.nodes.numbers.tolist(), strict=True))
    for rank, (host, core) in zip(range(MOST_ROWS), study.layout.by_rank(), strict=False):
        yield {
            "rank": rank, "node": node[host], "host": host,
            "processor": core.processor, "core": core.core,
        }  # fmt: skip


def nodes(study: PlacementResult) -> Rows:
    """Ranks and traffic of the first nodes."""
    inside, leaving = (weights.tolist() for weights in study.by_node)
    numbers = study.placement.nodes.numbers.tolist()
    return [
        {
            "node": numbers[node],
            "host": study.layout.hosts[node],
            "ranks": len(group),
            "which": spans(group, len(group)),
            "inside": inside[node],
            "with other nodes": leaving[node],
        }
        for node, group in enumerate(study.placement.groups[:MOST_ROWS])
    ]


def node_pairs(study: PlacementResult, most: int) -> Rows:
    """The pairs of nodes that exchange most."""
    hosts, numbers = study.layout.hosts, study.placement.nodes.numbers.tolist()
    return [
        {"node": numbers[low], "other_node": numbers[high],
         "host": hosts[low], "other_host": hosts[high], "weight": weight,
         "share": _share_of_cut(study, weight)}
        for low, high, weight in study.node_pairs.rows(most)
    ]  # fmt: skip


def parted_pairs(study: PlacementResult, most: int) -> Rows:
    """The pairs of ranks on different nodes that exchange most."""
    part = study.placement.nodes.numbers[study.placement.partition.part].tolist()
    return [
        {"rank": low, "other_rank": high, "node": part[low], "other_node": part[high],
         "weight": weight, "share": _share_of_cut(study, weight)}
        for low, high, weight in study.cut_pairs.rows(most)
    ]  # fmt: skip


def _share_of_cut(study: PlacementResult, weight: float) -> float | None:
    cut = study.placement.partition.cut
    return weight / cut if cut > 0 and not study.graph.has_negative else None


def levels(study: PlacementResult) -> Rows:
    """Bytes by the innermost level that two ranks share."""
    rows = [row._asdict() for row in study.placement.by_level]
    total = sum(row["bytes"] for row in rows)
    return [
        {**row, "change": change(row["bytes"], row["bytes_rank_order"]),
         "share": row["bytes"] / total if total else None}
        for row in rows
    ]  # fmt: skip


def others(study: PlacementResult) -> Rows:
    """The same groups by other costs."""
    return [
        {"cost": other.weight, "unit": other.unit, "cut_rank_order": other.rank_order,
         "cut": other.cut, "ratio": other.cut / other.rank_order if other.rank_order > 0 else None,
         "change": change(other.cut, other.rank_order)}
        for other in study.others
    ]  # fmt: skip


def sizes(study: PlacementResult) -> Rows:
    """Other numbers of ranks on a node."""
    return [_size(each.tasks, each.nodes, each.rank_order, each.partition) for each in study.sizes]


def _size(tasks: int, nodes: int, rank_order: float, partition: Partition) -> dict[str, Any]:
    return {
        "tasks_per_node": tasks,
        "nodes": nodes,
        "cut_rank_order": rank_order,
        "cut": partition.cut,
        "ratio": partition.cut / rank_order if rank_order > 0 else None,
        "change": change(partition.cut, rank_order),
        "bound": known(partition.bound),
        "status": partition.status.value,
        "found_by": partition.method,
    }


def by_size(study: PlacementResult) -> Rows:
    """The placement among other numbers of ranks on a node, if these were tried."""
    placed = study.placement
    own = _size(int(placed.nodes.tasks.max()), study.nodes, placed.rank_order, placed.partition)
    own |= {"own": True, "found_by": tuple(placed.partition.method.split(", "))}
    rows = [own, *(each | {"own": False} for each in sizes(study))] if study.sizes else []
    return sorted(rows, key=lambda row: row["tasks_per_node"])


def traffic(study: PlacementResult) -> Rows:
    """Traffic of the nodes with others, sorted for each mapping."""
    both = (("default", study.by_node_in_order), ("placed", study.by_node))
    return [
        {"mapping": mapping, "place": place, "weight": weight}
        for mapping, (_, leaving) in both
        for place, weight in enumerate(np.sort(leaving)[::-1][:MOST_ROWS].tolist(), 1)
    ]


def files(study: PlacementResult) -> Rows:
    """The rank files: who reads them, and their lines."""
    paths = {path_of(form): form for form in FILE_FORMS}
    return [
        {"file": name, "launcher": launcher(form),
         "lines": len(rank_file(form, study.layout).splitlines())}
        for name in NAMES
        if (form := paths.get(f"{FOLDER}/{name}")) is not None
    ]  # fmt: skip


def drawn_weight(study: PlacementResult) -> tuple[Floats, str]:
    """What the matrix shows: messages where these are placed by, else bytes; and the unit."""
    communication = study.placement.communication
    by_messages = study.placement.costs.weight == "messages" or not communication.bytes.any()
    if by_messages and communication.messages is not None:
        return communication.messages, "message"
    return communication.bytes, "B"


def matrix(study: PlacementResult) -> Rows:
    """What two cells of consecutive ranks exchange, by default and as placed; upper half."""
    communication, per_cell = study.placement.communication, cell(study)
    if not communication.pairs:
        return []
    weight, _ = drawn_weight(study)
    before, after = (
        cells(communication.low, communication.high, weight, order, per_cell)
        for order in (np.arange(communication.ranks), study.as_placed)
    )
    rows, columns = np.nonzero(np.triu((before != 0) | (after != 0)))
    return [
        {"row": row, "column": column, "default": was or None, "placed": now or None}
        for row, column, was, now in zip(
            rows.tolist(), columns.tolist(),
            before[rows, columns].tolist(), after[rows, columns].tolist(), strict=True,
        )
    ]  # fmt: skip


def cell(study: PlacementResult) -> int:
    """Ranks of a cell of the matrix."""
    return ranks_per_cell(study.placement.nodes.tasks)


def blocks(study: PlacementResult) -> Rows:
    """Where the ranks of a node begin and end in the matrix, and of the first level within it.

    Lines between some of them, if there are many nodes.
    """
    nodes = study.placement.nodes
    ends = np.concatenate(([0], np.cumsum(nodes.tasks))).tolist()
    count, step = len(ends) - 1, 1
    while count / step > _MOST_LINES:
        step *= 2
    level = "square" if count <= _MOST_SQUARES else "line"
    shown = range(0, count, 1 if level == "square" else step)
    placed = study.as_placed.tolist()
    rows: Rows = [
        {"level": level, "node": int(nodes.numbers[k]), "first": ends[k], "end": ends[k + 1],
         "ranks": " ".join(map(str, placed[ends[k] : ends[k + 1]])) if level == "square" else None}
        for k in shown
    ]  # fmt: skip
    if study.placement.hierarchical and level == "square":
        inner = np.flatnonzero(np.r_[True, np.diff(nodes.units[1]) > 0, True]).tolist()
        if len(inner) <= _MOST_SQUARES + 1:
            rows += [
                {"level": "within", "node": None, "first": first, "end": end, "ranks": None}
                for first, end in pairwise(inner)
            ]
    return rows


def edges(study: PlacementResult) -> Rows:
    """Pairs of ranks of a small program with what parting them costs."""
    if study.graph.vertices > MOST_EDGES:
        return []
    every = study.graph.edge_list()
    return [{"rank": u, "other_rank": v, "weight": weight} for u, v, weight in every]


def places(study: PlacementResult) -> Rows:
    """Node of each rank of a small program, by default and as placed."""
    if study.graph.vertices > MOST_EDGES:
        return []
    part, order = study.placement.partition.part.tolist(), study.order_part.tolist()
    return [
        {"rank": rank, "default": order[rank], "placed": part[rank],
         "default_host": study.layout.hosts[order[rank]],
         "placed_host": study.layout.hosts[part[rank]]}
        for rank in range(study.graph.vertices)
    ]  # fmt: skip
