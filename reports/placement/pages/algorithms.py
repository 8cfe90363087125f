"""How good the placement is: every algorithm that suits, against the bound."""

from __future__ import annotations

import numpy as np

from planner.placement.study import PlacementStudy, Tried
from reports.grid import Table, table
from reports.numbers import DASH, words
from reports.pages.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.placement.figures.algorithms import finding
from reports.placement.wording import label, ratio, status
from reports.units import percent


def page(study: PlacementStudy, drawn: Drawn) -> Page:
    """Dots, the table, and why others were not asked."""
    if study.verdict == "silent":
        return Page("How good is it?", "Nothing can be better: nothing is cut.", ())
    limit = study.asked.time_limit_s
    told = (
        f"Each was given the same weights, sizes of nodes, seed {study.asked.seed} and "
        + ("no limit of time." if limit is None else f"a limit of {limit:g} s of its own.")
        + " A bound holds for every grouping, whoever found it."
    )
    blocks: list[Block] = [
        text(told),
        *figures(drawn, "algorithms", "Dashed: no grouping has less."),
        grid(_table(study), "Cut by algorithm", small=True),
    ]
    if study.bound_by:
        blocks.append(text(f"The best bound is that of {words(list(study.bound_by))}."))
    if study.refused:
        blocks.append(
            bullets([f"Not asked: {name}: {why}." for name, why in study.refused.items()])
        )
    return Page("How good is it?", f"{finding(study)}.", tuple(blocks))


def _table(study: PlacementStudy) -> Table:
    columns = (
        ("Algorithm", False), ("Between nodes", True), ("Over rank order", True),
        ("Above the best bound", True), ("Its own bound", True), ("Status", False),
    )  # fmt: skip
    rows = [_row(study, each) for each in study.tried]
    return table(columns, (1.5, 1.1, 1, 1.1, 1.1, 1.1), rows)


def _row(study: PlacementStudy, each: Tried) -> tuple[str, ...]:
    found = each.partition
    return (
        label(each),
        study.shown(found.cut),
        ratio(study, found.cut),
        above(study, found.cut),
        study.shown(found.bound) if np.isfinite(found.bound) else DASH,
        status(each),
    )


def above(study: PlacementStudy, weight: float) -> str:
    """How far a cut lies above the best bound, never as less than it is."""
    bound = study.placement.partition.bound
    if weight - bound <= study.tolerance:
        return "0 %"
    return percent((weight - bound) / bound, "up") if 0 < bound < np.inf else DASH
