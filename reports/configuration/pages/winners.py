"""Which configuration wins at which bound."""

from __future__ import annotations

import numpy as np

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.study import ConfigurationStudy
from planner.formatting import percent, seconds, watts
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.configuration.figures.staircase import finding
from reports.configuration.summary import leading, left_out, name
from reports.grid import Table, table

_MOST, _MOST_OF_MANY = 14, 9
_SOURCE = (
    "Each marker is the best configuration from that bound on. Grey lines: the best configuration "
    "changes its number of cores per node."
)


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """The staircase, and its steps around the requested bound."""
    blocks: list[Block] = []
    limit = _MOST if len(study.answers) == 1 else _MOST_OF_MANY
    for index, answer in enumerate(leading(study)):
        source = _SOURCE if index == 0 else ""
        blocks += figures(pictures, f"staircase {answer.application}", source)
        total = len(answer.curve.winners)
        rows = _around(answer, limit)
        caption = f"{name(answer)}: best configurations near the requested bound"
        caption = partly(caption, len(rows), total, "configure.xlsx")
        blocks.append(grid(_steps(answer, rows), caption, small=True))
    if left_out(study):
        blocks.append(text(left_out(study)))
    return Page("Which configuration is best at which bound?", _finding(study), tuple(blocks))


def _finding(study: ConfigurationStudy) -> str:
    if len(study.answers) == 1:
        answer = study.answers[0]
        if len(answer.curve.winners) > 1:
            return f"{finding(answer)}."
        return f"{answer.best} is the best configuration at every bound at which any fits."
    turning = sum(bool(answer.curve.core_changes) for answer in study.answers)
    return (
        f"The best configuration depends on the bound; its cores per node change for {turning} of "
        f"{len(study.answers)} applications."
    )


def _around(answer: ConfigurationAnswer, limit: int) -> range:
    """At most ``limit`` steps, the requested bound among them."""
    curve = answer.curve
    total = len(curve.winners)
    requested = int(np.searchsorted(curve.from_w, answer.question.bound.bound_w, side="right")) - 1
    first = max(0, min(requested - limit // 2, total - limit))
    return range(first, min(total, first + limit))


def _steps(answer: ConfigurationAnswer, rows: range) -> Table:
    columns = (
        ("From bound", True), ("Best configuration", False), ("Time", True), ("Power", True),
        ("Time saved by the change", True), ("Cores per node", False), ("", False),
    )  # fmt: skip
    curve, changes = answer.curve, set(answer.curve.core_changes)
    requested = curve.at(answer.question.bound.bound_w)
    cells = []
    for row in rows:
        winner = curve.winners[row]
        before = curve.winners[row - 1] if row else None
        cells.append(
            (
                watts(float(curve.from_w[row])),
                str(winner),
                seconds(winner.time_s),
                watts(winner.power_w),
                "" if before is None else percent(1 - winner.time_s / before.time_s),
                "" if before is None or row not in changes
                else f"{before.cores_per_node} to {winner.cores_per_node}",
                "requested" if winner == requested else "",
            )
        )  # fmt: skip
    return table(columns, (0.9, 1.5, 0.9, 0.9, 1.1, 1, 0.6), cells)
