"""What each size gives: the curve, and every size that was tried."""

from __future__ import annotations

from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import listed
from planner.scheduling.sizing.tables import tried
from planner.table import Column
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import Table, table_of
from reports.sizing.figures.curve import finding
from reports.sizing.pages.front import BOOK, POLICY, measures

_MOST_ROWS = 40
_LISTED = 12


def page(study: SizingStudy, drawings: Drawn) -> Page:
    """The curve and its table."""
    source = (
        "Left: every size that was tried; right: around the smallest answer, where each size was. "
        "The full marker is the answer, dashed the limit. Simulated."
    )
    blocks: list[Block] = [*figures(drawings, "curve", source)]
    blocks += [
        text(_looked(sizing.policy, sizing.nodes, sizing.search.looked, sizing.lucky))
        for sizing in study.sizings
        if sizing.nodes is not None
    ]
    rows, total = _tried(study)
    blocks.append(
        grid(rows, partly("Every size tried", len(rows["rows"]), total, BOOK), small=True)
    )
    return Page("What does each size give?", f"{finding(study)}.", tuple(blocks))


def _looked(policy: str, nodes: int, looked: int, lucky: tuple[int, ...]) -> str:
    message = (
        f"Under {policy} every size up to {looked} nodes on either side of {nodes:,} was tried, "
        "and one in each per cent up to 10 % above, as a larger machine is not always better: a "
        "job that starts sooner may stand in the way of others."
    )
    if lucky:
        sizes = listed(lucky, _LISTED)
        return (
            f"{message} Smaller ones that keep the level too: {sizes} (all in {BOOK}); a larger "
            "one does not."
        )
    return f"{message} No smaller size that was tried keeps the level."


def _tried(study: SizingStudy) -> tuple[Table, int]:
    level_column = Column(
        "keeps", "Level", lambda keeps: "kept" if keeps else "not kept", width=0.8
    )
    rows = [tried(sizing.policy, one) for sizing in study.sizings for one in sizing.tried.values()]
    return table_of((POLICY, *measures(study), level_column), rows[:_MOST_ROWS]), len(rows)
