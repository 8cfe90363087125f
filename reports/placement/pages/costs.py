"""What would change the decision: another cost, another number of tasks, more time."""

from __future__ import annotations

import numpy as np

from planner.formatting import DASH, capitalised
from planner.placement.other_costs import Other
from planner.placement.sizes import Size
from planner.placement.study import PlacementStudy
from planner.placement.summary import COSTS, amount, less_by
from reports.blocks import Block, Drawn, Page, bullets, grid, text
from reports.grid import Table, table
from reports.placement.summary import over

_TASKS = "Ranks per node: only this number was examined; another may gain more or less."
_TRAFFIC = (
    "Messages that were not counted: such as those inside collective operations. Most collective "
    "algorithms spread them over all ranks, so a grouping changes little of them."
)
_SEARCH = (
    "Search: more starts or another seed may find a better grouping; more time may prove that "
    "there is none."
)
_INPUT = "Input: the matrix describes a single run; other runs may exchange other amounts."


def page(study: PlacementStudy, _drawn: Drawn) -> Page:
    """The same groups by the costs for which they were not made."""
    lines = [_INPUT, _TRAFFIC] if study.sizes else [_TASKS, _INPUT, _TRAFFIC]
    if not study.proved:
        lines.insert(0, _SEARCH)
    blocks: list[Block] = []
    if study.others and study.comparison != "silent":
        blocks = [
            text(
                "The groups minimise one cost. This table compares them with the default "
                "mapping for other "
                "costs that the file allows."
            ),
            grid(_table(study), "The same groups measured with other costs"),
        ]
    if study.sizes:
        blocks.append(grid(_sizes(study), "Other numbers of ranks per node"))
    return Page("What would change the decision?", _answer(study), (*blocks, bullets(lines)))


def _answer(study: PlacementStudy) -> str:
    if study.comparison == "silent":
        return "Messages that were not counted: without any, every grouping is equally good."
    if not study.others:
        return _without_others(study)
    worse = [other_cost for other_cost in study.others if other_cost.worse]
    names = " and ".join(COSTS[other_cost.weight] for other_cost in worse)
    if worse:
        return f"Measured in {names}, the groups are worse than the default mapping."
    every = " and ".join(COSTS[other_cost.weight] for other_cost in study.others)
    return f"Measured in {every}, the groups are no worse than the default mapping either."


def _without_others(study: PlacementStudy) -> str:
    factors = ["another number of ranks per node"] if not study.sizes else []
    factors += ["another input", "messages that were not counted"]
    if study.proved:
        return (
            f"Only {_either(factors)}. For this matrix and these nodes, the grouping is proven "
            "optimal."
        )
    factors.insert(0, "a longer search")
    least = "how much less a better grouping can have is not known"
    if np.isfinite(study.gap):
        least = f"a grouping with up to {less_by(study.gap, 'up')} less is not ruled out"
    return f"{capitalised(_either(factors))}. {capitalised(least)}."


def _either(factors: list[str]) -> str:
    return f"{', '.join(factors[:-1])} or {factors[-1]}"


def _table(study: PlacementStudy) -> Table:
    columns = (
        ("Cost", False), ("Default mapping", True), ("These groups", True), ("Ratio", True),
        ("Minimised", False),
    )  # fmt: skip
    placed = study.placement
    own = Other(placed.costs.weight, placed.costs.unit, placed.rank_order, placed.partition.cut, 0)
    rows = [_row(own, "yes"), *(_row(other_cost, "no") for other_cost in study.others)]
    return table(columns, (1.6, 1.1, 1.1, 0.8, 0.8), rows)


def _sizes(study: PlacementStudy) -> Table:
    """Smaller and larger nodes around the given ones."""
    placed = study.placement
    own = Size(int(placed.nodes.tasks.max()), study.nodes, placed.rank_order, placed.partition)
    every = sorted([own, *study.sizes], key=lambda each: each.tasks)
    columns = (
        ("Ranks per node", False), ("Nodes", True), ("Default mapping", True), ("Grouped", True),
        ("Ratio", True), ("Proven limit", True), ("Found by", False),
    )  # fmt: skip
    rows = [
        (
            f"{each.tasks:,}" + (" (this plan)" if each is own else ""),
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
