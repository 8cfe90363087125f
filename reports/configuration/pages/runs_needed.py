"""How many runs a good choice takes, chosen one after the other or drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.configurations.prediction.findings import GOAL, STRATEGIES, Needed, all_needed, of_runs
from planner.configurations.study import ConfigurationStudy
from planner.formatting import clipped, given, percent, plural, words
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.configuration.pages.models import truth
from reports.configuration.summary import application_names, prediction_left_out
from reports.grid import Table, table

if TYPE_CHECKING:
    from planner.configurations.prediction.curves import CurvePoint
    from planner.configurations.prediction.study import PredictionStudy

_SOURCE = (
    "Markers: medians; bars: up to the 90th percentile. Hollow markers: some decisions had no "
    "answer; at the upper edge, none had one. The scale is linear up to 1 %, then logarithmic."
)

_CAPTION = f"Runs needed for a median regret of {given(GOAL)}"


def page(study: ConfigurationStudy, pictures: Drawn) -> Page | None:
    """Regret over runs, and runs needed."""
    prediction = study.prediction
    if prediction is None:
        return None
    names = application_names(study)
    points = [point for point in prediction.curves if point.application in names]
    blocks: list[Block] = [
        text(f"{_spent(prediction)} {truth(study)}"),
        *figures(pictures, "runs needed", _SOURCE),
        grid(_needed(prediction, names), _CAPTION, small=True),
        text(
            "The number counts only if every larger number of runs also reaches this regret and "
            "every decision has an answer. The mean can be much larger, because a few choices are "
            "poor. A decision has no answer in two cases. The model needs more configurations "
            "(10 for the thesis's regression), or none is known or predicted to fit the bound."
        ),
        *(
            grid(_curves([point for point in points if point.application == name]),
                 f"{clipped(name, 40)}: regret by runs (median / mean / 90th percentile)",
                 small=True)
            for name in names
        ),
    ]  # fmt: skip
    if prediction_left_out(study):
        blocks.append(text(prediction_left_out(study)))
    return Page("How many runs are needed?", of_runs(prediction), tuple(blocks))


def _spent(prediction: PredictionStudy) -> str:
    draws = len(prediction.curve_seeds)
    bounds = sorted({point.decisions // max(1, draws) for point in prediction.curves})
    return (
        "Each strategy starts without runs and takes single runs from the file, for one bound at "
        f"a time: {words([str(bound) for bound in bounds])} bounds, {plural(draws, 'repetition')} "
        f"(seeds {', '.join(map(str, prediction.curve_seeds))}). Regret compares the choice with "
        "the least time within the whole bound; a negative regret means a broken bound. Random "
        "runs with a model keep a guard of 3 % free. Only the strategy with verification checks "
        "its choice."
    )


def _needed(prediction: PredictionStudy, names: Sequence[str]) -> Table:
    rows = [needed for needed in all_needed(prediction) if needed.application in names]
    strategies = list(dict.fromkeys(row.strategy for row in rows))
    by_place = {(row.application, row.strategy): row for row in rows}
    columns = (
        ("Application", False),
        *((STRATEGIES.get(strategy, strategy), False) for strategy in strategies),
    )
    cells = [
        (clipped(name, 24), *(_cell(by_place.get((name, strategy))) for strategy in strategies))
        for name in names
    ]
    return table(columns, (0.9, *[1.0] * len(strategies)), cells)


def _cell(needed: Needed | None) -> str:
    if needed is None:
        return "not studied"
    text = f"more than {needed.most_runs}" if needed.runs is None else f"{needed.runs}"
    return text + (f"\n{percent(needed.violations)} break the bound" if needed.violations else "")


def _curves(points: Sequence[CurvePoint]) -> Table:
    budgets = sorted({point.runs for point in points})
    columns = (("Strategy", False), *((plural(budget, "run"), False) for budget in budgets))
    by_place = {(point.strategy, point.runs): point for point in points}
    rows = [
        (
            STRATEGIES.get(strategy, strategy),
            *(_regrets(by_place.get((strategy, budget))) for budget in budgets),
        )
        for strategy in dict.fromkeys(point.strategy for point in points)
    ]
    return table(columns, (1.4, *[1.0] * len(budgets)), rows)


def _regrets(point: CurvePoint | None) -> str:
    if point is None:
        return "not studied"
    if point.regret_median is None or point.regret_mean is None or point.regret_high is None:
        return "no answer"
    three = (point.regret_median, point.regret_mean, point.regret_high)
    text = " / ".join(percent(share) for share in three)
    if point.violations:
        text += f"\n{percent(point.violations)} break the bound, by up to "
        text += percent(point.worst_excess, "up")
    return text + (f"\n{percent(point.no_answer)} without an answer" if point.no_answer else "")
