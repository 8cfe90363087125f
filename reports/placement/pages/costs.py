"""What would change the decision: another cost, another number of tasks, more time."""

from __future__ import annotations

import numpy as np

from planner.formatting import DASH, percent
from planner.placement.other_costs import Other
from planner.placement.sizes import Size
from planner.placement.study import PlacementStudy
from planner.placement.summary import COSTS, amount
from reports.blocks import Block, Drawn, Page, bullets, grid, text
from reports.grid import Table, table
from reports.placement.summary import over

_TASKS = (
    "The number of tasks on a node: where nothing is gained at one number, another may gain. Ask "
    "again with --tasks-per-node."
)
_TRAFFIC = (
    "Messages that were not counted, as those of collective operations: they are spread over "
    "all ranks by most algorithms, and a grouping changes little of them."
)
_INPUT = "Another input or number of ranks of the program: the matrix is that of one run."


def page(study: PlacementStudy, _drawn: Drawn) -> Page:
    """The same groups by the costs for which they were not made."""
    lines = [_INPUT, _TRAFFIC] if study.sizes else [_TASKS, _INPUT, _TRAFFIC]
    if not study.proved:
        lines.insert(0, _more(study))
    blocks: list[Block] = []
    if study.others and study.verdict != "silent":
        blocks = [
            text(
                "The groups were made for one cost. By others, which need no more than the file "
                "has, the same groups compare with the order of ranks between nodes as follows."
            ),
            grid(_table(study), "The same groups by other costs"),
        ]
    if study.sizes:
        blocks.append(grid(_sizes(study), "Other numbers of tasks on a node"))
    return Page("What would change the decision?", _answer(study), (*blocks, bullets(lines)))


def _more(study: PlacementStudy) -> str:
    least = f"up to {percent(study.gap, 'up')} less" if np.isfinite(study.gap) else "less"
    return (
        f"A better grouping, if there is one: {least} is not ruled out. More --starts or another "
        "--seed may find it; a longer --time-limit may prove that there is none."
    )


def _answer(study: PlacementStudy) -> str:
    if study.verdict == "silent" or not study.others:
        return ""
    worse = [other_cost for other_cost in study.others if other_cost.worse]
    names = " and ".join(COSTS[other_cost.weight] for other_cost in worse)
    if worse:
        return f"By {names} the groups are worse than the order of ranks."
    every = " and ".join(COSTS[other_cost.weight] for other_cost in study.others)
    return f"By {every} the groups are no worse than the order of ranks either."


def _table(study: PlacementStudy) -> Table:
    columns = (
        ("Cost", False), ("Order of ranks", True), ("These groups", True), ("Ratio", True),
        ("Made for it", False),
    )  # fmt: skip
    placed = study.placement
    own = Other(placed.costs.weight, placed.costs.unit, placed.rank_order, placed.partition.cut, 0)
    rows = [_row(own, "yes"), *(_row(other_cost, "no") for other_cost in study.others)]
    return table(columns, (1.6, 1.1, 1.1, 0.8, 0.8), rows)


def _sizes(study: PlacementStudy) -> Table:
    """Smaller and larger nodes around those that were asked for."""
    placed = study.placement
    own = Size(int(placed.nodes.tasks.max()), study.nodes, placed.rank_order, placed.partition)
    every = sorted([own, *study.sizes], key=lambda each: each.tasks)
    columns = (
        ("Tasks on a node", False), ("Nodes", True), ("Order of ranks", True), ("Grouped", True),
        ("Over rank order", True), ("Lower bound", True), ("Found by", False),
    )  # fmt: skip
    rows = [
        (
            f"{each.tasks:,}" + (" (asked)" if each is own else ""),
            f"{each.nodes:,}",
            study.shown(each.rank_order),
            study.shown(each.partition.cut),
            over(each.partition.cut, each.rank_order),
            study.shown(each.partition.bound) if np.isfinite(each.partition.bound) else DASH,
            f"{each.partition.method}{', proved' if each.partition.gap == 0 else ''}",
        )
        for each in every
    ]
    return table(columns, (1.1, 0.6, 1, 1, 0.9, 1.1, 1.2), rows)


def _row(other_cost: Other, made: str) -> tuple[str, ...]:
    return (
        COSTS[other_cost.weight],
        amount(other_cost.rank_order, other_cost.unit),
        amount(other_cost.cut, other_cost.unit),
        over(other_cost.cut, other_cost.rank_order),
        made,
    )
