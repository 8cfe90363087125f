"""How much depends on weights that are not published."""

from __future__ import annotations

from typing import Any

from planner.formatting import capitalised, duration, words
from planner.scheduling.estimates.settings import changed_weight
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Drawn, Page, figures, grid, text
from reports.estimates.assumed_weights import ASSUMED, weights_assumed
from reports.estimates.figures.weights import finding, weight_name
from reports.estimates.gain_text import in_table, number_or_none
from reports.grid import Table, table
from reports.numbers import typed

_LITTLE = 0.005
_VARIED = (
    "One at a time, each weight is removed or multiplied by ten. Weights decide who waits, and so "
    "how much better estimates help."
)


def page(study: EstimateStudy, drawings: Drawn) -> Page | None:
    """Queue times for each variant; nothing where none was simulated."""
    if len(study.weights) < 2:
        return None
    source = (
        "Hollow: without the tool; filled: exact estimates for all users, a cross where waits are "
        "longer; the number is the gain. "
        "Simulated; seeds do not matter, as no user or every user has the tool."
    )
    blocks = (
        text(" ".join([*([ASSUMED] if weights_assumed(study) else []), _VARIED, *_idle(study)])),
        *figures(drawings, "weights", source, title="Mean wait by weights"),
        grid(_table(study), "All jobs by weights, simulated", small=True),
    )
    return Page("Sensitivity to scheduler weights", f"{finding(study)}.", blocks)


def _acts(study: EstimateStudy, row: dict[str, Any]) -> bool:
    """Whether a change of the weights moves a mean wait by half a per cent or more."""
    given = study.weights[0]
    return any(
        abs(row[key] - given[key]) > _LITTLE * given[key]
        for key in ("mean_wait_s", "mean_wait_exact_s")
    )


def gains_of_changes(study: EstimateStudy) -> list[float]:
    """Return the gain of exact estimates under each change of the weights that has an effect."""
    rows = [row for row in study.weights[1:] if _acts(study, row)]
    return [gain for row in rows if (gain := number_or_none(row["gain"])) is not None]


def _idle(study: EstimateStudy) -> list[str]:
    """Which weights change no mean by half a per cent, and why."""
    moved: dict[str, bool] = {}
    for row in study.weights[1:]:
        name = changed_weight(row["weights"])
        moved[name] = moved.get(name, False) or _acts(study, row)
    idle = [name for name, change in moved.items() if not change]
    lines = []
    if idle:
        verb = "changes" if len(idle) == 1 else "change"
        lines.append(f"{capitalised(words(idle))} {verb} the mean waits by less than 0.5 %.")
    if study.one_user and "fairshare" in idle:
        lines.append("Fair share cannot act, as all jobs belong to one user.")
    service = study.configuration.priority.service
    if "bypass" in idle and service.queue_time > 0:
        lines.append(
            f"Each job that overtakes another counts only as much as "
            f"{typed(service.bypass / service.queue_time)} min of waiting."
        )
    return lines


def _table(study: EstimateStudy) -> Table:
    columns = (
        ("Weights", False), ("Mean, no tool", True), ("Mean, exact", True), ("Gain", True),
        ("Longest, no tool", True), ("Longest, exact", True),
    )  # fmt: skip
    waits = ("mean_wait_s", "mean_wait_exact_s", "max_wait_s", "max_wait_exact_s")
    rows = []
    for row in study.weights:
        bare, exact, most, most_exact = (duration(row[key]) for key in waits)
        rows.append(
            (weight_name(row["weights"]), bare, exact, in_table(row["gain"]), most, most_exact)
        )
    return table(columns, (1.8, 1, 1, 0.8, 1.1, 1.1), rows)
