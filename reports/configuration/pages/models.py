"""How well models predict these runs, and what decisions by them cost.

References
----------
Thesis, section 5.4.2: a regression trained on a tenth of the data, and its errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.configurations.prediction.findings import named, of_models
from planner.configurations.study import ConfigurationStudy
from planner.formatting import DASH, clipped, given, percent, percent_range, plural, words
from reports.blocks import Block, Drawn, Page, figures, grid, partly, subheading, text
from reports.configuration.pages.method import REPETITIONS
from reports.configuration.summary import application_names, bound, listed, prediction_left_out
from reports.grid import Table, table
from reports.numbers import fixed

if TYPE_CHECKING:
    from planner.configurations.prediction.compare import Errors, ModelDecisions
    from planner.configurations.prediction.study import PredictionStudy, Verified

_FEW = 3
"""Beyond this many applications the tables of decisions show only two guards."""
_SHORT_GUARDS = (0.0, 0.03)
_ERRORS = (
    "Errors on configurations that were not used for training. Marker: median; thick line: up to "
    "the 75th percentile; thin line: up to the largest. Compare the thesis's Figures 5.4 and 5.5."
)
_DECISIONS = (
    "Left: mean regret, with bars from the 10th to the 90th percentile over training sets. Right: "
    "decisions whose measured power exceeds the bound. Hollow markers: some decisions had no "
    "answer; at the upper edge, none had one."
)


def page(study: ConfigurationStudy, pictures: Drawn) -> Page | None:
    """Errors, decisions at several guards, and decisions that were verified."""
    prediction = study.prediction
    if prediction is None:
        return None
    names = application_names(study)
    blocks: list[Block] = [
        text(f"{trained(prediction)} {truth(study)}"),
        *figures(pictures, "errors of models", _ERRORS),
        grid(_errors([row for row in prediction.errors if row.application in names]),
             "Errors of time and power on configurations not used for training", small=True),
        subheading("What do decisions by a model cost?"),
        text(
            "A model chooses the least predicted time whose predicted power fits the bound less "
            "the guard. Regret: how much slower its choice is than the best choice under the same "
            "guarded bound. The price of the guard is listed separately: the time that the guard "
            "itself costs. A negative regret means that the choice breaks the bound. "
            "Log-polynomial is the thesis's regression."
        ),
        *figures(pictures, "decisions of models", _DECISIONS),
        *_decisions(prediction, names),
        *_verified(prediction, names),
    ]  # fmt: skip
    if prediction_left_out(study):
        blocks.append(text(prediction_left_out(study)))
    return Page("How well do models predict these runs?", of_models(prediction), tuple(blocks))


def trained(prediction: PredictionStudy) -> str:
    """State on what models were trained, how often, and for how many bounds."""
    kinds: dict[str, list[str]] = {}
    for row in prediction.errors:
        if row.application not in kinds.setdefault(row.training, []):
            kinds[row.training].append(row.application)
    much = "; on ".join(
        training if len(kinds) == 1 else f"{training} (of {listed(names)})"
        for training, names in kinds.items()
    )
    sets = len(prediction.seeds)
    per_set = {row.decisions // max(1, sets) for row in prediction.decisions}
    bounds = words([str(count) for count in sorted(per_set)])
    return (
        f"Each model was trained on {much}, with {plural(sets, 'random training set')} (seeds "
        f"{', '.join(map(str, prediction.seeds))}), and decided for {bounds} bounds each time."
    )


def truth(study: ConfigurationStudy) -> str:
    """What predictions and choices are compared with."""
    return (
        f"Ground truth of a configuration is {REPETITIONS[study.question.repetition]}. Differences "
        "between its runs therefore count as errors, too."
    )


def _errors(rows: Sequence[Errors]) -> Table:
    columns = (
        ("Application", False), ("Model", False), ("Time: median", True), ("75th percentile", True),
        ("largest", True), ("Power: median", True), ("75th percentile", True), ("largest", True),
        ("too low by up to", True),
    )  # fmt: skip
    cells = [
        (
            clipped(row.application, 18), named(row.model), percent(row.time_median),
            percent(row.time_quartile_3), percent(row.time_most), percent(row.power_median),
            percent(row.power_quartile_3), percent(row.power_most), percent(row.power_short_most),
        )
        for row in rows
    ]  # fmt: skip
    return table(columns, (0.95, 1.5, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75), cells)


def _decisions(prediction: PredictionStudy, names: Sequence[str]) -> list[Block]:
    columns = (
        ("Model", False), ("Guard", True), ("Price of the guard", True), ("Regret, mean", True),
        ("10th to 90th percentile", True), ("Break the bound", True), ("by up to", True),
        ("No answer", True),
    )  # fmt: skip
    blocks = []
    for name in names:
        every = [row for row in prediction.decisions if row.application == name]
        rows = [row for row in every if len(names) <= _FEW or row.guard in _SHORT_GUARDS]
        caption = (
            f"{clipped(name, 40)}: {plural(every[0].decisions, 'decision')} of each model, trained "
            f"on {every[0].training}"
        )
        caption = partly(caption, len(rows), len(every), "configure.xlsx")
        body = table(columns, (1.25, 0.55, 0.8, 0.8, 1.2, 0.8, 0.7, 0.7), map(_decision, rows))
        blocks.append(grid(body, caption, small=True))
    return blocks


def _decision(row: ModelDecisions) -> tuple[str, ...]:
    return (
        row.model,
        given(row.guard),
        percent(row.guard_price),
        "no answer" if row.regret_mean is None else percent(row.regret_mean),
        span(row.regret_low, row.regret_high),
        *broken(row.violations, row.worst_excess, row.no_answer),
    )


def broken(violations: float, worst: float, no_answer: float) -> tuple[str, str, str]:
    """Cells of the decisions that break the bound, by how much, and that have no answer."""
    if no_answer >= 1:
        return (DASH, DASH, "all")
    share = percent(violations) if violations else "none"
    return (
        share,
        percent(worst, "up") if worst else DASH,
        percent(no_answer) if no_answer else "none",
    )


def span(low: float | None, high: float | None) -> str:
    """From a tenth to a ninetieth percentile."""
    if low is None or high is None:
        return DASH
    return percent_range(low, high, outward=False)


def _verified(prediction: PredictionStudy, names: Sequence[str]) -> list[Block]:
    rows = [row for row in prediction.verified if row.application in names]
    if not rows:
        return []
    columns = (
        ("Application", False), ("Runs to verify", True), ("Regret: mean", True), ("median", True),
        ("largest", True), ("in the band, mean", True), ("Break the bound", True),
        ("by up to", True), ("No answer", True),
    )  # fmt: skip
    overall = table(columns, (1.2, 0.8, 0.75, 0.75, 0.75, 0.8, 0.8, 0.7, 0.7), map(_overall, rows))
    blocks = [
        subheading("What does verification change?"),
        text(
            "After the same training, a few further runs per bound check what is predicted best. "
            "The fastest run that fits the bound less a margin is chosen. Regret compares it with "
            "the least time within the whole bound; 'in the band' compares it with the least time "
            "within the bound less the margin. 'Break the bound' uses the ground truth, which need "
            "not be the verified run."
        ),
        grid(
            overall,
            f"Verified decisions after {plural(len(prediction.seeds), 'training set')}",
            small=True,
        ),
    ]
    selected = rows if len(names) <= _FEW else []
    blocks += [
        grid(
            _at_bounds(row),
            f"{clipped(row.application, 40)}: verified decisions by bound",
            small=True,
        )
        for row in selected
        if row.at_bounds
    ]
    if len(selected) < len(rows):
        blocks.append(text("Results at each bound are in configure.xlsx."))
    return blocks


def _overall(row: Verified) -> tuple[str, ...]:
    regrets = (row.regret_mean, row.regret_median, row.regret_most, row.regret_band_mean)
    return (
        clipped(row.application),
        fixed(row.runs, 1),
        *("no answer" if regret is None else percent(regret) for regret in regrets),
        *broken(row.violations, row.worst_excess, row.no_answer),
    )


def _at_bounds(row: Verified) -> Table:
    columns = (
        ("Bound", True), ("Regret in the band", True), ("Price of the margin", True),
        ("Regret", True),
    )  # fmt: skip
    cells = [
        (
            bound(float(f"{at_bound.bound_w:.6g}")),
            percent(at_bound.regret_band),
            percent(at_bound.margin_price),
            percent(at_bound.regret),
        )
        for at_bound in sorted(row.at_bounds, key=lambda at_bound: at_bound.bound_w)
    ]
    return table(columns, (1, 1, 1, 1), cells)
