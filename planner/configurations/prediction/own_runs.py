"""How well models and designs would have done on a user's own runs, had fewer been made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from planner.configurations.prediction.chosen import CHOSEN
from planner.configurations.prediction.compare import (
    GUARDS,
    PredictionCase,
    compare,
    quantile_bounds,
)
from planner.configurations.prediction.curves import curves
from planner.configurations.prediction.families import models_of
from planner.configurations.prediction.predicted import OfSpoken
from planner.configurations.prediction.processor import Processor, of_node
from planner.configurations.prediction.study import PredictionStudy, joined, strategies, verify
from planner.configurations.prediction.training import Training
from planner.configurations.table import Repetition, table_of
from planner.errors import InputError
from scenarios.measurements.runs import Runs

if TYPE_CHECKING:
    from planner.configurations.study import ConfigurationStudy

LEAST_CONFIGURATIONS = 40
"""Applications with fewer configurations leave nothing to predict."""

_SHARE = 0.1  # of the configurations are trained on, as in the thesis
_LEAST_TRAINED = 12
_QUANTILES = (0.2, 0.35, 0.5, 0.65, 0.8)
_BUDGETS = (8, 12, 16, 24)
_SEEDS = 5
_CURVE_SEEDS = 2


def on_own_runs(
    answered: ConfigurationStudy, *, seed: int = 0, progress: Callable[[str], None] = lambda _: None
) -> PredictionStudy:
    """Train on a tenth of each application's configurations, and decide; spend runs one by one.

    The bounds are the requested one and quantiles of the application's power. Quantiles under which
    a guard of 5 % leaves no configuration are left out. So are applications with fewer than 40
    configurations.

    Raises
    ------
    InputError
        No application has enough of them.

    References
    ----------
    Thesis, section 5.4.2: trained on a tenth of the data.
    """
    parts: list[PredictionStudy] = []
    processor = of_node(answered.question.node)
    seeds = range(seed, seed + _SEEDS)
    repetition = answered.question.repetition
    for answer in answered.answers:
        runs = answered.measurements.runs[answer.application]
        if len(table_of(runs)) < LEAST_CONFIGURATIONS:
            continue
        progress(f"models of {answer.application}")
        parts += _one(runs, answered.question.bound.bound_w, seeds, processor, repetition)
    if not parts:
        raise InputError(
            f"--full needs an application with at least {LEAST_CONFIGURATIONS} configurations of "
            "different power, and the file has none; drop --full or measure more"
        )
    return joined(parts)


def _one(
    runs: Runs, bound_w: float, seeds: range, processor: Processor, repetition: Repetition
) -> list[PredictionStudy]:
    """The study of one application; none where no bound leaves something under every guard.

    Truth is the run that speaks for each configuration, and models learn from these runs alone.
    """
    table = table_of(runs, repetition)
    count = max(_LEAST_TRAINED, math.ceil(_SHARE * len(table)))
    least_w = float(table.power_w.min()) / (1 - max(GUARDS))  # every guard leaves something
    bounds = {bound_w, *quantile_bounds(table, _QUANTILES)}
    usable = sorted(bound for bound in bounds if bound >= least_w)
    if not usable:
        return []
    case, training = PredictionCase(runs, table, tuple(usable)), Training(count)
    choice = CHOSEN.on(processor)
    models = {n: OfSpoken(m, repetition) for n, m in models_of(processor).items()}
    comparison = compare(case, models, training, seeds)
    curve_seeds = tuple(seeds)[:_CURVE_SEEDS]
    prediction = PredictionStudy(
        comparison.errors,
        comparison.decisions,
        (verify(case, training, seeds, choice.design),),
        curves(case, strategies(choice), _BUDGETS, curve_seeds),
        tuple(seeds),
        curve_seeds,
    )
    return [prediction]
