"""What the choice of configuration gains, at every bound."""

from __future__ import annotations

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.study import ConfigurationStudy
from planner.formatting import DASH, seconds
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.configuration.figures.gains import finding, omitted_applications
from reports.configuration.summary import (
    answers,
    bound,
    faster,
    leading,
    left_out,
    less,
    name,
)
from reports.grid import Table, table

_SOURCE = (
    "Left scale: time of packed-max over time of the best; right scale: the share of time saved. "
    "'=': packed-max is the best; 'n/a': packed-max does not fit or was not measured. As in the "
    "thesis's Figure 3.4."
)


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """Bars, and the numbers behind them."""
    blocks: list[Block] = [
        *figures(pictures, "gains", _SOURCE + omitted_applications(study)),
        text(
            "Packed-max is the configuration of a machine provisioned for this application at full "
            "power. The worst case by rating has as many nodes as the bound allows at "
            f"{bound(study.question.node.power_w)} each, the rated maximum of a node."
        ),
    ]
    for answer in leading(study):
        caption = f"{name(answer)}: best, packed-max and worst case at round bounds"
        blocks.append(grid(_bounds(answer), caption, small=True))
    if left_out(study):
        blocks.append(text(left_out(study)))
    heading = "What does the best configuration gain at each bound?"
    return Page(heading, f"{finding(answers(study))}.",
                tuple(blocks))  # fmt: skip


def _bounds(answer: ConfigurationAnswer) -> Table:
    columns = (
        ("Bound", True), ("Best", False), ("Time", True), ("Packed-max", False),
        ("Time", True), ("Speed-up", True), ("Time saved", True),
        ("Over worst case", True), ("Time saved", True),
    )  # fmt: skip
    rows = [
        (
            bound(at_bound.bound_w),
            str(at_bound.best),
            seconds(at_bound.best.time_s),
            DASH if at_bound.packed_max is None else str(at_bound.packed_max),
            DASH if at_bound.packed_max is None else seconds(at_bound.packed_max.time_s),
            faster(at_bound.gain),
            less(at_bound.gain),
            faster(at_bound.gain_over_worst_case),
            less(at_bound.gain_over_worst_case),
        )
        for at_bound in answer.at_bounds
    ]
    return table(columns, (0.8, 1.3, 0.75, 1.35, 0.75, 0.65, 0.65, 0.75, 0.65), rows)
