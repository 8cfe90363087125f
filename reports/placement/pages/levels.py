"""What the cores share: bytes by level, with the default mapping and as placed."""

from __future__ import annotations

from planner.formatting import DASH, percent
from planner.placement.placement import LevelBytes
from planner.placement.study import PlacementStudy
from planner.placement.summary import amount
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.grid import Table, table
from reports.placement.figures.levels import finding, level_name
from reports.placement.summary import over


def page(study: PlacementStudy, drawn: Drawn) -> Page | None:
    """Bars and table; nothing where nodes have no levels."""
    if not study.placement.hierarchical or study.comparison == "silent":
        return None
    source = "Both directions are counted."
    title = "Bytes by the innermost level that two ranks share"
    blocks: list[Block] = [
        *figures(drawn, "levels", source, title=title),
        grid(_table(study), "Bytes by level"),
        text(_distances(study)),
    ]
    return Page(
        "Which traffic stays within a node, socket or die?", f"{finding(study)}.", tuple(blocks)
    )


def _table(study: PlacementStudy) -> Table:
    rows = study.placement.by_level
    total = sum(row.bytes for row in rows)
    columns = (
        ("Innermost level shared", False), ("Distance", True), ("Default mapping", True),
        ("As placed", True), ("Ratio", True), ("Share as placed", True),
    )  # fmt: skip
    body = [_row(row, total) for row in rows]
    return table(columns, (1.7, 0.8, 1.1, 1.1, 0.8, 1.1), body)


def _row(row: LevelBytes, total: float) -> tuple[str, ...]:
    now, was, distance = row.bytes, row.bytes_rank_order, row.distance
    return (
        level_name(row.level),
        DASH if distance is None else f"{distance:g}",
        amount(was, "B"),
        amount(now, "B"),
        over(now, was),
        percent(now / total) if total else DASH,
    )


def _distances(study: PlacementStudy) -> str:
    if study.placement.levels.distances is None:
        return (
            "The ping-pong table gives message times for each level; the innermost level that two "
            "ranks share decides."
        )
    return (
        "A byte or message costs the distance of the innermost level that its ranks share. The "
        "placement minimises the sum over all pairs. Distances not given are assumed."
    )
