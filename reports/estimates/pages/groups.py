"""Who gains: the sampled users, all users of the tool, the others, everybody."""

from __future__ import annotations

from planner.formatting import DASH, duration, given
from planner.scheduling.estimates.gain_text import deviation, seeds
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Drawn, Page, figures, text
from reports.compact import compact
from reports.estimates.figures.groups import GROUPS, finding, gains
from reports.estimates.gain_text import bound, in_table, ranges
from reports.grid import Table, table


def page(study: EstimateStudy, drawings: Drawn) -> Page | None:
    """Queue times of each group by uptake; nothing of one user."""
    if study.one_user:
        return None
    error = min(study.settings.errors)
    band = " Vertical lines: range over all seeds."
    source = (
        f"With {bound(error)}. Left: means over seeds; right: the sampled users compared with "
        f"themselves without the tool.{band if len(set(study.settings.seeds)) > 1 else ''} "
        f"Simulated, {seeds(study)}."
    )
    message = (
        "The group of sampled users has the same members at every uptake. Users of the tool and "
        "others are different people at each uptake, so their lines alone do not show the tool's "
        "effect. Everybody means all jobs at every uptake."
    )
    blocks = (
        *figures(drawings, "groups", source, title="Waits by uptake"),
        text(message),
        *compact(
            _table(study),
            "Mean waits by uptake, simulated, means over seeds",
            small=True,
            keep=("Sampled users", "Gain"),
        ),
    )
    return Page("Who gains?", f"{finding(study)}.", blocks)


def _table(study: EstimateStudy) -> Table:
    columns = (
        ("Uptake", True), ("Sampled users", True), ("Gain", True), ("Deviation (points)", True),
        ("Range", True), ("Users of the tool", True), ("Others", True),
        ("Everybody", True),
    )  # fmt: skip
    by_uptake = gains(study)
    rows = []
    groups = sorted(study.by_group, key=lambda group: group["uptake"])
    found = [by_uptake.get(row["uptake"]) for row in groups]
    texts = [DASH if gain is None else in_table(gain.mean) for gain in found]
    for row, gain, much, span in zip(groups, found, texts, ranges(texts, found), strict=True):
        first, *others = (
            DASH if row[key] is None else duration(row[key]) for key in GROUPS
        )  # fmt: skip
        of_gain = (much, deviation(gain), span)
        rows.append((given(row["uptake"]), first, *of_gain, *others))
    return table(columns, (0.7, 1, 0.8, 0.9, 1.6, 1, 0.9, 1), rows)
