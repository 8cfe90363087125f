"""Which tasks share a node under the chosen pattern."""

from __future__ import annotations

from planner.aggregation.aggregate import AggregationStudy
from planner.formatting import plural
from planner.placement.nodes import spans
from reports.aggregation.pages.front import BOOK
from reports.blocks import Drawn, Page, grid, partly, text
from reports.grid import table

_MOST_ROWS = 16
_MOST_NAMED = 3
"""Nodes up to which the answer lists their ranks."""

WAYS = {
    "order": "in rank order",
    "kl": "by Kernighan-Lin (exchanges of ranks between nodes while that helps)",
    "multilevel": "by multilevel bisection",
    "dynamic": "optimally, by dynamic programming",
    "portfolio": "by a portfolio of partitioners",
}
WEIGHTS = {
    "paper": "the costs of pairs (equation 4)",
    "signed": "the time that a lone message loses between nodes",
    "loaded": "the time that a message loses between nodes under load",
}


def page(study: AggregationStudy, _drawn: Drawn) -> Page | None:
    """The groups; nothing where each task has a node of its own."""
    pattern, groups = study.chosen.pattern, study.chosen.groups.tolist()
    if pattern.tasks == 1:
        return None
    ordered = [task for group in groups for task in group] == list(range(sum(map(len, groups))))
    held = f"{plural(pattern.tasks, 'rank')} on each of {plural(len(groups), 'node')}"
    if ordered:
        answer = f"{held}, in rank order"
    elif len(groups) <= _MOST_NAMED:
        parts = [f"node {node} has ranks {spans(group)}" for node, group in enumerate(groups)]
        answer = f"{held}: {'; '.join(parts)}"
    elif all(max(group) - min(group) + 1 == len(group) for group in groups):
        answer = f"{held}: consecutive ranks share a node"
    else:
        answer = f"{held}: groups that exchange much, listed below"
    rows = [(str(node), " ".join(map(str, group))) for node, group in enumerate(groups)]
    columns = (("Node", True), ("Ranks, in the order of their cores", False))
    if ordered:
        ranks = "; ".join(f"node {node}: {row}" for node, row in rows[:_MOST_NAMED])
        shown = text(f"Ranks of {ranks}{'; and so on' if len(rows) > _MOST_NAMED else ''}.")
    elif len(rows) == 1:
        shown = text(f"Node 0: {rows[0][1]}.")
    else:
        shown = grid(table(columns, (0.1, 1), rows[:_MOST_ROWS]), _caption(len(rows)))
    return Page(
        "Which ranks share a node?",
        f"{answer}.",
        (
            text(
                "Ranks fill the cores of a die first, then the dies of a socket, then the next "
                "socket. The option --write-rank-file writes the groups as a rank file."
            ),
            shown,
        ),
    )


def _caption(total: int) -> str:
    return partly("Ranks of each node", min(total, _MOST_ROWS), total, BOOK)
