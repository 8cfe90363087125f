"""What the choice of configuration gains, at every bound."""

from __future__ import annotations

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.gains import ConfigurationGain
from planner.configurations.gains_at_bounds import span, unsteady_bounds
from planner.configurations.study import ConfigurationStudy
from planner.configurations.table import Configuration
from planner.formatting import DASH, seconds
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.configuration.figures.gains import (
    gaining_applications,
    omitted_applications,
)
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

_SOURCE = "'=': packed-max is the best; 'n/a': packed-max does not fit or was not run."
_UNSTEADY = (
    " *: the runs of this packed-max differ by more than 20 %; a slow node may be the cause."
)


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """Bars, and the numbers behind them."""
    blocks: list[Block] = [
        *figures(pictures, "gains", _source(study)),
        text(
            "Packed-max is the configuration of a machine provisioned for this application at full "
            "power: the most cores per node and the highest cap. The worst case by rating is the "
            f"same on as many nodes as the bound allows at {bound(study.question.node.power_w)} "
            "each, the rated maximum of a node."
        ),
    ]
    for answer in leading(study):
        caption = f"{name(answer)}: best, packed-max and worst case at round bounds"
        marked = " (* as in the figure)" if _marked(answer) else ""
        blocks.append(grid(_bounds(answer), caption + marked, small=True))
    if left_out(study):
        blocks.append(text(left_out(study)))
    heading = "What does the best configuration gain at each bound?"
    return Page(heading, f"{span(answers(study))}.", tuple(blocks))


def _source(study: ConfigurationStudy) -> str:
    """Explain the figure; the star only where it occurs."""
    marked = any(unsteady_bounds(answer) for answer in gaining_applications(study))
    return _SOURCE + (_UNSTEADY if marked else "") + omitted_applications(study)


def _marked(answer: ConfigurationAnswer) -> bool:
    """Whether a speed-up in the table has a star."""
    return any(
        answer.unsteady(baseline)
        for at in answer.at_bounds
        for baseline in (at.packed_max, at.worst_case)
    )


def _speedup(
    answer: ConfigurationAnswer, gain: ConfigurationGain | None, baseline: Configuration | None
) -> str:
    return faster(gain) + ("*" if gain is not None and answer.unsteady(baseline) else "")


def _bounds(answer: ConfigurationAnswer) -> Table:
    columns = (
        ("Bound", True), ("Best", False), ("Time", True), ("Packed-max", False),
        ("Its time", True), ("Speed-up over it", True), ("Time saved", True),
        ("Speed-up over worst case", True), ("Time saved", True),
    )  # fmt: skip
    rows = [
        (
            bound(at_bound.bound_w),
            str(at_bound.best),
            seconds(at_bound.best.time_s),
            DASH if at_bound.packed_max is None else str(at_bound.packed_max),
            DASH if at_bound.packed_max is None else seconds(at_bound.packed_max.time_s),
            _speedup(answer, at_bound.gain, at_bound.packed_max),
            less(at_bound.gain),
            _speedup(answer, at_bound.gain_over_worst_case, at_bound.worst_case),
            less(at_bound.gain_over_worst_case),
        )
        for at_bound in answer.at_bounds
    ]
    return table(columns, (0.75, 1.3, 0.75, 1.35, 0.75, 0.8, 0.65, 0.9, 0.65), rows)
