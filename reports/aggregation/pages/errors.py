"""How far the model of IPC is off where that is known."""

from __future__ import annotations

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.tables import left_out_codes
from planner.aggregation.wording import percent
from reports.aggregation.figures.errors import finding
from reports.aggregation.pages.front import BOOK
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import Table, table

_MOST_ROWS = 16


def page(study: AggregationStudy, drawn: Drawn) -> Page:
    """Figure and table by code."""
    source = "Dot: mean; bar: largest. Each code is predicted by models of all the others."
    rows = left_out_codes(study)
    blocks: list[Block] = [
        *figures(drawn, "errors", source),
        text(
            "The errors chose the strength of the ridge and the number of events, so those of a "
            "new code may be larger. Errors of the slowdown add those of two patterns."
        ),
        grid(_table(study), partly("Codes left out", min(len(rows), _MOST_ROWS), len(rows), BOOK),
             small=True),
    ]  # fmt: skip
    return Page("How far are predictions of IPC off?", f"{finding(study)}.", tuple(blocks))


def _table(study: AggregationStudy) -> Table:
    columns = (
        ("Code", False), ("Predictions", True), ("Mean error", True), ("Largest", True),
        ("Bias", True),
    )  # fmt: skip
    rows = [
        (
            row["code"],
            f"{row['predictions']:,}",
            percent(row["mean_error"]),
            percent(row["most_error"]),
            percent(row["bias"]),
        )
        for row in left_out_codes(study)[:_MOST_ROWS]
    ]
    return table(columns, (2, 1, 1, 1, 1), rows)
