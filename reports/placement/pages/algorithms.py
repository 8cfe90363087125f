"""How good the placement is: every algorithm that suits, against the bound."""

from __future__ import annotations

import numpy as np

from planner.formatting import DASH, capitalised, words
from planner.placement.compared import Tried
from planner.placement.study import PlacementStudy
from planner.placement.summary import goal, less_by
from reports.blocks import Block, Drawn, Page, figures, text
from reports.compact import compact
from reports.grid import Table, table
from reports.placement.summary import full_name, label, over, status

_FEW = 2
"""Different results up to which the table is enough."""
_TITLE = "How good is this placement?"


def page(study: PlacementStudy, drawn: Drawn) -> Page:
    """Dots, the table, and why others were not run."""
    if study.comparison == "silent":
        return Page(_TITLE, "Without traffic between nodes, no grouping is better.", ())
    limit = study.settings.time_limit_s
    sentence = (
        f"Each algorithm had the same weights, node sizes and seed ({study.settings.seed}), "
        + ("without a time limit." if limit is None else f"and at most {limit:g} s.")
        + " A proven limit holds for every algorithm."
    )
    if study.settings.pins:
        sentence += (
            " The default mapping, the baseline, ignores pins; the algorithm order keeps them."
        )
    blocks: list[Block] = [
        text(sentence + _refused(study)),
        *(figures(drawn, "algorithms", "Dashed: proven limit.") if _differ(study) else ()),
        *compact(_table(study), "Results of the algorithms", keep=_keep(study)),
    ]
    if study.bound_by and not study.proved:
        blocks.append(text(_whose_bound(study)))
    return Page(_TITLE, _answer(study), tuple(blocks))


def _refused(study: PlacementStudy) -> str:
    """Which algorithms were not run, and why."""
    return "".join(
        f" {capitalised(full_name(name).partition(',')[0])} was not run: {why}."
        for name, why in study.refused.items()
    )


def _differ(study: PlacementStudy) -> bool:
    """Whether the algorithms find more results than a table shows well."""
    return len({study.shown(attempt.value) for attempt in study.tried}) > _FEW


def _keep(study: PlacementStudy) -> tuple[str, str]:
    """Columns that stay even where every algorithm finds the same."""
    return goal(study.placement).capitalize(), "Status"


def _answer(study: PlacementStudy) -> str:
    """How far the placement is from the proven limit."""
    if study.proved:
        return "It is proven optimal: no grouping has less."
    if not np.isfinite(study.bound) or study.value <= 0:
        return "The possible improvement is not known: no limit was proven."
    return (
        f"At most {less(study, study.value)} less is possible: this placement has "
        f"{study.shown(study.value)}, and the proven limit is {study.shown(study.bound)}."
    )


def _whose_bound(study: PlacementStudy) -> str:
    bound_by = study.bound_by
    if 1 < len(study.tried) == len(bound_by):
        return "Every algorithm ends with the same proven limit."
    return f"The best proven limit comes from: {words([full_name(name) for name in bound_by])}."


def _table(study: PlacementStudy) -> Table:
    levels = study.placement.summed
    inner = [("Between nodes", True)] if levels else []
    columns = [
        ("Algorithm", False), (goal(study.placement).capitalize(), True),
        ("Ratio to default", True),
        ("Could be less by at most", True), *inner, ("Status", False),
    ]  # fmt: skip
    alike: dict[tuple[str, ...], list[str]] = {}
    for attempt in study.tried:
        alike.setdefault(_row(study, attempt), []).append(label(attempt))
    rows = [(capitalised("; ".join(names)), *cells) for cells, names in alike.items()]
    return table(columns, (3.4, 1, 0.9, 1.1, *([1.0] * len(inner)), 1.1), rows)


def _row(study: PlacementStudy, attempt: Tried) -> tuple[str, ...]:
    placement = attempt.placement
    return (
        study.shown(attempt.value),
        over(attempt.value, study.order_value),
        less(study, attempt.value),
        *([study.shown(placement.partition.cut)] if placement.summed else []),
        status(study, attempt),
    )


def less(study: PlacementStudy, value: float) -> str:
    """How much less than a value is not ruled out; rounded up, unless the limit is reached."""
    if value - study.bound <= study.tolerance:
        return "0 %"
    if value <= 0 or not np.isfinite(study.bound):
        return DASH
    return less_by((value - study.bound) / value, "nearest" if study.proved else "up")
