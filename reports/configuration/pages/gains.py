"""What the choice of configuration gains, at every bound."""

from __future__ import annotations

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.gains import ConfigurationGain
from planner.configurations.gains_at_bounds import bars, span, unsteady_bounds
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

_BEST = "'=': packed-max is the best."
_MISSING = "'n/a': packed-max does not fit or was not run."
_UNSTEADY = "*, pale: its runs differ by more than 20 %, perhaps by a slow node."


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """Bars, and the numbers behind them."""
    blocks: list[Block] = [
        *figures(pictures, "gains", _source(study)),
    ]
    for index, answer in enumerate(leading(study)):
        caption = f"{name(answer)}: best, packed-max and worst case at round bounds"
        notes = [_worst_case(study)] if index == 0 else []
        notes += ["*: as in the figure."] if _marked(answer) else []
        caption = ". ".join([caption, " ".join(notes).removesuffix(".")]) if notes else caption
        blocks.append(grid(_bounds(answer), caption, small=True))
    if left_out(study):
        blocks.append(text(left_out(study)))
    heading = "What does the best configuration gain at each bound?"
    return Page(heading, f"{span(answers(study))}.", tuple(blocks))


def _worst_case(study: ConfigurationStudy) -> str:
    """Say what the worst case by rating is."""
    return (
        "The worst case by rating is packed-max on as many nodes as the bound allows at "
        f"{bound(study.question.node.power_w)} each, the rated maximum of a node."
    )


def _source(study: ConfigurationStudy) -> str:
    """Explain the marks of the figure, each only where it occurs."""
    shown = gaining_applications(study)
    gains = [gain for answer in shown for _, gain, _ in bars(answer)]
    parts = [
        _BEST if any(gain is not None and gain.speedup <= 1 for gain in gains) else "",
        _MISSING if any(gain is None for gain in gains) else "",
        _UNSTEADY if any(unsteady_bounds(answer) for answer in shown) else "",
    ]
    return " ".join(filter(None, parts)) + omitted_applications(study)


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
