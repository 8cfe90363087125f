"""What each size gives: the curve, and every size that was tried."""

from __future__ import annotations

from planner.formatting import plural, words
from planner.scheduling.policies.display import in_prose
from planner.scheduling.sizing.sizing import Sizing
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import listed, sized_in, unit_of
from planner.scheduling.sizing.tables import tried
from planner.worded_table import Column
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import Table, table_of
from reports.sizing.figures.curve import finding
from reports.sizing.pages.front import BOOK, POLICY, measures

_MOST_ROWS = 40
_LISTED = 12
_HIGH, _MOST_COLUMNS = 14, 9
"""Rows of a part of a folded table, and columns of all its parts."""


def page(study: SizingStudy, drawings: Drawn) -> Page:
    """The curve, and how its sizes were chosen."""
    source = (
        "Left: every size tried, with markers outside the range of the right panel; right: all "
        "sizes around the smallest answer. The filled marker is the answer, the dashed line the "
        "limit. Simulated."
    )
    blocks: list[Block] = [
        *figures(drawings, "curve", source, title="Target and size of the machine")
    ]
    blocks += [
        text(_looked(study, sizing, sizing.nodes))
        for sizing in study.sizings
        if sizing.nodes is not None
    ]
    return Page("What does each size achieve?", _answer(study), tuple(blocks))


def _answer(study: SizingStudy) -> str:
    """What the smallest size tried, the answer and the largest size achieve."""
    if not study.ranking:
        return f"{finding(study)}."
    best, level = study.sizings[study.ranking[0]], study.settings.level
    sizes = sorted({min(best.tried), best.nodes or min(best.tried), max(best.tried)})
    values = [f"{level.text(best.tried[size].value)} with {size:,}" for size in sizes]
    unit = f"{unit_of(study.rules.node_processors)}s"
    return (
        f"Under {in_prose(best.policy)} {level.quantity} is {words(values)} {unit}."
        if len(sizes) > 1
        else f"Under {in_prose(best.policy)} {level.quantity} is {values[0]} {unit}, the only size."
    )


def every_size(study: SizingStudy, _drawn: Drawn) -> Page:
    """What every size that was tried achieves."""
    rows, total = _tried(study)
    caption = partly("Every size tried", min(total, _MOST_ROWS), total, BOOK)
    return Page("Appendix: every size tried", "", (grid(rows, caption, small=True),))


def _looked(study: SizingStudy, sizing: Sizing, nodes: int) -> str:
    tried = f"{plural(len(sizing.tried), 'size')} {'was' if len(sizing.tried) == 1 else 'were'}"
    message = (
        f"Under {in_prose(sizing.policy)} {tried} tried: every one within "
        f"{sized_in(sizing.search.looked, study)} of {nodes:,}, one per percent up to 10 % above "
        "it, and a coarse grid. A larger machine is not always better: a job that starts sooner "
        "may delay others."
    )
    if sizing.lucky:
        sizes = listed(sizing.lucky, _LISTED)
        least = min(sizing.lucky)
        missing = sorted(
            size for size, one in sizing.tried.items() if least < size < nodes and not one.keeps
        )
        verb = "misses" if len(missing) == 1 else "miss"
        return (
            f"{message} Smaller sizes that also meet the target: {sizes} (all in {BOOK}). Between "
            f"them and the answer {listed(missing, _LISTED)} {verb} it."
        )
    return f"{message} No smaller size tried meets the target."


def _tried(study: SizingStudy) -> tuple[Table, int]:
    level_column = Column("keeps", "Target", lambda keeps: "met" if keeps else "missed", width=0.8)
    rows = [tried(sizing.policy, one) for sizing in study.sizings for one in sizing.tried.values()]
    policies = (POLICY,) if len(study.sizings) > 1 else ()
    columns: tuple[Column, ...] = (*policies, *measures(study), level_column)
    if len(rows) > _HIGH:  # then parts stand side by side
        columns = tuple(column for column in columns if column.key != "utilisation")
    shown = rows[:_MOST_ROWS]
    return folded(table_of(columns, shown)), len(rows)


def folded(rows: Table) -> Table:
    """Return a long, narrow table in parts side by side, so that it stays on a page."""
    number, width = len(rows["rows"]), len(rows["columns"])
    parts = min(_MOST_COLUMNS // width, -(-number // _HIGH))
    if parts < 2:
        return rows
    high = -(-number // parts)
    blank = [""] * width
    padded = [*rows["rows"], *[blank] * (parts * high - number)]
    return {
        "columns": rows["columns"] * parts,
        "widths": rows["widths"] * parts,
        "rows": [
            [cell for part in range(parts) for cell in padded[part * high + row]]
            for row in range(high)
        ],
    }
