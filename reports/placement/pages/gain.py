"""What the placement changes: the communication matrix before and after."""

from __future__ import annotations

from planner.placement.nodes import spans
from planner.placement.study import PlacementStudy
from planner.placement.summary import goal
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.grid import Table, table
from reports.placement.figures import graph, matrix

_MOST_NODES = 32
"""That are listed with their ranks."""
_MOST_SPANS = 24

_SILENT = "No two ranks exchange anything that was counted: there is nothing to draw."


def page(study: PlacementStudy, drawn: Drawn) -> Page:
    """Both matrices."""
    blocks: list[Block] = (
        [text(_said(study)), *figures(drawn, "matrix", matrix.source(study))]
        if drawn.get("matrix")
        else [text(_SILENT)]
    )
    blocks += figures(drawn, "graph", graph.source(study))
    if study.nodes <= _MOST_NODES:
        blocks.append(grid(_groups(study), "Ranks of each node"))
    return Page("What does the placement change?", f"{answer(study)}", tuple(blocks))


def _groups(study: PlacementStudy) -> Table:
    numbers, hosts = study.placement.nodes.numbers.tolist(), study.layout.hosts
    rows = [
        (f"{number:,}", host, f"{len(ranks):,}", spans(ranks, _MOST_SPANS))
        for number, host, ranks in zip(numbers, hosts, study.placement.groups, strict=True)
    ]
    columns = (("Node", True), ("Host", False), ("Tasks", True), ("Ranks", False))
    return table(columns, (0.5, 1.2, 0.5, 4), rows)


def answer(study: PlacementStudy) -> str:
    """The gain, or that there is none."""
    if study.verdict == "silent":
        return "Nothing: every grouping is as good."
    if study.verdict == "same" and study.placement.moved_by_pins:
        return "It keeps the pins, and costs as much as the order of ranks."
    if study.verdict == "same" and study.proved:
        return "Nothing: the order of ranks is as good as any grouping, proved."
    if study.verdict == "same":
        return "Nothing: no grouping better than the order of ranks was found."
    if not study.placement.summed:
        return f"{matrix.finding(study)}."
    value, order = study.shown(study.value), study.shown(study.order_value)
    levels = f"{value} {goal(study.placement)}, {order} in the order of ranks"
    return f"{matrix.finding(study)}; {levels}."


def _said(study: PlacementStudy) -> str:
    start = (
        "Left, ranks stand in their own order, and as many as a node holds share it in turn: what "
        "MPI does by default. "
    )
    if study.in_order:
        return start + "Right, the placement has the same groups."
    return start + (
        "Right, the same messages with the ranks reordered node by node. What lies within the "
        "squares stays inside a node."
    )
