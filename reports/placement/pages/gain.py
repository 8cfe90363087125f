"""What the placement changes: the communication matrix before and after."""

from __future__ import annotations

from planner.formatting import DASH, capitalised
from planner.placement.nodes import spans
from planner.placement.study import PlacementStudy
from planner.placement.summary import goal, shown_alike
from reports.blocks import Block, Drawn, Page, figures, text
from reports.compact import compact
from reports.grid import Table, table
from reports.placement.figures import graph, matrix
from reports.placement.summary import share_of_all

_FEW = 3
"""Nodes up to which a sentence is enough."""
_MOST_NODES = 32
"""That are listed with their ranks."""
_MOST_SPANS = 24
_LONGEST = 100
"""Letters up to which the answer lists the ranks of each node."""

_SILENT = "No two ranks exchange messages that were counted, so the matrix is empty."


def page(study: PlacementStudy, drawn: Drawn) -> Page:
    """Both matrices."""
    blocks: list[Block] = (
        figures(drawn, "matrix", f"{_said(study)} {matrix.source(study)}")
        if drawn.get("matrix")
        else [text(_SILENT)]
    )
    blocks += figures(drawn, "graph", graph.source(study))
    if study.nodes <= _FEW:
        blocks += [text(f"As placed, {_listed(study)}.")] if not _short(study) else []
    elif study.nodes <= _MOST_NODES:
        blocks += compact(_groups(study), "Ranks of each node", keep=("Host", "Ranks"))
    return Page("What does the placement change?", _answer(study), tuple(blocks))


def _listed(study: PlacementStudy) -> str:
    """The ranks of each of a few nodes, as part of a sentence; hosts only where they are known."""
    numbers, hosts = study.placement.nodes.numbers.tolist(), study.layout.hosts
    named = not study.layout.placeholders
    nodes = [
        f"node {number}{f' ({host})' if named else ''} has "
        f"{'ranks' if len(ranks) > 1 else 'rank'} {spans(ranks, _MOST_SPANS)}"
        for number, host, ranks in zip(numbers, hosts, study.placement.groups, strict=True)
    ]
    return "; ".join(nodes)


def _short(study: PlacementStudy) -> bool:
    """Whether the answer has room for the ranks of each node."""
    moved = study.comparison == "better" or study.placement.moved_by_pins
    return moved and study.nodes <= _FEW and len(_listed(study)) <= _LONGEST


def _groups(study: PlacementStudy) -> Table:
    numbers, hosts = study.placement.nodes.numbers.tolist(), study.layout.hosts
    rows = [
        (f"{number:,}", host, f"{len(ranks):,}", spans(ranks, _MOST_SPANS))
        for number, host, ranks in zip(numbers, hosts, study.placement.groups, strict=True)
    ]
    columns = (("Node", True), ("Host", False), ("Count", True), ("Ranks", False))
    return table(columns, (0.5, 1.2, 0.5, 4), rows)


def _answer(study: PlacementStudy) -> str:
    """The gain, and the ranks of each node where there are few."""
    ranks = f" {capitalised(_listed(study))}." if _short(study) else ""
    return f"{answer(study)}{ranks}"


def answer(study: PlacementStudy) -> str:
    """The gain, or that there is none."""
    if study.comparison == "silent":
        return "Nothing: every grouping is equally good."
    if study.comparison == "same" and study.placement.moved_by_pins:
        return "It keeps the pins at the cost of the default mapping."
    if study.comparison == "same" and study.proved:
        return "Nothing: the default mapping is proven optimal."
    if study.comparison == "same":
        return "Nothing: no grouping better than the default mapping was found."
    if not study.placement.summed:
        return f"{_crossing(study)}."
    value, order = shown_alike(study.placement, study.value, study.order_value)
    levels = f"over all levels {value} {goal(study.placement)}, against {order}"
    return f"{matrix.finding(study)}; {levels}."


def _crossing(study: PlacementStudy) -> str:
    """The share that crosses between nodes; the amounts are the finding of the first page."""
    placed = study.placement
    now, before = (
        share_of_all(study, weight) for weight in (placed.partition.cut, placed.rank_order)
    )
    if DASH in (now, before):
        return matrix.finding(study)
    return f"Between nodes: {now} of all traffic, against {before} with the default mapping"


def _said(study: PlacementStudy) -> str:
    start = "Left: the default mapping (by slot), which puts consecutive ranks on a node. "
    if study.in_order:
        return start + "Right: the placement, with the same groups."
    return start + (
        "Right: the same messages with ranks sorted by node. Traffic within the squares stays on a "
        "node."
    )
