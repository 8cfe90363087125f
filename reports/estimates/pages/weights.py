"""How much depends on weights that are not published."""

from __future__ import annotations

from planner.formatting import duration
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Drawn, Page, figures, grid, text
from reports.estimates.assumed_weights import ASSUMED, weights_assumed
from reports.estimates.figures.weights import finding
from reports.estimates.gain_text import in_table
from reports.grid import Table, table

_VARIED = (
    "One at a time, each weight is removed and multiplied by ten. Weights decide who waits, and so "
    "how much better estimates help."
)


def page(study: EstimateStudy, drawings: Drawn) -> Page | None:
    """Queue times for each variant; nothing where none was simulated."""
    if len(study.weights) < 2:
        return None
    source = (
        "Hollow: without the tool; filled: exact estimates for all users; the number is the gain. "
        "Simulated; seeds do not matter, as no user or every user has the tool."
    )
    blocks = (
        text(f"{ASSUMED} {_VARIED}" if weights_assumed(study) else _VARIED),
        *figures(drawings, "weights", source, title="Mean queue time by weights"),
        grid(_table(study), "All jobs by weights, simulated", small=True),
    )
    return Page("Sensitivity to scheduler weights", f"{finding(study)}.", blocks)


def _table(study: EstimateStudy) -> Table:
    columns = (
        ("Weights", False), ("Mean, no tool", True), ("Mean, exact", True), ("Gain", True),
        ("Longest, no tool", True), ("Longest, exact", True),
    )  # fmt: skip
    waits = ("mean_wait_s", "mean_wait_exact_s", "max_wait_s", "max_wait_exact_s")
    rows = []
    for row in study.weights:
        bare, exact, most, most_exact = (duration(row[key]) for key in waits)
        rows.append((row["weights"], bare, exact, in_table(row["gain"]), most, most_exact))
    return table(columns, (1.5, 1, 1, 0.8, 1.1, 1.1), rows)
