"""What was counted: messages, silent ranks, and the times that were assumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from planner.formatting import capitalised
from planner.placement.findings import counted
from planner.placement.nodes import Nodes, spans
from planner.placement.study import PlacementStudy
from planner.placement.summary import COSTS, amount
from reports.blocks import Block, Drawn, Page, bullets, grid
from reports.grid import table

_MOST_KINDS = 4
_FEW = 3
"""Facts on the nodes up to which a line is enough."""
_MOST_PINNED = 8


def page(study: PlacementStudy, _drawn: Drawn) -> Page:
    """Kinds of messages, amounts, and the source of message times."""
    rows = _nodes(study)
    lines = [_amounts(study), *counted(study)[1:], *_cost(study)]
    blocks: list[Block] = []
    if len(rows) > _FEW:
        caption = "Nodes and pins" if study.settings.pins else "Nodes"
        blocks.append(grid(table((("Item", False), ("Value", True)), (1, 2), rows), caption))
    else:
        facts = "; ".join(f"{item[:1].lower()}{item[1:]}: {value}" for item, value in rows)
        lines.append(capitalised(f"{facts}."))
    blocks.insert(0, bullets(lines))
    return Page("What was counted?", counted(study)[0], tuple(blocks))


def _nodes(study: PlacementStudy) -> list[tuple[str, str]]:
    nodes = study.placement.nodes
    shapes = Counter(str(shape) for shape in nodes.shapes if shape)
    sizes = Counter(nodes.tasks.tolist())
    rows = [
        ("Nodes", f"{nodes.count:,}"),
        *_not_used(nodes),
        ("Ranks per node", _counted(f"{size:,}" for size in sizes.elements())),
    ]
    if shapes:
        rows.append(("Hierarchy of a node", _counted(shapes.elements())))
        rows.append(("Cores used", nodes.fill))
    if nodes.memory:
        each = ", ".join(f"{value:g} GB" for value in nodes.memory.node_gb)
        rows.append(("Memory of a node", each))
        rows.append(("Memory of a rank", f"{nodes.memory.task_gb:g} GB"))
    return [*rows, *_pins(study)]


def _not_used(nodes: Nodes) -> list[tuple[str, str]]:
    if not len(nodes.unused):
        return []
    return [
        ("Nodes given", f"{nodes.offered:,}"),
        ("Nodes without ranks", f"number {spans(nodes.unused.tolist())}"),
    ]


def _pins(study: PlacementStudy) -> list[tuple[str, str]]:
    """Pinned ranks, a row for each of the first nodes."""
    by_node: dict[int, list[int]] = {}
    for rank, node in study.settings.pins.items():
        by_node.setdefault(node, []).append(rank)
    rows = [
        (
            f"Pinned to node {node}",
            f"ranks {spans(ranks)}" if len(ranks) > 1 else f"rank {ranks[0]}",
        )
        for node, ranks in sorted(by_node.items())
    ]
    pins = len(rows) - _MOST_PINNED
    return rows[:_MOST_PINNED] + (
        [("Pinned to other nodes", f"{pins:,} nodes")] if pins > 0 else []
    )


def _counted(things: Iterable[str]) -> str:
    """Alike ones once, with their number where there are several kinds."""
    kinds = Counter(things)
    if len(kinds) == 1:
        return next(iter(kinds))
    shown = [f"{count:,} of {kind}" for kind, count in kinds.most_common(_MOST_KINDS)]
    remaining = len(kinds) - _MOST_KINDS
    return "; ".join([*shown, *([f"{remaining:,} further kinds"] if remaining > 0 else [])])


def _cost(study: PlacementStudy) -> list[str]:
    weight, used = study.placement.costs.weight, study.table
    lines = [
        f"Two ranks on different nodes cost the {COSTS[weight]} they exchange, in both directions."
    ]
    if weight == "signed":
        lines = [
            "Two ranks on different nodes cost the extra time of their messages between nodes."
        ]
    elif weight == "paper":
        lines = [
            (
                "Two ranks on different nodes cost what the published formula gives, with times in "
                "microseconds. Another unit may give other groups."
            )
        ]
    if used is not None:
        kind = "assumed, not measured" if used.assumed else "measured, from a file"
        origin = f" ({used.source})" if used.source else ""
        lines.append(f"Message times are {kind}: {used.name}{origin}.")
    return lines


def _amounts(study: PlacementStudy) -> str:
    """What the answer does not say of the matrix: amounts in one sentence."""
    communication = study.placement.communication
    ranks, messages = communication.ranks, communication.messages
    total = 0.0 if messages is None else float(messages.sum())
    parts = [f"possible pairs: {ranks * (ranks - 1) // 2:,}"]
    if communication.pairs:
        parts.append(f"largest pair: {amount(float(communication.bytes.max()), 'B')}")
    if total and communication.total_bytes:
        parts.append(f"mean message size: {amount(communication.total_bytes / total, 'B')}")
    return capitalised(f"{'; '.join(parts)}.")
