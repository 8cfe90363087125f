"""Which tasks share a node under the chosen pattern."""

from __future__ import annotations

from planner.aggregation.aggregate import AggregationStudy
from planner.formatting import plural
from reports.aggregation.pages.front import BOOK
from reports.blocks import Drawn, Page, grid, partly, text
from reports.grid import table

_MOST_ROWS = 16

WAYS = {
    "order": "in rank order",
    "kl": "by Kernighan-Lin",
    "multilevel": "by multilevel bisection",
    "dynamic": "optimally, by dynamic programming",
    "portfolio": "by a portfolio of partitioners",
}
WEIGHTS = {
    "paper": "the published costs of pairs (equation 4)",
    "signed": "the time that a lone message loses between nodes",
    "loaded": "the time that a message loses between nodes under load",
}


def page(study: AggregationStudy, _drawn: Drawn) -> Page | None:
    """The groups; nothing where each task has a node of its own."""
    pattern, groups = study.chosen.pattern, study.chosen.groups.tolist()
    if pattern.tasks == 1:
        return None
    ordered = [task for group in groups for task in group] == list(range(sum(map(len, groups))))
    answer = (
        f"{plural(pattern.tasks, 'rank')} on each of {plural(len(groups), 'node')}, grouped "
        f"{WAYS[study.settings.grouping]}"
    )
    if study.settings.grouping != "order":
        answer += f" with {WEIGHTS[study.settings.objective]}"
    answer += "; the groups equal those of rank order" if ordered else ""
    rows = [(str(node), " ".join(map(str, group))) for node, group in enumerate(groups)]
    columns = (("Node", True), ("Ranks, in the order of their cores", False))
    caption = partly("Groups", min(len(rows), _MOST_ROWS), len(rows), BOOK)
    return Page(
        "Which ranks share a node?",
        f"{answer}.",
        (
            text(
                "Ranks fill the cores of a die first, then the dies of a socket, then the "
                "next socket. The option --write-rank-file writes the groups as a rank file."
            ),
            grid(table(columns, (0.1, 1), rows[:_MOST_ROWS]), caption, small=True),
        ),
    )
